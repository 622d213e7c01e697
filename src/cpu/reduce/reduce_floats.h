/* SPDX-License-Identifier: MIT */
/* The one order in which floats are added, or multiplied: by blocks, in lanes, and through a binary
** counter (LOCUS_SUM_BLOCK, core/jobs.h). The functions take one row, or several side by side.
** `as`, the way they take elements, is a constant in every call. */
#ifndef LOCUS_REDUCE_FLOATS_H
#define LOCUS_REDUCE_FLOATS_H

#include <math.h>

#include "core/number/rescale.h"
#include "cpu/reduce/reduce.h"

static void begin_blocks(partial *p)
{
  p->blocks = p->whole = 0;
}

/* The sum or product of no elements; that of `earlier` and `later`. */
static ALWAYS_INLINE double nothing(int as)
{
  return as & TIMES ? 1 : 0;
}

static ALWAYS_INLINE double joined(double earlier, double later, int as)
{
  return as & TIMES ? earlier * later : earlier + later;
}

/* The same of pairs; for real numbers the second ones do not count. A factor of 1 changes nothing,
** not even beside infinity. */
static ALWAYS_INLINE locus_complex128 joined_pair(locus_complex128 a, locus_complex128 b, int as)
{
  if (!(as & PAIRS)) return (locus_complex128){joined(a.re, b.re, as), 0};
  if (!(as & TIMES)) return (locus_complex128){a.re + b.re, a.im + b.im};
  return locus_times_c128(a, b);
}

/* A binary counter of block sums: adds the sum of 2^k blocks, which come after a multiple of 2^k.
** Equal numbers of blocks are added to each other, the earlier ones on the left. */
static ALWAYS_INLINE void count_blocks(partial *p, int k, locus_complex128 sum, int as)
{
  const uint64_t before = p->blocks;

  p->blocks += (uint64_t)1 << k;
  for (; before >> k & 1; k++) sum = joined_pair(p->level[k], sum, as);
  p->level[k] = sum;
}

/* The i-th double of a run. */
static ALWAYS_INLINE double raw_at(const void *run, int64_t i, int as)
{
  return as & SINGLE ? (double)((const float *)run)[i] : ((const double *)run)[i];
}

/* The term or factor that an element contributes. */
static ALWAYS_INLINE double real_at(const void *run, int64_t i, double mark, int as)
{
  const double x = raw_at(run, i, as);
  const double factor = as & SHRUNK ? LOCUS_SHRINK : as & GROWN ? LOCUS_GROW : 1;

  if (as & MAGNITUDES) return fabs(x);
  if (as & PRESENT) {
    const double other = as & PAIRS ? raw_at(run, i ^ 1, as) : x;
    if (!(x == x && other == other)) return 0;
  }
  if (as & (SQUARES | DEVIATIONS)) {
    const double size = as & SQUARES ? x * factor : locus_scaled_distance(x, mark, factor);
    return size * size;
  }
  return x * factor;
}

/* How many of n elements are NaN, or have a part that is. */
static ALWAYS_INLINE uint64_t nan_of(const void *run, int64_t n, int as)
{
  uint64_t count = 0;

  for (int64_t i = 0; i < n; i++) {
    const double *pair = (const double *)run + 2 * i;
    if (as & PAIRS) count += (pair[0] != pair[0]) | (pair[1] != pair[1]);
    else if (as & SINGLE) count += ((const float *)run)[i] != ((const float *)run)[i];
    else count += ((const double *)run)[i] != ((const double *)run)[i];
  }
  return count;
}

/* Whether the first element is kept, as means need it. */
static ALWAYS_INLINE bool keeps_first(int as)
{
  return !(as & (MAGNITUDES | SQUARES | DEVIATIONS | TIMES));
}

/* Half of the lanes is joined to the other half. */
static ALWAYS_INLINE void fold(double *lane, const int half, int as)
{
  for (int l = 0; l < half; l++) lane[l] = joined(lane[l], lane[half + l], as);
}

/* One block of n reals, beginning at `first`. Lane l adds up the reals l, l + LOCUS_SUM_LANES, ...;
** then lanes are folded until one is left, or a pair. If elements end before lanes do, zeros are
** added, which changes nothing: no lane is -0, since 0 + x is not. */
static ALWAYS_INLINE void take_block(partial *p, const void *run, int64_t first, int64_t n, int as)
{
  _Static_assert(LOCUS_SUM_LANES == 32, "five folds");
  const double none = nothing(as);
  double lane[LOCUS_SUM_LANES];
  int64_t i = LOCUS_SUM_LANES;

  if (n >= i)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(none, real_at(run, first + l, p->mark[0], as), as);
  else
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(none, l < n ? real_at(run, first + l, p->mark[0], as) : none, as);
  for (; i + LOCUS_SUM_LANES <= n; i += LOCUS_SUM_LANES)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(lane[l], real_at(run, first + i + l, p->mark[0], as), as);
  if (i < n)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(lane[l], i + l < n ? real_at(run, first + i + l, p->mark[0], as) : none, as);
  fold(lane, LOCUS_SUM_LANES / 2, as);
  fold(lane, LOCUS_SUM_LANES / 4, as);
  fold(lane, LOCUS_SUM_LANES / 8, as);
  fold(lane, LOCUS_SUM_LANES / 16, as);
  if (!(as & PAIRS)) fold(lane, 1, as);
  count_blocks(p, 0, (locus_complex128){lane[0], as & PAIRS ? lane[1] : 0}, as);
}

