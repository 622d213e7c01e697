/* SPDX-License-Identifier: MIT */
/* The functions of lua/locus/window/. */
#include "bind/bind.h"

#include <string.h>

/* The number of a word in a list of `count`; the callers have checked the word. */
static int word_of(locus_call *call, int i, const char *const *words, int count)
{
  const char *given = locus_arg_string(call, i, NULL);

  for (int k = 0; k < count; k++)
    if (strcmp(words[k], given) == 0) return k;
  return locus_call_error(call, "there is no '%s'", given);
}

static const char *const hows[LOCUS_WINDOWS] = {
    [LOCUS_WINDOW_SUM] = "sum",           [LOCUS_WINDOW_MEAN] = "mean",
    [LOCUS_WINDOW_MIN] = "min",           [LOCUS_WINDOW_MAX] = "max",
    [LOCUS_WINDOW_VAR] = "var",           [LOCUS_WINDOW_STD] = "std",
    [LOCUS_WINDOW_COUNT] = "count",       [LOCUS_WINDOW_MEDIAN] = "median",
    [LOCUS_WINDOW_QUANTILE] = "quantile", [LOCUS_WINDOW_FIRST] = "first",
    [LOCUS_WINDOW_LAST] = "last",
};

static const char *const betweens[] = {
    [LOCUS_TWO_LINEAR] = "linear",     [LOCUS_TWO_LOWER] = "lower",
    [LOCUS_TWO_HIGHER] = "higher",     [LOCUS_TWO_NEAREST] = "nearest",
    [LOCUS_TWO_MIDPOINT] = "midpoint",
};

/* window(input, how, {skips_nan, fewest, before, after, begins, ends, q, interpolation, correction,
** missing}): as in op/op.h, `missing` an int64 tensor of one element. Answers, and whether a window
** had too few elements. */
#define WINDOW_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Table)       \
  P(how, LOCUS_REQUIRED, string)        \
  P(skips_nan, LOCUS_NAMED, boolean)    \
  P(fewest, LOCUS_NAMED, integer)       \
  P(before, LOCUS_NAMED, integer)       \
  P(after, LOCUS_NAMED, integer)        \
  P(begins, LOCUS_NAMED, Table)         \
  P(ends, LOCUS_NAMED, Table)           \
  P(q, LOCUS_NAMED, number)             \
  P(interpolation, LOCUS_NAMED, string) \
  P(correction, LOCUS_NAMED, number)    \
  P(missing, LOCUS_NAMED, Table)
static int window(lua_State *L)
{
  LOCUS_PARAMS(WINDOW_PARAMS, any);
  locus_value input, begins, ends, missing;
  locus_window_job job = {0};
  int64_t lacking = 0;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "window", params);
  job.how = (locus_window)word_of(&call, ARG_how, hows, LOCUS_WINDOWS);
  job.skips_nan = locus_arg_bool(&call, ARG_skips_nan, false);
  job.fewest = locus_arg_int(&call, ARG_fewest, 1);
  job.before = locus_arg_int(&call, ARG_before, 0);
  job.after = locus_arg_int(&call, ARG_after, 0);
  job.q = locus_arg_number(&call, ARG_q, 0);
  job.correction = locus_arg_number(&call, ARG_correction, 1);
  if (locus_arg_given(&call, ARG_interpolation))
    job.between = (locus_between_two)word_of(&call, ARG_interpolation, betweens,
                                             (int)(sizeof betweens / sizeof betweens[0]));
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  const bool bounded = locus_arg_given(&call, ARG_begins);
  if (bounded) {
    locus_arg_tensor_value(&call, ARG_begins, LOCUS_i64, &begins);
    locus_arg_tensor_value(&call, ARG_ends, LOCUS_i64, &ends);
  }
  if (locus_arg_given(&call, ARG_missing)) {
    locus_arg_tensor_value(&call, ARG_missing, LOCUS_i64, &missing);
    memcpy(&job.missing, missing.tensor->data, sizeof job.missing);
  }
  job.lacking = &lacking;
  locus_tensor *out = locus_push_tensor(L);
  do
    status = locus_windows(&job, &input, bounded ? &begins : NULL, bounded ? &ends : NULL, out,
                           &call.cx);
  while (locus_call_again(&call, status));
  lua_pushboolean(L, lacking != 0);
  return 2;
}

/* window_bounds(places, span, {offsets, closed_left, closed_right}): as in op/op.h, `span` a tensor
** of one element of places' dtype; begins and ends, and the first row that is out of order, counted
** from 0, or -1. */
#define BOUNDS_PARAMS(P)               \
  P(places, LOCUS_REQUIRED, Table)     \
  P(span, LOCUS_REQUIRED, Table)       \
  P(offsets, LOCUS_NAMED, Table)       \
  P(closed_left, LOCUS_NAMED, boolean) \
  P(closed_right, LOCUS_NAMED, boolean)
