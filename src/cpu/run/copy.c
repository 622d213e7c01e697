/* SPDX-License-Identifier: MIT */
/* Runners of copy, find and ramp. */
#include <stdatomic.h>

#include "cpu/block/block.h"

static int copy_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_copy_job *job = given;
  stream out, in;
  walk w;

  stream_open(&out, &job->grid, &job->out, job->in.dtype);
  stream_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin_freely(&w, &job->grid, (stream *[]){&out, &in}, 2);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    stream_put(&out, &w, stream_read(&in, &w));
  }
  return 0;
}

static int copy(const locus_copy_job *job, locus_context *cx)
{
  const int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->out, &job->in}, 2);
  return locus_parallel(copy_part, job, job->grid.numel, grain, cx);
}

#define TEMPLATE "cpu/run/find.inc"
#include "cpu/block/each_dtype.h"

typedef int64_t find_run(const locus_find_job *job, const void *in, int64_t n);

static find_run *const find_runs[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) find_##id,
#include "core/dtype.def"
};

/* A search in several parts at once. */
typedef struct find_search {
  const locus_find_job *job;
  atomic_int_fast64_t *first; /* of the elements found so far; numel without any */
} find_search;

static int find_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const find_search *search = given;
  const locus_find_job *job = search->job;
  stream in;
  walk w;

  stream_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&in}, 1);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    int_fast64_t first = atomic_load(search->first);
    const int64_t found = find_runs[job->in.dtype](job, stream_read(&in, &w), w.count);
    if (found == w.count && first > w.at) continue;
    while (w.at + found < first &&
           !atomic_compare_exchange_weak(search->first, &first, w.at + found)) continue;
    return 0;
  }
  return 0;
}

static int find(const locus_find_job *job, locus_context *cx)
{
  atomic_int_fast64_t first = job->grid.numel;
  const find_search search = {job, &first};
  const int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->in}, 1);

  LOCUS_TRY(locus_parallel(find_part, &search, job->grid.numel, grain, cx));
  *job->position = first < job->grid.numel ? first : -1;
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

static int ramp_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_ramp_job *job = given;
  const locus_grid grid = {.numel = job->n, .ndim = 1, .size = {job->n}};
  stream out;
  walk w;

  stream_open(&out, &grid, &job->out, job->exact ? LOCUS_i64 : LOCUS_f64);
  walk_begin(&w, &grid, (const stream *[]){&out}, 1);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    ramp_block(job, stream_target(&out, &w), w.at, w.count);
    stream_write(&out, &w);
  }
  return 0;
}

static int ramp(const locus_ramp_job *job, locus_context *cx)
{
  return locus_parallel(ramp_part, job, job->n, GRAIN, cx);
}
