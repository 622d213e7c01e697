/* SPDX-License-Identifier: MIT */
/* Fields and sizes of a tensor. */
#include <string.h>

#include "bind/bind.h"

#define DIM_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor) P(dim, LOCUS_OPTIONAL, integer = nil)

static int size(lua_State *L)
{
  LOCUS_PARAMS(DIM_PARAMS, integer | integer[]);
  locus_call call;

  locus_call_begin(&call, L, "size", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  if (!locus_arg_given(&call, ARG_dim)) {
    locus_push_shape(L, &tensor->shape);
  } else {
    if (tensor->shape.ndim == 0) locus_call_error(&call, "'input' is 0-d and has no sizes");
    int dim = locus_arg_dim(&call, ARG_dim, tensor->shape.ndim, 0);
    lua_pushnumber(L, (lua_Number)tensor->shape.size[dim]);
  }
  return 1;
}

static int stride(lua_State *L)
{
  LOCUS_PARAMS(DIM_PARAMS, integer | integer[]);
  locus_call call;
  locus_shape steps;

  locus_call_begin(&call, L, "stride", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  if (locus_arg_given(&call, ARG_dim)) {
    if (tensor->shape.ndim == 0) locus_call_error(&call, "'input' is 0-d and has no strides");
    int dim = locus_arg_dim(&call, ARG_dim, tensor->shape.ndim, 0);
    lua_pushnumber(L, (lua_Number)tensor->stride[dim]);
    return 1;
  }
  steps.ndim = tensor->shape.ndim;
  memcpy(steps.size, tensor->stride, sizeof steps.size);
  locus_push_shape(L, &steps);
  return 1;
}

/* Functions of one tensor that answer with a plain Lua value. */
#define TENSOR_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
#define TABLE_PARAMS(P) P(input, LOCUS_REQUIRED, Table)
#define QUERY(name, ROWS, result, push)                         \
  static int name(lua_State *L)                                 \
  {                                                             \
    LOCUS_PARAMS(ROWS, result);                                 \
    locus_call call;                                            \
    locus_call_begin(&call, L, #name, params);                  \
    const locus_tensor *t = locus_arg_tensor(&call, ARG_input); \
    push;                                                       \
    return 1;                                                   \
  }
QUERY(dtype, TENSOR_PARAMS, Dtype, lua_pushstring(L, locus_dtype_name(t->dtype)))
QUERY(device, TENSOR_PARAMS, string, lua_pushstring(L, locus_device_name(locus_tensor_device(t))))
QUERY(dim, TENSOR_PARAMS, integer, lua_pushnumber(L, t->shape.ndim))
QUERY(is_pinned, TENSOR_PARAMS, boolean, lua_pushboolean(L, t->storage->pinned))
QUERY(numel, TABLE_PARAMS, integer, lua_pushnumber(L, (lua_Number)t->numel))
QUERY(is_contiguous, TENSOR_PARAMS, boolean, lua_pushboolean(L, locus_tensor_contiguous(t)))
QUERY(element_size, TENSOR_PARAMS, integer,
      lua_pushnumber(L, (lua_Number)locus_dtype_size(t->dtype)))

/* storage_offset(input, {base=1}): the place of the first element in the storage. */
#define STORAGE_OFFSET_PARAMS(P) TENSOR_PARAMS(P) P(base, LOCUS_NAMED, 0 | 1 = 1)
static int storage_offset(lua_State *L)
{
  LOCUS_PARAMS(STORAGE_OFFSET_PARAMS, integer);
  locus_call call;

  locus_call_begin(&call, L, "storage_offset", params);
  const locus_tensor *t = locus_arg_tensor(&call, ARG_input);
  int64_t elements = (t->data - t->storage->data) / locus_dtype_size(t->dtype);
  lua_pushnumber(L, (lua_Number)(elements + locus_arg_base(&call, ARG_base)));
  return 1;
}

static int is_tensor(lua_State *L)
{
  locus_check_count(L, "is_tensor", 1);
  lua_pushboolean(L, locus_test_tensor(L, 1) != NULL);
  return 1;
}

const locus_entry locus_bind_tensor[] = {
    {"__gc", locus_drop_tensor, LOCUS_METHOD},
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
