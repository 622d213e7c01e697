/* SPDX-License-Identifier: MIT */
/* Reads arguments by kind, and raises when one is of another. */
#include "bind/ground/read.h"

#include <stdio.h>
#include <string.h>

#include "bind/ground/describe.h"
#include "bind/ground/handle.h"
#include "bind/ground/scalar.h"
#include "bind/ground/surplus.h"
#include "bind/ground/table.h"
#include "bind/ground/unknown.h"

bool locus_arg_bool(locus_call *call, int i, bool absent)
{
  if (!locus_arg_given(call, i)) return absent;
  if (lua_type(call->L, i + 1) != LUA_TBOOLEAN) locus_arg_expected(call, i, "true or false");
  return lua_toboolean(call->L, i + 1);
}

int64_t locus_arg_int(locus_call *call, int i, int64_t absent)
{
  int64_t value;

  if (!locus_arg_given(call, i)) return absent;
  if (!locus_read_int64(call->L, i + 1, &value)) locus_arg_expected(call, i, "a whole number");
  return value;
}

double locus_arg_number(locus_call *call, int i, double absent)
{
  locus_value value;

  if (!locus_arg_given(call, i)) return absent;
  if (locus_read_scalar(call->L, i + 1, &value)) {
    if (value.scalar == LOCUS_SCALAR_NUMBER) return value.element.f64;
    if (value.scalar == LOCUS_SCALAR_INT64) return (double)value.element.i64;
  }
  return locus_arg_expected(call, i, "a number");
}

const char *locus_arg_string(locus_call *call, int i, const char *absent)
{
  if (!locus_arg_given(call, i)) return absent;
  const char *text = lua_type(call->L, i + 1) == LUA_TSTRING ? lua_tostring(call->L, i + 1) : NULL;
  if (!text) locus_arg_expected(call, i, "a string");
  if (strlen(text) != lua_objlen(call->L, i + 1))
    locus_arg_expected(call, i, "a string without zero bytes");
  return text;
}

int64_t locus_arg_base(locus_call *call, int i)
{
  int64_t base = locus_arg_int(call, i, 1);
  if (base != 0 && base != 1) locus_arg_expected(call, i, "1 or 0");
  return base;
}

static const char one_of_dtypes[] = "one of"
#define DTYPE(id, element, value, kind, name) " " name
#include "core/dtype.def"
    ;

locus_dtype locus_arg_dtype(locus_call *call, int i, locus_dtype absent)
{
  locus_dtype dtype;
  const char *name;

  if (!locus_arg_given(call, i)) return absent;
  name = locus_arg_string(call, i, NULL);
  if (!locus_dtype_find(name, &dtype)) locus_unknown_dtype(call, i, one_of_dtypes);
  return dtype;
}

locus_device locus_arg_device(locus_call *call, int i, locus_device absent)
{
  locus_device device;

  if (!locus_arg_given(call, i)) return absent;
  if (locus_device_find(locus_arg_string(call, i, NULL), &device, &call->cx))
    locus_call_error(call, "%s", call->cx.error.message);
  return device;
}

int locus_arg_cuda(locus_call *call, int i)
{
  locus_device device;
  char name[32] = "cuda";

  if (locus_arg_given(call, i) && lua_type(call->L, i + 1) == LUA_TSTRING) {
    device = locus_arg_device(call, i, LOCUS_CPU);
    if (device == LOCUS_CPU) locus_arg_expected(call, i, "a CUDA device");
    return device - 1;
  }
  if (locus_arg_given(call, i))
    snprintf(name, sizeof name, "cuda:%lld", (long long)locus_arg_int(call, i, 0));
  if (locus_device_find(name, &device, &call->cx))
    locus_call_error(call, "%s", call->cx.error.message);
  return device - 1;
}