static int window_bounds(lua_State *L)
{
  LOCUS_PARAMS(BOUNDS_PARAMS, any);
  locus_value places, span, offsets;
  locus_window_bounds_job job = {0};
  int64_t misfit = -1;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "window_bounds", params);
  locus_arg_tensor_value(&call, ARG_places, LOCUS_DTYPES, &places);
  locus_arg_tensor_value(&call, ARG_span, LOCUS_DTYPES, &span);
  job.closed_left = locus_arg_bool(&call, ARG_closed_left, false);
  job.closed_right = locus_arg_bool(&call, ARG_closed_right, true);
  const bool grouped = locus_arg_given(&call, ARG_offsets);
  if (grouped) locus_arg_tensor_value(&call, ARG_offsets, LOCUS_i64, &offsets);
  memcpy(&job.span_i64, span.tensor->data, sizeof job.span_i64);
  memcpy(&job.span_f64, span.tensor->data, sizeof job.span_f64);
  job.misfit = &misfit;
  locus_tensor *begins = locus_push_tensor(L), *ends = locus_push_tensor(L);
  do status = locus_window_bounds(&job, &places, grouped ? &offsets : NULL, begins, ends, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (double)misfit);
  return 3;
}

static const char *const runnings[] = {
    [LOCUS_RUNNING_PRIOR] = "prior",       [LOCUS_RUNNING_NEXT] = "next",
    [LOCUS_RUNNING_BEFORE] = "before",     [LOCUS_RUNNING_AFTER] = "after",
    [LOCUS_RUNNING_COUNT] = "count",       [LOCUS_RUNNING_SUM] = "sum",
    [LOCUS_RUNNING_SESSIONS] = "sessions",
};

/* run_groups(ids, groups, how, input, value): as in op/fold.h. The value is the fill or the gap, a
** tensor of one element of the input's dtype. Returns answers, and the first row that is out of
** order, counted from 0, or -1. */
#define RUNNING_PARAMS(P)            \
  P(ids, LOCUS_REQUIRED, Table)      \
  P(groups, LOCUS_REQUIRED, integer) \
  P(how, LOCUS_REQUIRED, string)     \
  P(input, LOCUS_OPTIONAL, Table)    \
  P(value, LOCUS_OPTIONAL, Table)
static int run_groups(lua_State *L)
{
  LOCUS_PARAMS(RUNNING_PARAMS, any);
  locus_value ids, input, value;
  locus_running_job job = {0};
  int64_t misfit = -1;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "run_groups", params);
  job.groups = locus_arg_int(&call, ARG_groups, 0);
  job.how =
      (locus_running)word_of(&call, ARG_how, runnings, (int)(sizeof runnings / sizeof runnings[0]));
  locus_arg_tensor_value(&call, ARG_ids, LOCUS_i32, &ids);
  const bool has_input = locus_arg_given(&call, ARG_input);
  if (has_input) locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  if (locus_arg_given(&call, ARG_value)) {
    locus_arg_tensor_value(&call, ARG_value, LOCUS_DTYPES, &value);
    memcpy(&job.fill, value.tensor->data, sizeof job.fill);
    memcpy(&job.gap_i64, value.tensor->data, sizeof job.gap_i64);
    memcpy(&job.gap_f64, value.tensor->data, sizeof job.gap_f64);
  }
  job.misfit = &misfit;
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_run_groups(&job, &ids, has_input ? &input : NULL, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (double)misfit);
  return 2;
}

/* ewm(input, alpha, {adjust, min, ignore_na, ids, groups}): as in op/op.h. */
#define EWM_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Table)    \
  P(alpha, LOCUS_REQUIRED, number)   \
  P(adjust, LOCUS_NAMED, boolean)    \
  P(min, LOCUS_NAMED, integer)       \
  P(ignore_na, LOCUS_NAMED, boolean) \
  P(ids, LOCUS_NAMED, Table)         \
  P(groups, LOCUS_NAMED, integer)
static int ewm(lua_State *L)
{
  LOCUS_PARAMS(EWM_PARAMS, any);
  locus_value input, ids;
  locus_ewm_job job = {0};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "ewm", params);
  job.alpha = locus_arg_number(&call, ARG_alpha, 1);
  job.adjusts = locus_arg_bool(&call, ARG_adjust, true);
  job.fewest = locus_arg_int(&call, ARG_min, 1);
  job.ignores_nan = locus_arg_bool(&call, ARG_ignore_na, false);
  job.groups = locus_arg_int(&call, ARG_groups, 0);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  const bool grouped = locus_arg_given(&call, ARG_ids);
  if (grouped) locus_arg_tensor_value(&call, ARG_ids, LOCUS_i32, &ids);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_ewm(&job, &input, grouped ? &ids : NULL, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_window[] = {
    {"ewm", ewm, LOCUS_INTERNAL},
    {"run_groups", run_groups, LOCUS_INTERNAL},
    {"window", window, LOCUS_INTERNAL},
    {"window_bounds", window_bounds, LOCUS_INTERNAL},
    {0},
};
