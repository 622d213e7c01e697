/* SPDX-License-Identifier: MIT */
/* Runners of masked_select and masked_scatter: the set bits are found as nonzero finds them, then
** elements move by width. */
#include "cpu/block/block.h"
#include "cpu/block/set_bits.h"

#define TEMPLATE "cpu/run/select.inc"
#include "cpu/block/each_width.h"

typedef void set_run(void *array, const uint16_t *distance, int64_t n, void *elements,
                     int64_t step);

static set_run *const select_runs[WIDTHS] = BY_WIDTH(select_set);
static set_run *const scatter_runs[WIDTHS] = BY_WIDTH(scatter_set);

static int through_bits(const locus_select_job *job, int64_t begin, int64_t end, bool reading,
                        locus_context *cx)
{
  const int64_t item = locus_dtype_size(job->array.dtype), step = job->step;
  set_run *const run = (reading ? select_runs : scatter_runs)[width_index(item)];
  char *elements = job->elements + job->first[begin] * step * item;
  uint16_t found[SPAN];
  cursor array;
  walk w;

  cursor_open(&array, &job->grid, &job->array, job->array.dtype);
  walk_begin(&w, &job->grid, (const cursor *[]){&array}, 1);
  walk_within(&w, begin * LOCUS_CHUNK, least(end * LOCUS_CHUNK, job->grid.numel));
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    char *block = (char *)cursor_read(&array, &w);
    for (int64_t at = 0; at < w.count; at += SPAN) {
      const int64_t words = least(SPAN / 64, (w.count - at + 63) / 64);
      const int64_t n = find_set(job->bits + (w.at + at) / 64, words, found);
      run(block + at * item, found, n, elements, step);
      elements += n * step * item;
    }
    if (!reading && !array.direct) move_block(&array, &w, block, false);
  }
  return 0;
}

static int select_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  return through_bits(job, begin, end, true, cx);
}

static int scatter_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  return through_bits(job, begin, end, false, cx);
}

int ISA(masked_select)(const locus_select_job *job, locus_context *cx)
{
  return locus_parallel(select_part, job, locus_chunks(job->grid.numel), 1, cx);
}

int ISA(masked_scatter)(const locus_select_job *job, locus_context *cx)
{
  return locus_parallel(scatter_part, job, locus_chunks(job->grid.numel), 1, cx);
}
