/* SPDX-License-Identifier: MIT */
/* The one order in which floats are added: by blocks, in lanes, and through a binary counter
** (LOCUS_SUM_BLOCK, core/jobs.h). Of one row, or of several side by side. */
#ifndef LOCUS_REDUCE_FLOATS_H
#define LOCUS_REDUCE_FLOATS_H

#include "cpu/run/reduce.h"

static void begin_blocks(partial *p)
{
  p->blocks = 0;
}

/* A binary counter of block sums: adds the sum of 2^k blocks, which come after a multiple of 2^k.
** Equal numbers of blocks are added to each other, the earlier ones on the left. */
static void count_blocks(partial *p, int k, double re, double im)
{
  const uint64_t before = p->blocks;

  p->blocks += (uint64_t)1 << k;
  for (; before >> k & 1; k++) {
    re = p->level[k][0] + re;
    im = p->level[k][1] + im;
  }
  p->level[k][0] = re;
  p->level[k][1] = im;
}

/* The i-th of a run of doubles, or of floats, which need no cast of their own then. */
static ALWAYS_INLINE double real_at(const void *run, int64_t i, bool single)
{
  return single ? (double)((const float *)run)[i] : ((const double *)run)[i];
}

/* Half of the lanes is added to the other half. */
static ALWAYS_INLINE void fold(double *lane, const int half)
{
  for (int l = 0; l < half; l++) lane[l] += lane[half + l];
}

/* One block of n reals from the first-th on: lane l adds up every LOCUS_SUM_LANES-th from the l-th
** on, then lanes are folded until `width` are left. Where elements end before lanes do, zeros are
** added, which changes nothing: no lane is -0, since 0 + x is not. */
static ALWAYS_INLINE void take_block(partial *p, const void *run, int64_t first, int64_t n,
                                     int width, bool single)
{
  _Static_assert(LOCUS_SUM_LANES == 32, "five folds");
  double lane[LOCUS_SUM_LANES];
  int64_t i = LOCUS_SUM_LANES;

  if (n >= i)
    for (int l = 0; l < LOCUS_SUM_LANES; l++) lane[l] = 0 + real_at(run, first + l, single);
  else
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] = 0 + (l < n ? real_at(run, first + l, single) : 0);
  for (; i + LOCUS_SUM_LANES <= n; i += LOCUS_SUM_LANES)
    for (int l = 0; l < LOCUS_SUM_LANES; l++) lane[l] += real_at(run, first + i + l, single);
  if (i < n)
    for (int l = 0; l < LOCUS_SUM_LANES; l++)
      lane[l] += i + l < n ? real_at(run, first + i + l, single) : 0;
  fold(lane, LOCUS_SUM_LANES / 2);
  fold(lane, LOCUS_SUM_LANES / 4);
  fold(lane, LOCUS_SUM_LANES / 8);
  fold(lane, LOCUS_SUM_LANES / 16);
  if (width == 1) fold(lane, 1);
  count_blocks(p, 0, lane[0], width == 2 ? lane[1] : 0);
}

static ALWAYS_INLINE void take_blocks(partial *p, const void *run, int64_t n, int width,
                                      bool single)
{
  const int64_t block = (int64_t)width * LOCUS_SUM_BLOCK;
  for (int64_t i = 0; i < n; i += block) take_block(p, run, i, least(block, n - i), width, single);
}

static void take_reals(partial *p, const void *run, int64_t n)
{
  take_blocks(p, run, n, 1, false);
}

static void take_singles(partial *p, const void *run, int64_t n)
{
  take_blocks(p, run, n, 1, true);
}

static void take_complexes(partial *p, const void *run, int64_t n)
{
  take_blocks(p, run, 2 * n, 2, false);
}

/* Adds the levels up, those of the latest blocks first: the smallest sums come first. */
static void float_sum(const partial *p, double sum[2])
{
  sum[0] = sum[1] = 0;
  for (uint64_t blocks = p->blocks; blocks; blocks &= blocks - 1) {
    int k = __builtin_ctzll(blocks);
    sum[0] = p->level[k][0] + sum[0];
    sum[1] = p->level[k][1] + sum[1];
  }
}

static void join_blocks(partial *p, const partial *next)
{
  for (int k = LEVELS - 1; k >= 0; k--)
    if (next->blocks >> k & 1) count_blocks(p, k, next->level[k][0], next->level[k][1]);
}

