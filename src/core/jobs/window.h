/* SPDX-License-Identifier: MIT */
/* The job of window: answers over windows that move along rows. Only the CPU has its runner. */
#ifndef LOCUS_WINDOW_JOB_H
#define LOCUS_WINDOW_JOB_H

#include <stdbool.h>
#include <stdint.h>

typedef enum locus_window {
  LOCUS_WINDOW_SUM,
  LOCUS_WINDOW_MEAN,
  LOCUS_WINDOW_MIN,
  LOCUS_WINDOW_MAX,
  LOCUS_WINDOW_VAR,
  LOCUS_WINDOW_STD,
  LOCUS_WINDOW_COUNT,
  LOCUS_WINDOW_MEDIAN,
  LOCUS_WINDOW_QUANTILE,
  LOCUS_WINDOW_FIRST,
  LOCUS_WINDOW_LAST,
  LOCUS_WINDOWS,
} locus_window;

/* Between the two elements next to a quantile. */
typedef enum locus_between_two {
  LOCUS_TWO_LINEAR,
  LOCUS_TWO_LOWER,
  LOCUS_TWO_HIGHER,
  LOCUS_TWO_NEAREST,
  LOCUS_TWO_MIDPOINT,
} locus_between_two;

/* For each of n elements of each row, one answer over its window. The window of element i is i -
** before .. i + after, cut at the ends of the row; or, of a single row, begins[i] .. ends[i] - 1,
** two arrays that never fall. Elements are int64 if `whole`, else f64. With skips_nan a NaN is no
** element. A window of fewer than `fewest` elements has the answer `missing`, and sets *lacking.
**
** Sums of int64 are modulo 2^64, those of f64 compensated: right to the last bit or the one before,
** measured by the sum of magnitudes. Means come from exact sums of int64 and from compensated ones.
** var divides by one less than the number of elements, or by that number if `correction` is 0. The
** median is the lower of two middle elements. All arrays are contiguous. Answers are int64 for
** counts, and if `whole` for sums and elements; else f64. */
typedef struct locus_window_job {
  locus_window how;
  bool whole, skips_nan;
  int64_t rows, n, before, after;
  const int64_t *begins, *ends; /* NULL: by rows */
  int64_t fewest;
  double q, correction;
  locus_between_two between;
  const char *in;
  char *out;
  int64_t missing; /* of int64 answers; NaN of others */
  int64_t *lacking;
} locus_window_job;

/* begins[i], ends[i]: the rows whose place on a line is at most `span` behind that of row i, not
** ahead of it. Those exactly `span` behind count if closed_left, those at its own place if
** closed_right. Places never fall, within each of the segments, of which `offsets` has the first
** rows and the end; windows end with them. NULL: one segment. *misfit is the first row whose place
** is less than that of the one before it, or NaN; else -1. Places are i64 if `whole`, else f64. */
typedef struct locus_window_bounds_job {
  bool whole, closed_left, closed_right;
  int64_t n, segments;
  const char *places;
  const int64_t *offsets;
  uint64_t span_i64;
  double span_f64;
  int64_t *begins, *ends, *misfit;
} locus_window_bounds_job;

/* What a row gets from those of its group before it. */
typedef enum locus_running {
  LOCUS_RUNNING_PRIOR,    /* the row before, counted from 1; 0: none */
  LOCUS_RUNNING_NEXT,     /* the row after */
  LOCUS_RUNNING_BEFORE,   /* the element of the row before, or `fill` */
  LOCUS_RUNNING_AFTER,    /* that of the row after */
  LOCUS_RUNNING_COUNT,    /* how many there are, this one included */
  LOCUS_RUNNING_SUM,      /* the sum up to this one, modulo 2^64 or as doubles */
  LOCUS_RUNNING_SESSIONS, /* the number of its session, by first appearance, from 1: a session
                             ends where the next row lies more than `gap` ahead */
} locus_running;

/* out[i], int64, or for sums and elements of f64 that: the answer of row i. Its group is ids[i],
** 1..groups. Elements are i64 if `whole`, else f64. *misfit is the first row that lies behind the
** one of its group before it, or is NaN; else -1. */
typedef struct locus_running_job {
  locus_running how;
  bool whole;
  int64_t n, groups;
  const int32_t *ids;
  const char *in; /* of elements, sums and sessions */
  char *out;
  int64_t fill; /* its bits */
  uint64_t gap_i64;
  double gap_f64;
  int64_t *misfit;
} locus_running_job;

/* Exponentially weighted means of outer x inner series of n elements, which are `inner` apart, in
** a contiguous array; or, with ids, those of one row belong to `groups` series, ids[i] of
** 1..groups. out[i] is the mean of the elements of its series up to i. Each has 1 - alpha of the
** weight of the next one; if adjusts is false, the first as well, and others alpha times as much
** (the recursive form). NaN has no weight, and answers with the mean before it; yet weights fade
** over it, unless ignores_nan. Answers of fewer than `fewest` elements, 1 or more, are NaN. An
** infinity stays. Means are right to a few units in the last place of the largest element. */
typedef struct locus_ewm_job {
  bool adjusts, ignores_nan;
  int64_t outer, n, inner, groups, fewest;
  double alpha;       /* above 0, at most 1 */
  const int32_t *ids; /* NULL: of no groups */
  const double *in;
  double *out;
} locus_ewm_job;

/* THE list of runners that only the CPU has: their ops bring elements of a device there first. */
#define LOCUS_CPU_JOBS(JOB)         \
  JOB(window, window)               \
  JOB(window_bounds, window_bounds) \
  JOB(running, running)             \
  JOB(ewm, ewm)

/* Whether the answers are int64. */
static inline bool locus_window_whole(locus_window how, bool whole)
{
  switch (how) {
  case LOCUS_WINDOW_COUNT: return true;
  case LOCUS_WINDOW_MEAN:
  case LOCUS_WINDOW_VAR:
  case LOCUS_WINDOW_STD:
  case LOCUS_WINDOW_QUANTILE: return false;
  case LOCUS_WINDOW_SUM:
  case LOCUS_WINDOW_MIN:
  case LOCUS_WINDOW_MAX:
  case LOCUS_WINDOW_MEDIAN:
  case LOCUS_WINDOW_FIRST:
  case LOCUS_WINDOW_LAST:
  case LOCUS_WINDOWS: break;
  }
  return whole;
}

#endif
