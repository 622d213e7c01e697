/* SPDX-License-Identifier: MIT */
/* The parts of times, for whole arrays: years, hours, weekdays. */
#ifndef LOCUS_TEXT_PARTS_H
#define LOCUS_TEXT_PARTS_H

#include "text/time/zone.h"

typedef enum time_part {
#define PART(word, expression) PART_##word,
#include "text/time/part.def"
  PARTS
} time_part;

extern const char *const locus_part_words[PARTS];

/* out[i] = the part of in[i] on the clocks of the zone. Where per_second is 0 the values are days.
** The arrays lie apart. Threads share them if there are many. */
int locus_take_parts(time_part part, const time_zone *zone, int64_t per_second, int64_t n,
                     const int64_t *in, int64_t *out, locus_context *cx);

#endif