/* The 0-based dimension that the value at `index` means. */
static int read_dim(locus_call *call, int i, int index, int ndim)
{
  int64_t dim;
  int reach = ndim ? ndim : 1; /* a 0-d tensor is taken as one of a single dimension */

  if (!locus_read_int64(call->L, index, &dim)) {
    const char *got = locus_describe_number(call->L, index);
    locus_call_error(call, "'%s' must be a dimension, got %s%s", call->params[i].name, got,
                     locus_meant(call, i, index));
  }
  if (dim == 0 || dim > reach || dim < -reach) {
    locus_call_error(call, "'%s' must be in 1..%d or -%d..-1, got %lld", call->params[i].name,
                     reach, reach, (long long)dim);
  }
  return (int)(dim > 0 ? dim - 1 : dim + reach);
}

int locus_arg_dim(locus_call *call, int i, int ndim, int absent)
{
  return locus_arg_given(call, i) ? read_dim(call, i, i + 1, ndim) : absent;
}

int locus_arg_list_length(locus_call *call, int i)
{
  int count = locus_list_length(call->L, i + 1);
  if (count < 0)
    locus_call_error(call, "'%s' must have the keys 1..n and no others", call->params[i].name);
  return count;
}

uint32_t locus_arg_dims(locus_call *call, int i, int ndim)
{
  lua_State *L = call->L;
  uint32_t all = ndim ? UINT32_MAX >> (32 - ndim) : 0, dims = 0;

  if (!locus_arg_given(call, i)) return all;
  if (lua_type(L, i + 1) != LUA_TTABLE)
    return 1u << read_dim(call, i, i + 1, ndim) & (all ? all : 1);
  int count = locus_arg_list_length(call, i);
  for (int k = 1; k <= count; k++) {
    lua_rawgeti(L, i + 1, k);
    uint32_t bit = 1u << read_dim(call, i, lua_gettop(L), ndim);
    lua_pop(L, 1);
    if (dims & bit) locus_call_error(call, "'%s' names a dimension twice", call->params[i].name);
    dims |= bit;
  }
  return count || call->params[i].flags & LOCUS_NO_DIMS ? dims : all;
}

static void add_size(locus_call *call, int i, int index, locus_shape *shape, bool infer)
{
  int64_t size;

  if (shape->ndim == LOCUS_MAX_DIMS)
    locus_call_error(call, "'%s' has more than %d dimensions", call->params[i].name,
                     LOCUS_MAX_DIMS);
  if (!locus_read_int64(call->L, index, &size)) {
    const char *got = locus_describe_number(call->L, index);
    locus_call_error(call, "'%s' must hold whole numbers, got %s%s", call->params[i].name, got,
                     locus_meant(call, i, index));
  }
  if (size < (infer ? -1 : 0)) {
    locus_call_error(call, "'%s' must not hold negative sizes, got %lld", call->params[i].name,
                     (long long)size);
  }
  shape->size[shape->ndim++] = size;
}

void locus_arg_shape(locus_call *call, int i, locus_shape *shape, bool infer)
{
  lua_State *L = call->L;

  shape->ndim = 0;
  if (lua_type(L, i + 1) != LUA_TTABLE) {
    add_size(call, i, i + 1, shape, infer);
    return;
  }
  int count = locus_arg_list_length(call, i);
  for (int k = 1; k <= count; k++) {
    lua_rawgeti(L, i + 1, k);
    add_size(call, i, lua_gettop(L), shape, infer);
    lua_pop(L, 1);
  }
}

static locus_tensor *check_held(locus_call *call, int i)
{
  locus_tensor *tensor = call->tensors[i];

  if (!tensor->storage)
    locus_call_error(call, "'%s' has been freed%s", call->params[i].name, locus_freed_by(tensor));
  return tensor;
}

locus_tensor *locus_arg_tensor_as(locus_call *call, int i, locus_dtype dtype)
{
  lua_State *L = call->L;

  if (call->tensors[i]) return check_held(call, i);
  if (lua_type(L, i + 1) == LUA_TBOOLEAN) {
    locus_call_error(call, "'%s' is the Lua boolean %s; == compares identity, write x:eq(3)",
                     call->params[i].name, lua_toboolean(L, i + 1) ? "true" : "false");
  }
  if (lua_type(L, i + 1) != LUA_TTABLE) locus_arg_expected(call, i, "a tensor or a table");
  locus_table_to_tensor(call, i + 1, call->params[i].name, dtype);
  call->tensors[i] = locus_test_tensor(L, i + 1);
  return call->tensors[i];
}

