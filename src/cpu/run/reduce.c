/* SPDX-License-Identifier: MIT */
/* Runner of reduce: the ways of each op, on elements of some dtype. How rows go through them is
** reduce.h's part. */
#include "cpu/run/reduce.h"

#include "cpu/order/rank.h"

static bool never(const partial *p)
{
  (void)p;
  return false;
}

/* -- Integers, and how many elements are nonzero ----------------------------------------------- */

static void begin_whole(partial *p)
{
  p->whole = 0;
}

static void take_integers(partial *p, const void *run, int64_t n)
{
  const int64_t *x = run;
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; i++) sum += (uint64_t)x[i];
  p->whole += sum;
}

static void take_truths(partial *p, const void *run, int64_t n)
{
  enum { LANES = 64, MOST = 255 * LANES }; /* bytes count so far */
  const uint8_t *x = run;

  for (int64_t at = 0; at < n; at += MOST) {
    const int64_t end = least(n, at + MOST);
    uint8_t lane[LANES] = {0};
    int64_t i = at;
    for (; i + LANES <= end; i += LANES)
      for (int l = 0; l < LANES; l++) lane[l] += x[i + l] != 0;
    for (; i < end; i++) p->whole += x[i] != 0;
    for (int l = 0; l < LANES; l++) p->whole += lane[l];
  }
}

static void join_whole(partial *p, const partial *next)
{
  p->whole += next->whole;
}

static bool found_true(const partial *p)
{
  return p->whole > 0;
}

static bool found_false(const partial *p)
{
  return p->whole < (uint64_t)p->seen;
}

static void answer_whole(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(int64_t *)out = (int64_t)p->whole;
}

static void answer_any(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(uint8_t *)out = p->whole > 0;
}

static void answer_all(const partial *p, int64_t n, void *out)
{
  *(uint8_t *)out = p->whole == (uint64_t)n;
}

static bool never_all(const columns *c)
{
  (void)c;
  return false;
}

static void begin_wholes(columns *c)
{
  memset(c->whole, 0, sizeof c->whole);
}

static void column_whole(const columns *c, int64_t j, partial *p)
{
  p->seen = c->seen;
  p->whole = c->whole[j];
}

static void take_integer_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  const int64_t *x = run;
  for (int64_t i = 0; i < rows; i++, x += apart)
    for (int64_t j = 0; j < c->count; j++) c->whole[j] += (uint64_t)x[j];
}

static void take_truth_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  const uint8_t *x = run;
  uint8_t some[COLUMNS] = {0}; /* bytes hold a tile's */

  for (int64_t i = 0; i < rows; i++, x += apart)
    for (int64_t j = 0; j < c->count; j++) some[j] += x[j] != 0;
  for (int64_t j = 0; j < c->count; j++) c->whole[j] += some[j];
}

static bool all_found_true(const columns *c)
{
  for (int64_t j = 0; j < c->count; j++)
    if (c->whole[j] == 0) return false;
  return true;
}

static bool all_found_false(const columns *c)
{
  for (int64_t j = 0; j < c->count; j++)
    if (c->whole[j] == (uint64_t)c->seen) return false;
  return true;
}

static const column_way
    integer_columns = {begin_wholes, take_integer_columns, never_all, column_whole},
    any_columns = {begin_wholes, take_truth_columns, all_found_true, column_whole},
    all_columns = {begin_wholes, take_truth_columns, all_found_false, column_whole},
    truth_columns = {begin_wholes, take_truth_columns, never_all, column_whole};

static const way
    whole_sum = {LOCUS_i64, LOCUS_i64, begin_whole, take_integers, never, join_whole, answer_whole,
                 &integer_columns},
    any_true = {LOCUS_b8, LOCUS_b8, begin_whole, take_truths, found_true, join_whole, answer_any,
                &any_columns},
    all_true = {LOCUS_b8, LOCUS_b8, begin_whole, take_truths, found_false, join_whole, answer_all,
                &all_columns},
    truth_count = {LOCUS_b8, LOCUS_i64, begin_whole, take_truths, never, join_whole, answer_whole,
                   &truth_columns};

/* -- Floats ------------------------------------------------------------------------------------ */

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

/* One block of n reals from the first-th on: lane l adds up every LOCUS_SUM_LANES-th from the l-th
** on, then half of the lanes is added to the other half until `width` are left. Lanes past n hold
** nothing. */
static ALWAYS_INLINE void take_block(partial *p, const void *run, int64_t first, int64_t n,
                                     int width, bool single)
{
  double lane[LOCUS_SUM_LANES] = {0};
  int64_t i = 0;

  for (; i + LOCUS_SUM_LANES <= n; i += LOCUS_SUM_LANES)
    for (int l = 0; l < LOCUS_SUM_LANES; l++) lane[l] += real_at(run, first + i + l, single);
  for (int l = 0; i + l < n; l++) lane[l] += real_at(run, first + i + l, single);
  for (int half = LOCUS_SUM_LANES / 2; half >= width; half /= 2) {
    if (half >= n) continue;
    for (int l = 0; l < half; l++) lane[l] += lane[half + l];
  }
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
  int k = 0;

  for (int half = LOCUS_SUM_LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half && half + l < n; l++)
      for (int64_t j = 0; j < c->count; j++) c->lane[l][j] += c->lane[half + l][j];
  for (; before >> k & 1; k++)
    for (int64_t j = 0; j < c->count; j++) c->lane[0][j] = c->level[k][j] + c->lane[0][j];
  memcpy(c->level[k], c->lane[0], sizeof c->level[k]);
}

