/* SPDX-License-Identifier: MIT */
/* A time zone: how far its clocks are ahead of UTC, at every second. Seconds count from 1970. */
#ifndef LOCUS_TEXT_ZONE_H
#define LOCUS_TEXT_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "text/time/calendar.h"

/* The offset changes at at[i], from offset[i] to offset[i + 1]; neighbours differ, and `at`
** ascends. From second `cycle` on everything comes again after 400 years, when the calendar does,
** weekdays included; the changes of one cycle and a year more are in the list. A zone never
** changes once it is made, so all threads may read it. */
typedef struct time_zone {
  int64_t bytes; /* of this block; 0: of a constant */
  int64_t cycle; /* INT64_MAX: nothing comes again */
  bool always;   /* what comes again also came before */
  int64_t count;
  const int64_t *at;
  const int32_t *offset; /* seconds; count + 1 of them */
  /* slot[i] is how many changes come before second base + i * 2^SLOT_BITS; there are few between
  ** two of these. */
  int64_t base, slots;
  const int32_t *slot;
} time_zone;

enum { CYCLE_YEARS = 400, MOST_OFFSET = 26 * 3600, SLOT_BITS = 23 /* 97 days */ };
static const int64_t CYCLE_SECONDS = INT64_C(146097) * SECONDS_PER_DAY;

extern const time_zone locus_utc;

/* Makes a zone of changes: `ahead` in front of them, and ahead[i + 1] from at[i] on, which may
** repeat itself. The arrays are copied. */
typedef struct zone_changes {
  int64_t count, room;
  int64_t *at;
  int32_t *ahead; /* room + 1 of them */
} zone_changes;
int locus_zone_make(const zone_changes *changes, int64_t cycle, bool always, time_zone **zone,
                    locus_context *cx);
void locus_zone_free(time_zone *zone); /* NULL is fine */

/* The seconds first..last around one, all with that offset. The offset before them is `before`;
** equal where nothing is known before. */
typedef struct zone_interval {
  int64_t first, last;
  int32_t offset, before;
} zone_interval;
void locus_zone_find(const time_zone *zone, int64_t second, zone_interval *found);

/* Which seconds show a time on the clock, given as seconds that would be it in UTC. With `times` 1,
** first and last are the same; with 2 or more these are the first and the last of them; with 0
** both are the moment at which the clock jumped over it, from `low` on the clock to `high`. With -1
** that second is more than int64 can hold. */
typedef struct zone_moment {
  int times;
  int64_t first, last, low, high;
} zone_moment;
void locus_zone_moment(const time_zone *zone, int64_t clock, zone_moment *found);

#endif
