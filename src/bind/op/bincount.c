/* SPDX-License-Identifier: MIT */
/* bincount as a Lua function and method. */
#include "bind/bind.h"

/* bincount(input, weights, minlength=0, {base=1}): the number of times that each whole number, from
** `base`, occurs in `input`, an integer tensor of one dimension. The count of v is at position v
** (with base = 0, PyTorch's form, v counts from 0). int64 of the greatest value's size, or
** minlength if that is more; with weights, of input's size, the float64 sums of their weights.
** Errors: a value below base; weights that are complex or of another size; a negative minlength.
** Source: https://pytorch.org/docs/stable/generated/torch.bincount.html */
#define BINCOUNT_PARAMS(P)                              \
  P(input, LOCUS_REQUIRED, Table)                       \
  P(weights, LOCUS_OPTIONAL | LOCUS_TABLE, Table = nil) \
  P(minlength, LOCUS_OPTIONAL, integer = 0)             \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int bincount(lua_State *L)
{
  LOCUS_PARAMS(BINCOUNT_PARAMS, any);
  locus_call call;
  locus_value input, weights = {.name = "weights"};
  int status;

  locus_call_begin(&call, L, "bincount", params);
  int64_t minlength = locus_arg_int(&call, ARG_minlength, 0),
          base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_i64, &input);
  if (locus_arg_given(&call, ARG_weights))
    locus_arg_tensor_value(&call, ARG_weights, LOCUS_DTYPES, &weights);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_bincount(&input, &weights, minlength, out, base, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_bincount[] = {{"bincount", bincount, LOCUS_BOTH}, {0}};
