/* SPDX-License-Identifier: MIT */
/* Runner of repeats. Slices of few bytes are stored as values, and threads share their places.
** Others are copied, and threads share the bytes, so that a piece of the work may begin and end
** within a slice. */
#include "cpu/block/block.h"

enum {
  SHORT = 128,             /* a slice of at most this many bytes is not worth a copy of its own: */
  LOOSE = 32,              /* the first copies are written in units of this many bytes, */
  ALWAYS = 4,              /* at most this many of them whether they stay or not, */
  COPIED = 8192,           /* and the others are copied from these, this many bytes together */
  STEP = 8 * DIRECT_BLOCK, /* items between two polls for Ctrl-C */
};

/* Writes items `at` to `stop` of a block; the owner's are the first. */
typedef void repeat_run(const locus_repeats_job *job, const char *in, char *out, int64_t owner,
                        int64_t at, int64_t stop);

#define TEMPLATE "cpu/run/repeats.inc"
#include "cpu/block/each_width.h"

static repeat_run *const fills[WIDTHS] = BY_WIDTH(repeat_values);

/* Writes `size` bytes of a repeated slice, beginning at its byte `from`. */
static void copy_exactly(char *to, const char *slice, int64_t bytes, int64_t from, int64_t size)
{
  int64_t made = least(bytes - from, size);

  memcpy(to, slice + from, (size_t)made);
  for (; made < size; made += bytes) memcpy(to + made, slice, (size_t)least(bytes, size - made));
}

/* Writes a slice `times` times, and bytes behind it. */
static inline void copy_loosely(char *to, const char *slice, int64_t bytes, int64_t times)
{
  for (int64_t k = 0; k < times; k++)
    for (int64_t at = 0; at < bytes; at += LOOSE) memcpy(to + k * bytes + at, slice + at, LOOSE);
}

/* Fills up to `size` with whole slices; `made` bytes are written already. */
static void double_up(char *to, int64_t made, int64_t size)
{
  for (int64_t unit = made; made < size;) {
    const int64_t piece = least(unit, size - made);
    memcpy(to + made, to, (size_t)piece);
    made += piece;
    if (unit < COPIED) unit = made;
  }
}

/* The items of slices are their bytes. Some surplus copies are always written, for the reason that
** repeats.inc gives; not at the front, where the rest of a slice may be, nor at the ends of input
** and output. */
static void repeat_slices(const locus_repeats_job *job, const char *in, char *out, int64_t owner,
                          int64_t at, int64_t stop)
{
  const int64_t bytes = job->bytes, whole = stop / bytes;
  const int64_t always = least(SHORT / bytes, ALWAYS);
  const int64_t readable = always ? (job->n - 1) * bytes - LOOSE : 0;
  const int64_t writable = stop - always * bytes - LOOSE;
  int64_t from = at % bytes;

  for (; at < stop; owner++) {
    const int64_t end = job->ends[owner], past = end <= whole ? end * bytes : stop;
    const char *slice = in + owner * bytes;
    if (from == 0 && at < writable && owner * bytes < readable) {
      copy_loosely(out + at, slice, bytes, always);
      if (past - at > always * bytes) double_up(out + at, always * bytes, past - at);
    } else if (past > at) {
      copy_exactly(out + at, slice, bytes, from, past - at);
      from = 0;
    }
    if (past > at) at = past;
  }
}

/* A job, the function that writes the items of its slices, and the number of items of each. */
typedef struct repeats {
  const locus_repeats_job *job;
  repeat_run *run;
  int64_t items;
} repeats;

/* The first end that is greater than a place. */
static int64_t owner_of(const locus_repeats_job *job, int64_t place)
{
  int64_t low = 0, high = job->n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (job->ends[middle] > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

static int repeats_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const repeats *r = given;
  const locus_repeats_job *job = r->job;
  const int64_t row = job->total * r->items;

  while (begin < end) {
    const int64_t block = begin / row, at = begin - block * row;
    const int64_t stop = least(least(row, end - block * row), at + STEP);
    const char *in = job->in + block * job->n * job->bytes;
    LOCUS_TRY(locus_poll(cx));
    r->run(job, in, job->out + block * job->total * job->bytes, owner_of(job, at / r->items), at,
           stop);
    begin = block * row + stop;
  }
  return 0;
}

int ISA(repeats)(const locus_repeats_job *job, locus_context *cx)
{
  const bool few = job->bytes <= 16 && (job->bytes & (job->bytes - 1)) == 0;
  const repeats r = {job, few ? fills[width_index(job->bytes)] : repeat_slices,
                     few ? 1 : job->bytes};
  return locus_parallel(repeats_part, &r, job->outer * job->total * r.items,
                        (few ? GRAIN : 8 * GRAIN) | 1, cx);
}
