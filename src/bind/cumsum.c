/* SPDX-License-Identifier: MIT */
/* cumsum as a Lua function and method. */
#include "bind/bind.h"

/* cumsum(input, dim, {dtype=, out=}): at each place the sum of the elements along `dim` (from 1, or
** from -1 at the end) up to this one. Of input's size; integers and bool give int64, modulo
** 2^64; floats keep their dtype and are added as float64; with `dtype` the input is cast to it
** first, and the sums have it. A number gives a Lua value. Errors: a `dim` that is not there; an
** element that `dtype` cannot hold; 'out' of another dtype or size, or overlapping 'input'.
** Source: https://pytorch.org/docs/stable/generated/torch.cumsum.html */
static int cumsum(lua_State *L)
{
  enum { INPUT, DIM, DTYPE, OUT };
  static const locus_param params[] = {
      {"input", 0}, {"dim", 0}, {"dtype", LOCUS_NAMED}, {"out", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "cumsum", params);
  locus_arg_value(&call, INPUT, &input);
  int dim = locus_arg_dim(&call, DIM, input.tensor ? input.tensor->shape.ndim : 0, 0);
  locus_dtype dtype = locus_arg_dtype(&call, DTYPE, LOCUS_DTYPES);
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_cumsum(&input, dim, dtype, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, OUT, !input.tensor);
}

const locus_entry locus_bind_cumsum[] = {{"cumsum", cumsum, LOCUS_BOTH}, {0}};
