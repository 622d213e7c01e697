/* SPDX-License-Identifier: MIT */
/* sort and argsort as Lua functions and methods. */
#include "bind/bind.h"

/* argsort has the first ones. */
#define SORT_PARAMS(P)                           \
  P(input, LOCUS_REQUIRED, Data)                 \
  P(dim, LOCUS_OPTIONAL, integer = -1)           \
  P(descending, LOCUS_OPTIONAL, boolean = false) \
  P(stable, LOCUS_NAMED, boolean = true)         \
  P(base, LOCUS_NAMED, 0 | 1 = 1)                \
  P(out, LOCUS_NAMED, Tensor | Tensor[] = nil)   \
  P(indices, LOCUS_NAMED, boolean = true)
LOCUS_FILE_PLACES(SORT_PARAMS);

/* The 0-based dimension, the last one where none is given; 0 for a 0-d input. */
static int read_dim(locus_call *call, const locus_value *input)
{
  int ndim = input->tensor ? input->tensor->shape.ndim : 0;
  return locus_arg_dim(call, AT_dim, ndim, ndim > 0 ? ndim - 1 : 0);
}

/* The values alone: without positions to move the sort has less to do. */
static int sort_values(locus_call *call, const locus_value *input, int dim, bool descending)
{
  locus_tensor *out = locus_arg_out(call, AT_out);
  int status;

  do status = locus_sort(input, dim, descending, out, NULL, 0, &call->cx);
  while (locus_call_again(call, status));
  return locus_push_result(call, AT_out, !input->tensor);
}

/* sort(input, dim=-1, descending=false, {stable=true, out=, base=1, indices=true}): input with the
** elements along `dim` in order, -inf ... inf, NaN, and their int64 positions in input; out is
** {values, indices}. Without `indices` the values alone, and out is one tensor. Equal elements keep
** their order, whatever `stable` says; descending is the exact reverse order, NaN first, equal
** elements still in theirs. Values keep their bits. A number gives Lua values. Errors: complex; a
** `dim` that is not there; an 'out' of another dtype or size, or overlapping 'input' or the other
** one.
** Source: https://pytorch.org/docs/stable/generated/torch.sort.html */
static int sort(lua_State *L)
{
  LOCUS_PARAMS(SORT_PARAMS, any, any);
  locus_call call;
  locus_value input;
  locus_tensor *outs[2];
  int status;

  locus_call_begin(&call, L, "sort", params);
  bool descending = locus_arg_bool(&call, AT_descending, false);
  locus_arg_bool(&call, AT_stable, true);
  int64_t base = locus_arg_base(&call, AT_base);
  locus_arg_value(&call, AT_input, &input);
  int dim = read_dim(&call, &input);
  if (!locus_arg_bool(&call, AT_indices, true)) return sort_values(&call, &input, dim, descending);
  locus_push_outs(&call, AT_out, "{values, indices}", outs);
  do status = locus_sort(&input, dim, descending, outs[0], outs[1], base, &call.cx);
  while (locus_call_again(&call, status));
  for (int i = 0; i < 2 && !input.tensor && !locus_arg_given(&call, AT_out); i++)
    locus_push_first(&call, outs[i]);
  return 2;
}

/* argsort(input, dim=-1, descending=false, {stable=true, base=1}): the positions alone of
** sort(input, dim, descending).
** Source: https://pytorch.org/docs/stable/generated/torch.argsort.html */
#define ARGSORT_PARAMS(P)                        \
  P(input, LOCUS_REQUIRED, Data)                 \
  P(dim, LOCUS_OPTIONAL, integer = -1)           \
  P(descending, LOCUS_OPTIONAL, boolean = false) \
  P(stable, LOCUS_NAMED, boolean = true)         \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int argsort(lua_State *L)
{
  LOCUS_PARAMS(ARGSORT_PARAMS, any);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, "argsort", params);
  bool descending = locus_arg_bool(&call, AT_descending, false);
  locus_arg_bool(&call, AT_stable, true);
  int64_t base = locus_arg_base(&call, AT_base);
  locus_arg_value(&call, AT_input, &input);
  int dim = read_dim(&call, &input);
  locus_tensor *index = locus_push_tensor(L);
  do status = locus_sort(&input, dim, descending, NULL, index, base, &call.cx);
  while (locus_call_again(&call, status));
  if (!input.tensor) locus_push_first(&call, index);
  return 1;
}

const locus_entry locus_bind_sort[] = {
    {"sort", sort, LOCUS_BOTH},
    {"argsort", argsort, LOCUS_BOTH},
    {0},
};
