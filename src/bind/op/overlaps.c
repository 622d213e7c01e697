/* SPDX-License-Identifier: MIT */
/* Pairs of values and the ranges that they overlap, for lua/locus/derived/overlaps.lua. */
#include "op/overlaps.h"

#include "bind/bind.h"

static const int64_t *places(locus_call *call, int i, int64_t size)
{
  const locus_tensor *tensor = locus_arg_tensor(call, i);
  const bool fits = tensor->shape.ndim == 1 && locus_tensor_device(tensor) == LOCUS_CPU &&
                    tensor->dtype == LOCUS_i64 && locus_tensor_contiguous(tensor);

  if (!fits || (size >= 0 && tensor->numel != size))
    locus_arg_expected(call, i, "a contiguous 1-D tensor of int64 on the CPU");
  return (const int64_t *)tensor->data;
}

/* find_overlaps(rank, row, until, above, most, base): as in op/overlaps.h, of tensors to which
** nobody else writes. The number of pairs, and their positions unless they are more than `most`. */
#define FIND_OVERLAPS_PARAMS(P)    \
  P(rank, LOCUS_REQUIRED, any)     \
  P(row, LOCUS_REQUIRED, any)      \
  P(until, LOCUS_REQUIRED, any)    \
  P(above, LOCUS_REQUIRED, any)    \
  P(most, LOCUS_REQUIRED, integer) \
  P(base, LOCUS_REQUIRED, integer)
static int find_overlaps(lua_State *L)
{
  LOCUS_PARAMS(FIND_OVERLAPS_PARAMS, any);
  locus_overlaps o;
  int64_t total;
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "overlaps", params, 6);
  o.rank = places(&call, ARG_rank, -1);
  o.ranges = locus_arg_tensor(&call, ARG_rank)->numel;
  o.row = places(&call, ARG_row, o.ranges);
  o.until = places(&call, ARG_until, -1);
  o.values = locus_arg_tensor(&call, ARG_until)->numel;
  o.above = places(&call, ARG_above, o.values);
  const int64_t most = locus_arg_int(&call, ARG_most, 0);
  o.base = locus_arg_int(&call, ARG_base, 1);
  locus_tensor *values = locus_push_row(&call, LOCUS_i64, 0);
  locus_tensor *ranges = locus_push_row(&call, LOCUS_i64, 0);
  do status = locus_find_overlaps(&o, most, &total, values, ranges, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (lua_Number)total);
  if (total > most) return 1;
  lua_insert(L, -3);
  return 3;
}

const locus_entry locus_bind_overlaps[] = {
    {"find_overlaps", find_overlaps, LOCUS_INTERNAL},
    {0},
};
