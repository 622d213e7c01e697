/* SPDX-License-Identifier: MIT */
/* Elements that lie in any order, put segment behind segment: a counting sort by ids, whose counts
** the offsets of the segments already are. Threads share the elements; each range of these has
** places of its own in every segment, so that elements of a segment keep their order. */
#ifndef LOCUS_BY_SEGMENT_H
#define LOCUS_BY_SEGMENT_H

#include "core/device.h"
#include "core/once.h"
#include "cpu/block/walk.h"

enum { PLACES_BYTES = 4 << 20 }; /* of the places of a range, where there are several */

typedef struct arrangement {
  const locus_kth_job *job;
  char *to;
  int64_t *places; /* of each range, by segment: counts of the elements, then the next place */
  int64_t ranges;
  int64_t step; /* from the places of a range to the next's, which share no lines of a cache */
} arrangement;

static int64_t range_begin(const arrangement *a, int64_t range)
{
  const int64_t blocks = (a->job->n - 1) / BLOCK + 1;
  return least(blocks * range / a->ranges * BLOCK, a->job->n);
}

static int count_range(const arrangement *a, int64_t range, locus_context *cx)
{
  const uint64_t segments = (uint64_t)a->job->segments;
  int64_t *counts = a->places + range * a->step;

  memset(counts, 0, (size_t)segments * sizeof counts[0]);
  for (int64_t i = range_begin(a, range), end = range_begin(a, range + 1); i < end; i++) {
    const uint64_t segment = (uint64_t)LOCUS_ONCE(a->job->ids[i]) - 1;
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    if (segment >= segments) return locus_fail_changed(cx, "ids");
    counts[segment]++;
  }
  return 0;
}

static int count_ranges(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  for (int64_t range = first; range < last; range++) LOCUS_TRY(count_range(given, range, cx));
  return 0;
}

/* Makes places of the counts, which must be those of the offsets. */
static int find_places(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const arrangement *a = given;
  for (int64_t s = begin; s < end; s++) {
    int64_t place = a->job->offsets[s];
    if (s % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    for (int64_t *own = a->places + s; own < a->places + a->ranges * a->step; own += a->step) {
      const int64_t count = *own;
      *own = place;
      place += count;
    }
    if (place != a->job->offsets[s + 1]) return locus_fail_changed(cx, "ids");
  }
  return 0;
}

static ALWAYS_INLINE int put_elements(const arrangement *a, int64_t range, size_t item,
                                      locus_context *cx)
{
  const locus_kth_job *job = a->job;
  const uint64_t segments = (uint64_t)job->segments, n = (uint64_t)job->n;
  const int32_t *ids = job->ids;
  const char *in = job->in;
  char *to = a->to;
  int64_t *places = a->places + range * a->step;

  for (int64_t i = range_begin(a, range), end = range_begin(a, range + 1); i < end; i++) {
    const uint64_t segment = (uint64_t)LOCUS_ONCE(ids[i]) - 1;
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    if (segment >= segments) return locus_fail_changed(cx, "ids");
    const uint64_t place = (uint64_t)places[segment]++;
    if (place >= n) return locus_fail_changed(cx, "ids");
    memcpy(to + place * item, in + (size_t)i * item, item);
  }
  return 0;
}

static int put_range(const arrangement *a, int64_t range, locus_context *cx)
{
  switch (locus_dtype_size(a->job->dtype)) {
  case 1: return put_elements(a, range, 1, cx);
  case 2: return put_elements(a, range, 2, cx);
  case 4: return put_elements(a, range, 4, cx);
  default: return put_elements(a, range, 8, cx);
  }
}

static int put_ranges(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  for (int64_t range = first; range < last; range++) LOCUS_TRY(put_range(given, range, cx));
  return 0;
}

/* How many ranges of elements there are. */
static int64_t plan_ranges(const locus_kth_job *job)
{
  const int threads = locus_cpu_threads();

  if (job->n < (locus_small_pieces() ? BLOCK : 32 * BLOCK)) return 1;
  return job->segments > PLACES_BYTES / 8 || job->segments > job->n / threads ? 1 : threads;
}

static int64_t step_of(const locus_kth_job *job)
{
  return (job->segments + 31) & ~(int64_t)15;
}

/* The bytes of the places and of the elements behind them. */
static int64_t arrangement_bytes(const arrangement *a)
{
  return a->ranges * a->step * 8 + a->job->n * locus_dtype_size(a->job->dtype);
}

static int arrange(const arrangement *a, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(count_ranges, a, a->ranges, 1, cx));
  LOCUS_TRY(locus_parallel(find_places, a, a->job->segments, 16 * BLOCK, cx));
  return locus_parallel(put_ranges, a, a->ranges, 1, cx);
}

#endif
