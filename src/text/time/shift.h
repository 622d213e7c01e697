/* SPDX-License-Identifier: MIT */
/* Times moved by spans. */
#ifndef LOCUS_TEXT_SHIFT_H
#define LOCUS_TEXT_SHIFT_H

#include "text/time/clock.h"
#include "text/time/span.h"

/* How times move: by spans shorter than a day as they are; by others on the clock, where a month
** ends at its last day. */
typedef struct time_shift {
  const time_zone *zone;
  const char *name; /* of the zone */
  clock_choice choice;
  int64_t per_second; /* 0: dates */
  time_span span;
} time_shift;

/* out[i] = in[i] moved once. The arrays lie apart; threads share them if there
** are many. Errors name the first time that has no answer. */
int locus_shift_times(const time_shift *shift, int64_t n, const int64_t *in, int64_t *out,
                      locus_context *cx);
/* out[i] = start moved by i spans in one step, for i in 0 .. n - 1; stops, and says so in *count,
** before the first one that is not between start and `end`, which is included. */
int locus_step_times(const time_shift *shift, int64_t start, int64_t end, int64_t n, int64_t *out,
                     int64_t *count, locus_context *cx);

#endif
