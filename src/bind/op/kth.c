/* SPDX-License-Identifier: MIT */
/* Elements by rank, for the functions of lua/locus/derived/selection.lua and quantile.lua,
** and for quantiles of groups. */
#include "bind/bind.h"

/* kth(input, ranks, offsets, ids, {descending=false, positions=false, base=1}): the elements at
** `ranks`, counted from 0, of each sorted row of the 2-D input. With offsets, int64, one more than
** there are segments, the segments of a 1-D input take the place of rows: they begin at offsets[s]
** and end before offsets[s + 1]. With ids, int32 on the CPU, element i belongs to segment ids[i],
** whatever its place. ranks are int64, ascend along a row, and are [wanted] for all or [rows,
** wanted]. Everything is contiguous. The result is [rows, wanted]; with `positions` also the
** elements' positions in the row, equal ones in their order. Without it zeros are +0. */
#define KTH_PARAMS(P)                 \
  P(input, LOCUS_REQUIRED, Table)     \
  P(ranks, LOCUS_REQUIRED, Table)     \
  P(offsets, LOCUS_OPTIONAL, Table)   \
  P(ids, LOCUS_OPTIONAL, Table)       \
  P(descending, LOCUS_NAMED, boolean) \
  P(positions, LOCUS_NAMED, boolean)  \
  P(base, LOCUS_NAMED, 0 | 1)
static int kth(lua_State *L)
{
  LOCUS_PARAMS(KTH_PARAMS, any);
  locus_kth_request r = {.offsets = {.name = "offsets"}, .ids = {.name = "ids"}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "kth", params);
  r.descending = locus_arg_bool(&call, ARG_descending, false);
  r.base = locus_arg_base(&call, ARG_base);
  const bool positions = locus_arg_bool(&call, ARG_positions, false);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &r.input);
  locus_arg_tensor_value(&call, ARG_ranks, LOCUS_i64, &r.ranks);
  if (locus_arg_given(&call, ARG_offsets))
    locus_arg_tensor_value(&call, ARG_offsets, LOCUS_i64, &r.offsets);
  if (locus_arg_given(&call, ARG_ids)) locus_arg_tensor_value(&call, ARG_ids, LOCUS_i32, &r.ids);
  locus_tensor *values = locus_push_tensor(L);
  locus_tensor *index = positions ? locus_push_tensor(L) : NULL;
  do status = locus_kth(&r, values, index, &call.cx);
  while (locus_call_again(&call, status));
  return positions ? 2 : 1;
}

const locus_entry locus_bind_kth[] = {{"kth", kth, LOCUS_INTERNAL}, {0}};
