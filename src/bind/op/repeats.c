/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/derived/repeats.lua. */
#include "bind/bind.h"

/* repeats(input, ends, dim): as in op/op.h. */
#define REPEATS_PARAMS(P) \
  P(input, LOCUS_REQUIRED, Table) P(ends, LOCUS_REQUIRED, Table) P(dim, LOCUS_REQUIRED, integer)
static int repeats(lua_State *L)
{
  LOCUS_PARAMS(REPEATS_PARAMS, any);
  locus_call call;
  locus_value input, ends;
  int status;

  locus_call_begin_plain(&call, L, "repeats", params, 3);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_ends, LOCUS_i64, &ends);
  const int dim = locus_arg_dim(&call, ARG_dim, input.tensor->shape.ndim, 0);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_repeats(&input, &ends, dim, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_repeats[] = {{"repeats", repeats, LOCUS_INTERNAL}, {0}};
