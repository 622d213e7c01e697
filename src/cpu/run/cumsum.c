/* SPDX-License-Identifier: MIT */
/* Runner of cumsum: one walk over all rows, the running sum starting anew with each. */
#include "cpu/block/rows.h"

typedef struct running {
  uint64_t whole;
  double re, im;
} running;

typedef void sum_run(running *sum, void *out, const void *in, int64_t n);

static void sum_run_i64(running *sum, void *out, const void *in, int64_t n)
{
  const int64_t *x = in;
  int64_t *y = out;
  for (int64_t i = 0; i < n; i++) y[i] = (int64_t)(sum->whole += (uint64_t)x[i]);
}

static void sum_run_f64(running *sum, void *out, const void *in, int64_t n)
{
  const double *x = in;
  double *y = out;
  for (int64_t i = 0; i < n; i++) y[i] = sum->re += x[i];
}

static void sum_run_c128(running *sum, void *out, const void *in, int64_t n)
{
  const locus_complex128 *x = in;
  locus_complex128 *y = out;
  for (int64_t i = 0; i < n; i++) {
    y[i].re = sum->re += x[i].re;
    y[i].im = sum->im += x[i].im;
  }
}

/* Rows begin .. end - 1. */
static int cumsum_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_cumsum_job *job = given;
  static const struct {
    locus_dtype dtype;
    sum_run *run;
  } ways[] = {
      [LOCUS_BOOL] = {LOCUS_i64, sum_run_i64},
      [LOCUS_INTEGER] = {LOCUS_i64, sum_run_i64},
      [LOCUS_FLOAT] = {LOCUS_f64, sum_run_f64},
      [LOCUS_COMPLEX] = {LOCUS_c128, sum_run_c128},
  };
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

int ISA(cumsum)(const locus_cumsum_job *job, locus_context *cx)
{
  return locus_parallel(cumsum_part, job, job->rows.numel, rows_worth(SLOW_GRAIN / 2, job->n), cx);
}
