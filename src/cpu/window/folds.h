/* SPDX-License-Identifier: MIT */
/* The answers that are joined of elements, by blocks side by side and by two stacks; and running
** sums of int64, from which elements are taken away again, since that is exact. */
#ifndef LOCUS_FOLDS_H
#define LOCUS_FOLDS_H

#include "cpu/window/vectors.h"
#include "cpu/window/window.h"

/* NaN wins. */
#define LESS_F64(a, x) (((x) < (a)) | ((x) != (x)) ? (x) : (a))
#define MORE_F64(a, x) (((x) > (a)) | ((x) != (x)) ? (x) : (a))
#define LESS_I64(a, x) ((x) < (a) ? (x) : (a))
#define MORE_I64(a, x) ((x) > (a) ? (x) : (a))

#define FOLD lanes_sum
#define V double
#define PAIRS 1
#define JOIN(a, x) ((a) + (x))
#include "cpu/window/lanes.inc"

#define FOLD lanes_min_f64
#define V double
#define PAIRS 0
#define JOIN(a, x) CHOOSE(((x) < (a)) | ((x) != (x)), x, a)
#include "cpu/window/lanes.inc"

#define FOLD lanes_max_f64
#define V double
#define PAIRS 0
#define JOIN(a, x) CHOOSE(((x) > (a)) | ((x) != (x)), x, a)
#include "cpu/window/lanes.inc"

#define FOLD lanes_min_i64
#define V int64_t
#define PAIRS 0
#define JOIN(a, x) CHOOSE((x) < (a), x, a)
#include "cpu/window/lanes.inc"

#define FOLD lanes_max_i64
#define V int64_t
#define PAIRS 0
#define JOIN(a, x) CHOOSE((x) > (a), x, a)
#include "cpu/window/lanes.inc"

/* -- By two stacks ----------------------------------------------------------------------------- */

static inline bool skipped(const window *w, double x)
{
  return w->job->skips_nan && x != x;
}

static inline void put_sum(window *w, int64_t i, sum2 total)
{
  const int64_t n = count_of(w, i);

  if (lacks(w, i, n)) return;
  ((double *)w->out)[i] =
      w->job->how == LOCUS_WINDOW_MEAN ? mean_of(w, i, total, n) : sum_of(w, i, total);
}

static inline void put_f64(window *w, int64_t i, double answer)
{
  if (!lacks(w, i, count_of(w, i))) ((double *)w->out)[i] = answer;
}

static inline void put_i64(window *w, int64_t i, int64_t answer)
{
  if (!lacks(w, i, count_of(w, i))) ((int64_t *)w->out)[i] = answer;
}

#define FOLD stack_sum
#define ACC sum2
#define V double
#define NONE ((sum2){0, 0})
#define ONE(x) (skipped(w, x) ? NONE : (sum2){x, 0})
#define JOIN(a, b) sum2_joined(a, b)
#define ANSWER(w, i, a) put_sum(w, i, a)
#define BEGIN(w, x) (void)0
#include "cpu/window/stack.inc"

#define FOLD stack_min_f64
#define ACC double
#define V double
#define NONE INFINITY
#define ONE(x) (skipped(w, x) ? NONE : (x))
#define JOIN(a, b) LESS_F64(a, b)
#define ANSWER(w, i, a) put_f64(w, i, a)
#define BEGIN(w, x) (void)0
#include "cpu/window/stack.inc"

#define FOLD stack_max_f64
#define ACC double
#define V double
#define NONE -INFINITY
#define ONE(x) (skipped(w, x) ? NONE : (x))
#define JOIN(a, b) MORE_F64(a, b)
#define ANSWER(w, i, a) put_f64(w, i, a)
#define BEGIN(w, x) (void)0
#include "cpu/window/stack.inc"

#define FOLD stack_min_i64
#define ACC int64_t
#define V int64_t
#define NONE INT64_MAX
#define ONE(x) (x)
#define JOIN(a, b) LESS_I64(a, b)
#define ANSWER(w, i, a) put_i64(w, i, a)
#define BEGIN(w, x) (void)0
#include "cpu/window/stack.inc"

