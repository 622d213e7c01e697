/* SPDX-License-Identifier: MIT */
/* tile as a Lua function and method. */
#include "bind/bind.h"

/* tile(input, dims..., {out=}): the tensor that many times along each dimension, numbers or one
** table of them, which go for the last dimensions; a tensor with fewer dimensions gets new ones in
** front. Errors: a negative number; 'out' of another dtype or size, or overlapping 'input'.
** Source: https://pytorch.org/docs/stable/generated/torch.tile.html */
static int tile(lua_State *L)
{
  enum { INPUT, DIMS, OUT };
  static const locus_param params[] = {
      {"input", 0}, {"dims", LOCUS_SIZES}, {"out", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_value input;
  locus_shape dims;
  int status;

  locus_call_begin(&call, L, "tile", params);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  locus_arg_shape(&call, DIMS, &dims, false);
  locus_tensor *out = locus_arg_out(&call, OUT);
  do status = locus_tile(&input, &dims, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, OUT, false);
}

const locus_entry locus_bind_tile[] = {{"tile", tile, LOCUS_BOTH}, {0}};
