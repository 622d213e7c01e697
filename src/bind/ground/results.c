/* SPDX-License-Identifier: MIT */
/* The results of bound functions. */
#include "bind/ground/results.h"

#include <lauxlib.h>

#include "bind/ground/handle.h"
#include "bind/ground/scalar.h"
#include "bind/ground/state.h"

static void fetch_first(locus_call *call, const locus_tensor *tensor, locus_element *element)
{
  int status;

  do
    status = locus_device_fetch(locus_tensor_device(tensor), element, tensor->data,
                                locus_dtype_size(tensor->dtype), &call->cx);
  while (locus_call_again(call, status));
}

void locus_push_first(locus_call *call, const locus_tensor *tensor)
{
  locus_element element;

  fetch_first(call, tensor, &element);
  locus_push_element_of(call->L, tensor, &element);
}

void locus_push_first_plain(locus_call *call, const locus_tensor *tensor)
{
  locus_element element;

  fetch_first(call, tensor, &element);
  locus_push_element(call->L, tensor->dtype, &element);
}

int locus_push_result(locus_call *call, int out, bool scalar)
{
  const locus_tensor *tensor = locus_test_tensor(call->L, out + 1);

  if (scalar && !locus_arg_given(call, out)) locus_push_first(call, tensor);
  else lua_pushvalue(call->L, out + 1);
  return 1;
}

locus_tensor *locus_push_row(locus_call *call, locus_dtype dtype, int64_t n)
{
  const locus_shape shape = {1, {n}};
  locus_tensor *tensor = locus_push_tensor(call->L);
  int status;

  do status = locus_tensor_new(tensor, dtype, &shape, LOCUS_CPU, &call->cx);
  while (locus_call_again(call, status));
  return tensor;
}

int locus_push_columns(lua_State *L, int index)
{
  const locus_tensor *rows = locus_test_tensor(L, index);
  int columns = (int)rows->shape.size[1];

  luaL_checkstack(L, columns + 4, "nonzero");
  for (int d = 0; d < columns; d++) {
    locus_tensor *column = locus_push_view(L, index);
    locus_tensor_alias(column, rows);
    column->data += d * rows->stride[1] * locus_dtype_size(rows->dtype);
    column->numel = rows->shape.size[0];
    column->shape.ndim = 1;
  }
  return columns;
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
