/* SPDX-License-Identifier: MIT */
/* The time on the clocks of a zone. A clock shows a time as the units that would be it in UTC. */
#ifndef LOCUS_TEXT_CLOCK_H
#define LOCUS_TEXT_CLOCK_H

#include "text/time/zone.h"

/* Times that a clock shows twice, and those that it jumps over. */
typedef enum clock_twice { TWICE_RAISE, TWICE_FIRST, TWICE_SECOND } clock_twice;
typedef enum clock_missing { MISSING_RAISE, MISSING_FORWARD } clock_missing;
typedef struct clock_choice {
  clock_twice twice;
  clock_missing missing; /* forward: the moment of the jump */
} clock_choice;

/* The offset that was in force last, so that neighbouring times need no search. All are units;
** first and last are cut to int64. A cursor belongs to one thread. */
typedef struct zone_cursor {
  const time_zone *zone;
  int64_t per_second;
  int64_t first, last, ahead;
} zone_cursor;

static inline zone_cursor zone_cursor_at_none(const time_zone *zone, int64_t per_second)
{
  return (zone_cursor){zone, per_second, 1, 0, 0};
}

/* Moves the cursor to the offset of a time. */
void locus_cursor_seek(zone_cursor *cursor, int64_t time);

static inline int64_t units_ahead(zone_cursor *cursor, int64_t time)
{
  if (time < cursor->first || time > cursor->last) locus_cursor_seek(cursor, time);
  return cursor->ahead;
}

/* The time at which the clock shows this. Answers 0, or why there is none. */
typedef enum clock_fault { CLOCK_FINE, CLOCK_TWICE, CLOCK_MISSING, CLOCK_BEYOND } clock_fault;
clock_fault locus_time_of_clock(zone_cursor *cursor, clock_choice choice, __int128 clock,
                                int64_t *time);

/* Fills the error about the time that a clock shows in the zone of that name; answers -1. */
int locus_fail_clock(clock_fault fault, const zone_cursor *cursor, const char *name, __int128 clock,
                     locus_context *cx);

/* out[i] = the clock at in[i]; or the other way round. The arrays lie apart. Threads share them
** if there are many. Errors name the first time that has no answer. */
int locus_clocks_of_times(const time_zone *zone, int64_t per_second, int64_t n, const int64_t *in,
                          int64_t *out, locus_context *cx);
int locus_times_of_clocks(const time_zone *zone, const char *name, clock_choice choice,
                          int64_t per_second, int64_t n, const int64_t *in, int64_t *out,
                          locus_context *cx);

#endif
