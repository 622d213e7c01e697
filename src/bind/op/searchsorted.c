/* SPDX-License-Identifier: MIT */
/* searchsorted and bucketize as Lua functions and methods. */
#include "bind/op/searchsorted.h"

#include <string.h>

/* The wanted answers. The first two are their places among the results of the op. */
typedef enum sides { LEFT_SIDE, RIGHT_SIDE, BOTH_SIDES } sides;

/* `right` and `side` say the same; where both are given `side` wins, but "left" and true is an
** error. */
static sides read_sides(locus_call *call, int right_at, int side_at)
{
  bool right = locus_arg_bool(call, right_at, false);
  const char *name = locus_arg_string(call, side_at, right ? "right" : "left");

  if (strcmp(name, "right") == 0) return RIGHT_SIDE;
  if (strcmp(name, "left") == 0) {
    if (right) locus_call_error(call, "'side' is \"left\", but 'right' is true");
    return LEFT_SIDE;
  }
  if (strcmp(name, "both") != 0)
    locus_arg_expected(call, side_at, "\"left\", \"right\" or \"both\"");
  if (locus_arg_given(call, right_at))
    locus_call_error(call, "'right' cannot be given with side = \"both\"");
  return BOTH_SIDES;
}

/* Searches and pushes the answers: for a scalar without `out`, Lua numbers. */
static int answer(locus_call *call, const locus_search *search, sides which, int out_at)
{
  lua_State *L = call->L;
  bool as_number = !search->values.tensor && !locus_arg_given(call, out_at);
  locus_tensor *outs[2] = {NULL, NULL};
  int status, kind, count = which == BOTH_SIDES ? 2 : 1;

  if (locus_shared_kind((const locus_value[]){search->sorted_sequence, search->values}, 2, &kind,
                        &call->cx))
    locus_call_error(call, "%s", call->cx.error.message);

  if (which == BOTH_SIDES) {
    locus_push_outs(call, out_at, "{left, right}", outs);
    if (outs[0] == outs[1]) locus_call_error(call, "'out' holds the same tensor twice");
  } else {
    outs[which] = locus_arg_out(call, out_at);
    lua_pushvalue(L, out_at + 1);
  }
  do status = locus_searchsorted(search, outs, &call->cx);
  while (locus_call_again(call, status));
  for (int side = 0; as_number && side < 2; side++)
    if (outs[side]) locus_push_first(call, outs[side]);
  return count;
}

int locus_answer_search(locus_call *call, const locus_search *search, int right, int side, int out)
{
  return answer(call, search, read_sides(call, right, side), out);
}

/* Pushes the left position of one number, if that needs no tensor; returns whether it did. */
static bool answer_lookup(locus_call *call, const locus_search *search)
{
  int64_t position;
  bool found;
  int status;

  do {
    status = locus_search_lookup(search->sorted_sequence.tensor, &search->values, search->base,
                                 &position, &found, &call->cx);
  } while (locus_call_again(call, status));
  if (found) lua_pushnumber(call->L, (lua_Number)position);
  return found;
}

/* searchsorted(sorted_sequence, values, {out_int32=false, right=false, side=nil, out=nil,
** sorter=nil, base=1, check=false, descending=false}): for each value the position in its row
** where it would go, so that seq[i-1] < v <= seq[i] (left), or seq[i-1] <= v < seq[i] (right).
** sorted_sequence: real, n or ... x n, sorted along its last dimension: -inf ... inf, NaN.
** values: real; any shape for a sequence of one dimension, else the sequence's shape except for the
** last size. Different dtypes are compared exactly; beside a float sequence a number or 0-d tensor
** is rounded to its dtype. Answers have the shape of values, int64 or with out_int32 int32: base to
** n + base; a number for a number. side: "left", "right", or "both" for two results, where out is
** {left, right}. sorter: int64 or int32, of the sequence's shape: the positions, from base, that
** sort each row. check: a row out of order is an error. descending: the exact reverse order.
** Errors: shapes that do not fit; complex; a sorter entry outside its row; 'out' of another dtype
** or size, or overlapping an argument; n + base beyond int32.
** Source: https://pytorch.org/docs/stable/generated/torch.searchsorted.html */
#define SEARCHSORTED_PARAMS(P)                          \
  P(sorted_sequence, LOCUS_REQUIRED, Table)             \
  P(values, LOCUS_REQUIRED, Data)                       \
  P(out_int32, LOCUS_NAMED, boolean = false)            \
  P(right, LOCUS_NAMED, boolean = false)                \
  P(side, LOCUS_NAMED, "left" | "right" | "both" = nil) \
  P(out, LOCUS_NAMED, Tensor | Tensor[] = nil)          \
  P(sorter, LOCUS_NAMED, Tensor | integer[] = nil)      \
  P(base, LOCUS_NAMED, 0 | 1 = 1)                       \
  P(check, LOCUS_NAMED, boolean = false)                \
  P(descending, LOCUS_NAMED, boolean = false)
