/* SPDX-License-Identifier: MIT */
/* Runners of gather and scatter: each block first works out where in the array its elements are,
** then moves them by width. */
#include "core/arithmetic.h"
#include "cpu/block/block.h"

#define TEMPLATE "cpu/run/index.inc"
#include "cpu/block/each_width.h"
#define TEMPLATE "cpu/run/index_add.inc"
#include "cpu/block/each_dtype.h"

/* The distances that the array's own strides make over a block. */
static void add_strides(const walk *w, const locus_operand *array, int64_t *offset)
{
  const int inner = w->grid->ndim - 1;
  const int64_t step = array->stride[inner];
  walk at = *w;

  for (int64_t left = w->count; left > 0; left -= at.count) {
    int64_t first = 0;
    for (int d = 0; d <= inner; d++) first += at.index[d] * array->stride[d];
    at.count = least(left, w->grid->size[inner] - at.index[inner]);
    for (int64_t i = 0; i < at.count; i++) *offset++ = first + i * step;
    walk_advance(&at);
  }
}

/* Adds what one index tensor says over a block. */
static void add_index(const walk *w, const locus_index *index, int64_t base, stream *positions,
                      int64_t *offset)
{
  const int64_t size = index->size, step = index->step;

  stream_open(positions, w->grid, &index->at, LOCUS_i64);
  const int64_t *at = stream_read(positions, w);
  for (int64_t i = 0; i < w->count; i++)
    offset[i] += (at[i] < 0 ? at[i] + size : at[i] - base) * step;
}

static void gather_block(void *out, const void *array, const int64_t *offset, int64_t n,
                         int64_t item)
{
  switch (item) {
  case 1: gather_at_1(out, array, offset, n); break;
  case 2: gather_at_2(out, array, offset, n); break;
  case 4: gather_at_4(out, array, offset, n); break;
  case 8: gather_at_8(out, array, offset, n); break;
  default: gather_at_16(out, array, offset, n); break;
  }
}

static void scatter_block(void *array, const int64_t *offset, const void *in, int64_t n,
                          int64_t item)
{
  switch (item) {
  case 1: scatter_at_1(array, offset, in, n); break;
  case 2: scatter_at_2(array, offset, in, n); break;
  case 4: scatter_at_4(array, offset, in, n); break;
  case 8: scatter_at_8(array, offset, in, n); break;
  default: scatter_at_16(array, offset, in, n); break;
  }
}

static void add_block(void *array, const int64_t *offset, const void *in, int64_t n,
                      locus_dtype dtype)
{
  static void (*const add_at[LOCUS_DTYPES])(void *, const int64_t *, const void *, int64_t) = {
#define DTYPE(id, element, value, kind, name) [LOCUS_##id] = add_at_##id,
#include "core/dtype.def"
#undef DTYPE
  };
  add_at[dtype](array, offset, in, n);
}

static int through_indices(const locus_index_job *job, int64_t begin, int64_t end, bool reading,
                           locus_context *cx)
{
  int64_t offset[BLOCK];
  stream elements, positions;
  walk w;

  stream_open(&elements, &job->grid, &job->elements, job->array.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&elements}, 1);
  w.most = BLOCK;
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    add_strides(&w, &job->array, offset);
    for (int k = 0; k < job->indices; k++)
      add_index(&w, &job->index[k], job->base, &positions, offset);
    if (reading) {
      gather_block(stream_target(&elements, &w), job->array.data, offset, w.count, elements.item);
      stream_write(&elements, &w);
    } else if (job->adds) {
      add_block(job->array.data, offset, stream_read(&elements, &w), w.count, job->array.dtype);
    } else {
      scatter_block(job->array.data, offset, stream_read(&elements, &w), w.count, elements.item);
    }
  }
  return 0;
}

static int gather_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  return through_indices(job, begin, end, true, cx);
}

static int gather(const locus_index_job *job, locus_context *cx)
{
  return locus_parallel(gather_part, job, job->grid.numel, SLOW_GRAIN / 2, cx);
}

/* On one thread: the order of points counts. */
static int scatter(const locus_index_job *job, locus_context *cx)
{
  return through_indices(job, 0, job->grid.numel, false, cx);
}
