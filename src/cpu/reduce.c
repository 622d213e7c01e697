/* SPDX-License-Identifier: MIT */
/* Runner of reduce: each row of elements is taken run by run into a partial answer. */
#include <stdatomic.h>

#include "cpu/rank.h"
#include "cpu/rows.h"

enum { LANES = 32, LEVELS = 54 };
enum { LONG_ROW = 16 * BLOCK, SEGMENT = 8 * BLOCK, SEGMENTS = 64 };

/* What is known of one answer. */
typedef struct partial {
  int64_t seen;   /* elements taken */
  uint64_t whole; /* SUM: of integers, modulo 2^64; TRUTH, COUNT: how many are nonzero */
  uint64_t merit; /* ELEMENT: the winner's, */
  int64_t position; /* where it is, -1: none yet, */
  unsigned char element[8]; /* and its bytes */
  uint64_t blocks;          /* float sums: how many blocks; */
  double level[LEVELS][2];  /* where bit k is set, the sum of 2^k of them (re, im) */
  atomic_bool *elsewhere;   /* NULL, or whether other elements have settled the answer */
} partial;

typedef void take_run(partial *p, const void *run, int64_t n);

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

/* One block of n doubles: lane l adds up every LANES-th from the l-th on, then half of the lanes
** is added to the other half until `width` of them are left. Lanes past n hold nothing. */
static void take_block(partial *p, const double *restrict x, int64_t n, int width)
{
  double lane[LANES] = {0};
  int64_t i = 0;

  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++) lane[l] += x[i + l];
  for (int l = 0; i + l < n; l++) lane[l] += x[i + l];
  for (int half = LANES / 2; half >= width; half /= 2) {
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

/* The counter's levels, the latest blocks first: the smallest sums are added first. */
static void float_sum(const partial *p, double sum[2])
{
  sum[0] = sum[1] = 0;
  for (uint64_t blocks = p->blocks; blocks; blocks &= blocks - 1) {
    int k = __builtin_ctzll(blocks);
    sum[0] = p->level[k][0] + sum[0];
    sum[1] = p->level[k][1] + sum[1];
  }
}

#define TEMPLATE "cpu/reduce.inc"
#include "cpu/each_real.h"

/* How an op goes about it: the dtype it reads, the one it answers in, and what takes a run. */
typedef struct approach {
  locus_dtype in, out;
  take_run *take;
} approach;

static approach approach_of(locus_reduce op, locus_dtype dtype)
{
  static take_run *const take_min[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = take_min_##id,
#include "core/dtype.def"
  };
  static take_run *const take_max[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = take_max_##id,
#include "core/dtype.def"
  };
  locus_kind kind = locus_dtype_kind(dtype);

  switch (op) {
  case LOCUS_REDUCE_min: return (approach){dtype, dtype, take_min[dtype]};
  case LOCUS_REDUCE_max: return (approach){dtype, dtype, take_max[dtype]};
  case LOCUS_REDUCE_any:
  case LOCUS_REDUCE_all: return (approach){LOCUS_b8, LOCUS_b8, take_truths};
  case LOCUS_REDUCE_count_nonzero: return (approach){LOCUS_b8, LOCUS_i64, take_truths};
  case LOCUS_REDUCE_sum:
    if (kind <= LOCUS_INTEGER) return (approach){LOCUS_i64, LOCUS_i64, take_integers};
    break;
  default: break;
  }
  if (kind == LOCUS_COMPLEX) return (approach){LOCUS_c128, LOCUS_c128, take_complexes};
  return (approach){LOCUS_f64, LOCUS_f64, take_reals};
}

/* Whether no further element of the row can change the answer. */
static bool settled(locus_reduce op, const partial *p)
{
  if (p->elsewhere && atomic_load_explicit(p->elsewhere, memory_order_relaxed)) return true;
  if (op == LOCUS_REDUCE_any) return p->whole > 0;
  return op == LOCUS_REDUCE_all && p->whole < (uint64_t)p->seen;
}

static void partial_begin(partial *p, atomic_bool *elsewhere)
{
  p->elsewhere = elsewhere;
  p->seen = 0;
  p->whole = p->merit = p->blocks = 0;
  p->position = -1;
}

/* Takes n elements, or as many as settle the answer. */
static int reduce_row(partial *p, locus_reduce op, take_run *take, row_reader *rows, int64_t n,
                      locus_context *cx)
{
  int64_t count;

  for (; p->seen < n && !settled(op, p); p->seen += count) {
    if (rows->ready == 0) LOCUS_TRY(locus_poll(cx));
    const void *run = rows_next(rows, p->seen, &count);
    take(p, run, count);
  }
  if (p->seen < n) rows_skip(rows, p->seen);
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
  const approach how = approach_of(job->op, job->in.dtype);
  const int64_t n = job->reduced.numel, start = s->row * n;
  row_reader rows;

  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, how.in);
  walk_within(&rows.w, start + begin * s->length, start + least(n, end * s->length));
  for (int64_t k = begin; k < end; k++) {
    partial *p = &s->partials[k];
    partial_begin(p, s->settled);
    rows.n = least(s->length, n - k * s->length);
    LOCUS_TRY(reduce_row(p, job->op, how.take, &rows, rows.n, cx));
    if (settled(job->op, p)) atomic_store(s->settled, true);
  }
  return 0;
}

