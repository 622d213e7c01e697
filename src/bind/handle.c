/* SPDX-License-Identifier: MIT */
/* The userdata: making and dropping it. */
#include "bind/handle.h"

#include "bind/collect.h"
#include "bind/raise.h"
#include "bind/state.h"
#include "core/memory.h"

const char locus_handle_mark;

/* What the userdata of a dropped tensor points to. */
static const locus_tensor dropped;

/* Collects garbage when memory is short. */
static locus_tensor *make_tensor(lua_State *L)
{
  locus_state *state = locus_state_of(L);
  locus_tensor *tensor = locus_memory_alloc(sizeof *tensor);
  locus_context cx;

  if (tensor) return tensor;
  locus_collect(L, state);
  tensor = locus_memory_alloc(sizeof *tensor);
  if (tensor) return tensor;
  locus_fail_memory(&cx, sizeof *tensor);
  lua_pushfstring(L, "%s: %s", locus_called(L, state->function), cx.error.message);
  locus_raise(L, lua_tostring(L, -1));
  return NULL;
}

locus_tensor *locus_push_tensor(lua_State *L)
{
  locus_handle *h = lua_newuserdata(L, sizeof *h);

  h->mark = &locus_handle_mark;
  h->tensor = (locus_tensor *)&dropped;
  lua_pushvalue(L, UPVALUE_METATABLE);
  lua_setmetatable(L, -2);
  h->tensor = make_tensor(L);
  locus_tensor_clear(h->tensor);
  return h->tensor;
}

/* The environment of a tensor on foreign memory holds the owner; views inherit it. */
locus_tensor *locus_push_view(lua_State *L, int index)
{
  const locus_tensor *tensor = locus_test_tensor(L, index);
  locus_tensor *view;

  lua_pushvalue(L, index);
  view = locus_push_tensor(L);
  if (tensor->storage && tensor->storage->foreign) {
    lua_getfenv(L, -2);
    lua_setfenv(L, -2);
  }
  lua_remove(L, -2);
  return view;
}

int locus_drop_tensor(lua_State *L)
{
  locus_tensor *tensor = locus_test_tensor(L, 1);

  if (!tensor || tensor == &dropped) return 0;
  ((locus_handle *)lua_touserdata(L, 1))->tensor = (locus_tensor *)&dropped;
  locus_tensor_release(tensor);
  locus_memory_free(tensor, sizeof *tensor);
  return 0;
}
