/* SPDX-License-Identifier: MIT */
/* Runner of where: selection knows widths, not dtypes. */
#include "cpu/block.h"

#define TEMPLATE "cpu/where.inc"
#include "cpu/each_width.h"

typedef void where_run(void *out, const uint8_t *condition, const void *x, const void *y,
                       int64_t n);

static where_run *where_of_width(int64_t width)
{
  switch (width) {
  case 1: return where_1;
  case 2: return where_2;
  case 4: return where_4;
  case 8: return where_8;
  default: return where_16;
  }
}

static int where(const locus_where_job *job, locus_context *cx)
{
  where_run *const run = where_of_width(locus_dtype_size(job->out.dtype));
  stream out, condition, x, y;
  walk w;

  stream_open(&out, &job->grid, &job->out, job->out.dtype);
  stream_open(&condition, &job->grid, &job->condition, LOCUS_b8);
  stream_open(&x, &job->grid, &job->x, job->out.dtype);
  stream_open(&y, &job->grid, &job->y, job->out.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&out, &condition, &x, &y}, 4);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(stream_target(&out, &w), stream_read(&condition, &w), stream_read(&x, &w),
        stream_read(&y, &w), w.count);
    stream_write(&out, &w);
  }
  return 0;
}
