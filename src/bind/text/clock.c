/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/time: parts, buckets and shifts of times, clocks of zones. Arrays are
** contiguous int64 tensors on the CPU. `per_second` is 0 for dates. `zone` is one, or nil: UTC. */
#include <string.h>

#include "bind/bind.h"
#include "bind/text/zones.h"
#include "text/time/bucket.h"
#include "text/time/parts.h"
#include "text/time/shift.h"

static const time_zone *arg_zone(locus_call *call, int i, const char **name)
{
  const locus_bound_zone *const bound = locus_test_zone(call->L, i + 1);

  if (name) *name = bound ? bound->name : "UTC";
  return bound ? bound->zone : &locus_utc;
}

static const locus_tensor *arg_times(locus_call *call, int i)
{
  const locus_tensor *const times = locus_arg_tensor(call, i);

  if (times->dtype != LOCUS_i64 || !locus_tensor_contiguous(times) ||
      locus_tensor_device(times) != LOCUS_CPU)
    locus_arg_expected(call, i, "a contiguous int64 tensor on the CPU");
  return times;
}

/* A result of the same size. */
static int64_t *push_like(locus_call *call, const locus_tensor *times)
{
  locus_tensor *const out = locus_push_tensor(call->L);
  int status;

  do status = locus_tensor_new(out, LOCUS_i64, &times->shape, LOCUS_CPU, &call->cx);
  while (locus_call_again(call, status));
  return (int64_t *)out->data;
}

static time_span arg_span(locus_call *call, int i, bool negative)
{
  char advice[SPAN_ADVICE];
  time_span span;
  size_t length;

  if (lua_type(call->L, i + 1) != LUA_TSTRING)
    locus_call_error(call, "'span' must be one such as \"15m\", \"day\" or \"2 weeks\", got %s",
                     locus_describe(call->L, i + 1));
  const char *const text = lua_tolstring(call->L, i + 1, &length);
  const char *const wrong = locus_parse_span(text, length, negative, &span, advice);
  if (wrong)
    locus_call_error(call, "'span' is \"%s\"; %s", locus_push_visible(call->L, text, length, true),
                     wrong);
  return span;
}

/* time_parts(): the words of all parts. */
static int time_parts(lua_State *L)
{
  lua_createtable(L, PARTS, 0);
  for (int part = 0; part < PARTS; part++) {
    lua_pushstring(L, locus_part_words[part]);
    lua_rawseti(L, -2, part + 1);
  }
  return 1;
}

