/* SPDX-License-Identifier: MIT */
/* ffill and bfill as Lua functions and methods, and what those of groups and strings stand on. */
#include "bind/bind.h"

#define FILL_PARAMS(P)                   \
  P(input, LOCUS_REQUIRED, Table)        \
  P(dim, LOCUS_OPTIONAL, integer = nil)  \
  P(limit, LOCUS_NAMED, integer = nil)   \
  P(missing, LOCUS_NAMED, integer = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)
#define FILL_IN_PLACE_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Tensor)      \
  P(dim, LOCUS_OPTIONAL, integer = nil) \
  P(limit, LOCUS_NAMED, integer = nil)  \
  P(missing, LOCUS_NAMED, integer = nil)
LOCUS_FILE_PLACES(FILL_PARAMS);

static void read_filling(locus_call *call, bool backward, locus_filling *f)
{
  const int ndim = f->input.tensor->shape.ndim;

  f->backward = backward;
  f->dim = locus_arg_dim(call, AT_dim, ndim, ndim ? ndim - 1 : 0);
  f->has_limit = locus_arg_given(call, AT_limit);
  f->limit = locus_arg_int(call, AT_limit, 0);
  f->has_missing = locus_arg_given(call, AT_missing);
  f->missing = locus_arg_units(call, AT_missing, 0);
}

static int fill(lua_State *L, const char *name, bool backward)
{
  LOCUS_PARAMS(FILL_PARAMS, Tensor);
  locus_call call;
  locus_filling f = {0};
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_tensor_value(&call, AT_input, LOCUS_DTYPES, &f.input);
  read_filling(&call, backward, &f);
  locus_tensor *out = locus_arg_out(&call, AT_out);
  do status = locus_fill_gaps(&f, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, AT_out, false);
}

static int fill_in_place(lua_State *L, const char *name, bool backward)
{
  LOCUS_PARAMS(FILL_IN_PLACE_PARAMS, Tensor);
  locus_call call;
  locus_filling f = {0};
  int status;

  locus_call_begin(&call, L, name, params);
  locus_tensor *self = locus_arg_self(&call, &f.input);
  read_filling(&call, backward, &f);
  do status = locus_fill_gaps(&f, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

/* ffill(input, dim, {limit=, missing=, out=}): missing elements become the last one before them
** along `dim`, by default the last dimension, that is not missing; bfill: the first behind them.
** Those of which none is at most `limit` elements away stay. NaN is missing, complex numbers
** with a part that is, and the integer `missing`, if given. out may be the input. ffill_,
** bfill_: in place. Errors: a `dim` that is not there; a negative `limit`; `missing` of floats,
** or beyond the dtype; 'out' of another dtype or size. Source:
** https://pandas.pydata.org/docs/reference/api/pandas.Series.ffill.html */
#define BIND_FILL(name, backward)                 \
  static int name(lua_State *L)                   \
  {                                               \
    return fill(L, #name, backward);              \
  }                                               \
  static int name##_(lua_State *L)                \
  {                                               \
    return fill_in_place(L, #name "_", backward); \
  }
BIND_FILL(ffill, false)
BIND_FILL(bfill, true)

/* fill_groups(input, ids, order, groups, backward, limit, missing): as in op/fold.h. */
/* clang-format off */
#define FILL_GROUPS_PARAMS(P)                                                                     \
  P(input, LOCUS_REQUIRED, Table) P(ids, LOCUS_REQUIRED, Table) P(order, LOCUS_OPTIONAL, Table)   \
  P(groups, LOCUS_OPTIONAL, integer) P(backward, LOCUS_OPTIONAL, boolean)                         \
  P(limit, LOCUS_OPTIONAL, integer) P(missing, LOCUS_OPTIONAL, integer)
/* clang-format on */
static int fill_groups(lua_State *L)
{
  LOCUS_PARAMS(FILL_GROUPS_PARAMS, any);
  locus_call call;
  locus_filling f = {0};
  int status;

  locus_call_begin_plain(&call, L, "fill_groups", params, 7);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &f.input);
  locus_arg_tensor_value(&call, ARG_ids, LOCUS_i64, &f.ids);
  if (locus_arg_given(&call, ARG_order))
    locus_arg_tensor_value(&call, ARG_order, LOCUS_i64, &f.order);
  f.groups = locus_arg_int(&call, ARG_groups, 0);
  f.backward = locus_arg_bool(&call, ARG_backward, false);
  f.has_limit = locus_arg_given(&call, ARG_limit);
  f.limit = locus_arg_int(&call, ARG_limit, 0);
  f.has_missing = locus_arg_given(&call, ARG_missing);
  f.missing = locus_arg_units(&call, ARG_missing, 0);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_fill_gaps(&f, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_fill[] = {
    {"ffill", ffill, LOCUS_BOTH},
    {"ffill_", ffill_, LOCUS_BOTH},
    {"bfill", bfill, LOCUS_BOTH},
    {"bfill_", bfill_, LOCUS_BOTH},
    {"fill_groups", fill_groups, LOCUS_INTERNAL},
    {0},
};
