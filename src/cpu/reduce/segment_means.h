/* SPDX-License-Identifier: MIT */
/* Means and spreads of groups: sums in the order of rows, then the scaling of
** core/number/rescale.h. A second pass over the rows is made only if some group needs it, and
** changes no other group. */
#ifndef LOCUS_SEGMENT_MEANS_H
#define LOCUS_SEGMENT_MEANS_H

#include "core/number/rescale.h"
#include "cpu/reduce/segment.h"

/* Whether most rows have the group of the row before. Then the sum stays in a register. That is
** faster than memory, but slower if the processor cannot predict the end of a run. */
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

static void take_counted_runs(counted *group, const int64_t *ids, const double *x, int64_t n)
{
  for (int64_t i = 0; i < n;) {
    const int64_t id = ids[i], first = i;
    double own = group[id].mean;
    for (; i < n && ids[i] == id; i++) own += x[i];
    group[id] = (counted){own, group[id].rows + i - first, x[i - 1], 0};
  }
}

/* How many rows there are, and the last element, beside the sum. */
static void take_counted(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  counted *group = t->group;

  if (in_runs(ids, n)) take_counted_runs(group, ids, x, n);
  else
    for (int64_t i = 0; i < n; i++) {
      counted *own = &group[ids[i]];
      own->mean += x[i];
      own->rows++;
      own->mark = x[i];
    }
}

/* -- Means ------------------------------------------------------------------------------------- */

/* Adds elements times the factor of their group, which is 0 where the mean is right. */
static void take_shrunk(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;

  for (int64_t i = 0; i < n; i++) {
    counted *group = &t->group[ids[i]];
    if (group->spread != 0) group->mean += x[i] * group->spread;
  }
}

static int mend_overflows(const locus_segment_job *job, totals *t, const method *how,
                          locus_context *cx)
{
  counted *const end = t->group + t->groups;

  for (counted *g = t->group; g < end; g++) {
    if (g->rows == 0 || !locus_overflowed(g->mean)) continue;
    g->spread = LOCUS_SHRINK;
    g->mean = 0;
  }
  LOCUS_TRY(take_pass(job, t, how, take_shrunk, cx));
  for (counted *g = t->group; g < end; g++) {
    if (g->spread != 0) g->mean = locus_grown_mean(g->mean / (double)g->rows);
    g->spread = 0;
  }
  return 0;
}

static void take_unlike(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  uint8_t *unlike = t->seen;
  for (int64_t i = 0; i < n; i++) unlike[ids[i]] |= x[i] != t->group[ids[i]].mark;
}

/* Whether the elements of the group may be equal, though their mean is another number: a sum of n
** in a row is off by n units at most. */
static bool may_be_alike(const counted *group)
{
  return locus_may_be_alike(group->mean, group->mark, (double)group->rows * DBL_EPSILON);
}

static int mend_alike(const locus_segment_job *job, totals *t, const method *how, locus_context *cx)
{
  LOCUS_TRY(take_pass(job, t, how, take_unlike, cx));
  for (int64_t g = 0; g < t->groups; g++)
    if (!t->seen[g] && may_be_alike(&t->group[g])) t->group[g].mean = t->group[g].mark;
  return 0;
}

/* Turns sums into means; the mean of equal elements is that element. */
static int find_means(const locus_segment_job *job, totals *t, const method *how, locus_context *cx)
{
  const bool wide = job->in.dtype == LOCUS_f64;
  bool beyond = false, near = false;

  for (counted *g = t->group; g < t->group + t->groups; g++) {
    g->mean /= (double)g->rows;
    beyond |= g->rows > 0 && locus_overflowed(g->mean);
    near |= may_be_alike(g);
  }
  if (wide && beyond) LOCUS_TRY(mend_overflows(job, t, how, cx));
  return near || (wide && beyond) ? mend_alike(job, t, how, cx) : 0;
}

static void answer_mean(const totals *t, int64_t first, int64_t n, void *out)
{
  double *mean = out;
  for (int64_t i = 0; i < n; i++) mean[i] = t->group[first + i].mean;
}

/* -- Spreads ----------------------------------------------------------------------------------- */

static void take_distances(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  for (int64_t i = 0; i < n; i++) {
    counted *group = &t->group[ids[i]];
    const double distance = x[i] - group->mean;
    group->spread += distance * distance;
  }
}

static void take_scaled_distances(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;

  for (int64_t i = 0; i < n; i++) {
    counted *group = &t->group[ids[i]];
    if (group->mark == 1) continue;
    const double distance = locus_scaled_distance(x[i], group->mean, group->mark);
    group->spread += distance * distance;
  }
}

static double variance_of(const counted *group)
{
  return group->rows > 1 ? group->spread / (double)(group->rows - 1) : (double)NAN;
}

static double factor_of(const counted *group)
{
  if (group->spread > 0x1p-800 && group->spread <= DBL_MAX) return 1;
  return locus_factor_of_distances(sqrt(variance_of(group)), group->mean);
}

/* Adds up the squares of distances, times the square of a factor of each group. */
static int find_spreads(const locus_segment_job *job, totals *t, const method *how,
                        locus_context *cx)
{
  bool any = false;

  LOCUS_TRY(take_pass(job, t, how, take_distances, cx));
  for (counted *g = t->group; g < t->group + t->groups; g++) {
    g->mark = job->in.dtype == LOCUS_f64 ? factor_of(g) : 1;
    if (g->mark == 1) continue;
    g->spread = 0;
    any = true;
  }
  return any ? take_pass(job, t, how, take_scaled_distances, cx) : 0;
}

static void answer_variance(const totals *t, int64_t first, int64_t n, void *out)
{
  double *variance = out;
  for (int64_t i = 0; i < n; i++) {
    const double unit = 1 / t->group[first + i].mark;
    variance[i] = variance_of(&t->group[first + i]) * unit * unit;
  }
}

static void answer_deviation(const totals *t, int64_t first, int64_t n, void *out)
{
  double *deviation = out;
  for (int64_t i = 0; i < n; i++)
    deviation[i] = sqrt(variance_of(&t->group[first + i])) / t->group[first + i].mark;
}

#endif
