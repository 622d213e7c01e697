/* SPDX-License-Identifier: MIT */
/* Runner of reduce: each row of elements is taken run by run into a partial answer. */
#include <stdatomic.h>

#include "cpu/order/rank.h"
#include "cpu/block/rows.h"

enum { LEVELS = 54 };
enum { LONG_ROW = 16 * LOCUS_SUM_BLOCK, SEGMENT = 8 * LOCUS_SUM_BLOCK, SEGMENTS = 64 };

/* What is known of some elements of a row. */
typedef struct partial {
  int64_t seen;   /* how many */
  uint64_t whole; /* the sum of integers, modulo 2^64; how many elements are nonzero */
  uint64_t merit; /* an extreme's, */
  int64_t position; /* where it is, -1: none yet, */
  unsigned char element[8]; /* and its bytes */
  uint64_t blocks;          /* float sums: how many blocks; */
  double level[LEVELS][2];  /* where bit k is set, the sum of 2^k of them (re, im) */
} partial;

typedef void take_run(partial *p, const void *run, int64_t n);

/* How an op goes about it, on elements of some dtype. */
typedef struct way {
  locus_dtype in, out;                            /* what runs and the answer are */
  void (*begin)(partial *p);                      /* of no elements */
  take_run *take;                                 /* n more, p->seen still being those before */
  bool (*settled)(const partial *p);              /* no further element can change the answer */
  void (*join)(partial *p, const partial *next);  /* what is known of those after p's */
  void (*answer)(const partial *p, int64_t n, void *out); /* over a row of n */
} way;

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
  const uint8_t *x = run;
  uint64_t count = 0;
  for (int64_t i = 0; i < n; i++) count += x[i] != 0;
  p->whole += count;
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

static const way
    whole_sum = {LOCUS_i64, LOCUS_i64, begin_whole, take_integers, never, join_whole, answer_whole},
    any_true = {LOCUS_b8, LOCUS_b8, begin_whole, take_truths, found_true, join_whole, answer_any},
    all_true = {LOCUS_b8, LOCUS_b8, begin_whole, take_truths, found_false, join_whole, answer_all},
    truth_count = {LOCUS_b8, LOCUS_i64, begin_whole, take_truths, never, join_whole, answer_whole};

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

/* One block of n doubles: lane l adds up every LOCUS_SUM_LANES-th from the l-th on, then half of
** the lanes is added to the other half until `width` are left. Lanes past n hold nothing. */
static void take_block(partial *p, const double *restrict x, int64_t n, int width)
{
  double lane[LOCUS_SUM_LANES] = {0};
  int64_t i = 0;

  for (; i + LOCUS_SUM_LANES <= n; i += LOCUS_SUM_LANES)
    for (int l = 0; l < LOCUS_SUM_LANES; l++) lane[l] += x[i + l];
  for (int l = 0; i + l < n; l++) lane[l] += x[i + l];
  for (int half = LOCUS_SUM_LANES / 2; half >= width; half /= 2) {
    if (half >= n) continue;
    for (int l = 0; l < half; l++) lane[l] += lane[half + l];
  }
  count_blocks(p, 0, lane[0], width == 2 ? lane[1] : 0);
}

static void take_reals(partial *p, const void *run, int64_t n)
{
  take_block(p, run, n, 1);
}

static void take_complexes(partial *p, const void *run, int64_t n)
{
  take_block(p, run, 2 * n, 2);
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

static const way
    real_sum = {LOCUS_f64, LOCUS_f64, begin_blocks, take_reals, never, join_blocks, answer_real},
    real_mean = {LOCUS_f64, LOCUS_f64, begin_blocks, take_reals, never,
                 join_blocks, answer_real_mean},
    complex_sum = {LOCUS_c128, LOCUS_c128, begin_blocks, take_complexes, never,
                   join_blocks, answer_complex},
    complex_mean = {LOCUS_c128, LOCUS_c128, begin_blocks, take_complexes, never,
                    join_blocks, answer_complex_mean};

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
  return ways[job->op](job->in.dtype);
}

/* -- Rows -------------------------------------------------------------------------------------- */