#define FOLD stack_max_i64
#define ACC int64_t
#define V int64_t
#define NONE INT64_MIN
#define ONE(x) (x)
#define JOIN(a, b) MORE_I64(a, b)
#define ANSWER(w, i, a) put_i64(w, i, a)
#define BEGIN(w, x) (void)0
#include "cpu/window/stack.inc"

/* -- Spreads ----------------------------------------------------------------------------------- */

/* The number of elements, their mean, and the sum of the squares of their distances to it. */
typedef struct moments {
  double n, mean, squares;
} moments;

/* Elements are counted from one of them, so that a mean that is great beside the distances costs no
** digits. */
static inline void set_center(window *w, double x)
{
  w->center = x - x == 0 ? x : 0;
}

static inline moments one_moment(double x)
{
  return (moments){1, x, x - x};
}

/* Source: Chan, Golub, LeVeque, Algorithms for Computing the Sample Variance (1983). */
static inline moments moments_joined(moments a, moments b)
{
  const double n = a.n + b.n, apart = b.mean - a.mean;

  if (a.n == 0) return b;
  if (b.n == 0) return a;
  return (moments){n, a.mean + apart * (b.n / n),
                   a.squares + b.squares + apart * apart * (a.n * b.n / n)};
}

static inline void put_spread(window *w, int64_t i, moments m)
{
  const int64_t n = count_of(w, i);
  const double variance = m.squares / ((double)n - w->job->correction);

  if (lacks(w, i, n)) return;
  if ((double)n <= w->job->correction) ((double *)w->out)[i] = NAN;
  else ((double *)w->out)[i] = w->job->how == LOCUS_WINDOW_STD ? sqrt(variance) : variance;
}

#define FOLD stack_spread_f64
#define ACC moments
#define V double
#define NONE ((moments){0, 0, 0})
#define ONE(x) (skipped(w, x) ? NONE : one_moment((x)-w->center))
#define JOIN(a, b) moments_joined(a, b)
#define ANSWER(w, i, a) put_spread(w, i, a)
#define BEGIN(w, x) set_center(w, (double)(x))
#include "cpu/window/stack.inc"

#define FOLD stack_spread_i64
#define ACC moments
#define V int64_t
#define NONE ((moments){0, 0, 0})
#define ONE(x) one_moment((double)(x)-w->center)
#define JOIN(a, b) moments_joined(a, b)
#define ANSWER(w, i, a) put_spread(w, i, a)
#define BEGIN(w, x) set_center(w, (double)(x))
#include "cpu/window/stack.inc"

/* -- Running sums of int64 --------------------------------------------------------------------- */

static inline int run_whole(window *w, int64_t first, int64_t end, locus_context *cx)
{
  const int64_t *x = (const int64_t *)w->in;
  int64_t from = begin_of(w, first), to = from;
  __int128 sum = 0;

  for (int64_t i = first; i < end; i++) {
    const int64_t begin = begin_of(w, i), past = end_of(w, i);
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    for (; to < past; to++) sum += x[to];
    for (; from < begin; from++) sum -= from < to ? x[from] : 0;
    if (to < from) to = from;
    const int64_t n = to - from;
    if (lacks(w, i, n)) continue;
    if (w->job->how == LOCUS_WINDOW_SUM) ((int64_t *)w->out)[i] = (int64_t)(uint64_t)sum;
    else ((double *)w->out)[i] = (double)sum / (double)n;
  }
  return 0;
}

/* -- Counts and ends --------------------------------------------------------------------------- */

static inline int take_ends(window *w, int64_t first, int64_t end, locus_context *cx)
{
  const int64_t *x = (const int64_t *)w->in;
  const locus_window how = w->job->how;

  for (int64_t i = first; i < end; i++) {
    const int64_t begin = begin_of(w, i), past = end_of(w, i), n = count_of(w, i);
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    if (lacks(w, i, n)) continue;
    ((int64_t *)w->out)[i] = how == LOCUS_WINDOW_COUNT   ? n
                             : how == LOCUS_WINDOW_FIRST ? x[begin]
                                                         : x[past - 1];
  }
  return 0;
}

#endif