static ALWAYS_INLINE void take_block_columns(columns *c, const void *run, int64_t apart,
                                             int64_t rows, bool single)
{
  const int64_t before = c->seen % LOCUS_SUM_BLOCK, n = before + rows;

  for (int64_t i = before; i < n; i++) {
    double *restrict lane = c->lane[i % LOCUS_SUM_LANES];
    const int64_t row = (i - before) * apart;
    if (i < LOCUS_SUM_LANES)
      for (int64_t j = 0; j < c->count; j++) lane[j] = 0;
    for (int64_t j = 0; j < c->count; j++) lane[j] += real_at(run, row + j, single);
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

static void column_blocks(const columns *c, int64_t j, partial *p)
{
  p->blocks = c->blocks;
  for (uint64_t blocks = c->blocks; blocks; blocks &= blocks - 1) {
    const int k = __builtin_ctzll(blocks);
    p->level[k][0] = c->level[k][j];
    p->level[k][1] = 0;
  }
}

static const column_way
    real_columns = {begin_block_columns, take_real_columns, never_all, column_blocks},
    single_columns = {begin_block_columns, take_single_columns, never_all, column_blocks};

static const way
    real_sum = {LOCUS_f64, LOCUS_f64, begin_blocks, take_reals, never, join_blocks, answer_real,
                &real_columns},
    real_mean = {LOCUS_f64, LOCUS_f64, begin_blocks, take_reals, never,
                 join_blocks, answer_real_mean, &real_columns},
    single_sum = {LOCUS_f32, LOCUS_f64, begin_blocks, take_singles, never, join_blocks,
                  answer_real, &single_columns},
    single_mean = {LOCUS_f32, LOCUS_f64, begin_blocks, take_singles, never, join_blocks,
                   answer_real_mean, &single_columns},
    complex_sum = {LOCUS_c128, LOCUS_c128, begin_blocks, take_complexes, never,
                   join_blocks, answer_complex, NULL},
    complex_mean = {LOCUS_c128, LOCUS_c128, begin_blocks, take_complexes, never,
                    join_blocks, answer_complex_mean, NULL};

/* -- Extremes ---------------------------------------------------------------------------------- */

static void begin_extreme(partial *p)
{
  p->merit = 0;
  p->position = -1;
}

static void join_extreme(partial *p, const partial *next)
{
  if (next->position < 0 || (p->position >= 0 && next->merit <= p->merit)) return;
  p->merit = next->merit;
  p->position = p->seen + next->position;
  memcpy(p->element, next->element, sizeof p->element);
}

static void begin_extreme_columns(columns *c)
{
  for (int64_t j = 0; j < c->count; j++) c->position[j] = -1;
}

static void column_extreme(const columns *c, int64_t j, partial *p)
{
  p->position = c->position[j];
  memcpy(p->element, c->element[j], sizeof p->element);
}

#define TEMPLATE "cpu/run/reduce.inc"
#include "cpu/block/each_real.h"

/* -- The ops: way_of_<name>(dtype) for each row of core/reduce.def ----------------------------- */

#define BY_KIND(op, truth, whole, real, complex)                        \
  static const way *way_of_##op(locus_dtype dtype)                      \
  {                                                                     \
    static const way *const ways[] = {&truth, &whole, &real, &complex}; \
    return ways[locus_dtype_kind(dtype)];                               \
  }
BY_KIND(sum, whole_sum, whole_sum, real_sum, complex_sum)
BY_KIND(mean, real_mean, real_mean, real_mean, complex_mean)
BY_KIND(any, any_true, any_true, any_true, any_true)
BY_KIND(all, all_true, all_true, all_true, all_true)
BY_KIND(count_nonzero, truth_count, truth_count, truth_count, truth_count)

/* Complex numbers have no order. */
static const way *way_of_min(locus_dtype dtype)
{
  static const way *const least[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &least_##id,
#include "core/dtype.def"
  };
  return least[dtype];
}

static const way *way_of_max(locus_dtype dtype)
{
  static const way *const greatest[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &greatest_##id,
#include "core/dtype.def"
  };
  return greatest[dtype];
}

static const way *way_of(const locus_reduce_job *job)
{
  static const way *(*const ways[LOCUS_REDUCES])(locus_dtype dtype) = {
#define REDUCE(name, result) way_of_##name,
#include "core/reduce.def"
#undef REDUCE
  };
  const way *how = ways[job->op](job->in.dtype);
  if (job->in.dtype != LOCUS_f32) return how;
  return how == &real_sum ? &single_sum : how == &real_mean ? &single_mean : how;
}

/* -- The runner -------------------------------------------------------------------------------- */

/* Few long rows are shared one after the other, by segments; many rows are shared out whole. */
int ISA(reduce)(const locus_reduce_job *job, locus_context *cx)
{
  const int64_t rows = job->kept.numel, n = job->reduced.numel;

  if (worth_columns(job, way_of(job)))
    return locus_parallel(columns_part, job, rows, rows_worth(GRAIN, n) | (COLUMNS - 1), cx);
  if (rows == 1 || (rows < SEGMENTS && n > 16 * GRAIN)) return rows_part(job, 0, rows, cx);
  return locus_parallel(rows_part, job, rows, rows_worth(GRAIN, n), cx);
}
