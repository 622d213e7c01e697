/* SPDX-License-Identifier: MIT */
/* nonzero, argwhere, nonzero_static, masked_select as Lua functions and methods, and what
** lua/locus/factorize.lua needs. */
#include "bind/bind.h"

/* nonzero(input, {out=, as_tuple=false, base=1}): int64 coordinates of the nonzero elements in C
** order, z x n, stored by columns; as_tuple: n results of size z, views of one buffer. NaN counts,
** -0.0 does not. Errors: 'out' not int64, overlapping 'input', or given with as_tuple.
** Source: https://pytorch.org/docs/stable/generated/torch.nonzero.html */
static int nonzero(lua_State *L)
{
  enum { INPUT, OUT, AS_TUPLE, BASE };
  static const locus_param params[] = {
      {"input", 0}, {"out", LOCUS_NAMED}, {"as_tuple", LOCUS_NAMED}, {"base", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "nonzero", params);
  bool as_tuple = locus_arg_bool(&call, AS_TUPLE, false);
  int64_t base = locus_arg_base(&call, BASE);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  if (as_tuple && locus_arg_given(&call, OUT))
    locus_call_error(&call, "'out' cannot be given with as_tuple = true");
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_nonzero(&input, out, as_tuple, base, &call.cx);
  while (locus_call_again(&call, status));
  if (as_tuple) return locus_push_columns(L, OUT + 1);
  lua_pushvalue(L, OUT + 1);
  return 1;
}

/* argwhere(input, {base=1}): the same as nonzero(input). */
static int argwhere(lua_State *L)
{
  enum { INPUT, BASE };
  static const locus_param params[] = {{"input", 0}, {"base", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "argwhere", params);
  int64_t base = locus_arg_base(&call, BASE);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_nonzero(&input, out, false, base, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* nonzero_static(input, {size=, fill_value=base-1, out=, base=1}): the first `size` rows of
** nonzero(input), int64, then rows of fill_value. */
static int nonzero_static(lua_State *L)
{
  enum { INPUT, SIZE, FILL_VALUE, OUT, BASE };
  static const locus_param params[] = {{"input", 0},
                                       {"size", LOCUS_NAMED},
                                       {"fill_value", LOCUS_NAMED},
                                       {"out", LOCUS_NAMED},
                                       {"base", LOCUS_NAMED},
                                       {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "nonzero_static", params);
  if (!locus_arg_given(&call, SIZE)) locus_call_error(&call, "'size' is missing");
  int64_t size = locus_arg_int(&call, SIZE, 0), base = locus_arg_base(&call, BASE);
  int64_t fill_value = locus_arg_int(&call, FILL_VALUE, base - 1);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_nonzero_static(&input, size, fill_value, out, base, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, OUT + 1);
  return 1;
}

/* masked_select(input, mask, {out=}): the elements of input where mask (bool) is true, 1-D, in C
** order of the shape that both broadcast to. */
static int masked_select(lua_State *L)
{
  enum { INPUT, MASK, OUT };
  static const locus_param params[] = {{"input", 0}, {"mask", 0}, {"out", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input, mask;
  int status;

  locus_call_begin(&call, L, "masked_select", params);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, MASK, LOCUS_b8, &mask);
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_masked_select(&input, &mask, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, OUT + 1);
  return 1;
}

/* runs(input, places, numbers, base): values, begins, lengths, numbers, as in op/op.h; begins and
** lengths only with `places`, numbers only with `numbers`, else nil. */
static int runs(lua_State *L)
{
  enum { INPUT, PLACES, NUMBERS, BASE };
  static const locus_param params[] = {{"input", 0}, {"places", 0}, {"numbers", 0}, {"base", 0},
                                       {0}};
  locus_tensor *outs[4] = {NULL};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin_plain(&call, L, "runs", params, 4);
  const bool places = locus_arg_bool(&call, PLACES, false);
  const bool wanted[] = {true, places, places, locus_arg_bool(&call, NUMBERS, false)};
  const int64_t base = locus_arg_int(&call, BASE, 1);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
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
