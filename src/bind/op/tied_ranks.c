/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/derived/ranks.lua. */
#include "bind/bind.h"

/* tied_ranks(sorted, from, tie, base): as in op/op.h; `tie` is "average", "min" or "max". */
/* clang-format off */
#define TIED_RANKS_PARAMS(P)                                                                     \
  P(sorted, LOCUS_REQUIRED, Table) P(from, LOCUS_REQUIRED, Table) P(tie, LOCUS_REQUIRED, string) \
  P(base, LOCUS_REQUIRED, integer)
/* clang-format on */
static int tied_ranks(lua_State *L)
{
  LOCUS_PARAMS(TIED_RANKS_PARAMS, any);
  locus_call call;
  locus_value sorted, from;
  int status;

  locus_call_begin_plain(&call, L, "tied_ranks", params, 4);
  const char *name = locus_arg_string(&call, ARG_tie, NULL);
  const locus_tie tie = name[0] == 'a'   ? LOCUS_TIE_MEAN
                        : name[1] == 'i' ? LOCUS_TIE_LEAST
                                         : LOCUS_TIE_GREATEST;
  const int64_t base = locus_arg_int(&call, ARG_base, 1);
  locus_arg_tensor_value(&call, ARG_sorted, LOCUS_DTYPES, &sorted);
  locus_arg_tensor_value(&call, ARG_from, LOCUS_i64, &from);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_tied_ranks(&sorted, &from, tie, base, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_tied_ranks[] = {{"tied_ranks", tied_ranks, LOCUS_INTERNAL}, {0}};
