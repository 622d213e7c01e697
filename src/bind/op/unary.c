/* SPDX-License-Identifier: MIT */
/* The rows of core/unary.def as Lua functions and methods. */
#include "bind/bind.h"

static int apply(locus_unary op, const locus_value *input, int64_t decimals, locus_tensor *out,
                 bool in_place, locus_context *cx)
{
  if (op == LOCUS_UNARY_round) return locus_round(input, decimals, out, in_place, cx);
  return locus_apply_unary(op, input, out, in_place, cx);
}

/* The rows (input, {out=}): elementwise; a scalar gives a Lua value. neg, abs, sign, square:
** numbers; integers wrap; a sign is -1, 0, 1 or NaN; abs and sign not of complex ones, sign of
** bool too. floor, ceil, trunc, round (input, {decimals=0, out=}): numbers, integers as they are;
** round goes to the nearest, halves to the even one. frac: floats. reciprocal, sqrt and those of
** libm: floats; integers and bool give the default dtype; what libm rounds is in docs/ops.md. bnot:
** integers bit by bit, bool. logical_not: any dtype read as bool. isnan, isinf, isfinite: bool, of
** any dtype; a complex value is nan or inf when a part is, finite when both are.
** Errors: a dtype that the op is not defined on; negative decimals of integers; 'out' of another
** dtype or size, or overlapping input in part.
** Source: https://pytorch.org/docs/stable/torch.html#pointwise-ops */
#define UNARY_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, Data) \
  P(out, LOCUS_NAMED, Tensor = nil)
#define ROUND_PARAMS(P) UNARY_PARAMS(P) P(decimals, LOCUS_NAMED, integer = 0)
static int unary(lua_State *L, const char *name, locus_unary op)
{
  LOCUS_PARAMS(ROUND_PARAMS, any);
  static const locus_param others[] = {UNARY_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
  const bool rounds = op == LOCUS_UNARY_round;
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, rounds ? params : others);
  locus_arg_value(&call, ARG_input, &input);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  const int64_t decimals = rounds ? locus_arg_int(&call, ARG_decimals, 0) : 0;
  do status = apply(op, &input, decimals, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, !input.tensor);
}

/* neg_ and so on (input), round_(input, {decimals=0}): in place; the dtype stays. Errors: also a
** result that the dtype cannot hold. */
#define UNARY_IN_PLACE_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
#define ROUND_IN_PLACE_PARAMS(P) UNARY_IN_PLACE_PARAMS(P) P(decimals, LOCUS_NAMED, integer = 0)
static int unary_in_place(lua_State *L, const char *name, locus_unary op)
{
  LOCUS_PARAMS(ROUND_IN_PLACE_PARAMS, Tensor);
  static const locus_param others[] = {UNARY_IN_PLACE_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(Tensor)};
  const bool rounds = op == LOCUS_UNARY_round;
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, rounds ? params : others);
  locus_tensor *self = locus_arg_self(&call, &input);
  const int64_t decimals = rounds ? locus_arg_int(&call, ARG_decimals, 0) : 0;
  do status = apply(op, &input, decimals, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

#define IN_PLACE(op)                                     \
  static int op##_in_place(lua_State *L)                 \
  {                                                      \
    return unary_in_place(L, #op "_", LOCUS_UNARY_##op); \
  }
#define IN_PLACE_SAME(op) IN_PLACE(op)
#define IN_PLACE_FLOATING(op) IN_PLACE(op)
#define IN_PLACE_TRUTH(op) IN_PLACE(op)
#define IN_PLACE_PREDICATE(op)

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)

#define UNARY(op, computed)                 \
  static int bound_##op(lua_State *L)       \
  {                                         \
    return unary(L, #op, LOCUS_UNARY_##op); \
  }                                         \
  IN_PLACE_##computed(op)
#include "core/unary.def"
#undef UNARY
#undef IN_PLACE

#define IN_PLACE(op) {#op "_", op##_in_place, LOCUS_BOTH},
const locus_entry locus_bind_unary[] = {
#define UNARY(op, computed) {#op, bound_##op, LOCUS_BOTH}, IN_PLACE_##computed(op)
#include "core/unary.def"
#undef UNARY
    {0},
};
