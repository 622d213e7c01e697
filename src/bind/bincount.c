/* SPDX-License-Identifier: MIT */
/* bincount as a Lua function and method. */
#include "bind/bind.h"

/* bincount(input, weights, minlength=0, {base=1}): how often each whole number from `base` on
** stands in `input`, an integer tensor of one dimension: the count of v is at position v (with
** base = 0, PyTorch's form, v counts from 0). int64 of the greatest value's size, or minlength if
** that is more; with weights, of input's size, the float64 sums of their weights. Errors: a value
** below base; weights that are complex or of another size; a negative minlength.
** Source: https://pytorch.org/docs/stable/generated/torch.bincount.html */
static int bincount(lua_State *L)
{
  enum { INPUT, WEIGHTS, MINLENGTH, BASE };
  static const locus_param params[] = {{"input", 0},
                                       {"weights", LOCUS_OPTIONAL | LOCUS_TABLE},
                                       {"minlength", LOCUS_OPTIONAL},
                                       {"base", LOCUS_NAMED},
                                       {0}};
  locus_call call;
  locus_value input, weights = {.name = "weights"};
  int status;

  locus_call_begin(&call, L, "bincount", params);
  int64_t minlength = locus_arg_int(&call, MINLENGTH, 0), base = locus_arg_base(&call, BASE);
  locus_arg_tensor_value(&call, INPUT, LOCUS_i64, &input);
  if (locus_arg_given(&call, WEIGHTS))
    locus_arg_tensor_value(&call, WEIGHTS, LOCUS_DTYPES, &weights);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_bincount(&input, &weights, minlength, out, base, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_bincount[] = {{"bincount", bincount, LOCUS_BOTH}, {0}};
