/* SPDX-License-Identifier: MIT */
/* The userdata: making, recognising, dropping it; its fields. */
#include <string.h>

#include "bind/bind.h"
#include "core/memory.h"

/* Its address marks our userdata: nobody else's of that size begins with it. */
static const char mark;

/* The userdata. Small, because the collector is paced by the bytes it sees; the tensor is not
** among them. ORDER HANDLE: lua/locus/handle.lua declares these fields for the FFI. */
typedef struct handle {
  const char *mark;
  locus_tensor *tensor;
} handle;

/* What the userdata of a dropped tensor points to. */
static const locus_tensor dropped;

locus_tensor *locus_test_tensor(lua_State *L, int index)
{
  const handle *h = lua_touserdata(L, index);
  return h && lua_objlen(L, index) == sizeof *h && h->mark == &mark ? h->tensor : NULL;
}

locus_tensor *locus_held_tensor(const void *userdata)
{
  return ((const handle *)userdata)->tensor;
}

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
  handle *h = lua_newuserdata(L, sizeof *h);

  h->mark = &mark;
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

static int collect_garbage(lua_State *L)
{
  locus_tensor *tensor = locus_test_tensor(L, 1);

  if (!tensor || tensor == &dropped) return 0;
  ((handle *)lua_touserdata(L, 1))->tensor = (locus_tensor *)&dropped;
  locus_tensor_release(tensor);
  locus_memory_free(tensor, sizeof *tensor);
  return 0;
}

void locus_push_shape(lua_State *L, const locus_shape *shape)
{
  lua_createtable(L, shape->ndim, 0);
  for (int d = 0; d < shape->ndim; d++) {
    lua_pushnumber(L, (lua_Number)shape->size[d]);
    lua_rawseti(L, -2, d + 1);
  }
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_size);
  lua_setmetatable(L, -2);
}

static const locus_param self_params[] = {{"input", 0}, {NULL, 0}};
static const locus_param dim_params[] = {{"input", 0}, {"dim", LOCUS_OPTIONAL}, {NULL, 0}};

static int size(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "size", dim_params);
  const locus_tensor *tensor = locus_arg_tensor(&call, 0);
  if (!locus_arg_given(&call, 1)) {
    locus_push_shape(L, &tensor->shape);
  } else {
    if (tensor->shape.ndim == 0) locus_call_error(&call, "'input' is 0-d and has no sizes");
    int dim = locus_arg_dim(&call, 1, tensor->shape.ndim, 0);
    lua_pushnumber(L, (lua_Number)tensor->shape.size[dim]);
  }
  return 1;
}

static int stride(lua_State *L)
{
  locus_call call;
  locus_shape steps;

  locus_call_begin(&call, L, "stride", dim_params);
  const locus_tensor *tensor = locus_arg_tensor(&call, 0);
  if (locus_arg_given(&call, 1)) {
    if (tensor->shape.ndim == 0) locus_call_error(&call, "'input' is 0-d and has no strides");
    int dim = locus_arg_dim(&call, 1, tensor->shape.ndim, 0);
    lua_pushnumber(L, (lua_Number)tensor->stride[dim]);
    return 1;
  }
  steps.ndim = tensor->shape.ndim;
  memcpy(steps.size, tensor->stride, sizeof steps.size);
  locus_push_shape(L, &steps);
  return 1;
}

/* Functions of one tensor that answer with a plain Lua value. */
#define QUERY(name, push)                              \
  static int name(lua_State *L)                        \
  {                                                    \
    locus_call call;                                   \
    locus_call_begin(&call, L, #name, self_params);    \
    const locus_tensor *t = locus_arg_tensor(&call, 0); \
    push;                                              \
    return 1;                                          \
  }
QUERY(dtype, lua_pushstring(L, locus_dtype_name(t->dtype)))
QUERY(device, lua_pushstring(L, locus_device_name(locus_tensor_device(t))))
QUERY(dim, lua_pushnumber(L, t->shape.ndim))
QUERY(is_pinned, lua_pushboolean(L, t->storage->pinned))
QUERY(numel, lua_pushnumber(L, (lua_Number)t->numel))
QUERY(is_contiguous, lua_pushboolean(L, locus_tensor_contiguous(t)))
QUERY(element_size, lua_pushnumber(L, (lua_Number)locus_dtype_size(t->dtype)))

/* storage_offset(input, {base=1}): the place of the first element in the storage. */
static int storage_offset(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {"base", LOCUS_NAMED}, {0}};
  locus_call call;

  locus_call_begin(&call, L, "storage_offset", params);
  const locus_tensor *t = locus_arg_tensor(&call, 0);
  int64_t elements = (t->data - t->storage->data) / locus_dtype_size(t->dtype);
  lua_pushnumber(L, (lua_Number)(elements + locus_arg_base(&call, 1)));
  return 1;
}

static int is_tensor(lua_State *L)
{
  lua_pushboolean(L, locus_test_tensor(L, 1) != NULL);
  return 1;
}

const locus_entry locus_bind_tensor[] = {
    {"__gc", collect_garbage, LOCUS_METHOD},
    {"is_tensor", is_tensor, LOCUS_FUNCTION},
    {"size", size, LOCUS_METHOD},
    {"stride", stride, LOCUS_METHOD},
    {"dtype_of", dtype, LOCUS_INTERNAL},
    {"device_of", device, LOCUS_INTERNAL},
    {"dim", dim, LOCUS_METHOD},
    {"numel", numel, LOCUS_BOTH},
    {"is_contiguous", is_contiguous, LOCUS_METHOD},
    {"is_pinned", is_pinned, LOCUS_METHOD},
    {"storage_offset", storage_offset, LOCUS_METHOD},
    {"element_size", element_size, LOCUS_METHOD},
    {NULL, NULL, 0},
};
