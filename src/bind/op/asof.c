/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/frame/asof.lua. */
#include "bind/bind.h"

/* unsorted(input): the position, counted from 1, of the first element of a 1-D tensor that comes
** before its predecessor; nil when it ascends, NaN last. */
#define UNSORTED_PARAMS(P) P(input, LOCUS_REQUIRED, Table)
static int unsorted(lua_State *L)
{
  LOCUS_PARAMS(UNSORTED_PARAMS, any);
  int64_t position;
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin_plain(&call, L, "unsorted", params, 1);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  if (input.tensor->shape.ndim != 1) locus_arg_expected(&call, ARG_input, "of one dimension");
  do status = locus_unsorted(&input, &position, &call.cx);
  while (locus_call_again(&call, status));
  if (position < 0) lua_pushnil(L);
  else locus_push_int64(L, position + 1);
  return 1;
}

/* asof_rows(limits, of_rows, of_values, groups, forward, base): as in op/op.h. */
/* clang-format off */
#define ASOF_ROWS_PARAMS(P)                                              \
  P(limits, LOCUS_REQUIRED, Table) P(of_rows, LOCUS_REQUIRED, Table)     \
  P(of_values, LOCUS_REQUIRED, Table) P(groups, LOCUS_REQUIRED, integer) \
  P(forward, LOCUS_REQUIRED, boolean) P(base, LOCUS_REQUIRED, integer)
/* clang-format on */
static int asof_rows(lua_State *L)
{
  LOCUS_PARAMS(ASOF_ROWS_PARAMS, any);
  locus_call call;
  locus_asof asof;
  int status;

  locus_call_begin_plain(&call, L, "asof_rows", params, 6);
  locus_arg_tensor_value(&call, ARG_limits, LOCUS_i64, &asof.limits);
  locus_arg_tensor_value(&call, ARG_of_rows, LOCUS_i32, &asof.of_rows);
  locus_arg_tensor_value(&call, ARG_of_values, LOCUS_i32, &asof.of_values);
  asof.groups = locus_arg_int(&call, ARG_groups, 0);
  asof.forward = locus_arg_bool(&call, ARG_forward, false);
  asof.base = locus_arg_int(&call, ARG_base, 1);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_asof_rows(&asof, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* nearest_rows(sequence, values, before, after, tolerance, base): as in op/op.h; before or after
** may be nil. */
/* clang-format off */
#define NEAREST_ROWS_PARAMS(P)                                        \
  P(sequence, LOCUS_REQUIRED, Table) P(values, LOCUS_REQUIRED, Table) \
  P(before, LOCUS_OPTIONAL, Table) P(after, LOCUS_OPTIONAL, Table)    \
  P(tolerance, LOCUS_REQUIRED, Data) P(base, LOCUS_REQUIRED, integer)
/* clang-format on */
static int nearest_rows(lua_State *L)
{
  LOCUS_PARAMS(NEAREST_ROWS_PARAMS, any);
  locus_call call;
  locus_nearest nearest = {.before.name = "before", .after.name = "after"};
  int status;

  locus_call_begin_plain(&call, L, "nearest_rows", params, 6);
  locus_arg_tensor_value(&call, ARG_sequence, LOCUS_DTYPES, &nearest.sequence);
  locus_arg_tensor_value(&call, ARG_values, LOCUS_DTYPES, &nearest.values);
  if (locus_arg_given(&call, ARG_before))
    locus_arg_tensor_value(&call, ARG_before, LOCUS_i64, &nearest.before);
  if (locus_arg_given(&call, ARG_after))
    locus_arg_tensor_value(&call, ARG_after, LOCUS_i64, &nearest.after);
  locus_arg_value(&call, ARG_tolerance, &nearest.tolerance);
  nearest.base = locus_arg_int(&call, ARG_base, 1);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_nearest_rows(&nearest, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_asof[] = {
    {"unsorted", unsorted, LOCUS_INTERNAL},
    {"asof_rows", asof_rows, LOCUS_INTERNAL},
    {"nearest_rows", nearest_rows, LOCUS_INTERNAL},
    {0},
};
