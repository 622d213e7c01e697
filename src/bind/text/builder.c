/* SPDX-License-Identifier: MIT */
/* The base of builders: a growing 1-D tensor on the CPU that nobody else holds. A finalizer that
** runs while memory is collected may push, too, so no state is cached across an allocation. */
#include <inttypes.h>

#include "bind/bind.h"

enum { LEAST_ROOM = 16 }; /* elements */

/* Makes room for at least that many elements, and at least doubles it when it grows. It never
** shrinks. */
static void make_room(locus_call *call, locus_tensor *tensor, int64_t size)
{
  int status = 0;

  do {
    int64_t room = 2 * tensor->numel > LEAST_ROOM ? 2 * tensor->numel : LEAST_ROOM;
    if (size > tensor->numel)
      status = locus_tensor_resize(tensor, size > room ? size : room, &call->cx);
  } while (locus_call_again(call, status));
}

/* The tensor's elements from a 0-based place, without a reference. */
static locus_tensor part(const locus_tensor *tensor, int64_t first, int64_t count)
{
  locus_tensor bare = *tensor;
  locus_take_span(&bare, 0, (locus_span){first, count, 1});
  return bare;
}

/* reserve(tensor, size) gives the room there is, at least `size` elements. */
#define RESERVE_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor) P(size, LOCUS_REQUIRED, any)
static int reserve(lua_State *L)
{
  LOCUS_PARAMS(RESERVE_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "push", params, 2);
  locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  make_room(&call, tensor, (int64_t)lua_tonumber(L, 2));
  lua_pushnumber(L, (lua_Number)tensor->numel);
  return 1;
}

/* put(tensor, position, value, name): tensor[position] = value; errors call the value `name`.
** Errors: a value that is no scalar, or that an integer dtype cannot hold. */
#define PUT_PARAMS(P)              \
  P(tensor, LOCUS_REQUIRED, any)   \
  P(position, LOCUS_REQUIRED, any) \
  P(value, LOCUS_REQUIRED, any)    \
  P(name, LOCUS_REQUIRED, any)
static int put(lua_State *L)
{
  LOCUS_PLACES(PUT_PARAMS);
  locus_param params[] = {PUT_PARAMS(LOCUS_PARAM){0}};
  locus_value value = {.name = lua_tostring(L, ARG_name + 1)};
  locus_call call;

  params[ARG_value].name = value.name;
  locus_call_begin_plain(&call, L, "push", params, 4);
  if (locus_read_scalar(L, ARG_value + 1, &value)) locus_adapt_meaning(&call, &value);
  else if (!locus_read_meaning(&call, ARG_value + 1, value.name, &value))
    locus_arg_expected(&call, ARG_value, "a number, a boolean or a cdata");
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  const int64_t at = (int64_t)lua_tonumber(L, ARG_position + 1) - 1;
  if (at < 0 || at >= tensor->numel)
    locus_call_error(&call, "there is no room at %" PRId64, at + 1);
  char *element = tensor->data + at * locus_dtype_size(tensor->dtype);
  locus_call_again(&call, locus_value_store(&value, tensor->dtype, element, &call.cx));
  return 0;
}

/* An error if a float tensor lost its fractions in an integer dtype. */
static int check_whole(const locus_value *from, const locus_tensor *to, locus_context *cx)
{
  const locus_value cut = {.name = "tensor", .tensor = to};
  bool same;

  if (locus_dtype_kind(from->tensor->dtype) != LOCUS_FLOAT) return 0;
  if (locus_dtype_kind(to->dtype) != LOCUS_INTEGER) return 0;
  LOCUS_TRY(locus_equal(from, &cut, &same, cx));
  if (same) return 0;
  return locus_fail(cx, "'%s' holds fractions, which %s cannot", from->name,
                    locus_dtype_name(to->dtype));
}

/* append(tensor, count, values, name) puts the values of a 1-D tensor on the CPU, or of a table,
** behind the first `count` elements and returns the new count. Errors: values that the dtype cannot
** hold, fractions too. */
#define APPEND_PARAMS(P)         \
  P(tensor, LOCUS_REQUIRED, any) \
  P(count, LOCUS_REQUIRED, any)  \
  P(values, LOCUS_REQUIRED, any) \
  P(name, LOCUS_REQUIRED, any)
static int append(lua_State *L)
{
  LOCUS_PLACES(APPEND_PARAMS);
  locus_param params[] = {APPEND_PARAMS(LOCUS_PARAM){0}};
  locus_value value;
  locus_call call;
  int status;

  params[ARG_values].name = lua_tostring(L, ARG_name + 1);
  locus_call_begin_plain(&call, L, "extend", params, 4);
  locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  locus_arg_tensor_value(&call, ARG_values, tensor->dtype, &value);
  if (value.tensor->shape.ndim != 1) locus_arg_expected(&call, ARG_values, "of one dimension");
  const int64_t first = (int64_t)lua_tonumber(L, ARG_count + 1), count = value.tensor->numel;
  make_room(&call, tensor, first + count);
  do {
    const locus_tensor behind = part(tensor, first, count);
    status = locus_copy(&behind, &value, &call.cx);
    if (status == 0) status = check_whole(&value, &behind, &call.cx);
  } while (locus_call_again(&call, status));
  lua_pushnumber(L, (lua_Number)(first + count));
  return 1;
}

/* head(tensor, count): a new tensor of the first `count` elements. It is no view: a tensor that
** others share does not grow. */
#define HEAD_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor) P(count, LOCUS_REQUIRED, any)
static int head(lua_State *L)
{
  LOCUS_PARAMS(HEAD_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "tensor", params, 2);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  const int64_t count = (int64_t)lua_tonumber(L, 2);
  locus_tensor *out = locus_push_tensor(L);
  do {
    const locus_tensor first = part(tensor, 0, count);
    const locus_value value = {.name = "tensor", .tensor = &first};
    status = locus_convert(&value, first.dtype, out, &call.cx);
  } while (locus_call_again(&call, status));
  return 1;
}

/* unknown_key(t, known): a key of the table that the other one lacks, nil when there is none. In C,
** because LuaJIT compiles no loop that walks a table. */
static int unknown_key(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 2)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, 2);
    if (!lua_isnil(L, -1)) continue;
    lua_pushvalue(L, -3);
    return 1;
  }
  return 0;
}

/* clang-format off */
const locus_entry locus_bind_builder[] = {
    {"reserve", reserve, LOCUS_INTERNAL}, {"put_at", put, LOCUS_INTERNAL},
    {"append", append, LOCUS_INTERNAL},   {"head", head, LOCUS_INTERNAL},
    {"unknown_key", unknown_key, LOCUS_INTERNAL},
    {0},
};
/* clang-format on */
