/* SPDX-License-Identifier: MIT */
/* Whether the elements of a row are all equal, for one row or several side by side. The mean of
** equal elements is that element, though their sum may have been rounded. If the mean is as near to
** the first element as rounding might have put it, the elements are compared. Rows with different
** elements are hardly ever compared, and only up to the first difference. So other means keep their
** bits; a mean clamped to the extremes would not, nor one corrected by a second pass over all rows.
**
** p->whole has a bit for each part in which elements differ. NaN does not count for ops that skip
** it. */
#ifndef LOCUS_REDUCE_ALIKE_H
#define LOCUS_REDUCE_ALIKE_H

#include "cpu/reduce/reduce_floats.h"

static void begin_alike(partial *p)
{
  p->whole = 0;
}

static ALWAYS_INLINE void alike_reals_of(partial *p, const void *run, int64_t n, int as)
{
  bool differs = false;
  int64_t i = 0;

  while (i < n && p->mark[0] != p->mark[0]) p->mark[0] = raw_at(run, i++, as);
  const double mark = p->mark[0];
  while (i < n && !differs) {
    const int64_t end = least(n, i + LOCUS_SUM_BLOCK);
    for (; i < end; i++) {
      const double x = raw_at(run, i, as);
      differs |= (x == x) & (x != mark);
    }
  }
  p->whole |= differs;
}

static ALWAYS_INLINE void alike_pairs_of(partial *p, const void *run, int64_t n, int as)
{
  const locus_complex128 *x = run;
  const bool skips = as & PRESENT;

  for (int64_t i = 0; i < n; i++) {
    if (skips && !(x[i].re == x[i].re && x[i].im == x[i].im)) continue;
    if (skips && !(p->mark[0] == p->mark[0] && p->mark[1] == p->mark[1]))
      memcpy(p->mark, &x[i], sizeof p->mark);
    p->whole |= (x[i].re != p->mark[0]) | (uint64_t)(x[i].im != p->mark[1]) << 1;
  }
}

static bool unlike_reals(const partial *p)
{
  return p->whole > 0;
}

static bool unlike_pairs(const partial *p)
{
  return p->whole == 3;
}

static void join_alike(partial *p, const partial *next)
{
  p->whole |= next->whole;
  if (!(p->mark[0] == p->mark[0] && p->mark[1] == p->mark[1])) {
    memcpy(p->mark, next->mark, sizeof p->mark);
  } else if (next->mark[0] == next->mark[0] && next->mark[1] == next->mark[1]) {
    p->whole |= (p->mark[0] != next->mark[0]) | (uint64_t)(p->mark[1] != next->mark[1]) << 1;
  }
}

static void answer_alike(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(double *)out = p->whole ? (double)NAN : p->mark[0];
}

static void answer_alike_pairs(const partial *p, int64_t n, void *out)
{
  answer_alike(&(const partial){.whole = p->whole & 1, .mark = {p->mark[0]}}, n, out);
  answer_alike(&(const partial){.whole = p->whole & 2, .mark = {p->mark[1]}}, n, (double *)out + 1);
}

static void begin_alike_columns(columns *c)
{
  memset(c->whole, 0, sizeof c->whole);
}

static ALWAYS_INLINE void alike_columns_of(columns *c, const void *run, int64_t apart, int64_t rows,
                                           int as)
{
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < c->count; j++) {
      const double x = raw_at(run, i * apart + j, as);
      c->mark[j] = c->mark[j] == c->mark[j] ? c->mark[j] : x;
      c->whole[j] |= (x == x) & (x != c->mark[j]);
    }
}

static bool unlike_columns(const columns *c)
{
  for (int64_t j = 0; j < c->count; j++)
    if (!c->whole[j]) return false;
  return true;
}

static void answer_alike_columns(const columns *c, void *out)
{
  for (int64_t j = 0; j < c->count; j++)
    ((double *)out)[j] = c->whole[j] ? (double)NAN : c->mark[j];
}

#define TAKING_ALIKE(name, kind, as)                              \
  static void take_##name(partial *p, const void *run, int64_t n) \
  {                                                               \
    alike_##kind##_of(p, run, n, as);                             \
  }
#define TAKING_ALIKE_COLUMNS(name, as)                                                        \
  TAKING_ALIKE(name, reals, as)                                                               \
  static void take_##name##_columns(columns *c, const void *run, int64_t apart, int64_t rows) \
  {                                                                                           \
    alike_columns_of(c, run, apart, rows, as);                                                \
  }
TAKING_ALIKE_COLUMNS(alike, 0)
TAKING_ALIKE_COLUMNS(single_alike, SINGLE)
TAKING_ALIKE(alike_pairs, pairs, 0)
TAKING_ALIKE(present_alike_pairs, pairs, PRESENT)

#define ALIKE_PAIRS(name)                                                                \
  static const method name = {LOCUS_c128,   LOCUS_c128, begin_alike,        take_##name, \
                              unlike_pairs, join_alike, answer_alike_pairs, NULL,        \
                              NULL,         NULL};
ALIKE_PAIRS(alike_pairs)
ALIKE_PAIRS(present_alike_pairs)

static const column_method alike_columns = {begin_alike_columns, take_alike_columns, unlike_columns,
                                            answer_alike_columns, true},
                           single_alike_columns = {begin_alike_columns, take_single_alike_columns,
                                                   unlike_columns, answer_alike_columns, true};
static const method single_alike = {LOCUS_f32,    LOCUS_f64,  begin_alike,  take_single_alike,
                                    unlike_reals, join_alike, answer_alike, &single_alike_columns,
                                    NULL,         NULL},
                    alike = {LOCUS_f64,  LOCUS_f64,    begin_alike,    take_alike,    unlike_reals,
                             join_alike, answer_alike, &alike_columns, &single_alike, NULL};

#endif
