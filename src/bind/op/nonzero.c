/* SPDX-License-Identifier: MIT */
/* nonzero, argwhere, nonzero_static, masked_select as Lua functions and methods, and the functions
** of lua/locus/sets/factorize.lua. */
#include "bind/bind.h"

/* nonzero(input, {out=, as_tuple=false, base=1}): int64 coordinates of the nonzero elements in C
** order, z x n, stored by columns; as_tuple: n results of size z, views of one buffer. NaN counts,
** -0.0 does not. Errors: 'out' not int64, overlapping 'input', or given with as_tuple.
** Source: https://pytorch.org/docs/stable/generated/torch.nonzero.html */
#define NONZERO_PARAMS(P)                   \
  P(input, LOCUS_REQUIRED, Table)           \
  P(out, LOCUS_NAMED, Tensor = nil)         \
  P(as_tuple, LOCUS_NAMED, boolean = false) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int nonzero(lua_State *L)
{
  LOCUS_PARAMS(NONZERO_PARAMS, Tensor, Tensor);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "nonzero", params);
  bool as_tuple = locus_arg_bool(&call, ARG_as_tuple, false);
  int64_t base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  if (as_tuple && locus_arg_given(&call, ARG_out))
    locus_call_error(&call, "'out' cannot be given with as_tuple = true");
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_nonzero(&input, out, as_tuple, base, &call.cx);
  while (locus_call_again(&call, status));
  if (as_tuple) return locus_push_columns(L, ARG_out + 1);
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

/* argwhere(input, {base=1}): the same as nonzero(input). */
#define ARGWHERE_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, Table) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int argwhere(lua_State *L)
{
  LOCUS_PARAMS(ARGWHERE_PARAMS, Tensor);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "argwhere", params);
  int64_t base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_nonzero(&input, out, false, base, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* nonzero_static(input, {size=, fill_value=base-1, out=, base=1}): the first `size` rows of
** nonzero(input), int64, then rows of fill_value. */
/* clang-format off */
#define NONZERO_STATIC_PARAMS(P)               \
  P(input, LOCUS_REQUIRED, Table)              \
  P(size, LOCUS_NAMED, integer)                \
  P(fill_value, LOCUS_NAMED, integer = base-1) \
  P(out, LOCUS_NAMED, Tensor = nil)            \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
/* clang-format on */
static int nonzero_static(lua_State *L)
{
  LOCUS_PARAMS(NONZERO_STATIC_PARAMS, Tensor);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "nonzero_static", params);
  if (!locus_arg_given(&call, ARG_size)) locus_call_error(&call, "'size' is missing");
  int64_t size = locus_arg_int(&call, ARG_size, 0), base = locus_arg_base(&call, ARG_base);
  int64_t fill_value = locus_arg_int(&call, ARG_fill_value, base - 1);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_nonzero_static(&input, size, fill_value, out, base, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

/* masked_select(input, mask, {out=}): the elements of input where mask (bool) is true, 1-D, in C
** order of the shape that both broadcast to. */
#define MASKED_SELECT_PARAMS(P)   \
  P(input, LOCUS_REQUIRED, Table) \
  P(mask, LOCUS_REQUIRED, Table)  \
  P(out, LOCUS_NAMED, Tensor = nil)
static int masked_select(lua_State *L)
{
  LOCUS_PARAMS(MASKED_SELECT_PARAMS, Tensor);
  locus_call call;
  locus_value input, mask;
  int status;

  locus_call_begin(&call, L, "masked_select", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_mask, LOCUS_b8, &mask);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_masked_select(&input, &mask, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

/* runs(input, places, numbers, base): values, begins, lengths, numbers, as in op/op.h; begins and
** lengths only with `places`, numbers only with `numbers`, else nil. */
/* clang-format off */
#define RUNS_PARAMS(P)                                               \
  P(input, LOCUS_REQUIRED, Table) P(places, LOCUS_REQUIRED, boolean) \
  P(numbers, LOCUS_REQUIRED, boolean) P(base, LOCUS_REQUIRED, integer)
/* clang-format on */
static int runs(lua_State *L)
{
  LOCUS_PARAMS(RUNS_PARAMS, any);
  locus_tensor *outs[4] = {NULL};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin_plain(&call, L, "runs", params, 4);
  const bool places = locus_arg_bool(&call, ARG_places, false);
  const bool wanted[] = {true, places, places, locus_arg_bool(&call, ARG_numbers, false)};
  const int64_t base = locus_arg_int(&call, ARG_base, 1);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  for (int i = 0; i < 4; i++) {
    if (wanted[i]) outs[i] = locus_push_tensor(L);
    else lua_pushnil(L);
  }
  do status = locus_runs(&input, outs, base, &call.cx);
  while (locus_call_again(&call, status));
  return 4;
}

const locus_entry locus_bind_nonzero[] = {
    {"nonzero", nonzero, LOCUS_BOTH},
    {"argwhere", argwhere, LOCUS_BOTH},
    {"nonzero_static", nonzero_static, LOCUS_BOTH},
    {"masked_select", masked_select, LOCUS_BOTH},
    {"runs", runs, LOCUS_INTERNAL},
    {0},
};
