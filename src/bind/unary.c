/* SPDX-License-Identifier: MIT */
/* The rows of core/unary.def as Lua functions and methods. */
#include "bind/bind.h"

/* neg, abs, bnot, logical_not, isnan, isinf, isfinite (input, {out=}): elementwise; a scalar
** gives a Lua value. neg and abs: numbers, integers wrap, abs not of complex ones. bnot:
** integers bit by bit, bool. logical_not: any dtype read as bool. The others, of any dtype, give
** bool; a complex value is nan or inf when a part is, finite when both are.
** Errors: a dtype that the op is not defined on; 'out' of another dtype or size, or overlapping
** input in part. */
static int unary(lua_State *L, const char *name, locus_unary op)
{
  enum { INPUT, OUT };
  static const locus_param params[] = {{"input", 0}, {"out", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_value(&call, INPUT, &input);
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_apply_unary(op, &input, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, OUT, !input.tensor);
}

/* neg_, abs_, bnot_, logical_not_ (input): in place; the dtype stays. */
static int unary_in_place(lua_State *L, const char *name, locus_unary op)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_tensor *self = locus_arg_self(&call, &input);
  do status = locus_apply_unary(op, &input, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

#define IN_PLACE(op) \
  static int op##_in_place(lua_State *L) { return unary_in_place(L, #op "_", LOCUS_UNARY_##op); }
#define IN_PLACE_SAME(op) IN_PLACE(op)
#define IN_PLACE_TRUTH(op) IN_PLACE(op)
#define IN_PLACE_PREDICATE(op)

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)

#define UNARY(op, computed)                                                            \
  static int bound_##op(lua_State *L) { return unary(L, #op, LOCUS_UNARY_##op); }      \
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