static int searchsorted(lua_State *L)
{
  LOCUS_PARAMS(SEARCHSORTED_PARAMS, any, any);
  /* The arguments that a look-up serves. */
  const unsigned served = 1u << ARG_sorted_sequence | 1u << ARG_values | 1u << ARG_right |
                          1u << ARG_side | 1u << ARG_base;
  locus_call call;
  locus_search search = {0};

  locus_call_begin(&call, L, "searchsorted", params);
  sides which = read_sides(&call, ARG_right, ARG_side);
  search.out_int32 = locus_arg_bool(&call, ARG_out_int32, false);
  search.base = locus_arg_base(&call, ARG_base);
  search.check = locus_arg_bool(&call, ARG_check, false);
  search.descending = locus_arg_bool(&call, ARG_descending, false);
  locus_arg_tensor_value(&call, ARG_sorted_sequence, LOCUS_DTYPES, &search.sorted_sequence);
  locus_arg_value(&call, ARG_values, &search.values);
  if (locus_arg_given(&call, ARG_sorter))
    locus_arg_tensor_value(&call, ARG_sorter, LOCUS_i64, &search.sorter);
  if (which == LEFT_SIDE && !(call.given & ~served) && answer_lookup(&call, &search)) return 1;
  return answer(&call, &search, which, ARG_out);
}

/* bucketize(input, boundaries, {out_int32=false, right=false, out=nil, base=1}): the bucket of each
** element of input among the sorted boundaries (one dimension), in other words
** searchsorted(boundaries, input).
** Source: https://pytorch.org/docs/stable/generated/torch.bucketize.html */
#define BUCKETIZE_PARAMS(P)                  \
  P(input, LOCUS_REQUIRED, Data)             \
  P(boundaries, LOCUS_REQUIRED, Table)       \
  P(out_int32, LOCUS_NAMED, boolean = false) \
  P(right, LOCUS_NAMED, boolean = false)     \
  P(out, LOCUS_NAMED, Tensor = nil)          \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int bucketize(lua_State *L)
{
  LOCUS_PARAMS(BUCKETIZE_PARAMS, any);
  locus_call call;
  locus_search search = {0};

  locus_call_begin(&call, L, "bucketize", params);
  bool right = locus_arg_bool(&call, ARG_right, false);
  search.out_int32 = locus_arg_bool(&call, ARG_out_int32, false);
  search.base = locus_arg_base(&call, ARG_base);
  locus_arg_value(&call, ARG_input, &search.values);
  locus_arg_tensor_value(&call, ARG_boundaries, LOCUS_DTYPES, &search.sorted_sequence);
  if (search.sorted_sequence.tensor->shape.ndim != 1)
    locus_arg_expected(&call, ARG_boundaries, "of one dimension");
  return answer(&call, &search, right ? RIGHT_SIDE : LEFT_SIDE, ARG_out);
}

const locus_entry locus_bind_searchsorted[] = {
    {"searchsorted", searchsorted, LOCUS_BOTH},
    {"bucketize", bucketize, LOCUS_BOTH},
    {0},
};
