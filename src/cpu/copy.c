/* SPDX-License-Identifier: MIT */
/* Runners of copy, find and ramp. */
#include "cpu/block.h"

static int copy(const locus_copy_job *job, locus_context *cx)
{
  stream out, in;
  walk w;

  stream_open(&out, &job->grid, &job->out, job->out.dtype);
  stream_open(&in, &job->grid, &job->in, job->out.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&out, &in}, 2);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    memcpy(stream_target(&out, &w), stream_read(&in, &w), (size_t)(w.count * out.item));
    stream_write(&out, &w);
  }
  return 0;
}

#define TEMPLATE "cpu/find.inc"
#include "cpu/each_dtype.h"

typedef int64_t find_run(const locus_find_job *job, const void *in, int64_t n);

static find_run *const find_runs[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) find_##id,
#include "core/dtype.def"
#undef DTYPE
};

static int find(const locus_find_job *job, locus_context *cx)
{
  stream in;
  walk w;

  *job->position = -1;
  stream_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&in}, 1);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    int64_t found = find_runs[job->in.dtype](job, stream_read(&in, &w), w.count);
    if (found < w.count) {
      *job->position = w.at + found;
      return 0;
    }
  }
  return 0;
}

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

static int ramp(const locus_ramp_job *job, locus_context *cx)
{
  const locus_grid grid = {.numel = job->n, .ndim = 1, .size = {job->n}};
  stream out;
  walk w;

  stream_open(&out, &grid, &job->out, job->exact ? LOCUS_i64 : LOCUS_f64);
  walk_begin(&w, &grid, (const stream *[]){&out}, 1);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    ramp_block(job, stream_target(&out, &w), w.at, w.count);
    stream_write(&out, &w);
  }
  return 0;
}
