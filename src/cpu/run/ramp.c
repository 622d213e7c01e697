/* SPDX-License-Identifier: MIT */
/* Runner of ramp. */
#include "cpu/block/block.h"

static void ramp_block(const locus_ramp_job *job, void *block, int64_t at, int64_t n)
{
  int64_t *whole = block;
  double *real = block;

  for (int64_t i = 0, k = at; i < n; i++, k++) {
    if (job->exact)
      whole[i] = (int64_t)((uint64_t)job->i_start + (uint64_t)k * (uint64_t)job->i_step);
    else if (job->has_end && k >= job->n / 2)
      real[i] = job->end - (double)(job->n - 1 - k) * job->step;
    else real[i] = job->start + (double)k * job->step;
  }
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
    ramp_block(job, cursor_target(&out, &w), w.at, w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(ramp)(const locus_ramp_job *job, locus_context *cx)
{
  return locus_parallel(ramp_part, job, job->n, GRAIN, cx);
}
