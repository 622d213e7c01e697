/* SPDX-License-Identifier: MIT */
/* What lua/locus/frame/asof.lua needs. */
#include "bind/bind.h"

/* unsorted(input): the position, from 1 on, of the first element of a 1-D tensor that comes before
** its predecessor; nil when it ascends, NaN last. */
static int unsorted(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  int64_t position;
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin_plain(&call, L, "unsorted", params, 1);
  locus_arg_tensor_value(&call, 0, LOCUS_DTYPES, &input);
  if (input.tensor->shape.ndim != 1) locus_arg_expected(&call, 0, "of one dimension");
  do status = locus_unsorted(&input, &position, &call.cx);
  while (locus_call_again(&call, status));
  if (position < 0) lua_pushnil(L);
  else locus_push_int64(L, position + 1);
  return 1;
}

/* asof_rows(limits, of_rows, of_values, groups, forward, base): as in op/op.h. */
static int asof_rows(lua_State *L)
{
  enum { LIMITS, OF_ROWS, OF_VALUES, GROUPS, FORWARD, BASE };
  static const locus_param params[] = {{"limits", 0}, {"of_rows", 0}, {"of_values", 0},
                                       {"groups", 0}, {"forward", 0}, {"base", 0}, {0}};
  locus_call call;
  locus_asof asof;
  int status;

  locus_call_begin_plain(&call, L, "asof_rows", params, 6);
  locus_arg_tensor_value(&call, LIMITS, LOCUS_i64, &asof.limits);
  locus_arg_tensor_value(&call, OF_ROWS, LOCUS_i32, &asof.of_rows);
  locus_arg_tensor_value(&call, OF_VALUES, LOCUS_i32, &asof.of_values);
  asof.groups = locus_arg_int(&call, GROUPS, 0);
  asof.forward = locus_arg_bool(&call, FORWARD, false);
  asof.base = locus_arg_int(&call, BASE, 1);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_asof_rows(&asof, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* nearest_rows(sequence, values, before, after, tolerance, base): as in op/op.h; before or after
** may be nil. */
static int nearest_rows(lua_State *L)
{
  enum { SEQUENCE, VALUES, BEFORE, AFTER, TOLERANCE, BASE };
  static const locus_param params[] = {{"sequence", 0}, {"values", 0}, {"before", LOCUS_OPTIONAL},
                                       {"after", LOCUS_OPTIONAL}, {"tolerance", 0}, {"base", 0},
                                       {0}};
  locus_call call;
  locus_nearest nearest = {.before.name = "before", .after.name = "after"};
  int status;

  locus_call_begin_plain(&call, L, "nearest_rows", params, 6);
  locus_arg_tensor_value(&call, SEQUENCE, LOCUS_DTYPES, &nearest.sequence);
  locus_arg_tensor_value(&call, VALUES, LOCUS_DTYPES, &nearest.values);
  if (locus_arg_given(&call, BEFORE))
    locus_arg_tensor_value(&call, BEFORE, LOCUS_i64, &nearest.before);
  if (locus_arg_given(&call, AFTER))
    locus_arg_tensor_value(&call, AFTER, LOCUS_i64, &nearest.after);
  locus_arg_value(&call, TOLERANCE, &nearest.tolerance);
  nearest.base = locus_arg_int(&call, BASE, 1);
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
