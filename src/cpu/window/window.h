/* SPDX-License-Identifier: MIT */
/* Windows that move along one row: where each begins and ends, how many elements it has, and how an
** answer is written. */
#ifndef LOCUS_CPU_WINDOW_H
#define LOCUS_CPU_WINDOW_H

#include <stdatomic.h>

#include "cpu/block/block.h"
#include "cpu/window/vectors.h"

/* A row, and the elements that the last window had, for windows that count them. */
typedef struct window {
  const locus_window_job *job;
  const char *in;
  char *out;
  int64_t begin, end, count; /* NaN apart, where they are skipped */
  double center;             /* from which elements of spreads are counted */
} window;

static inline int64_t begin_of(const window *w, int64_t i)
{
  if (w->job->begins) return w->job->begins[i];
  return i > w->job->before ? i - w->job->before : 0;
}

static inline int64_t end_of(const window *w, int64_t i)
{
  if (w->job->begins) return w->job->ends[i];
  return w->job->after < w->job->n - 1 - i ? i + w->job->after + 1 : w->job->n;
}

/* Sets the window before the first that count_of is asked for. */
static inline void count_from(window *w, int64_t i)
{
  w->begin = w->end = begin_of(w, i);
  w->count = 0;
}

/* How many elements window i has; asked in their order. */
static inline int64_t count_of(window *w, int64_t i)
{
  const double *x = (const double *)w->in;
  const int64_t begin = begin_of(w, i), end = end_of(w, i);

  if (!w->job->skips_nan) return end > begin ? end - begin : 0;
  if (begin > w->end) { /* nothing is left of the last one */
    w->begin = w->end = begin;
    w->count = 0;
  }
  for (; w->end < end; w->end++) w->count += x[w->end] == x[w->end];
  for (; w->begin < begin; w->begin++) w->count -= x[w->begin] == x[w->begin];
  return w->count;
}

/* Whether window i has too few elements, n; then its answer is written. */
static inline bool lacks(const window *w, int64_t i, int64_t n)
{
  const locus_window_job *job = w->job;

  if (n >= job->fewest) return false;
  if (locus_window_whole(job->how, job->whole)) {
    ((int64_t *)w->out)[i] = job->missing;
    __atomic_store_n(job->lacking, 1, __ATOMIC_RELAXED);
  } else {
    ((double *)w->out)[i] = NAN;
  }
  return true;
}

/* A sum and what has been rounded off it. */
typedef struct sum2 {
  double sum, error;
} sum2;

/* The sum of both, with what is rounded off. */
static inline sum2 sum2_joined(sum2 a, sum2 b)
{
  const double sum = a.sum + b.sum;
  return (sum2){sum, LOST_BY(a.sum, b.sum, sum) + (a.error + b.error)};
}

/* The error of a sum that is no number is no number, either. */
static inline double sum2_value(double sum, double error)
{
  const double value = sum + error;
  return value == value ? value : sum;
}

/* The mean of n elements, rounded about once: the quotient's remainder is worked out in two parts
** of the product, each exact (Dekker), for n up to 2^26. */
static ALWAYS_INLINE double sum2_mean(double sum, double error, double n, double inverse)
{
  const double mean = sum2_value(sum, error) * inverse;
  const double split = mean * 134217729.0, high = split - (split - mean), low = mean - high;
  const double product = mean * n, lost = (high * n - product) + low * n;
  const double better = mean + (((sum - product) - lost) + error) * inverse;

  return better - better == 0 ? better : mean;
}

/* The sum of elements times 2^-64, where it is beyond float64 on the way. */
static inline sum2 shrunken_sum(const double *x, int64_t begin, int64_t end)
{
  sum2 total = {0};

  for (int64_t i = begin; i < end; i++)
    if (x[i] == x[i]) total = sum2_joined(total, (sum2){x[i] * 0x1p-64, 0});
  return total;
}

/* Whether all elements of window i are numbers, NaN that is skipped apart. */
static inline bool is_finite(const window *w, int64_t i)
{
  const double *x = (const double *)w->in;

  for (int64_t k = begin_of(w, i); k < end_of(w, i); k++)
    if (x[k] - x[k] != 0 && !(w->job->skips_nan && x[k] != x[k])) return false;
  return true;
}

static inline double mean_of(const window *w, int64_t i, sum2 total, int64_t n)
{
  const double by = (double)n, mean = sum2_mean(total.sum, total.error, by, 1 / by);

  if (mean - mean == 0 || !is_finite(w, i)) return mean;
  total = shrunken_sum((const double *)w->in, begin_of(w, i), end_of(w, i));
  return sum2_mean(total.sum, total.error, by, 1 / by) * 0x1p64;
}

static inline double sum_of(const window *w, int64_t i, sum2 total)
{
  const double sum = sum2_value(total.sum, total.error);

  if (sum - sum == 0 || !is_finite(w, i)) return sum;
  total = shrunken_sum((const double *)w->in, begin_of(w, i), end_of(w, i));
  return sum2_value(total.sum, total.error) * 0x1p64;
}

#endif
