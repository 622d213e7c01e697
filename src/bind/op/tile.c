/* SPDX-License-Identifier: MIT */
/* tile as a Lua function and method. */
#include "bind/bind.h"

/* tile(input, dims..., {out=}): the tensor repeated along each dimension, by numbers or one table
** of them, for the last dimensions; a tensor with fewer dimensions gets new ones in front. Errors:
** a negative number; 'out' of another dtype or size, or overlapping 'input'. Source:
** https://pytorch.org/docs/stable/generated/torch.tile.html */
#define TILE_PARAMS(P)            \
  P(input, LOCUS_REQUIRED, Table) \
  P(dims, LOCUS_SIZES, Dims)      \
  P(out, LOCUS_NAMED, Tensor = nil)
static int tile(lua_State *L)
{
  LOCUS_PARAMS(TILE_PARAMS, Tensor);
  locus_call call;
  locus_value input;
  locus_shape dims;
  int status;

  locus_call_begin(&call, L, "tile", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_shape(&call, ARG_dims, &dims, false);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_tile(&input, &dims, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

const locus_entry locus_bind_tile[] = {{"tile", tile, LOCUS_BOTH}, {0}};
