/* SPDX-License-Identifier: MIT */
/* Runners of masked_select, masked_scatter and runs: the set bits are found as nonzero finds them,
** then elements move by width. */
#include "cpu/block/block.h"
#include "cpu/block/set_bits.h"

#define TEMPLATE "cpu/mask/select.inc"
#include "cpu/block/each_width.h"

typedef void set_run(void *array, const uint16_t *distance, int64_t n, void *elements,
                     int64_t step);

static set_run *const select_runs[WIDTHS] = BY_WIDTH(select_set);
static set_run *const scatter_runs[WIDTHS] = BY_WIDTH(scatter_set);

enum { SLICE = LOCUS_CHUNK / 4 }; /* elements; bits of a chunk in front of it are counted again */

/* The number of set bits in front of an element where a slice begins. */
static int64_t set_before(const locus_select_job *job, int64_t at)
{
  const int64_t chunk = at / LOCUS_CHUNK;
  int64_t count = job->first[chunk];

  for (int64_t word = chunk * (LOCUS_CHUNK / 64); word < at / 64; word++)
    count += __builtin_popcountll(job->bits[word]);
  return count;
}

static int through_bits(const locus_select_job *job, int64_t begin, int64_t end, bool reading,
                        locus_context *cx)
{
  const int64_t item = locus_dtype_size(job->array.dtype), step = job->step;
  set_run *const run = (reading ? select_runs : scatter_runs)[width_index(item)];
  char *elements = job->elements + set_before(job, begin * SLICE) * step * item;
  uint16_t found[SPAN];
  cursor array;
  walk w;

  cursor_open(&array, &job->grid, &job->array, job->array.dtype);
  walk_begin(&w, &job->grid, (const cursor *[]){&array}, 1);
  walk_within(&w, begin * SLICE, least(end * SLICE, job->grid.numel));
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

/* Slices worth 20 us: of elements that are far apart, a quarter as many. */
static int64_t slices_alone(const locus_select_job *job)
{
  return operand_dense(&job->grid, &job->array) ? LOCUS_CHUNK / SLICE : 1;
}

static int64_t slices(const locus_select_job *job)
{
  return (job->grid.numel + SLICE - 1) / SLICE;
}

int ISA(masked_select)(const locus_select_job *job, locus_context *cx)
{
  return locus_parallel(select_part, job, slices(job), slices_alone(job), cx);
}

int ISA(masked_scatter)(const locus_select_job *job, locus_context *cx)
{
  return locus_parallel(scatter_part, job, slices(job), slices_alone(job), cx);
}

/* -- Runs -------------------------------------------------------------------------------------- */

/* For runs k, k + 1, ... which begin at those distances from element `at`. The last one's length is
** not known yet. */
static void write_places(const locus_runs_job *job, int64_t k, int64_t at, const uint16_t *distance,
                         int64_t n)
{
  int64_t *begins = job->begins + k, *lengths = job->lengths + k;

  for (int64_t i = 0; i < n; i++) begins[i] = at + job->base + distance[i];
  for (int64_t i = 0; i + 1 < n; i++) lengths[i] = distance[i + 1] - distance[i];
}

/* The length of run k, once it is known where the next one begins. */
static void write_length(const locus_runs_job *job, int64_t k)
{
  const int64_t end = k + 1 < job->count ? job->begins[k + 1] : job->n + job->base;
  job->lengths[k] = end - job->begins[k];
}

/* The number of the run of each element of a chunk. */
static void write_numbers(const locus_runs_job *job, int64_t chunk)
{
  int64_t number = job->first[chunk] + job->base - 1, at = chunk * LOCUS_CHUNK;
  const int64_t end = least(at + LOCUS_CHUNK, job->n);

  while (at < end) {
    uint64_t word = job->bits[at / 64];
    const int64_t stop = least(at + 64, end);
    if (word == 0) {
      for (; at < stop; at++) job->numbers[at] = number;
      continue;
    }
    for (; at < stop; at++, word >>= 1) job->numbers[at] = number += (int64_t)(word & 1);
  }
}

static int runs_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_runs_job *job = what;
  const int64_t item = locus_dtype_size(job->dtype);
  set_run *const select = select_runs[width_index(item)];
  uint16_t found[SPAN];

  for (int64_t c = begin; c < end; c++) {
    int64_t k = job->first[c];
    LOCUS_TRY(locus_poll(cx));
    for (int64_t at = c * LOCUS_CHUNK; k < job->first[c + 1]; at += SPAN) {
      const int64_t words = least(SPAN / 64, (job->n - at + 63) / 64);
      const int64_t n = find_set(job->bits + at / 64, words, found);
      select((char *)job->elements + at * item, found, n, job->values + k * item, 1);
      if (job->begins && n > 0) {
        write_places(job, k, at, found, n);
        if (k > job->first[c]) write_length(job, k - 1);
      }
      k += n;
    }
    if (job->numbers) write_numbers(job, c);
  }
  return 0;
}

int ISA(runs)(const locus_runs_job *job, locus_context *cx)
{
  const int64_t chunks = locus_chunks(job->n);

  LOCUS_TRY(locus_parallel(runs_part, job, chunks, 1, cx));
  for (int64_t c = 0; c < chunks && job->begins; c++)
    if (job->first[c + 1] > job->first[c]) write_length(job, job->first[c + 1] - 1);
  return 0;
}
