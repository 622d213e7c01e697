/* SPDX-License-Identifier: MIT */
/* Runner of cumsum: one walk over all rows, the running sum starting anew with each; or over many
** rows side by side. */
#include "cpu/block/rows.h"

typedef struct running {
  uint64_t whole;
  double re, im;
} running;

typedef void sum_run(running *sum, void *out, const void *in, int64_t n);

static void sum_run_i64(running *sum, void *out, const void *in, int64_t n)
{
  uint64_t whole = sum->whole;
  const int64_t *x = in;
  int64_t *y = out;
  for (int64_t i = 0; i < n; i++) y[i] = (int64_t)(whole += (uint64_t)x[i]);
  sum->whole = whole;
}

static void sum_run_f64(running *sum, void *out, const void *in, int64_t n)
{
  double re = sum->re;
  const double *x = in;
  double *y = out;
  for (int64_t i = 0; i < n; i++) y[i] = re += x[i];
  sum->re = re;
}

static void sum_run_c128(running *sum, void *out, const void *in, int64_t n)
{
  locus_complex128 whole = {sum->re, sum->im};
  const locus_complex128 *x = in;
  locus_complex128 *y = out;
  for (int64_t i = 0; i < n; i++) {
    y[i].re = whole.re += x[i].re;
    y[i].im = whole.im += x[i].im;
  }
  sum->re = whole.re;
  sum->im = whole.im;
}

/* One more element of each of n columns. */
typedef void add_run(void *sums, const void *in, int64_t n);

static void add_run_i64(void *sums, const void *in, int64_t n)
{
  const uint64_t *restrict x = in;
  uint64_t *restrict sum = sums;
  for (int64_t i = 0; i < n; i++) sum[i] += x[i];
}

static void add_run_f64(void *sums, const void *in, int64_t n)
{
  const double *restrict x = in;
  double *restrict sum = sums;
  for (int64_t i = 0; i < n; i++) sum[i] += x[i];
}

static void add_run_c128(void *sums, const void *in, int64_t n)
{
  add_run_f64(sums, in, 2 * n);
}

/* What sums are of each kind of dtype: its bytes are 0 where the sum is. */
static const struct {
  locus_dtype dtype;
  sum_run *run;
  add_run *add;
} ways[] = {
    [LOCUS_BOOL] = {LOCUS_i64, sum_run_i64, add_run_i64},
    [LOCUS_INTEGER] = {LOCUS_i64, sum_run_i64, add_run_i64},
    [LOCUS_FLOAT] = {LOCUS_f64, sum_run_f64, add_run_f64},
    [LOCUS_COMPLEX] = {LOCUS_c128, sum_run_c128, add_run_c128},
};

/* Rows begin .. end - 1. */
static int cumsum_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_cumsum_job *job = given;
  const locus_kind kind = locus_dtype_kind(job->out.dtype);
  const locus_dtype dtype = ways[kind].dtype;
  const int64_t item = locus_dtype_size(dtype);
  locus_grid grid = job->rows;
  locus_operand from = job->in, to = job->out;
  running sum = {0, 0, 0};
  cursor in, out;
  walk w;

  grid_extend(&grid, job->n, (locus_operand *[]){&from, &to},
              (int64_t[]){job->in_step, job->out_step}, 2);
  cursor_open(&in, &grid, &from, dtype);
  cursor_open(&out, &grid, &to, dtype);
  walk_begin(&w, &grid, (const cursor *[]){&in, &out}, 2);
  walk_within(&w, begin * job->n, end * job->n);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *x = cursor_read(&in, &w);
    char *y = cursor_target(&out, &w);
    for (int64_t i = 0, count; i < w.count; i += count) {
      int64_t done = (w.at + i) % job->n;
      if (done == 0) sum = (running){0, 0, 0};
      count = least(w.count - i, job->n - done);
      ways[kind].run(&sum, y + i * item, x + i * item, count);
    }
    cursor_write(&out, &w);
  }
  return 0;
}

/* -- Columns ----------------------------------------------------------------------------------- */

enum { FEWEST_COLUMNS = 8 };

/* Whether rows lie side by side and their elements farther apart: then one element of many rows
** after the other is read and written as it lies. */
static bool worth_columns(const locus_cumsum_job *job)
{
  const int last = job->rows.ndim - 1;

  return job->rows.size[last] >= FEWEST_COLUMNS && job->in.stride[last] == 1 &&
         job->out.stride[last] == 1 && job->in.data;
}

/* A run of `count` rows, which begin at these places. */
static int cumsum_columns(const locus_cumsum_job *job, const char *in, char *out, int64_t count,
                          locus_context *cx)
{
  const locus_kind kind = locus_dtype_kind(job->out.dtype);
  const locus_dtype dtype = ways[kind].dtype, from = job->in.dtype, to = job->out.dtype;
  const int64_t item = locus_dtype_size(dtype);
  _Alignas(64) char sums[BLOCK * 16], cast[BLOCK * 16];

  memset(sums, 0, (size_t)(count * item));
  for (int64_t i = 0; i < job->n; i++) {
    const void *x = in + i * job->in_step * locus_dtype_size(from);
    char *y = out + i * job->out_step * locus_dtype_size(to);
    LOCUS_TRY(locus_poll(cx));
    if (from != dtype) {
      ISA(cast_of)(from, dtype)(cast, x, count);
      x = cast;
    }
    ways[kind].add(sums, x, count);
    if (to != dtype) ISA(cast_of)(dtype, to)(y, sums, count);
    else memcpy(y, sums, (size_t)(count * item));
  }
  return 0;
}

/* Rows begin .. end - 1, many side by side. */
static int columns_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_cumsum_job *job = given;
  const int last = job->rows.ndim - 1;
  const int64_t from = locus_dtype_size(job->in.dtype), to = locus_dtype_size(job->out.dtype);
  walk w;

  walk_start(&w, &job->rows, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    w.count = least(w.count, job->rows.size[last] - w.index[last]);
    const char *in = job->in.data + walk_offset(&w, job->in.stride) * from;
    char *out = job->out.data + walk_offset(&w, job->out.stride) * to;
    LOCUS_TRY(cumsum_columns(job, in, out, w.count, cx));
  }
  return 0;
}

int ISA(cumsum)(const locus_cumsum_job *job, locus_context *cx)
{
  if (worth_columns(job)) {
    const int64_t grain = rows_worth(GRAIN, job->n) | (4 * FEWEST_COLUMNS - 1);
    return locus_parallel(columns_part, job, job->rows.numel, grain, cx);
  }
  return locus_parallel(cumsum_part, job, job->rows.numel, rows_worth(SLOW_GRAIN / 2, job->n), cx);
}