static ALWAYS_INLINE void take_blocks(partial *p, const void *run, int64_t n, int as)
{
  const int64_t width = as & PAIRS ? 2 : 1, block = width * LOCUS_SUM_BLOCK;

  for (int64_t k = 0; keeps_first(as) && p->seen == 0 && k < width; k++)
    p->mark[k] = raw_at(run, k, as);
  for (int64_t i = 0; i < width * n; i += block)
    take_block(p, run, i, least(block, width * n - i), as);
  if (as & PRESENT) p->whole += nan_of(run, n, as);
}

/* Products of complex numbers, whose lanes are pairs. */
static void take_pair_products(partial *p, const void *run, int64_t n)
{
  enum { LANES = LOCUS_SUM_LANES / 2, AS = PAIRS | TIMES };

  for (int64_t at = 0; at < n; at += LOCUS_SUM_BLOCK) {
    const locus_complex128 *x = (const locus_complex128 *)run + at;
    const int64_t count = least(n - at, LOCUS_SUM_BLOCK);
    locus_complex128 lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = (locus_complex128){1, 0};
    for (int64_t i = 0; i < count; i++) lane[i % LANES] = joined_pair(lane[i % LANES], x[i], AS);
    for (int half = LANES / 2; half > 0; half /= 2)
      for (int l = 0; l < half; l++) lane[l] = joined_pair(lane[l], lane[half + l], AS);
    count_blocks(p, 0, lane[0], AS);
  }
}

/* Adds the levels up, those of the latest blocks first: the smallest sums come first. */
static ALWAYS_INLINE locus_complex128 sum_of_levels(const partial *p, int as)
{
  locus_complex128 sum = {nothing(as), 0};
  for (uint64_t blocks = p->blocks; blocks; blocks &= blocks - 1)
    sum = joined_pair(p->level[__builtin_ctzll(blocks)], sum, as);
  return sum;
}

static ALWAYS_INLINE void join_counters(partial *p, const partial *next, int as)
{
  if (keeps_first(as) && p->seen == 0) memcpy(p->mark, next->mark, sizeof p->mark);
  p->whole += next->whole;
  for (int k = LEVELS - 1; k >= 0; k--)
    if (next->blocks >> k & 1) count_blocks(p, k, next->level[k], as);
}

/* -- Several side by side ---------------------------------------------------------------------- */

static void begin_block_columns(columns *c)
{
  c->blocks = 0;
  memset(c->whole, 0, sizeof c->whole);
}

/* Ends a block of n elements of each column, as take_block does. */
static ALWAYS_INLINE void end_block_columns(columns *c, int64_t n, int as)
{
  const uint64_t before = c->blocks++;
  double *restrict lane = c->lane;
  int k = 0;

  for (int half = LOCUS_SUM_LANES / 2; half > 0; half /= 2) {
    const double *restrict other = c->lane + half * c->count;
    const int64_t pairs = least(half, n - half) * c->count;
    INDEPENDENT
    for (int64_t j = 0; j < pairs; j++) lane[j] = joined(lane[j], other[j], as);
  }
  for (; before >> k & 1; k++)
    for (int64_t j = 0; j < c->count; j++) lane[j] = joined(c->level[k][j], lane[j], as);
  memcpy(c->level[k], lane, (size_t)c->count * sizeof *lane);
}

/* As many reals as lanes of one or more rows hold: the first rows of a block begin them. */
static ALWAYS_INLINE void add_to_lanes(double *restrict lane, const void *run, int64_t first,
                                       int64_t n, bool begin, const double *restrict mark, int as)
{
  for (int64_t j = 0; begin && j < n; j++)
    lane[j] = joined(nothing(as), real_at(run, first + j, mark[j], as), as);
  for (int64_t j = 0; !begin && j < n; j++)
    lane[j] = joined(lane[j], real_at(run, first + j, mark[j], as), as);
}

static ALWAYS_INLINE void count_nan_columns(columns *c, const void *run, int64_t apart,
                                            int64_t rows, int as)
{
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < c->count; j++)
      c->whole[j] += raw_at(run, i * apart + j, as) != raw_at(run, i * apart + j, as);
}

/* Rows without gaps between them are taken together, until the lanes begin anew. */
static ALWAYS_INLINE void take_block_columns(columns *c, const void *run, int64_t apart,
                                             int64_t rows, int as)
{
  const int64_t before = c->seen % LOCUS_SUM_BLOCK, n = before + rows;
  const int64_t item = as & SINGLE ? 4 : 8;
  int64_t some;

  for (int64_t j = 0; keeps_first(as) && c->seen == 0 && j < c->count; j++)
    c->mark[j] = raw_at(run, j, as);
  for (int64_t i = before; i < n; i += some) {
    const int64_t l = i % LOCUS_SUM_LANES, first = (i - before) * apart;
    some = apart == c->count ? least(n - i, LOCUS_SUM_LANES - l) : 1;
    if (c->ahead) columns_fetch(c, (const char *)run + first * item, item);
    add_to_lanes(c->lane + l * c->count, run, first, some * c->count, i < LOCUS_SUM_LANES, c->mark,
                 as);
  }
  if (as & PRESENT) count_nan_columns(c, run, apart, rows, as);
  if (n == LOCUS_SUM_BLOCK || c->seen + rows == c->n) end_block_columns(c, n, as);
}

static ALWAYS_INLINE void sum_of_column_levels(const columns *c, double *restrict sum, int as)
{
  for (int64_t j = 0; j < c->count; j++) sum[j] = nothing(as);
  for (uint64_t blocks = c->blocks; blocks; blocks &= blocks - 1) {
    const double *level = c->level[__builtin_ctzll(blocks)];
    for (int64_t j = 0; j < c->count; j++) sum[j] = joined(level[j], sum[j], as);
  }
}

#endif
