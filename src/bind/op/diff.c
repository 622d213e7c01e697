/* SPDX-License-Identifier: MIT */
/* diff as a Lua function and method. */
#include "bind/bind.h"

/* diff(input, n=1, dim=-1, prepend=nil, append=nil, {out=}): along the dimension each element minus
** the one before it, repeated n times; for bool, whether they differ. `prepend` and `append`, each
** a number or a tensor that differs from `input` in that dimension alone, count as part of it.
** Integers wrap. Errors: a negative n; a tensor without dimensions; a part that does not fit; 'out'
** of another dtype or size, or overlapping an input.
** Source: https://pytorch.org/docs/stable/generated/torch.diff.html */
#define DIFF_PARAMS(P)                                 \
  P(input, LOCUS_REQUIRED, Table)                      \
  P(n, LOCUS_OPTIONAL, integer = 1)                    \
  P(dim, LOCUS_OPTIONAL, integer = -1)                 \
  P(prepend, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(append, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil)  \
  P(out, LOCUS_NAMED, Tensor = nil)
static int diff(lua_State *L)
{
  LOCUS_PARAMS(DIFF_PARAMS, Tensor);
  locus_value input, ends[2];
  locus_call call;
  int status;

  locus_call_begin(&call, L, "diff", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  const int ndim = input.tensor->shape.ndim;
  const int64_t n = locus_arg_int(&call, ARG_n, 1);
  const int dim = locus_arg_dim(&call, ARG_dim, ndim, ndim ? ndim - 1 : 0);
  for (int k = 0; k < 2; k++)
    if (locus_arg_given(&call, ARG_prepend + k)) locus_arg_value(&call, ARG_prepend + k, &ends[k]);
  const locus_value *before = locus_arg_given(&call, ARG_prepend) ? &ends[0] : NULL;
  const locus_value *after = locus_arg_given(&call, ARG_append) ? &ends[1] : NULL;
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_diff(&input, n, dim, before, after, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

const locus_entry locus_bind_diff[] = {{"diff", diff, LOCUS_BOTH}, {0}};
