/* SPDX-License-Identifier: MIT */
/* Runner of nonzero: from bits to coordinates, column by column. For SPAN elements at a time the
** set bits are found, as distances from the first element. Then each dimension, the inner one
** first, turns distances into its coordinates, and passes the number of whole rows in each distance
** to the next outer one. */
#include "cpu/block/block.h"
#include "cpu/block/set_bits.h"

enum { CHUNKS_TO_EMIT = 4 };

/* No distance leads past the end of the dimension. */
static void column_within(int64_t *out, int64_t step, int64_t first, const uint16_t *distance,
                          int64_t n)
{
  for (int64_t i = 0; i < n; i++) out[i * step] = first + distance[i];
}

/* A distance leads past the end at most once: when it is at least `room`. */
static void column_across(int64_t *out, int64_t step, int64_t first, int64_t size, int64_t room,
                          uint16_t *distance, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    const bool past = distance[i] >= room;
    out[i * step] = first + distance[i] - (past ? size : 0);
    distance[i] = past;
  }
}

/* A dimension of at most SPAN elements; `first` is a coordinate from 0. Quotients are exact for
** numbers below 2 SPAN: the half keeps them further from whole numbers than a float's error. */
static void column_divided(int64_t *out, int64_t step, int32_t first, int32_t size, int64_t base,
                           uint16_t *distance, int64_t n)
{
  const float inverse = 1.0f / (float)size;
  for (int64_t i = 0; i < n; i++) {
    const int32_t x = first + distance[i];
    const int32_t rows = (int32_t)(((float)x + 0.5f) * inverse);
    out[i * step] = x - rows * size + base;
    distance[i] = (uint16_t)rows;
  }
}

/* The rows `row`, row + 1, ... for n elements at those distances from element `start`. For
** non-temporal stores they are first made in a run that stays in the cache. */
static void write_rows(const locus_nonzero_job *job, bool nontemporal, int64_t row, int64_t start,
                       uint16_t *distance, int64_t n)
{
  const int64_t step = job->row_stride;
  _Alignas(64) int64_t run[SPAN];

  for (int d = job->shape.ndim - 1; d >= 0; d--) {
    const int64_t size = job->shape.size[d], at = start % size;
    int64_t *place = job->out + row * step + d * job->dim_stride, *out = nontemporal ? run : place;
    if (size - at >= SPAN || d == 0) {
      column_within(out, step, at + job->base, distance, n);
      memset(distance, 0, (size_t)n * sizeof *distance);
    } else if (size > SPAN) {
      column_across(out, step, at + job->base, size, size - at, distance, n);
    } else {
      column_divided(out, step, (int32_t)at, (int32_t)size, job->base, distance, n);
    }
    if (nontemporal)
      ISA(copy_nontemporal)((char *)place, (const char *)run, n * (int64_t)sizeof *run);
    start /= size;
  }
}

/* Whether columns are stored around the caches: contiguous, and large enough. */
static bool is_nontemporal(const locus_nonzero_job *job)
{
  const int64_t rows = least(job->first[locus_chunks(job->numel)], job->limit);
  const int64_t bytes = rows * job->shape.ndim * (int64_t)sizeof *job->out;
  return job->row_stride == 1 && bytes >= NONTEMPORAL_BYTES;
}

static int nonzero_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_nonzero_job *job = what;
  const bool nontemporal = is_nontemporal(job);
  uint16_t found[SPAN];

  for (int64_t c = begin; c < end; c++) {
    const int64_t rows = least(job->first[c + 1], job->limit);
    LOCUS_TRY(locus_poll(cx));
    for (int64_t row = job->first[c], at = c * LOCUS_CHUNK; row < rows; at += SPAN) {
      const int64_t words = least(SPAN / 64, (job->numel - at + 63) / 64);
      const int64_t n = least(find_set(job->bits + at / 64, words, found), rows - row);
      write_rows(job, nontemporal, row, at, found, n);
      row += n;
    }
  }
  if (nontemporal) nontemporal_end();
  return 0;
}

int ISA(nonzero)(const locus_nonzero_job *job, locus_context *cx)
{
  return locus_parallel(nonzero_part, job, locus_chunks(job->numel), CHUNKS_TO_EMIT, cx);
}
