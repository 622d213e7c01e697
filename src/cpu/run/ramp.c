/* SPDX-License-Identifier: MIT */
/* Runner of ramp. */
#include "cpu/block/block.h"

/* Sums are taken in place of products, and positions within a block as int: vectors have both. */
static void ramp_integers(const locus_ramp_job *job, int64_t *restrict to, int64_t at, int64_t n)
{
  uint64_t value = (uint64_t)job->i_start + (uint64_t)at * (uint64_t)job->i_step;

  for (int64_t i = 0; i < n; i++, value += (uint64_t)job->i_step) to[i] = (int64_t)value;
}

static void ramp_reals(const locus_ramp_job *job, double *restrict to, int64_t at, int64_t n)
{
  const int64_t half = job->has_end ? job->n / 2 : INT64_MAX;
  const int front = (int)least(n, half > at ? half - at : 0);
  const double before = (double)at, behind = (double)(job->n - 1 - at);

  for (int i = 0; i < front; i++) to[i] = job->start + (before + i) * job->step;
  for (int i = front; i < (int)n; i++) to[i] = job->end - (behind - i) * job->step;
}

static int ramp_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_ramp_job *job = given;
  const locus_grid grid = {.numel = job->n, .ndim = 1, .size = {job->n}};
  cursor out;
  walk w;

  cursor_open(&out, &grid, &job->out, job->exact ? LOCUS_i64 : LOCUS_f64);
  walk_begin(&w, &grid, (const cursor *[]){&out}, 1);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    void *block = cursor_target(&out, &w);
    if (job->exact) ramp_integers(job, block, w.at, w.count);
    else ramp_reals(job, block, w.at, w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(ramp)(const locus_ramp_job *job, locus_context *cx)
{
  return locus_parallel(ramp_part, job, job->n, GRAIN, cx);
}
