/* SPDX-License-Identifier: MIT */
/* where, masked_fill and masked_fill_ as Lua functions and methods. */
#include "bind/bind.h"

/* where(condition): one column of positions per dimension. */
static int where_columns(locus_call *call, int64_t base)
{
  locus_value input;
  int status;

  locus_arg_tensor_value(call, 0, LOCUS_DTYPES, &input);
  locus_tensor *out = locus_push_tensor(call->L);
  do status = locus_nonzero(&input, out, true, base, &call->cx);
  while (locus_call_again(call, status));
  return locus_push_columns(call->L, lua_gettop(call->L));
}

/* where(condition, x, y, {out=}): x if the condition (bool) is true, else y. All three broadcast. x
** and y may be tensors, tables or scalars and are promoted; selected values keep their bits.
** where(condition, {base=1}): the same as nonzero(condition, {as_tuple=true}), for any dtype.
** Errors: a condition that is not bool; sizes that do not broadcast; a scalar that the result's
** dtype cannot hold; 'out' of another dtype or size, or overlapping an operand in part.
** Source: https://pytorch.org/docs/stable/generated/torch.where.html */
#define WHERE_PARAMS(P)                          \
  P(condition, LOCUS_REQUIRED, Table)            \
  P(x, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(y, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)              \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int where(lua_State *L)
{
  LOCUS_PARAMS(WHERE_PARAMS, Tensor);
  locus_call call;
  locus_value values[3];
  int status;

  locus_call_begin(&call, L, "where", params);
  bool has_x = locus_arg_given(&call, ARG_x), has_y = locus_arg_given(&call, ARG_y);
  if (!has_x && !has_y && call.positions <= 1) {
    if (locus_arg_given(&call, ARG_out)) locus_call_error(&call, "'out' needs 'x' and 'y'");
    return where_columns(&call, locus_arg_base(&call, ARG_base));
  }
  if (!has_x || !has_y) locus_call_error(&call, "'%s' is missing", has_x ? "y" : "x");
  if (locus_arg_given(&call, ARG_base))
    locus_call_error(&call, "'base' is for where(condition) alone");
  locus_arg_tensor_value(&call, ARG_condition, LOCUS_b8, &values[0]);
  locus_arg_value(&call, ARG_x, &values[1]);
  locus_arg_value(&call, ARG_y, &values[2]);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_where(values, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

#define FILLING(P) P(mask, LOCUS_REQUIRED, Table) P(value, LOCUS_REQUIRED, Data)

static void read_fill(locus_call *call, locus_value *input, locus_value *mask, locus_value *value)
{
  locus_arg_tensor_value(call, 0, LOCUS_DTYPES, input);
  locus_arg_tensor_value(call, 1, LOCUS_b8, mask);
  locus_arg_value(call, 2, value);
}

/* masked_fill(input, mask, value): input with value where mask (bool) is true; both broadcast. The
** dtype is input's; value is a number or 0-d tensor that fits it. */
#define MASKED_FILL_PARAMS(P) P(input, LOCUS_REQUIRED, Table) FILLING(P)
static int masked_fill(lua_State *L)
{
  LOCUS_PARAMS(MASKED_FILL_PARAMS, Tensor);
  locus_call call;
  locus_value input, mask, value;
  int status;

  locus_call_begin(&call, L, "masked_fill", params);
  read_fill(&call, &input, &mask, &value);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_masked_fill(&input, &mask, &value, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* masked_fill_(mask, value): the same in place. The mask broadcasts to input. */
#define MASKED_FILL_IN_PLACE_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor) FILLING(P)
static int masked_fill_in_place(lua_State *L)
{
  LOCUS_PARAMS(MASKED_FILL_IN_PLACE_PARAMS, Tensor);
  locus_call call;
  locus_value input, mask, value;
  int status;

  locus_call_begin(&call, L, "masked_fill_", params);
  if (!locus_test_tensor(L, 1)) locus_arg_expected(&call, ARG_input, "a tensor");
  read_fill(&call, &input, &mask, &value);
  locus_tensor *self = locus_test_tensor(L, 1);
  do status = locus_masked_fill(&input, &mask, &value, self, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

const locus_entry locus_bind_where[] = {
    {"where", where, LOCUS_BOTH},
    {"masked_fill", masked_fill, LOCUS_BOTH},
    {"masked_fill_", masked_fill_in_place, LOCUS_METHOD},
    {0},
};