static void answer_real(const partial *p, int64_t n, void *out)
{
  double sum[2];
  (void)n;
  float_sum(p, sum);
  *(double *)out = sum[0];
}

static void answer_real_mean(const partial *p, int64_t n, void *out)
{
  double sum[2];
  float_sum(p, sum);
  *(double *)out = sum[0] / (double)n;
}

static void answer_complex(const partial *p, int64_t n, void *out)
{
  (void)n;
  float_sum(p, out);
}

static void answer_complex_mean(const partial *p, int64_t n, void *out)
{
  double *sum = out;
  float_sum(p, sum);
  for (int i = 0; i < 2; i++) sum[i] /= (double)n;
}

static void begin_block_columns(columns *c)
{
  c->blocks = 0;
}

/* Ends a block of n elements of each column, as take_block does. */
static void end_block_columns(columns *c, int64_t n)
{
  const uint64_t before = c->blocks++;
  double *restrict lane = c->lane;
  int k = 0;

  for (int half = LOCUS_SUM_LANES / 2; half > 0; half /= 2) {
    const double *restrict other = c->lane + half * c->count;
    const int64_t pairs = least(half, n - half) * c->count;
    INDEPENDENT
    for (int64_t j = 0; j < pairs; j++) lane[j] += other[j];
  }
  for (; before >> k & 1; k++)
    for (int64_t j = 0; j < c->count; j++) lane[j] = c->level[k][j] + lane[j];
  memcpy(c->level[k], lane, (size_t)c->count * sizeof *lane);
}

/* As many reals as lanes of one or more rows hold: the first rows of a block begin them. */
static ALWAYS_INLINE void add_to_lanes(double *restrict lane, const void *run, int64_t first,
                                       int64_t n, bool begin, bool single)
{
  if (begin)
    for (int64_t j = 0; j < n; j++) lane[j] = 0 + real_at(run, first + j, single);
  else
    for (int64_t j = 0; j < n; j++) lane[j] += real_at(run, first + j, single);
}

/* Rows without gaps between them are taken together, until the lanes begin anew. */
static ALWAYS_INLINE void take_block_columns(columns *c, const void *run, int64_t apart,
                                             int64_t rows, bool single)
{
  const int64_t before = c->seen % LOCUS_SUM_BLOCK, n = before + rows;
  int64_t some;

  for (int64_t i = before; i < n; i += some) {
    const int64_t l = i % LOCUS_SUM_LANES, first = (i - before) * apart;
    some = apart == c->count ? least(n - i, LOCUS_SUM_LANES - l) : 1;
    if (c->ahead) columns_fetch(c, (const char *)run + first * (single ? 4 : 8), single ? 4 : 8);
    add_to_lanes(c->lane + l * c->count, run, first, some * c->count, i < LOCUS_SUM_LANES, single);
  }
  if (n == LOCUS_SUM_BLOCK || c->seen + rows == c->n) end_block_columns(c, n);
}

static void take_real_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  take_block_columns(c, run, apart, rows, false);
}

static void take_single_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  take_block_columns(c, run, apart, rows, true);
}

static void answer_block_columns(const columns *c, void *out)
{
  double *restrict sum = out;

  for (int64_t j = 0; j < c->count; j++) sum[j] = 0;
  for (uint64_t blocks = c->blocks; blocks; blocks &= blocks - 1) {
    const double *level = c->level[__builtin_ctzll(blocks)];
    for (int64_t j = 0; j < c->count; j++) sum[j] = level[j] + sum[j];
  }
}

static void answer_mean_columns(const columns *c, void *out)
{
  double *mean = out;
  answer_block_columns(c, out);
  for (int64_t j = 0; j < c->count; j++) mean[j] /= (double)c->n;
}

#define BLOCK_COLUMNS(take, answer) {begin_block_columns, take, never_all, answer, true}
static const column_way
    real_columns = BLOCK_COLUMNS(take_real_columns, answer_block_columns),
    real_mean_columns = BLOCK_COLUMNS(take_real_columns, answer_mean_columns),
    single_columns = BLOCK_COLUMNS(take_single_columns, answer_block_columns),
    single_mean_columns = BLOCK_COLUMNS(take_single_columns, answer_mean_columns);

#endif
