/* SPDX-License-Identifier: MIT */
/* The parts of times in text. Each `take` function reads at `at` and returns the place behind its
** piece, or NULL if the piece is not there; none reads at or past `end`. */
#ifndef LOCUS_TEXT_MOMENT_H
#define LOCUS_TEXT_MOMENT_H

#include <stddef.h>

#include "text/time/calendar.h"

/* A time: seconds and units behind the second; a second has per_second units. */
typedef struct moment {
  __int128 seconds; /* since 1970, the offset taken off */
  int64_t units;
  bool finer; /* its fraction had more digits than a unit */
  bool leap;  /* its second was 60: the first one of the next minute */
  bool bare;  /* it came without an offset */
} moment;

enum { NAME_BYTES = 10, SHORT_NAME = 3 }; /* names may be cut to the latter */
extern const char locus_month_names[12][NAME_BYTES], locus_weekday_names[7][NAME_BYTES];

/* The errors of all that read times. */
extern const char locus_no_time[], locus_no_date[];

/* The number of two digits, or a number above 99 if they are none. */
LOCUS_INLINE unsigned two_digits(const char *at)
{
  const unsigned tens = (unsigned)(at[0] - '0'), ones = (unsigned)(at[1] - '0');
  return tens <= 9 && ones <= 9 ? tens * 10 + ones : 100;
}

/* Two digits that are at most `most`. */
LOCUS_INLINE const char *take_two(const char *at, const char *end, unsigned most, int *number)
{
  const unsigned two = end - at < 2 ? 100 : two_digits(at);
  *number = (int)two;
  return two <= most ? at + 2 : NULL;
}

/* Four digits, or a sign and 4 to 12. */
LOCUS_INLINE const char *take_year(const char *at, const char *end, int64_t *year)
{
  if (end - at < 4) return NULL;
  if (*at != '-' && *at != '+') {
    const unsigned high = two_digits(at), low = two_digits(at + 2);
    *year = high * 100 + low;
    return high <= 99 && low <= 99 ? at + 4 : NULL;
  }
  const char *const digits = at + 1;
  int64_t number = 0;
  for (at = digits; at < end && number <= MOST_YEAR; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  *year = digits[-1] == '-' ? -number : number;
  return at - digits >= 4 && at - digits <= 12 ? at : NULL;
}

/* The first three letters of an English name, in any case, or with `whole` all of them if they are
** there; *index counts from 0. */
const char *locus_take_name(const char *at, const char *end, const char names[][NAME_BYTES],
                            int count, bool whole, int *index);

/* The digits of a fraction, one at least. */
const char *locus_take_fraction(const char *at, const char *end, int64_t per_second, moment *m);

/* Z, UTC, GMT, +01, +0100, +01:00 or +01:00:30, as seconds. */
const char *locus_take_offset(const char *at, const char *end, int64_t *seconds);

/* The time in units; answers NULL, or its error. */
const char *locus_finish_time(const moment *m, int64_t per_second, int64_t *value);

/* Writes a year of four digits, or one with a sign and more; returns the number of bytes. */
int locus_put_year(char *out, int64_t year);

#endif
