/* SPDX-License-Identifier: MIT */
/* What lua/locus/derived/repeats.lua needs. */
#include "bind/bind.h"

/* repeats(input, ends, dim): as in op/op.h. */
static int repeats(lua_State *L)
{
  enum { INPUT, ENDS, DIM };
  static const locus_param params[] = {{"input", 0}, {"ends", 0}, {"dim", 0}, {0}};
  locus_call call;
  locus_value input, ends;
  int status;

  locus_call_begin_plain(&call, L, "repeats", params, 3);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ENDS, LOCUS_i64, &ends);
  const int dim = locus_arg_dim(&call, DIM, input.tensor->shape.ndim, 0);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_repeats(&input, &ends, dim, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_repeats[] = {{"repeats", repeats, LOCUS_INTERNAL}, {0}};
