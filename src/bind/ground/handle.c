/* SPDX-License-Identifier: MIT */
/* The userdata: making and dropping it. */
#include "bind/ground/handle.h"

#include <stddef.h>

#include "bind/ground/collect.h"
#include "bind/ground/raise.h"
#include "bind/ground/state.h"
#include "core/memory.h"

const char locus_handle_mark;

/* The target of a userdata. */
typedef struct held {
  locus_tensor tensor; /* first: that address is known elsewhere */
  locus_member member;
  locus_handle *handle;
} held;

/* The target of the userdata of a freed tensor. */
static const locus_tensor freed[LOCUS_FREERS];

static bool is_freed(const locus_tensor *tensor)
{
  return tensor >= freed && tensor < freed + LOCUS_FREERS;
}

static void point_at_freed(locus_handle *h, locus_freer by)
{
  h->tensor = (locus_tensor *)&freed[by];
}

/* Collects garbage when memory is short; finalizers may call other functions then. */
static held *allocate(lua_State *L, locus_state *state)
{
  const char *function = state->function;
  held *made = locus_memory_alloc(sizeof *made);
  locus_context cx;

  if (made) return made;
  locus_collect(L, state);
  made = locus_memory_alloc(sizeof *made);
  if (made) return made;
  locus_fail_memory(&cx, sizeof *made);
  lua_pushfstring(L, "%s: %s", locus_called(L, function), cx.error.message);
  locus_raise(L, lua_tostring(L, -1));
  return NULL;
}

static locus_handle *push_blank(lua_State *L)
{
  locus_handle *h = lua_newuserdata(L, sizeof *h);

  h->mark = &locus_handle_mark;
  point_at_freed(h, LOCUS_BLANK);
  lua_pushvalue(L, UPVALUE_METATABLE);
  lua_setmetatable(L, -2);
  return h;
}

static locus_tensor *fill(locus_handle *h, held *made, locus_scope *scope)
{
  h->tensor = &made->tensor;
  made->handle = h;
  locus_tensor_clear(&made->tensor);
  locus_scope_add(scope, &made->member);
  return &made->tensor;
}

locus_tensor *locus_push_tensor(lua_State *L)
{
  locus_state *state = locus_state_of(L);
  locus_handle *h = push_blank(L);
  held *made = allocate(L, state);

  return fill(h, made, locus_scope_of(L, state));
}

void locus_push_blank(lua_State *L)
{
  push_blank(L);
}

bool locus_is_blank(const locus_tensor *tensor)
{
  return tensor == &freed[LOCUS_BLANK];
}

locus_tensor *locus_fill_blank(void *userdata, locus_scope *scope)
{
  held *made = locus_memory_alloc(sizeof *made);
  return made ? fill(userdata, made, scope) : NULL;
}

void locus_clear_blank(locus_tensor *tensor)
{
  locus_free_tensor(tensor, LOCUS_BLANK);
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

void locus_free_tensor(locus_tensor *tensor, locus_freer by)
{
  held *h = (held *)tensor;

  point_at_freed(h->handle, by);
  locus_scope_remove(&h->member);
  locus_tensor_release(tensor);
  locus_memory_free(h, sizeof *h);
}

void locus_free_members(locus_scope *scope)
{
  while (scope->first)
    locus_free_tensor((locus_tensor *)((char *)scope->first - offsetof(held, member)),
                      LOCUS_BY_TIDY);
}

const char *locus_freed_by(const locus_tensor *tensor)
{
  if (tensor == &freed[LOCUS_BY_FREE]) return " by free";
  return tensor == &freed[LOCUS_BY_TIDY] ? " by tidy" : "";
}

int locus_drop_tensor(lua_State *L)
{
  locus_tensor *tensor = locus_test_tensor(L, 1);

  if (tensor && !is_freed(tensor)) locus_free_tensor(tensor, LOCUS_BY_FINALIZER);
  return 0;
}

void locus_give_tensor(locus_tensor *tensor, locus_scope *scope)
{
  held *h = (held *)tensor;

  locus_scope_remove(&h->member);
  locus_scope_add(scope, &h->member);
}

locus_scope *locus_scope_of_tensor(const locus_tensor *tensor)
{
  return is_freed(tensor) ? NULL : ((const held *)tensor)->member.scope;
}
