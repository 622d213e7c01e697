/* SPDX-License-Identifier: MIT */
/* Counts by bin, for the functions of lua/locus/derived/histogram.lua. */
#include "bind/bind.h"

/* count_bins(input, edges, weights): as locus_histogram in op/op.h. */
#define COUNT_BINS_PARAMS(P)      \
  P(input, LOCUS_REQUIRED, Table) \
  P(edges, LOCUS_REQUIRED, Table) \
  P(weights, LOCUS_OPTIONAL, Table)
static int count_bins(lua_State *L)
{
  LOCUS_PARAMS(COUNT_BINS_PARAMS, any);
  locus_call call;
  locus_value input, edges, weights = {.name = "weights"};
  int status;

  locus_call_begin(&call, L, "histogram", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_edges, LOCUS_f64, &edges);
  if (locus_arg_given(&call, ARG_weights))
    locus_arg_tensor_value(&call, ARG_weights, LOCUS_DTYPES, &weights);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_histogram(&input, &edges, &weights, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_histogram[] = {{"count_bins", count_bins, LOCUS_INTERNAL}, {0}};
