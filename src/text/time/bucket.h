/* SPDX-License-Identifier: MIT */
/* Buckets of time: the spans, one behind the other, that clocks are cut into. */
#ifndef LOCUS_TEXT_BUCKET_H
#define LOCUS_TEXT_BUCKET_H

#include "text/time/clock.h"
#include "text/time/span.h"

/* Spans are counted from the beginning of 1970, weeks from its first Monday, 1970-01-05; or all
** from an origin, a time on the clock in the units of the times. Months from an origin begin at
** its day and time of day, or at the end of a month that is too short.
**
** Days and longer spans begin at the first moment of a local date, so that each date has one
** bucket, of 23 or 25 hours where clocks change. Shorter spans are cut on the clock, too. Where
** it jumps forward over the beginning of a bucket, the jump is that; where it is set back, to
** before the bucket or just to its beginning, that moment begins another bucket. So these
** buckets are in order. */
typedef struct time_buckets {
  const time_zone *zone;
  int64_t per_second; /* 0: dates */
  time_span span;
  bool has_origin;
  int64_t origin;
} time_buckets;

/* out[i] = the beginning of the bucket of in[i]; or, with `up`, of the next bucket unless in[i]
** itself begins one. The arrays lie apart. Threads share them if there are many. An error if a
** span is not a whole number of units, or a beginning is beyond int64. */
int locus_cut_times(const time_buckets *buckets, bool up, int64_t n, const int64_t *in,
                    int64_t *out, locus_context *cx);

/* The beginnings of all buckets from that of `first` up to that of `last`, one after the other:
** *count is their number, and the first `room` of them are written. */
int locus_list_buckets(const time_buckets *buckets, int64_t first, int64_t last, int64_t room,
                       int64_t *out, int64_t *count, locus_context *cx);

#endif