/* Takes a row of n elements, or as many as settle the answer. `elsewhere`, unless NULL, says
** whether others have settled it. */
static int reduce_row(partial *p, const way *how, row_reader *rows, int64_t n,
                      const atomic_bool *elsewhere, locus_context *cx)
{
  int64_t count;

  how->begin(p);
  for (p->seen = 0; p->seen < n;) {
    if (rows->ready == 0) LOCUS_TRY(locus_poll(cx));
    const void *run = rows_next(rows, p->seen, &count);
    how->take(p, run, count);
    p->seen += count;
    if (p->seen == n) return 0;
    if (how->settled(p)) break;
    if (elsewhere && atomic_load_explicit(elsewhere, memory_order_relaxed)) break;
  }
  rows_skip(rows, p->seen);
  return 0;
}

/* A long row is cut into segments of 2^k blocks, so that the float sum of a segment is one level of
** the row's counter: sums do not depend on who adds them. */
typedef struct segmented_row {
  const locus_reduce_job *job;
  int64_t row, length; /* elements of a segment */
  partial *partials;   /* of the segments */
  atomic_bool *settled;
} segmented_row;

static int segments_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const segmented_row *s = given;
  const locus_reduce_job *job = s->job;
  const way *how = way_of(job);
  const int64_t n = job->reduced.numel, start = s->row * n;
  row_reader rows;

  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, how->in);
  walk_within(&rows.w, start + begin * s->length, start + least(n, end * s->length));
  for (int64_t k = begin; k < end; k++) {
    partial *p = &s->partials[k];
    rows.n = least(s->length, n - k * s->length);
    LOCUS_TRY(reduce_row(p, how, &rows, rows.n, s->settled, cx));
    if (how->settled(p)) atomic_store(s->settled, true);
  }
  return 0;
}

static int reduce_long_row(partial *p, const way *how, const locus_reduce_job *job, int64_t row,
                           locus_context *cx)
{
  const int64_t n = job->reduced.numel;
  partial partials[SEGMENTS];
  atomic_bool settled = false;
  segmented_row s = {job, row, SEGMENT, partials, &settled};

  while (n > SEGMENTS * s.length) s.length *= 2;
  const int64_t segments = (n - 1) / s.length + 1;
  LOCUS_TRY(locus_parallel(segments_part, &s, segments, rows_worth(GRAIN, s.length), cx));
  how->begin(p);
  p->seen = 0;
  for (int64_t k = 0; k < segments; p->seen += partials[k++].seen) how->join(p, &partials[k]);
  return 0;
}

/* The answers at points begin .. end - 1 of `kept`. */
static int reduce_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_reduce_job *job = given;
  const way *how = way_of(job);
  const int64_t n = job->reduced.numel, item = locus_dtype_size(how->out);
  const cursor *targets[2];
  cursor out, index;
  row_reader rows;
  partial p;
  walk w;
  int count = 0;

  if (job->has_out) {
    cursor_open(&out, &job->kept, &job->out, how->out);
    targets[count++] = &out;
  }
  if (job->has_index) {
    cursor_open(&index, &job->kept, &job->index, LOCUS_i64);
    targets[count++] = &index;
  }
  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, how->in);
  walk_within(&rows.w, begin * n, end * n);
  walk_begin(&w, &job->kept, targets, count);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    char *answers = job->has_out ? cursor_target(&out, &w) : NULL;
    int64_t *positions = job->has_index ? cursor_target(&index, &w) : NULL;
    for (int64_t i = 0; i < w.count; i++) {
      if (n > LONG_ROW) LOCUS_TRY(reduce_long_row(&p, how, job, w.at + i, cx));
      else LOCUS_TRY(reduce_row(&p, how, &rows, n, NULL, cx));
      if (answers) how->answer(&p, n, answers + i * item);
      if (positions) positions[i] = p.position + job->base;
    }
    if (job->has_out) cursor_write(&out, &w);
    if (job->has_index) cursor_write(&index, &w);
  }
  return 0;
}

/* Few long rows are shared one after the other, by segments; many rows are shared out whole. */
int ISA(reduce)(const locus_reduce_job *job, locus_context *cx)
{
  const int64_t rows = job->kept.numel, n = job->reduced.numel;

  if (rows == 1 || (rows < SEGMENTS && n > 16 * GRAIN)) return reduce_part(job, 0, rows, cx);
  return locus_parallel(reduce_part, job, rows, rows_worth(GRAIN, n), cx);
}
