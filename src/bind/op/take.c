/* SPDX-License-Identifier: MIT */
/* take as a Lua function and method. */
#include "bind/bind.h"

/* take(input, positions, missing, {out=nil, base=1}): the elements of a 1-D tensor at these
** positions (int64 or int32, of any size), counted from `base`. With `missing`, a number or 0-d
** tensor that input's dtype can hold, the position base - 1 gives it; other functions use that
** position for nothing found. Errors: an input that is not 1-D; a position outside, also a negative
** one; base - 1 without `missing`.
** Source: https://pytorch.org/docs/stable/generated/torch.take.html */
#define TAKE_PARAMS(P)                                 \
  P(input, LOCUS_REQUIRED, Table)                      \
  P(positions, LOCUS_REQUIRED, Table)                  \
  P(missing, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)                    \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int take(lua_State *L)
{
  LOCUS_PARAMS(TAKE_PARAMS, Tensor);
  locus_call call;
  locus_value input, positions, missing;
  int status;

  locus_call_begin(&call, L, "take", params);
  const int64_t base = locus_arg_base(&call, ARG_base);
  const bool has_missing = locus_arg_given(&call, ARG_missing);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_positions, LOCUS_i64, &positions);
  if (has_missing) locus_arg_value(&call, ARG_missing, &missing);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_take(&input, &positions, has_missing ? &missing : NULL, out, base, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

const locus_entry locus_bind_take[] = {{"take", take, LOCUS_BOTH}, {0}};
