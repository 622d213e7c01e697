/* SPDX-License-Identifier: MIT */
/* Times and dates from text and back. A time is an int64 of units since 1970 UTC, leap seconds left
** out, a date one of days. */
#ifndef LOCUS_TEXT_TIME_H
#define LOCUS_TEXT_TIME_H

#include "text/time/clock.h"
#include "text/time/iso.h"

/* A reader of times. At first all fields except the first four are cleared. It remembers the last
** minute that it read, which neighbouring times mostly share. */
typedef struct text_clock {
  int64_t per_second;    /* 1, 1000, 1000000 or 1000000000 */
  const char *pattern;   /* as of strftime; NULL: ISO 8601 or the common log's, whichever it is */
  const time_zone *zone; /* of times without an offset; NULL: UTC */
  clock_choice choice;
  zone_cursor cursor; /* counts seconds */
  int remembered;     /* bytes of `minute`; 0: none */
  char minute[24];    /* up to the colon before the seconds */
  int64_t base;       /* seconds from 1970 to that minute, before its offset */
  bool bare;          /* the last time that it read came without an offset */
} text_clock;

/* Reads the bytes from `text` up to `end`, which must all belong to the time. Each function
** returns NULL, or the error as the end of a sentence that begins with the column: "is not a
** time", "has a finer fraction than microseconds", "is a time that int64 cannot hold in
** nanoseconds". ISO 8601: 2026-11-22, 2026-11-22T08:30, 2026-11-22 08:30:59.25; a comma may
** stand for the point. The common log's: 22/Nov/2026:08:30:59, with a fraction, too. After the
** time of either Z, +01, +0100, +01:00, UTC or GMT, each after one space or not; or nothing:
** then it is on the clocks of the zone. A fraction may have any number of digits; zeros finer
** than the unit are fine. Letters may have any case. A year has four digits, or a sign and 4 to
** 12. Days, hours and all others must exist; second 60 is the first one of the next minute, as
** POSIX has it. A pattern: %Y %m %d %H %M %S %f (a fraction) %z (as above, without the space) %b
** (English, three letters) %B (all of them, or three) %a %A (weekdays likewise, which must be
** the date's) %y (1969..2068) %j %p %I %e %k %l (%d %H %I, or a space and one digit) %s (seconds
** since 1970; a fraction beside it goes the same way) %T %F %D %%; other bytes stand for
** themselves. One digit is enough for %m %d %H %I %M %S, unless it follows another one; others
** have all their digits. No digits may follow %s or %f, which take all there are. */
const char *locus_parse_time(text_clock *clock, const char *text, const char *end, int64_t *value);
/* 2026-11-22, or by the pattern, as above, in days: "is not a date", "is a date with a time of
** day". */
const char *locus_parse_date(const char *pattern, const char *text, const char *end,
                             int64_t *value);

#endif
