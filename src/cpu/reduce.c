/* SPDX-License-Identifier: MIT */
/* Runner of reduce: each row of elements is taken run by run into a partial answer. */
#include "cpu/rank.h"
#include "cpu/rows.h"

enum { LANES = 32, LEVELS = 54 };

/* What is known of one answer. */
typedef struct partial {
  int64_t seen;   /* elements taken */
  uint64_t whole; /* SUM: of integers, modulo 2^64; TRUTH, COUNT: how many are nonzero */
  uint64_t merit; /* ELEMENT: the winner's, */
  int64_t position; /* where it is, -1: none yet, */
  unsigned char element[8]; /* and its bytes */
  uint64_t blocks;          /* float sums: how many blocks; */
  double level[LEVELS][2];  /* where bit k is set, the sum of 2^k of them (re, im) */
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

/* A binary counter of block sums: equal numbers of blocks are added to each other, the earlier
** ones on the left. */
static void count_block(partial *p, double re, double im)
{
  int k = 0;
  for (uint64_t blocks = p->blocks++; blocks & 1; blocks >>= 1, k++) {
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
  count_block(p, lane[0], width == 2 ? lane[1] : 0);
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
  static take_run *const take_min[LOCUS_DTYPES] = BY_REAL(take_min);
  static take_run *const take_max[LOCUS_DTYPES] = BY_REAL(take_max);
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

/* Whether no further element can change the answer. */
static bool settled(locus_reduce op, const partial *p)
{
  if (op == LOCUS_REDUCE_any) return p->whole > 0;
  return op == LOCUS_REDUCE_all && p->whole < (uint64_t)p->seen;
}

static int reduce_row(partial *p, locus_reduce op, take_run *take, row_reader *rows, int64_t n,
                      locus_context *cx)
{
  int64_t count;

  p->seen = 0;
  p->whole = p->merit = p->blocks = 0;
  p->position = -1;
  for (; p->seen < n && !settled(op, p); p->seen += count) {
    if (rows->ready == 0) LOCUS_TRY(locus_poll(cx));
    const void *run = rows_next(rows, p->seen, &count);
    take(p, run, count);
  }
  if (p->seen < n) rows_skip(rows, p->seen);
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

static int reduce(const locus_reduce_job *job, locus_context *cx)
{
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
  walk_begin(&w, &job->kept, targets, count);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    char *answers = job->has_out ? stream_target(&out, &w) : NULL;
    int64_t *positions = job->has_index ? stream_target(&index, &w) : NULL;
    for (int64_t i = 0; i < w.count; i++) {
      LOCUS_TRY(reduce_row(&p, job->op, how.take, &rows, n, cx));
      if (answers) write_answer(job->op, &how, &p, n, answers + i * item);
      if (positions) positions[i] = p.position + job->base;
    }
    if (job->has_out) stream_write(&out, &w);
    if (job->has_index) stream_write(&index, &w);
  }
  return 0;
}
