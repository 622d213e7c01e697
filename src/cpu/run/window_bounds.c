/* SPDX-License-Identifier: MIT */
/* Runner of window_bounds: threads share the rows. Each piece finds its first window by bisection;
** then both ends only go forward. */
#include "cpu/block/rows.h"

/* Whether row k lies before the window of row i, k <= i. */
static inline bool is_behind(const locus_window_bounds_job *job, int64_t i, int64_t k)
{
  if (job->whole) {
    const int64_t *at = (const int64_t *)job->places;
    const uint64_t apart = (uint64_t)at[i] - (uint64_t)at[k];
    return job->closed_left ? apart > job->span_i64 : apart >= job->span_i64;
  }
  const double *at = (const double *)job->places, apart = at[i] - at[k];
  return job->closed_left ? apart > job->span_f64 : apart >= job->span_f64;
}

/* How row k lies to row i: before, at, or after its place. */
static inline int order_of(const locus_window_bounds_job *job, int64_t k, int64_t i)
{
  if (job->whole) {
    const int64_t *at = (const int64_t *)job->places;
    return (at[k] > at[i]) - (at[k] < at[i]);
  }
  const double *at = (const double *)job->places;
  return (at[k] > at[i]) - (at[k] < at[i]);
}

/* Whether row k, not before row i of its segment but for ties, is in the window of row i. */
static inline bool is_in(const locus_window_bounds_job *job, int64_t k, int64_t i)
{
  return order_of(job, k, i) < (job->closed_right ? 1 : 0);
}

static bool is_misfit(const locus_window_bounds_job *job, int64_t i, bool first)
{
  const double *at = (const double *)job->places;

  if (!job->whole && at[i] != at[i]) return true;
  return !first && order_of(job, i - 1, i) > 0;
}

static void note_misfit(const locus_window_bounds_job *job, int64_t i)
{
  int64_t known = __atomic_load_n(job->misfit, __ATOMIC_RELAXED);

  while ((known < 0 || i < known) &&
         !__atomic_compare_exchange_n(job->misfit, &known, i, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

/* The number of the segment that row i is in. */
static int64_t segment_of(const locus_window_bounds_job *job, int64_t i)
{
  int64_t low = 0, high = job->segments - 1;

  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (job->offsets[middle] <= i) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* The first row of start..i that is not behind row i, and the first of start..end that is not in
** its window. */
static int64_t find_begin(const locus_window_bounds_job *job, int64_t start, int64_t i)
{
  int64_t low = start, high = i;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (is_behind(job, i, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int64_t find_end(const locus_window_bounds_job *job, int64_t start, int64_t end, int64_t i)
{
  int64_t low = start, high = end;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (is_in(job, middle, i)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int bounds_part(const void *given, int64_t first, int64_t past, locus_context *cx)
{
  const locus_window_bounds_job *job = given;
  int64_t segment = job->offsets ? segment_of(job, first) : 0;
  int64_t start = job->offsets ? job->offsets[segment] : 0;
  int64_t stop = job->offsets ? job->offsets[segment + 1] : job->n;
  int64_t begin = find_begin(job, start, first), end = find_end(job, start, stop, first);

  for (int64_t i = first; i < past; i++) {
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    while (i == stop) {
      start = stop;
      stop = job->offsets[++segment + 1];
      begin = end = start;
    }
    if (is_misfit(job, i, i == start)) {
      note_misfit(job, i);
      return 0;
    }
    while (begin < stop && order_of(job, begin, i) <= 0 && is_behind(job, i, begin)) begin++;
    while (end < stop && is_in(job, end, i)) end++;
    job->begins[i] = begin;
    job->ends[i] = end > begin ? end : begin;
  }
  return 0;
}

int ISA(window_bounds)(const locus_window_bounds_job *job, locus_context *cx)
{
  *job->misfit = -1;
  return locus_parallel(bounds_part, job, job->n, SLOW_GRAIN, cx);
}
