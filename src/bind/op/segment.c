/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/derived/segment.lua and segments.lua. */
#include "bind/bind.h"

#include <string.h>

static const char *const names[LOCUS_SEGMENTS] = {
#define SEGMENT(name, result) #name,
#include "core/segment.def"
#undef SEGMENT
};

/* Those that leave NaN out, too. */
static bool may_skip_nan(int how)
{
  return how == LOCUS_SEGMENT_sum || how == LOCUS_SEGMENT_mean || how == LOCUS_SEGMENT_min ||
         how == LOCUS_SEGMENT_max || how == LOCUS_SEGMENT_std || how == LOCUS_SEGMENT_var ||
         how == LOCUS_SEGMENT_count;
}

/* The answer of that name; with skips_nan "nan" may stand before it. */
static locus_segment how_of(locus_call *call, const char *given, bool *skips_nan)
{
  static const char list[] =
#define SEGMENT(name, result) " " #name
#include "core/segment.def"
#undef SEGMENT
      ;
  const bool nan = skips_nan && strncmp(given, "nan", 3) == 0;

  if (skips_nan) *skips_nan = nan;
  for (int how = 0; how < LOCUS_SEGMENTS; how++)
    if (strcmp(names[how], given + (nan ? 3 : 0)) == 0 && (!nan || may_skip_nan(how)))
      return (locus_segment)how;
  return (locus_segment)locus_call_error(
      call, "'how' must be one of%s%s, got \"%s\"", list,
      skips_nan ? " nansum nanmin nanmax nanmean nanstd nanvar nancount" : "", given);
}

/* segment(input, ids, how, {groups=, base=1, out=}): one answer for each group over its rows. Row i
** of the 1-D `input` belongs to group ids[i]. The first group is `base`; the number of groups is
** `groups`, or follows from the greatest id. how: "sum" "prod" "min" "max" "mean" "std" "var"
** (correction 1) "first" "last" "any" "all" "count". dtypes are those of the reductions; floats are
** added in float64, in the order of the rows. A group without rows has sum and count 0, prod 1, any
** false, all true, mean NaN; below two rows std and var are NaN. Errors: complex; an id that is no
** group; "min" "max" "first" "last" of a group without rows; 'out' of another dtype or size, or
** overlapping 'input' or 'ids'.
** Source: https://numpy.org/doc/stable/reference/generated/numpy.ufunc.at.html */
#define SEGMENT_PARAMS(P)               \
  P(input, LOCUS_REQUIRED, Table)       \
  P(ids, LOCUS_REQUIRED, Table)         \
  P(how, LOCUS_REQUIRED, How)           \
  P(groups, LOCUS_NAMED, integer = nil) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)       \
  P(out, LOCUS_NAMED, Tensor = nil)
static int segment(lua_State *L)
{
  LOCUS_PARAMS(SEGMENT_PARAMS, Tensor);
  locus_call call;
  locus_segment_ask ask;
  locus_segmentation s = {.count = 1, .asks = &ask};
  int status;

  locus_call_begin(&call, L, "segment", params);
  ask.how = how_of(&call, locus_arg_string(&call, ARG_how, NULL), &ask.skips_nan);
  s.has_groups = locus_arg_given(&call, ARG_groups);
  s.groups = locus_arg_int(&call, ARG_groups, 0);
  s.base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &ask.input);
  locus_arg_tensor_value(&call, ARG_ids, LOCUS_i64, &s.ids);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_segments(&s, &out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

/* segments(ids, groups, asks): a list of the answers to {input, how, input, how, ...}, as segment
** gives them, from one pass over the rows. */
/* clang-format off */
#define SEGMENTS_PARAMS(P)                                                          \
  P(ids, LOCUS_REQUIRED, Table) P(groups, LOCUS_REQUIRED, integer)                  \
  P(asks, LOCUS_REQUIRED, any)
/* clang-format on */
static int segments(lua_State *L)
{
  LOCUS_PARAMS(SEGMENTS_PARAMS, any);
  locus_segmentation s = {.has_groups = true, .base = 1};
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "segment", params, 3);
  const int asks = ARG_asks + 1;
  s.count = (int64_t)lua_objlen(L, asks) / 2;
  s.groups = locus_arg_int(&call, ARG_groups, 0);
  locus_arg_tensor_value(&call, ARG_ids, LOCUS_i64, &s.ids);
  const size_t each = sizeof(locus_segment_ask) + sizeof(locus_tensor *);
  locus_segment_ask *ask = lua_newuserdata(L, (size_t)(s.count + 1) * each);
  locus_tensor **outs = (locus_tensor **)(ask + s.count);
  s.asks = ask;
  lua_createtable(L, (int)s.count, 0);
  for (int i = 0; i < (int)s.count; i++) {
    lua_rawgeti(L, asks, 2 * i + 1);
    lua_rawgeti(L, asks, 2 * i + 2);
    ask[i] = (locus_segment_ask){.input.name = "input"};
    ask[i].how = how_of(&call, lua_tostring(L, -1), &ask[i].skips_nan);
    ask[i].input.tensor = locus_test_tensor(L, -2);
    lua_pop(L, 2);
    outs[i] = locus_push_tensor(L);
    lua_rawseti(L, -2, i + 1);
  }
  do status = locus_segments(&s, outs, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* segment_runs(input, how, starts, inner): as in op/fold.h. */
/* clang-format off */
#define SEGMENT_RUNS_PARAMS(P)                                                                 \
  P(input, LOCUS_REQUIRED, Table) P(how, LOCUS_REQUIRED, any) P(starts, LOCUS_REQUIRED, Table) \
  P(inner, LOCUS_REQUIRED, integer)
/* clang-format on */
static int segment_runs(lua_State *L)
{
  LOCUS_PARAMS(SEGMENT_RUNS_PARAMS, any);
  locus_call call;
  locus_value input, starts;
  int status;

  locus_call_begin_plain(&call, L, "segment_runs", params, 4);
  const locus_segment how = how_of(&call, locus_arg_string(&call, ARG_how, NULL), NULL);
  const int64_t inner = locus_arg_int(&call, ARG_inner, 1);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_starts, LOCUS_i64, &starts);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_segment_runs(&input, how, &starts, inner, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_segment[] = {
    {"segment", segment, LOCUS_INTERNAL},
    {"segments", segments, LOCUS_INTERNAL},
    {"segment_runs", segment_runs, LOCUS_INTERNAL},
    {0},
};
