/* SPDX-License-Identifier: MIT */
/* The rows of core/binary.def as Lua functions and methods; clamp; result_type. */
#include "bind/bind.h"

/* The rows (input, other, {out=}): elementwise. The two broadcast and are promoted; either may be a
** tensor, table, number, boolean or cdata; two scalars give a Lua value. Integers wrap. div, atan2
** and hypot of integers give the default dtype. remainder takes the sign of other, fmod that of
** input; floor_divide rounds down. minimum and maximum propagate NaN. lshift and rshift, of
** integers, lose the bits that leave the dtype, for any number of bits, also a negative one. The
** logical ops read any dtype as bool and give bool.
** Errors: sizes that do not broadcast; a dtype that the op is not defined on; the remainder or
** quotient of an integer by 0, a negative power of one; a value that the result's integer dtype
** cannot hold; 'out' of another dtype or size, or overlapping an operand in part.
** Source: https://pytorch.org/docs/stable/torch.html#pointwise-ops */
#define BINARY_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Data) \
  P(other, LOCUS_REQUIRED, Data) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int binary(lua_State *L, const char *name, locus_binary op)
{
  LOCUS_PARAMS(BINARY_PARAMS, any);
  locus_call call;
  locus_value input, other;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_value(&call, ARG_input, &input);
  locus_arg_value(&call, ARG_other, &other);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_apply_binary(op, &input, &other, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, !input.tensor && !other.tensor);
}

/* add_ and so on (input, other): in place; input's dtype and size stay. Errors: also a result of a
** higher kind or larger size than input's, and elements of other that an integer input cannot
** hold. */
#define BINARY_IN_PLACE_PARAMS(P)  \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(other, LOCUS_REQUIRED, Data)
static int binary_in_place(lua_State *L, const char *name, locus_binary op)
{
  LOCUS_PARAMS(BINARY_IN_PLACE_PARAMS, Tensor);
  locus_call call;
  locus_value input, other;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_tensor *self = locus_arg_self(&call, &input);
  locus_arg_value(&call, ARG_other, &other);
  do status = locus_apply_binary(op, &input, &other, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)
#define BINARY(op, computed)                               \
  static int bound_##op(lua_State *L)                      \
  {                                                        \
    return binary(L, #op, LOCUS_BINARY_##op);              \
  }                                                        \
  static int op##_in_place(lua_State *L)                   \
  {                                                        \
    return binary_in_place(L, #op "_", LOCUS_BINARY_##op); \
  }
#include "core/binary.def"
#undef BINARY

static const locus_value *optional_value(locus_call *call, int i, locus_value *value)
{
  if (!locus_arg_given(call, i)) return NULL;
  locus_arg_value(call, i, value);
  return value;
}

/* clamp(input, min, max, {out=}): input where it lies between the bounds, else the nearer one; max
** where min > max. Either bound may be nil, a tensor, table or scalar; all broadcast and are
** promoted; NaN is propagated. Errors: as add; no bound at all.
** Source: https://pytorch.org/docs/stable/generated/torch.clamp.html */
#define CLAMP_PARAMS(P)                            \
  P(input, LOCUS_REQUIRED, Data)                   \
  P(min, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(max, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int clamp(lua_State *L)
{
  LOCUS_PARAMS(CLAMP_PARAMS, any);
  locus_call call;
  locus_value input, low, high;
  int status;

  locus_call_begin(&call, L, "clamp", params);
  locus_arg_value(&call, ARG_input, &input);
  const locus_value *min = optional_value(&call, ARG_min, &low);
  const locus_value *max = optional_value(&call, ARG_max, &high);
  bool scalar = !input.tensor && !(min && min->tensor) && !(max && max->tensor);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_clamp(&input, min, max, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, scalar);
}

/* clamp_(input, min, max): in place; input's dtype and size stay. */
#define CLAMP_IN_PLACE_PARAMS(P)                   \
  P(input, LOCUS_REQUIRED, Tensor)                 \
  P(min, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(max, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil)
static int clamp_in_place(lua_State *L)
{
  LOCUS_PARAMS(CLAMP_IN_PLACE_PARAMS, Tensor);
  locus_call call;
  locus_value input, low, high;
  int status;

  locus_call_begin(&call, L, "clamp_", params);
  locus_tensor *self = locus_arg_self(&call, &input);
  const locus_value *min = optional_value(&call, ARG_min, &low);
  const locus_value *max = optional_value(&call, ARG_max, &high);
  do status = locus_clamp(&input, min, max, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

/* result_type(a, b, ...): the name of the dtype that two to eight tensors, tables or Lua values
** make together in arithmetic.
** Source: https://pytorch.org/docs/stable/generated/torch.result_type.html */
#define RESULT_TYPE_PARAMS(P)                    \
  P(a, LOCUS_REQUIRED, Data)                     \
  P(b, LOCUS_REQUIRED, Data)                     \
  P(c, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(d, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(e, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(f, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(g, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(h, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil)
static int result_type(lua_State *L)
{
  LOCUS_PARAMS(RESULT_TYPE_PARAMS, any);
  locus_value values[sizeof params / sizeof *params - 1];
  locus_call call;
  int count = 0;

  locus_call_begin(&call, L, "result_type", params);
  for (int i = 0; i < call.count; i++)
    if (optional_value(&call, i, &values[count])) count++;
  lua_pushstring(L, locus_dtype_name(locus_promote(values, count, &call.cx)));
  return 1;
}

const locus_entry locus_bind_binary[] = {
#define BINARY(op, computed) {#op, bound_##op, LOCUS_BOTH}, {#op "_", op##_in_place, LOCUS_BOTH},
#include "core/binary.def"
#undef BINARY
    {"clamp", clamp, LOCUS_BOTH},
    {"clamp_", clamp_in_place, LOCUS_BOTH},
    {"result_type", result_type, LOCUS_FUNCTION},
    {0},
};
