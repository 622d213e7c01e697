/* SPDX-License-Identifier: MIT */
/* Runner of copy. */
#include "cpu/block/block.h"

static int copy_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_copy_job *job = given;
  cursor out, in;
  walk w;

  cursor_open(&out, &job->grid, &job->out, job->in.dtype);
  cursor_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &in}, 2);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    cursor_put(&out, &w, cursor_read(&in, &w));
  }
  return 0;
}

int ISA(copy)(const locus_copy_job *job, locus_context *cx)
{
  const int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->out, &job->in}, 2);
  return locus_parallel(copy_part, job, job->grid.numel, grain, cx);
}
