/* SPDX-License-Identifier: MIT */
/* Means and spreads of groups: sums in the order of rows, then what core/rescale.h says of them.
** Rows are taken again only where some group needs it, and count for no other one. */
#ifndef LOCUS_SEGMENT_MEANS_H
#define LOCUS_SEGMENT_MEANS_H

#include "core/rescale.h"
#include "cpu/run/segment.h"

/* Whether most rows are of the group of the one before. Then what is known of it may stay in a
** register, which is quicker than the way through memory, but slower where nobody can guess when a
** run of rows ends. */
static bool in_runs(const int64_t *ids, int64_t n)
{
  int64_t ends = 0;
  for (int64_t i = 1; i < n; i++) ends += ids[i] != ids[i - 1];
  return ends < n / 8;
}

static void take_runs(const totals *t, const int64_t *ids, const double *x, int64_t n)
{
  for (int64_t i = 0; i < n;) {
    const int64_t id = ids[i];
    double *sum = (double *)t->state + id, own = *sum;
    for (; i < n && ids[i] == id; i++) own += x[i];
    *sum = own;
  }
}

static void take_reals(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  double *sum = t->state;

  if (in_runs(ids, n)) take_runs(t, ids, x, n);
  else
    for (int64_t i = 0; i < n; i++) sum[ids[i]] += x[i];
}

/* How many rows there are, and the first element, beside the sum. */
static void take_counted(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const bool runs = in_runs(ids, n);
  const double *x = run;
  double *restrict sum = t->state;
  counted *restrict group = t->group;

  if (runs) take_runs(t, ids, x, n);
  for (int64_t i = 0; i < n;) {
    const int64_t first = i, g = ids[i];
    group[g].mark = group[g].rows ? group[g].mark : x[i];
    if (runs) while (i < n && ids[i] == ids[first]) i++;
    else sum[g] += x[i++];
    group[g].rows += i - first;
  }
}

/* -- Means ------------------------------------------------------------------------------------- */

/* Adds elements times the factor of their group, which is 0 where the mean is right. */
static void take_shrunk(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run, *factor = t->spread;
  double *sum = t->state;

  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    if (factor[g] != 0) sum[g] += x[i] * factor[g];
  }
}

static int mend_overflows(const locus_segment_job *job, totals *t, const way *how,
                          locus_context *cx)
{
  double *mean = t->state, *factor = t->spread;

  for (int64_t g = 0; g < t->groups; g++) {
    factor[g] = t->group[g].rows > 0 && locus_overflowed(mean[g]) ? LOCUS_SHRINK : 0;
    mean[g] = factor[g] != 0 ? 0 : mean[g];
  }
  LOCUS_TRY(take_pass(job, t, how, take_shrunk, cx));
  for (int64_t g = 0; g < t->groups; g++)
    if (factor[g] != 0) mean[g] = locus_grown_mean(mean[g] / (double)t->group[g].rows);
  memset(factor, 0, (size_t)t->groups * sizeof *factor);
  return 0;
}

static void take_unlike(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  const counted *group = t->group;
  uint8_t *unlike = t->seen;
  for (int64_t i = 0; i < n; i++) unlike[ids[i]] |= x[i] != group[ids[i]].mark;
}

/* Whether the elements of the group may be equal, though their mean is another number: a sum of n
** in a row is off by n units at most. */
static bool may_be_alike(const totals *t, int64_t g)
{
  const double slack = (double)t->group[g].rows * DBL_EPSILON;
  return locus_may_be_alike(((const double *)t->state)[g], t->group[g].mark, slack);
}

static int mend_alike(const locus_segment_job *job, totals *t, const way *how, locus_context *cx)
{
  double *mean = t->state;

  LOCUS_TRY(take_pass(job, t, how, take_unlike, cx));
  for (int64_t g = 0; g < t->groups; g++)
    if (!t->seen[g] && may_be_alike(t, g)) mean[g] = t->group[g].mark;
  return 0;
}

/* Makes means of sums; those of equal elements are these. */
static int find_means(const locus_segment_job *job, totals *t, const way *how, locus_context *cx)
{
  const bool wide = job->in.dtype == LOCUS_f64;
  double *mean = t->state;
  bool beyond = false, near = false;

  for (int64_t g = 0; g < t->groups; g++) {
    mean[g] /= (double)t->group[g].rows;
    beyond |= t->group[g].rows > 0 && locus_overflowed(mean[g]);
    near |= may_be_alike(t, g);
  }
  if (wide && beyond) LOCUS_TRY(mend_overflows(job, t, how, cx));
  return near || (wide && beyond) ? mend_alike(job, t, how, cx) : 0;
}

/* -- Spreads ----------------------------------------------------------------------------------- */

static void take_distances(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run, *mean = t->state;
  double *spread = t->spread;
  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    const double distance = x[i] - mean[g];
    spread[g] += distance * distance;
  }
}

static void take_scaled_distances(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run, *mean = t->state;
  double *spread = t->spread;

  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    const double factor = t->group[g].mark;
    if (factor == 1) continue;
    const double distance = locus_scaled_distance(x[i], mean[g], factor);
    spread[g] += distance * distance;
  }
}

static double variance_of(const totals *t, int64_t g)
{
  const int64_t rows = t->group[g].rows;
  return rows > 1 ? t->spread[g] / (double)(rows - 1) : (double)NAN;
}

static double factor_of(const totals *t, int64_t g)
{
  const double spread = t->spread[g];
  if (spread > 0x1p-800 && spread <= DBL_MAX) return 1;
  return locus_factor_of_distances(sqrt(variance_of(t, g)), ((const double *)t->state)[g]);
}

/* Adds up the squares of distances, times the square of a factor of each group. */
static int find_spreads(const locus_segment_job *job, totals *t, const way *how, locus_context *cx)
{
  bool any = false;

  LOCUS_TRY(take_pass(job, t, how, take_distances, cx));
  for (int64_t g = 0; g < t->groups; g++) {
    t->group[g].mark = job->in.dtype == LOCUS_f64 ? factor_of(t, g) : 1;
    if (t->group[g].mark == 1) continue;
    t->spread[g] = 0;
    any = true;
  }
  return any ? take_pass(job, t, how, take_scaled_distances, cx) : 0;
}

static void answer_variance(const totals *t, int64_t first, int64_t n, void *out)
{
  double *variance = out;
  for (int64_t i = 0; i < n; i++) {
    const double unit = 1 / t->group[first + i].mark;
    variance[i] = variance_of(t, first + i) * unit * unit;
  }
}

static void answer_deviation(const totals *t, int64_t first, int64_t n, void *out)
{
  double *deviation = out;
  for (int64_t i = 0; i < n; i++)
    deviation[i] = sqrt(variance_of(t, first + i)) / t->group[first + i].mark;
}

#endif
