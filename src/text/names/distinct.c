/* SPDX-License-Identifier: MIT */
/* A bit for each integer of the range: each thread sets those of some of the rows, then the bits of
** all are joined, counted and read in order, by words. */
#include "text/names/distinct.h"

#include <string.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "text/names/key_range.h"

/* ROWS: for each thread, at least. SPAN: words of bits that one reads. TABLE: bytes of bits for
** each thread, at most. */
enum { ROWS = 1 << 14, SPAN = 1 << 9, TABLE = 1 << 23, PARTS = 16, POLL = 256 };

typedef struct distinct {
  const key_source *source;
  uint64_t low, range;
  int64_t parts, part, lines, spans;
  uint64_t *bits;   /* of each part; a place behind the range is for keys that have left it */
  int64_t *numbers; /* of elements in a span; later before it */
  char *out;
} distinct;

static int64_t at_most(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int mark_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const distinct *d = job;
  const uint64_t low = d->low, range = d->range;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false;

  for (int64_t p = begin; p < end; p++) {
    uint64_t *const bits = d->bits + p * d->lines;
    const int64_t last = at_most(d->source->count, (p + 1) * d->part);
    memset(bits, 0, (size_t)d->lines * sizeof *bits);
    for (int64_t row = p * d->part; row < last; row += KEY_BLOCK) {
      const int n = (int)at_most(KEY_BLOCK, last - row);
      const uint64_t *keys = locus_source_keys(d->source, row, n, loaded, &strays);
      if (row / KEY_BLOCK % POLL == 0) LOCUS_TRY(locus_poll(cx));
      for (int i = 0; i < n; i++) {
        const uint64_t own = LOCUS_ONCE(keys[i]) - low, at = own < range ? own : range;
        bits[at / 64] |= (uint64_t)1 << at % 64;
      }
    }
  }
  return 0;
}

/* The bits of all parts, in those of the first; and their number. */
static int join_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const distinct *d = job;

  for (int64_t s = begin; s < end; s++) {
    int64_t number = 0;
    for (int64_t k = s * SPAN; k < at_most(d->lines, (s + 1) * SPAN); k++) {
      for (int64_t p = 1; p < d->parts; p++) d->bits[k] |= d->bits[p * d->lines + k];
      number += __builtin_popcountll(d->bits[k]);
    }
    d->numbers[s] = number;
  }
  return locus_poll(cx);
}

static void put(char *out, int64_t size, int64_t at, uint64_t value)
{
  switch (size) {
  case 1: ((uint8_t *)out)[at] = (uint8_t)value; break;
  case 2: ((uint16_t *)out)[at] = (uint16_t)value; break;
  case 4: ((uint32_t *)out)[at] = (uint32_t)value; break;
  default: ((uint64_t *)out)[at] = value; break;
  }
}

static int read_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const distinct *d = job;
  const int64_t size = locus_dtype_size(d->source->dtype);

  for (int64_t s = begin; s < end; s++) {
    int64_t at = d->numbers[s];
    for (int64_t k = s * SPAN; k < at_most(d->lines, (s + 1) * SPAN); k++)
      for (uint64_t left = d->bits[k]; left; left &= left - 1)
        put(d->out, size, at++, d->low + 64 * (uint64_t)k + (uint64_t)__builtin_ctzll(left));
  }
  return locus_poll(cx);
}

static int make(distinct *d, locus_tensor *out, locus_context *cx)
{
  int64_t number = 0;

  LOCUS_TRY(locus_parallel(mark_part, d, d->parts, 1, cx));
  LOCUS_TRY(locus_parallel(join_part, d, d->spans, 4, cx));
  for (int64_t s = 0; s < d->spans; s++) {
    const int64_t own = d->numbers[s];
    d->numbers[s] = number;
    number += own;
  }
  if (d->bits[d->range / 64] >> d->range % 64 & 1) return locus_fail_changed(cx, "elements");
  LOCUS_TRY(locus_tensor_resize(out, number, cx));
  d->out = out->data;
  return locus_parallel(read_part, d, d->spans, 4, cx);
}

int locus_distinct(locus_dtype dtype, const key_column *column, locus_tensor *out, bool *near,
                   locus_context *cx)
{
  const key_source source = {.dtype = dtype, .elements = column->elements, .count = column->count};
  const int64_t least = locus_small_pieces() ? KEY_BLOCK : ROWS;
  distinct d = {.source = &source};

  *near = false;
  if (locus_dtype_kind(dtype) > LOCUS_INTEGER) return 0;
  LOCUS_TRY(locus_key_range(&source, &d.low, &d.range, near, cx));
  d.lines = (int64_t)(d.range / 64) + 1;
  *near = *near && d.lines * 8 <= TABLE;
  if (!*near) return 0;
  const int64_t most = at_most(locus_cpu_threads(), PARTS);
  d.parts = at_most(most, (source.count - 1) / least + 1);
  d.part = (source.count - 1) / d.parts + 1;
  d.spans = (d.lines - 1) / SPAN + 1;
  const int64_t bytes = (d.parts * d.lines + d.spans) * 8;
  d.bits = locus_memory_alloc(bytes);
  if (!d.bits) return locus_fail_memory(cx, bytes);
  d.numbers = (int64_t *)(d.bits + d.parts * d.lines);
  const int status = make(&d, out, cx);
  locus_memory_free(d.bits, bytes);
  return status;
}
