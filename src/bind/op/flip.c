/* SPDX-License-Identifier: MIT */
/* flip and roll as Lua functions and methods. */
#include "bind/bind.h"

/* flip(input, dims..., {out=}): the elements in reverse order along the dimensions, numbers or one
** table of them, none twice; absent: along all. Errors: 'out' of another dtype or size, or
** overlapping 'input'.
** Source: https://pytorch.org/docs/stable/generated/torch.flip.html */
#define FLIP_PARAMS(P)                                        \
  P(input, LOCUS_REQUIRED, Table)                             \
  P(dims, LOCUS_SIZES | LOCUS_OPTIONAL | LOCUS_NO_DIMS, Dims) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int flip(lua_State *L)
{
  LOCUS_PARAMS(FLIP_PARAMS, Tensor);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "flip", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  uint32_t dims = locus_arg_dims(&call, ARG_dims, input.tensor->shape.ndim);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_flip(&input, dims, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

/* Reads a whole number, or a list of at most LOCUS_MAX_DIMS of them; returns their number. */
static int read_integers(locus_call *call, int i, int64_t *values)
{
  static const char expected[] = "a whole number or a list of whole numbers";
  lua_State *L = call->L;

  if (lua_type(L, i + 1) != LUA_TTABLE) {
    if (!locus_read_int64(L, i + 1, values)) locus_arg_expected(call, i, expected);
    return 1;
  }
  int count = locus_list_length(L, i + 1);
  if (count < 0) locus_arg_expected(call, i, expected);
  if (count > LOCUS_MAX_DIMS) {
    locus_call_error(call, "'%s' holds more than %d numbers", call->params[i].name, LOCUS_MAX_DIMS);
  }
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, i + 1, k + 1);
    if (!locus_read_int64(L, lua_gettop(L), &values[k])) {
      locus_call_error(call, "'%s[%d]' must be a whole number, got %s", call->params[i].name, k + 1,
                       locus_describe_number(L, lua_gettop(L)));
    }
    lua_pop(L, 1);
  }
  return count;
}

/* Reads the dimensions in their order; one may be named several times. */
static void read_shifted(locus_call *call, int i, int ndim, locus_shifts *shifts)
{
  const int reach = ndim ? ndim : 1;
  int64_t dims[LOCUS_MAX_DIMS];

  shifts->count = read_integers(call, i, dims);
  for (int k = 0; k < shifts->count; k++) {
    if (dims[k] == 0 || dims[k] > reach || dims[k] < -reach) {
      locus_call_error(call, "'%s' must be in 1..%d or -%d..-1, got %lld", call->params[i].name,
                       reach, reach, (long long)dims[k]);
    }
    shifts->dim[k] = (int)(dims[k] > 0 ? dims[k] - 1 : dims[k] + reach);
  }
}

/* roll(input, shifts, dims, {out=}): the elements that many positions further along each dimension,
** wrapping around at its end; one shift goes for all dimensions. Without dims all elements move in
** C order. Errors: another number of shifts than of dimensions; 'out' of another dtype or size, or
** overlapping 'input'.
** Source: https://pytorch.org/docs/stable/generated/torch.roll.html */
#define ROLL_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Table)     \
  P(shifts, LOCUS_REQUIRED, Dims)     \
  P(dims, LOCUS_OPTIONAL, Dims = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int roll(lua_State *L)
{
  LOCUS_PARAMS(ROLL_PARAMS, Tensor);
  locus_shifts shifts = {.count = 0};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "roll", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  const bool listed = lua_type(L, ARG_shifts + 1) == LUA_TTABLE;
  const int given = read_integers(&call, ARG_shifts, shifts.shift);
  if (locus_arg_given(&call, ARG_dims))
    read_shifted(&call, ARG_dims, input.tensor->shape.ndim, &shifts);
  if (shifts.count == 0 && given != 1)
    locus_call_error(&call, "'shifts' must be one number without 'dims', got %d", given);
  for (int k = 1; k < shifts.count && !listed; k++) shifts.shift[k] = shifts.shift[0];
  if (listed && shifts.count > 0 && given != shifts.count) {
    locus_call_error(&call, "'shifts' must hold as many numbers as 'dims', %d, got %d",
                     shifts.count, given);
  }
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_roll(&input, &shifts, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

const locus_entry locus_bind_flip[] = {
    {"flip", flip, LOCUS_BOTH},
    {"roll", roll, LOCUS_BOTH},
    {0},
};