locus_tensor *locus_arg_tensor(locus_call *call, int i)
{
  return locus_arg_tensor_as(call, i, LOCUS_DTYPES);
}

void locus_arg_tensor_value(locus_call *call, int i, locus_dtype dtype, locus_value *value)
{
  value->name = call->params[i].name;
  value->tensor = locus_arg_tensor_as(call, i, dtype);
}

/* Puts the value in the place of what the caller wrote: Lua functions read it there. */
static void put_meaning(locus_call *call, int i, const locus_value *value)
{
  locus_push_meaning(call->L, value->kind, value->element.i64);
  lua_replace(call->L, i + 1);
}

/* A text beside times is a time; it is replaced by its value. */
static bool read_text(locus_call *call, int i, locus_value *value)
{
  if (!locus_read_meaning(call, i + 1, call->params[i].name, value)) return false;
  put_meaning(call, i, value);
  return true;
}

void locus_arg_value(locus_call *call, int i, locus_value *value)
{
  value->name = call->params[i].name;
  value->tensor = NULL;
  if (call->tensors[i]) {
    value->tensor = check_held(call, i);
  } else if (locus_read_scalar(call->L, i + 1, value)) {
    const int own = value->kind;
    locus_adapt_meaning(call, value);
    if (value->kind != own) put_meaning(call, i, value);
  } else if (!read_text(call, i, value)) {
    if (lua_type(call->L, i + 1) != LUA_TTABLE)
      locus_arg_expected(call, i, "a tensor, a table or a number");
    value->tensor = locus_arg_tensor(call, i);
  }
}

int64_t locus_arg_units(locus_call *call, int i, int64_t absent)
{
  locus_value value = {.name = call->params[i].name};

  if (locus_read_meaning(call, i + 1, value.name, &value)) return value.element.i64;
  if (lua_type(call->L, i + 1) == LUA_TNUMBER || !locus_read_scalar(call->L, i + 1, &value) ||
      value.kind == LOCUS_KIND_none)
    return locus_arg_int(call, i, absent);
  locus_adapt_meaning(call, &value);
  return value.element.i64;
}

locus_tensor *locus_arg_out(locus_call *call, int i)
{
  if (locus_arg_given(call, i)) {
    if (!call->tensors[i]) locus_arg_expected(call, i, "a tensor");
    return check_held(call, i);
  }
  call->tensors[i] = locus_push_tensor(call->L);
  lua_replace(call->L, i + 1);
  return call->tensors[i];
}

/* Raises where the table of two tensors has a third key. */
static void check_two(locus_call *call, int i, const char *names)
{
  lua_State *L = call->L;
  int keys = 0;

  lua_pushnil(L);
  for (; lua_next(L, i + 1); keys++) lua_pop(L, 1);
  if (keys > 2)
    locus_call_error(call, "'out' must be a table of two tensors, %s, and has %d keys", names,
                     keys);
}

void locus_push_outs(locus_call *call, int i, const char *names, locus_tensor *outs[2])
{
  lua_State *L = call->L;
  bool given = locus_arg_given(call, i);

  if (given && lua_type(L, i + 1) != LUA_TTABLE)
    locus_call_error(call, "'out' must be a table of two tensors, %s, got %s", names,
                     locus_describe(L, i + 1));
  for (int k = 0; k < 2; k++) {
    if (given) lua_rawgeti(L, i + 1, k + 1);
    else locus_push_tensor(L);
    outs[k] = locus_test_tensor(L, -1);
    if (outs[k] && (!given || outs[k]->storage)) continue;
    locus_call_error(call, "'out' must be a table of two tensors, %s; at %d it has %s", names,
                     k + 1, locus_describe(L, lua_gettop(L)));
  }
  if (given) check_two(call, i, names);
}

locus_tensor *locus_arg_self(locus_call *call, locus_value *value)
{
  locus_tensor *self = call->tensors[0];

  if (!self) locus_arg_expected(call, 0, "a tensor");
  locus_arg_tensor_value(call, 0, LOCUS_DTYPES, value);
  return self;
}
