/* SPDX-License-Identifier: MIT */
/* Pairs of rows with the same key; lua/locus/sets/pairs.lua finds them on other devices. */
#include "bind/bind.h"
#include "text/names/join.h"

static const int32_t *numbers(locus_call *call, int i, int64_t *rows)
{
  const locus_tensor *tensor = locus_arg_tensor(call, i);

  if (tensor->shape.ndim != 1 || locus_tensor_device(tensor) != LOCUS_CPU ||
      tensor->dtype != LOCUS_i32 || !locus_tensor_contiguous(tensor)) {
    locus_arg_expected(call, i, "a contiguous 1-D tensor of int32 on the CPU");
  }
  *rows = tensor->numel;
  return (const int32_t *)tensor->data;
}

/* join_rows_host(own, others, count, all, most): as in text/names/join.h. The number of pairs, and
** the rows of both sides unless they are more than `most`. `others` may be nil. */
#define JOIN_ROWS_PARAMS(P)         \
  P(own, LOCUS_REQUIRED, any)       \
  P(others, LOCUS_OPTIONAL, any)    \
  P(count, LOCUS_REQUIRED, integer) \
  P(all, LOCUS_REQUIRED, boolean)   \
  P(most, LOCUS_REQUIRED, integer)
static int join_rows_host(lua_State *L)
{
  LOCUS_PARAMS(JOIN_ROWS_PARAMS, any);
  locus_join join = {.others = NULL};
  int64_t total;
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "join", params, 5);
  join.own = numbers(&call, ARG_own, &join.own_rows);
  if (locus_arg_given(&call, ARG_others))
    join.others = numbers(&call, ARG_others, &join.other_rows);
  join.count = locus_arg_int(&call, ARG_count, 0);
  join.all = locus_arg_bool(&call, ARG_all, false);
  const int64_t most = locus_arg_int(&call, ARG_most, 0);
  if (join.count < 0 || join.count > INT32_MAX) locus_arg_expected(&call, ARG_count, "an int32");
  if (join.other_rows > LOCUS_JOIN_MOST)
    locus_arg_expected(&call, ARG_others, "of fewer than 2^32 rows");
  locus_tensor *rows = locus_push_row(&call, LOCUS_i64, 0);
  locus_tensor *matched = locus_push_row(&call, LOCUS_i64, 0);
  do status = locus_join_rows(&join, most, &total, rows, matched, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (lua_Number)total);
  if (total > most) return 1;
  lua_insert(L, -3);
  return 3;
}

const locus_entry locus_bind_join_rows[] = {
    {"join_rows_host", join_rows_host, LOCUS_INTERNAL},
    {0},
};
