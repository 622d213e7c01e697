/* SPDX-License-Identifier: MIT */
/* Times, dates and addresses from text and back. A time is an int64 of units since 1970 UTC, leap
** seconds left out, a date one of days, an IPv4 address its four bytes as one number. */
#ifndef LOCUS_TEXT_TIME_H
#define LOCUS_TEXT_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* How times are read; cleared but for the first two at first. It remembers the minute that it read
** last: neighbours mostly share it. */
typedef struct text_clock {
  int64_t per_second;  /* 1, 1000, 1000000 or 1000000000 */
  const char *pattern; /* as of strftime; NULL: ISO 8601 or the common log's, whichever it is */
  int remembered;      /* bytes of `minute` */
  char minute[24];
  int64_t base;        /* seconds from 1970 to that minute, before its offset */
} text_clock;

/* The bytes from `text` up to `end`, which must all belong to it. Each answers NULL, or what is
** wrong, as the end of a sentence that begins with the column: "is not a time", "has a finer
** fraction than microseconds", "is a time that int64 cannot hold in nanoseconds".
** ISO 8601: 2026-11-22, 2026-11-22T08:30, 2026-11-22 08:30:59.25, each time with Z, +01, +0100,
** +01:00 or nothing, which is UTC; a comma may stand for the point. The common log's:
** 22/Nov/2026:08:30:59 +0100. A pattern: %Y %m %d %H %M %S %f (1 to 9 digits of a fraction) %z %b
** (English) %y (1969..2068) %j %p %I %s (seconds since 1970) %T %F %D %%; other bytes stand for
** themselves. Days, hours and all others must exist; second 60 does not. */
const char *locus_parse_time(text_clock *clock, const char *text, const char *end, int64_t *value);
/* 2026-11-22, or by the pattern, as above, in days. */
const char *locus_parse_date(const char *pattern, const char *text, const char *end,
                             int64_t *value);
/* 192.168.0.1: four numbers up to 255 without leading zeros. */
const char *locus_parse_ipv4(const char *text, const char *end, int64_t *value);

/* NULL when the pattern can be read and written, else what is wrong with it: "'%Q' is none of
** those". */
const char *locus_check_pattern(const char *pattern);

/* Each writes to `out`, which has room for TIME_BYTES (and for a pattern, `room`), and answers how
** many bytes. 2026-11-22T08:30:59Z, with as many digits of a fraction (3, 6 or 9) as it takes; by a
** pattern, at most `room` bytes. Years beyond 0..9999 carry a sign and read back. */
enum { TIME_BYTES = 40 };
int locus_format_time(char *out, int64_t value, int64_t per_second);
int locus_format_date(char *out, int64_t value);
int locus_format_ipv4(char *out, int64_t value); /* a value that is none: as a decimal number */
int locus_format_pattern(char *out, int room, const char *pattern, int64_t value,
                         int64_t per_second);

#endif
