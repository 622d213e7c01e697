/* SPDX-License-Identifier: MIT */
/* Means and spreads of groups: sums in the order of rows, then the scaling of
** core/number/rescale.h. A second pass over the rows is made only if some group needs it, and
** changes no other group. */
#ifndef LOCUS_SEGMENT_MEANS_H
#define LOCUS_SEGMENT_MEANS_H

#include "core/number/rescale.h"
#include "cpu/reduce/segment.h"

static void take_runs(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;

  for (int64_t i = 0; i < r->n;) {
    const uint32_t id = ids[i];
    double *sum = (double *)t->state + id, own = *sum;
    for (; i < r->n && ids[i] == id; i++) own += x[i];
    *sum = own;
  }
}

static void take_reals(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;
  double *sum = t->state;

  if (!r->own && in_runs(ids, r->n)) take_runs(t, r);
  else EACH_ROW(r, i, sum[ids[i]] += x[i]);
}

static void take_counted_runs(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;
  counted *group = t->group;

  for (int64_t i = 0; i < r->n;) {
    const int64_t first = i;
    const uint32_t id = ids[i];
    double own = group[id].mean;
    for (; i < r->n && ids[i] == id; i++) own += x[i];
    group[id] = (counted){own, group[id].rows + i - first, x[i - 1], 0};
  }
}

/* How many rows there are, and the last element, beside the sum. */
static void take_counted(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;
  counted *group = t->group;

  if (!r->own && in_runs(ids, r->n)) {
    take_counted_runs(t, r);
    return;
  }
  EACH_ROW(r, i, {
    counted *own = &group[ids[i]];
    own->mean += x[i];
    own->rows++;
    own->mark = x[i];
  });
}

/* -- Means ------------------------------------------------------------------------------------- */

/* Adds elements times the factor of their group, which is 0 where the mean is right. */
static void take_shrunk(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;

  EACH_ROW(r, i, {
    counted *group = &t->group[ids[i]];
    if (group->spread != 0) group->mean += x[i] * group->spread;
  });
}

static void take_unlike(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;
  uint8_t *unlike = t->seen;

  EACH_ROW(r, i, unlike[ids[i]] |= x[i] != t->group[ids[i]].mark);
}

/* Whether the elements of the group may be equal, though their mean is another number: a sum of n
** in a row is off by n units at most. */
static bool may_be_alike(const counted *group)
{
  return locus_may_be_alike(group->mean, group->mark, (double)group->rows * DBL_EPSILON);
}

/* Turns sums into means. Those that overflowed begin anew, with smaller elements. */
static void make_means(const fold *f, totals *t)
{
  const bool wide = f->in->dtype == LOCUS_f64;

  for (int64_t i = 0; i < t->groups; i++) {
    counted *const own = &t->group[i];
    if (t->sums) t->sums[i] = own->mean;
    own->mean /= (double)own->rows;
    t->alike |= may_be_alike(own);
    if (!wide || own->rows == 0 || !locus_overflowed(own->mean)) continue;
    own->spread = LOCUS_SHRINK;
    own->mean = 0;
    t->overflowed = true;
  }
  t->wanted = t->overflowed;
}

static void mend_overflows(const fold *f, totals *t)
{
  (void)f;
  for (counted *own = t->group; t->overflowed && own < t->group + t->groups; own++) {
    if (own->spread != 0) own->mean = locus_grown_mean(own->mean / (double)own->rows);
    own->spread = 0;
  }
  t->wanted = t->alike || t->overflowed;
}

/* The mean of equal elements is that element. */
static void mend_alike(const fold *f, totals *t)
{
  (void)f;
  for (int64_t i = 0; t->wanted && i < t->groups; i++)
    if (!t->seen[i] && may_be_alike(&t->group[i])) t->group[i].mean = t->group[i].mark;
  t->wanted = true;
}

static void answer_sum(const totals *t, int64_t first, int64_t n, void *out)
{
  memcpy(out, t->sums + first, (size_t)n * sizeof t->sums[0]);
}

static void answer_rows(const totals *t, int64_t first, int64_t n, void *out)
{
  int64_t *count = out;
  for (int64_t i = 0; i < n; i++) count[i] = t->group[first + i].rows;
}

static void answer_mean(const totals *t, int64_t first, int64_t n, void *out)
{
  double *mean = out;
  for (int64_t i = 0; i < n; i++) mean[i] = t->group[first + i].mean;
}

/* -- Spreads ----------------------------------------------------------------------------------- */

static void take_distances(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;

  EACH_ROW(r, i, {
    counted *group = &t->group[ids[i]];
    const double distance = x[i] - group->mean;
    group->spread += distance * distance;
  });
}

static void take_scaled_distances(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;

  EACH_ROW(r, i, {
    counted *group = &t->group[ids[i]];
    if (group->mark == 1) continue;
    const double distance = locus_scaled_distance(x[i], group->mean, group->mark);
    group->spread += distance * distance;
  });
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

/* Squares that were too great or too small are added up anew, of distances times a factor. */
static void choose_factors(const fold *f, totals *t)
{
  const bool wide = f->in->dtype == LOCUS_f64;

  t->wanted = false;
  for (counted *own = t->group; own < t->group + t->groups; own++) {
    own->mark = wide ? factor_of(own) : 1;
    if (own->mark == 1) continue;
    own->spread = 0;
    t->wanted = true;
  }
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

/* -- The stages -------------------------------------------------------------------------------- */

/* A pass over the rows, for tables that want it, and then the work for each group that means
** need. */
typedef struct stage {
  spreading finds;                        /* for folds that find these */
  take_rows *take;                        /* NULL: the fold's own, which adds up the rows */
  void (*step)(const fold *f, totals *t); /* or NULL */
} stage;

static const stage stages[] = {
    {NO_MEANS, NULL, make_means},
    {MEANS, take_shrunk, mend_overflows},
    {MEANS, take_unlike, mend_alike},
    {MEANS_AND_SPREADS, take_distances, choose_factors},
    {MEANS_AND_SPREADS, take_scaled_distances, NULL},
};

enum { STAGES = sizeof stages / sizeof stages[0] };

#endif