/* time_part(input, per_second, zone, part): the part with that number, counted from 1. */
#define TIME_PART_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, any)      \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(part, LOCUS_REQUIRED, any)
static int time_part_of(lua_State *L)
{
  LOCUS_PARAMS(TIME_PART_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "time_part", params, 4);
  const locus_tensor *const times = arg_times(&call, ARG_input);
  const int64_t per_second = locus_arg_int(&call, ARG_per_second, 0);
  const int64_t part = locus_arg_int(&call, ARG_part, 0) - 1;
  if (part < 0 || part >= PARTS) locus_arg_expected(&call, ARG_part, "the number of a part");
  int64_t *const out = push_like(&call, times);
  do
    status = locus_take_parts((time_part)part, arg_zone(&call, ARG_zone, NULL), per_second,
                              times->numel, (const int64_t *)times->data, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* cut_times(input, per_second, zone, span, up, origin): as in text/time/bucket.h. */
#define CUT_TIMES_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, any)      \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(span, LOCUS_REQUIRED, any)       \
  P(up, LOCUS_OPTIONAL, any)         \
  P(origin, LOCUS_OPTIONAL, any)
static int cut_times(lua_State *L)
{
  LOCUS_PARAMS(CUT_TIMES_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "cut_times", params, 6);
  const locus_tensor *const times = arg_times(&call, ARG_input);
  const bool up = lua_toboolean(L, ARG_up + 1);
  time_buckets buckets = {.zone = arg_zone(&call, ARG_zone, NULL),
                          .per_second = locus_arg_int(&call, ARG_per_second, 0),
                          .span = arg_span(&call, ARG_span, false),
                          .has_origin = locus_arg_given(&call, ARG_origin),
                          .origin = locus_arg_int(&call, ARG_origin, 0)};
  int64_t *const out = push_like(&call, times);
  do
    status =
        locus_cut_times(&buckets, up, times->numel, (const int64_t *)times->data, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* list_buckets(first, last, per_second, zone, span, origin): the beginnings of all buckets from
** that of one time up to that of another. */
#define LIST_BUCKETS_PARAMS(P)       \
  P(first, LOCUS_REQUIRED, any)      \
  P(last, LOCUS_REQUIRED, any)       \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(span, LOCUS_REQUIRED, any)       \
  P(origin, LOCUS_OPTIONAL, any)
static int list_buckets(lua_State *L)
{
  LOCUS_PARAMS(LIST_BUCKETS_PARAMS, any);
  int64_t count, ignored;
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "list_buckets", params, 6);
  const int64_t first = locus_arg_int(&call, ARG_first, 0);
  const int64_t last = locus_arg_int(&call, ARG_last, 0);
  const time_buckets buckets = {.zone = arg_zone(&call, ARG_zone, NULL),
                                .per_second = locus_arg_int(&call, ARG_per_second, 0),
                                .span = arg_span(&call, ARG_span, false),
                                .has_origin = locus_arg_given(&call, ARG_origin),
                                .origin = locus_arg_int(&call, ARG_origin, 0)};
  do status = locus_list_buckets(&buckets, first, last, 0, NULL, &count, &call.cx);
  while (locus_call_again(&call, status));
  int64_t *const out = (int64_t *)locus_push_row(&call, LOCUS_i64, count)->data;
  do status = locus_list_buckets(&buckets, first, last, count, out, &ignored, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

static time_shift arg_shift(locus_call *call, int per_second, int zone, int span, int ambiguous,
                            int missing)
{
  time_shift shift = {.choice = locus_arg_clock_choice(call, ambiguous, missing),
                      .per_second = locus_arg_int(call, per_second, 0),
                      .span = arg_span(call, span, true)};
  shift.zone = arg_zone(call, zone, &shift.name);
  return shift;
}

/* shift_times(input, per_second, zone, span, ambiguous, missing) */
#define SHIFT_TIMES_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, any)      \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(span, LOCUS_REQUIRED, any)       \
  P(ambiguous, LOCUS_OPTIONAL, any)  \
  P(missing, LOCUS_OPTIONAL, any)
static int shift_times(lua_State *L)
{
  LOCUS_PARAMS(SHIFT_TIMES_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "shift_times", params, 6);
  const locus_tensor *const times = arg_times(&call, ARG_input);
  const time_shift shift =
      arg_shift(&call, ARG_per_second, ARG_zone, ARG_span, ARG_ambiguous, ARG_missing);
  int64_t *const out = push_like(&call, times);
  do status = locus_shift_times(&shift, times->numel, (const int64_t *)times->data, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* step_times(start, end, most, per_second, zone, span, ambiguous, missing): at most `most` steps
** from start to end. */
#define STEP_TIMES_PARAMS(P)         \
  P(start, LOCUS_REQUIRED, any)      \
  P(last, LOCUS_REQUIRED, any)       \
  P(most, LOCUS_REQUIRED, any)       \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(span, LOCUS_REQUIRED, any)       \
  P(ambiguous, LOCUS_OPTIONAL, any)  \
  P(missing, LOCUS_OPTIONAL, any)
static int step_times(lua_State *L)
{
  LOCUS_PARAMS(STEP_TIMES_PARAMS, any);
  locus_call call;
  int64_t count;
  int status;

  locus_call_begin_plain(&call, L, "step_times", params, 8);
  const int64_t start = locus_arg_int(&call, ARG_start, 0);
  const int64_t end = locus_arg_int(&call, ARG_last, 0), most = locus_arg_int(&call, ARG_most, 0);
  const time_shift shift =
      arg_shift(&call, ARG_per_second, ARG_zone, ARG_span, ARG_ambiguous, ARG_missing);
  locus_tensor *const out = locus_push_row(&call, LOCUS_i64, most);
  do status = locus_step_times(&shift, start, end, most, (int64_t *)out->data, &count, &call.cx);
  while (locus_call_again(&call, status));
  do status = locus_tensor_resize(out, count, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* clocks(input, per_second, zone): what the clocks show, as the time that it would be in UTC. */
#define CLOCKS_PARAMS(P)             \
  P(input, LOCUS_REQUIRED, any)      \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)
static int clocks(lua_State *L)
{
  LOCUS_PARAMS(CLOCKS_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "clocks", params, 3);
  const locus_tensor *const times = arg_times(&call, ARG_input);
  const int64_t per_second = locus_arg_int(&call, ARG_per_second, 1);
  const time_zone *const zone = arg_zone(&call, ARG_zone, NULL);
  int64_t *const out = push_like(&call, times);
  do
    status = locus_clocks_of_times(zone, per_second, times->numel, (const int64_t *)times->data,
                                   out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* unclocks(input, per_second, zone, ambiguous, missing): the other way round. */
#define UNCLOCKS_PARAMS(P)           \
  P(input, LOCUS_REQUIRED, any)      \
  P(per_second, LOCUS_REQUIRED, any) \
  P(zone, LOCUS_OPTIONAL, any)       \
  P(ambiguous, LOCUS_OPTIONAL, any)  \
  P(missing, LOCUS_OPTIONAL, any)
static int unclocks(lua_State *L)
{
  LOCUS_PARAMS(UNCLOCKS_PARAMS, any);
  const char *name;
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "unclocks", params, 5);
  const locus_tensor *const times = arg_times(&call, ARG_input);
  const int64_t per_second = locus_arg_int(&call, ARG_per_second, 1);
  const time_zone *const zone = arg_zone(&call, ARG_zone, &name);
  const clock_choice choice = locus_arg_clock_choice(&call, ARG_ambiguous, ARG_missing);
  int64_t *const out = push_like(&call, times);
  do
    status = locus_times_of_clocks(zone, name, choice, per_second, times->numel,
                                   (const int64_t *)times->data, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* clang-format off */
const locus_entry locus_bind_clock[] = {
    {"time_parts", time_parts, LOCUS_INTERNAL},   {"time_part", time_part_of, LOCUS_INTERNAL},
    {"cut_times", cut_times, LOCUS_INTERNAL},     {"shift_times", shift_times, LOCUS_INTERNAL},
    {"step_times", step_times, LOCUS_INTERNAL},   {"clocks", clocks, LOCUS_INTERNAL},
    {"unclocks", unclocks, LOCUS_INTERNAL},       {"list_buckets", list_buckets, LOCUS_INTERNAL},
    {0},
};
/* clang-format on */