/* Takes what is known of the elements after those of p. */
static void join(partial *p, const partial *next)
{
  if (next->position >= 0 && (p->position < 0 || next->merit > p->merit)) {
    p->merit = next->merit;
    p->position = p->seen + next->position;
    memcpy(p->element, next->element, sizeof p->element);
  }
  for (int k = LEVELS - 1; k >= 0; k--)
    if (next->blocks >> k & 1) count_blocks(p, k, next->level[k][0], next->level[k][1]);
  p->whole += next->whole;
  p->seen += next->seen;
}

static int reduce_long_row(partial *p, const locus_reduce_job *job, int64_t row, locus_context *cx)
{
  const int64_t n = job->reduced.numel;
  partial partials[SEGMENTS];
  atomic_bool settled = false;
  segmented_row s = {job, row, SEGMENT, partials, &settled};

  while (n > SEGMENTS * s.length) s.length *= 2;
  const int64_t segments = (n - 1) / s.length + 1;
  LOCUS_TRY(locus_parallel(segments_part, &s, segments, rows_worth(GRAIN, s.length), cx));
  for (int64_t k = 0; k < segments; k++) join(p, &partials[k]);
  return 0;
}

/* Writes the answer over n elements as an element of the approach's dtype. */
static void write_answer(locus_reduce op, const approach *how, const partial *p, int64_t n,
                         void *out)
{
  double sum[2];

  switch (op) {
  case LOCUS_REDUCE_min:
  case LOCUS_REDUCE_max: memcpy(out, p->element, (size_t)locus_dtype_size(how->out)); return;
  case LOCUS_REDUCE_any: *(uint8_t *)out = p->whole > 0; return;
  case LOCUS_REDUCE_all: *(uint8_t *)out = p->seen == n && p->whole == (uint64_t)n; return;
  default: break;
  }
  if (how->out == LOCUS_i64) {
    *(int64_t *)out = (int64_t)p->whole;
    return;
  }
  float_sum(p, sum);
  for (int i = 0; op == LOCUS_REDUCE_mean && i < 2; i++) sum[i] /= (double)n;
  memcpy(out, sum, (size_t)locus_dtype_size(how->out));
}

/* The answers at points begin .. end - 1 of `kept`. */
static int reduce_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_reduce_job *job = given;
  const approach how = approach_of(job->op, job->in.dtype);
  const int64_t n = job->reduced.numel, item = locus_dtype_size(how.out);
  const stream *targets[2];
  stream out, index;
  row_reader rows;
  partial p;
  walk w;
  int count = 0;

  if (job->has_out) {
    stream_open(&out, &job->kept, &job->out, how.out);
    targets[count++] = &out;
  }
  if (job->has_index) {
    stream_open(&index, &job->kept, &job->index, LOCUS_i64);
    targets[count++] = &index;
  }
  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, how.in);
  walk_within(&rows.w, begin * n, end * n);
  walk_begin(&w, &job->kept, targets, count);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    char *answers = job->has_out ? stream_target(&out, &w) : NULL;
    int64_t *positions = job->has_index ? stream_target(&index, &w) : NULL;
    for (int64_t i = 0; i < w.count; i++) {
      partial_begin(&p, NULL);
      if (n > LONG_ROW) LOCUS_TRY(reduce_long_row(&p, job, w.at + i, cx));
      else LOCUS_TRY(reduce_row(&p, job->op, how.take, &rows, n, cx));
      if (answers) write_answer(job->op, &how, &p, n, answers + i * item);
      if (positions) positions[i] = p.position + job->base;
    }
    if (job->has_out) stream_write(&out, &w);
    if (job->has_index) stream_write(&index, &w);
  }
  return 0;
}

/* Few long rows are shared one after the other, segment by segment, many row by row. */
static int reduce(const locus_reduce_job *job, locus_context *cx)
{
  const int64_t rows = job->kept.numel, n = job->reduced.numel;

  if (rows == 1 || (rows < SEGMENTS && n > 16 * GRAIN)) return reduce_part(job, 0, rows, cx);
  return locus_parallel(reduce_part, job, rows, rows_worth(GRAIN, n), cx);
}
