/* SPDX-License-Identifier: MIT */
/* Runner of the unary family. */
#include "cpu/arithmetic.h"
#include "cpu/block.h"

typedef void unary_run(void *out, const void *in, int64_t n);

#define TEMPLATE "cpu/unary.inc"
#include "cpu/each_dtype.h"

static unary_run *const *const unary_tables[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) unary_runs_##id,
#include "core/dtype.def"
#undef DTYPE
};

static int unary(const locus_unary_job *job, locus_context *cx)
{
  unary_run *const run = unary_tables[job->dtype][job->op];
  stream out, in;
  walk w;

  stream_open(&out, &job->grid, &job->out, job->dtype);
  stream_open(&in, &job->grid, &job->in, job->dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&out, &in}, 2);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(stream_target(&out, &w), stream_read(&in, &w), w.count);
    stream_write(&out, &w);
  }
  return 0;
}
