/* SPDX-License-Identifier: MIT */
/* The one order in which floats are added, or multiplied: by blocks, in lanes, and through a binary
** counter (LOCUS_SUM_BLOCK, core/jobs.h). Of one row, or of several side by side. How they are
** taken, `as`, is a constant wherever these functions are called. */
#ifndef LOCUS_REDUCE_FLOATS_H
#define LOCUS_REDUCE_FLOATS_H

#include <math.h>

#include "cpu/run/reduce.h"

static void begin_blocks(partial *p)
{
  p->blocks = p->whole = 0;
}

/* What a sum or product of nothing is; `earlier` and `later` as one. */
static ALWAYS_INLINE double nothing(int as)
{
  return as & TIMES ? 1 : 0;
}

static ALWAYS_INLINE double joined(double earlier, double later, int as)
{
  return as & TIMES ? earlier * later : earlier + later;
}

/* The same of pairs; of real numbers the second ones are no part. A factor of 1 changes nothing,
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

/* The i-th double of a run, or how far it is from the centre. */
static ALWAYS_INLINE double real_at(const void *run, int64_t i, double centre, int as)
{
  const double x = as & SINGLE ? (double)((const float *)run)[i] : ((const double *)run)[i];
  if (as & MAGNITUDES) return fabs(x);
  if (as & SQUARES) return x * x;
  if (as & DEVIATIONS) return (x - centre) * (x - centre);
  if (!(as & PRESENT)) return x;
  const double other = as & PAIRS ? ((const double *)run)[i ^ 1] : x;
  return x == x && other == other ? x : 0;
}

/* Half of the lanes is joined to the other half. */
static ALWAYS_INLINE void fold(double *lane, const int half, int as)
{
  for (int l = 0; l < half; l++) lane[l] = joined(lane[l], lane[half + l], as);
}

/* One block of n reals from the first-th on: lane l adds up every LOCUS_SUM_LANES-th from the l-th
** on, then lanes are folded until one is left, or a pair. Where elements end before lanes do, zeros
** are added, which changes nothing: no lane is -0, since 0 + x is not. */
static ALWAYS_INLINE void take_block(partial *p, const void *run, int64_t first, int64_t n, int as)
{
  _Static_assert(LOCUS_SUM_LANES == 32, "five folds");
  const double none = nothing(as);
  double lane[LOCUS_SUM_LANES];
  int64_t i = LOCUS_SUM_LANES;

  if (n >= i)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(none, real_at(run, first + l, p->centre, as), as);
  else
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(none, l < n ? real_at(run, first + l, p->centre, as) : none, as);
  for (; i + LOCUS_SUM_LANES <= n; i += LOCUS_SUM_LANES)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(lane[l], real_at(run, first + i + l, p->centre, as), as);
  if (i < n)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = joined(lane[l], i + l < n ? real_at(run, first + i + l, p->centre, as) : none, as);
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

  for (int64_t i = 0; i < width * n; i += block)
    take_block(p, run, i, least(block, width * n - i), as);
  if (!(as & PRESENT)) return;
  for (int64_t i = 0; i < n; i++) {
    const double *pair = (const double *)run + 2 * i;
    if (as & PAIRS) p->whole += pair[0] != pair[0] || pair[1] != pair[1];
    else if (as & SINGLE) p->whole += ((const float *)run)[i] != ((const float *)run)[i];
    else p->whole += ((const double *)run)[i] != ((const double *)run)[i];
  }
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
    for (int64_t i = 0; i < count; i++)
      lane[i % LANES] = joined_pair(lane[i % LANES], x[i], AS);
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
                                       int64_t n, bool begin, const double *restrict centre, int as)
{
  for (int64_t j = 0; begin && j < n; j++)
    lane[j] = joined(nothing(as), real_at(run, first + j, centre[j], as), as);
  for (int64_t j = 0; !begin && j < n; j++)
    lane[j] = joined(lane[j], real_at(run, first + j, centre[j], as), as);
}

static ALWAYS_INLINE void count_nan_columns(columns *c, const void *run, int64_t apart,
                                            int64_t rows, int as)
{
  const int all = as & ~PRESENT;

  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < c->count; j++)
      c->whole[j] += real_at(run, i * apart + j, 0, all) != real_at(run, i * apart + j, 0, all);
}

/* Rows without gaps between them are taken together, until the lanes begin anew. */
static ALWAYS_INLINE void take_block_columns(columns *c, const void *run, int64_t apart,
                                             int64_t rows, int as)
{
  const int64_t before = c->seen % LOCUS_SUM_BLOCK, n = before + rows;
  const int64_t item = as & SINGLE ? 4 : 8;
  int64_t some;

  for (int64_t i = before; i < n; i += some) {
    const int64_t l = i % LOCUS_SUM_LANES, first = (i - before) * apart;
    some = apart == c->count ? least(n - i, LOCUS_SUM_LANES - l) : 1;
    if (c->ahead) columns_fetch(c, (const char *)run + first * item, item);
    add_to_lanes(c->lane + l * c->count, run, first, some * c->count, i < LOCUS_SUM_LANES,
                 c->centre, as);
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

/* -- Answers, and the functions of each way ---------------------------------------------------- */

static void answer_real_mean(const partial *p, int64_t n, void *out)
{
  *(double *)out = sum_of_levels(p, 0).re / (double)(n - (int64_t)p->whole);
}

static void answer_complex_mean(const partial *p, int64_t n, void *out)
{
  const locus_complex128 sum = sum_of_levels(p, PAIRS);
  const double count = (double)(n - (int64_t)p->whole);

  *(locus_complex128 *)out = (locus_complex128){sum.re / count, sum.im / count};
}

static void answer_real_mean_columns(const columns *c, void *out)
{
  double *mean = out;

  sum_of_column_levels(c, out, 0);
  for (int64_t j = 0; j < c->count; j++) mean[j] /= (double)(c->n - (int64_t)c->whole[j]);
}

/* join_<name>, answer_<name> and answer_<name>_columns of sums or products. */
#define JOINING(name, type, part, as)                                           \
  static void join_##name(partial *p, const partial *next)                      \
  {                                                                             \
    join_counters(p, next, as);                                                 \
  }                                                                             \
  static void answer_##name(const partial *p, int64_t n, void *out)             \
  {                                                                             \
    (void)n;                                                                    \
    *(type *)out = sum_of_levels(p, as) part;                                   \
  }
JOINING(sum, double, .re, 0)
JOINING(product, double, .re, TIMES)
JOINING(pair_sum, locus_complex128, , PAIRS)
JOINING(pair_product, locus_complex128, , PAIRS | TIMES)

static void answer_sum_columns(const columns *c, void *out)
{
  sum_of_column_levels(c, out, 0);
}

static void answer_product_columns(const columns *c, void *out)
{
  sum_of_column_levels(c, out, TIMES);
}

/* take_<name>, and take_<name>_columns, of elements taken so. */
#define TAKING(name, as)                                                        \
  static void take_##name(partial *p, const void *run, int64_t n)               \
  {                                                                             \
    take_blocks(p, run, n, as);                                                 \
  }
#define TAKING_COLUMNS(name, as)                                                \
  TAKING(name, as)                                                              \
  static void take_##name##_columns(columns *c, const void *run, int64_t apart, \
                                    int64_t rows)                               \
  {                                                                             \
    take_block_columns(c, run, apart, rows, as);                                \
  }
TAKING(complexes, PAIRS)
TAKING(present_complexes, PAIRS | PRESENT)

#define TAKING_REALS(name, as) \
  TAKING_COLUMNS(name, as)     \
  TAKING_COLUMNS(single_##name, SINGLE | (as))
TAKING_REALS(reals, 0)
TAKING_REALS(factors, TIMES)
TAKING_REALS(present_reals, PRESENT)
TAKING_REALS(magnitudes, MAGNITUDES)
TAKING_REALS(squares, SQUARES)
TAKING_REALS(deviations, DEVIATIONS)

/* The way <name>, whose `single` is single_<name>. */
#define REAL_WAY(name, from, take, join, answer, single)                                      \
  static const column_way name##_columns = {begin_block_columns, take_##take##_columns,       \
                                            never_all, answer##_columns, true};               \
  static const way name = {from, LOCUS_f64, begin_blocks, take_##take, never, join_##join,    \
                           answer, &name##_columns, single};
#define REAL_WAYS(name, take, join, answer)                                    \
  REAL_WAY(single_##name, LOCUS_f32, single_##take, join, answer, NULL)        \
  REAL_WAY(name, LOCUS_f64, take, join, answer, &single_##name)
REAL_WAYS(real_sum, reals, sum, answer_sum)
REAL_WAYS(real_mean, reals, sum, answer_real_mean)
REAL_WAYS(real_product, factors, product, answer_product)
REAL_WAYS(present_sum, present_reals, sum, answer_sum)
REAL_WAYS(present_mean, present_reals, sum, answer_real_mean)
REAL_WAYS(sum_of_magnitudes, magnitudes, sum, answer_sum)
REAL_WAYS(sum_of_squares, squares, sum, answer_sum)
REAL_WAYS(sum_of_deviations, deviations, sum, answer_sum)

#define PAIR_WAY(name, take, join, answer)                                                    \
  static const way name = {LOCUS_c128, LOCUS_c128, begin_blocks, take_##take, never,          \
                           join_##join, answer, NULL, NULL};
PAIR_WAY(pair_sum, complexes, pair_sum, answer_pair_sum)
PAIR_WAY(pair_mean, complexes, pair_sum, answer_complex_mean)
PAIR_WAY(pair_product, pair_products, pair_product, answer_pair_product)
PAIR_WAY(present_pair_sum, present_complexes, pair_sum, answer_pair_sum)
PAIR_WAY(present_pair_mean, present_complexes, pair_sum, answer_complex_mean)

#endif
