/* SPDX-License-Identifier: MIT */
/* Patterns of times like those of strftime, and times from text by them. */
#include "text/time/pattern.h"

#include <string.h>

#include "text/number/parse.h"
#include "text/time/moment.h"

/* -- The parts of a pattern
** ---------------------------------------------------------------------- */

enum {
  YEAR = 1,
  MONTH = 2,
  DAY = 4,
  HOUR = 8,
  NOON = 16, /* which half of the day it is */
  MINUTE = 32,
  SECOND = 64,
  FRACTION = 128,
  OFFSET = 256,
  WEEKDAY = 512,
  DATE = YEAR | MONTH | DAY,
  CLOCK = HOUR | NOON | MINUTE | SECOND,
};

/* The part of a time that the directive gives; -1: it is none. */
static int given_by(char directive)
{
  switch (directive) {
  case 'Y':
  case 'y': return YEAR;
  case 'm':
  case 'b':
  case 'B': return MONTH;
  case 'd':
  case 'e': return DAY;
  case 'a':
  case 'A': return WEEKDAY;
  case 'j': return MONTH | DAY;
  case 'F':
  case 'D': return DATE;
  case 'H':
  case 'k': return HOUR | NOON;
  case 'I':
  case 'l': return HOUR;
  case 'p': return NOON;
  case 'M': return MINUTE;
  case 'S': return SECOND;
  case 'T': return CLOCK;
  case 'f': return FRACTION;
  case 'z': return OFFSET;
  case 's': return DATE | CLOCK | OFFSET;
  case '%': return 0;
  }
  return -1;
}

const char *locus_long_directive(char directive)
{
  switch (directive) {
  case 'F': return "%Y-%m-%d";
  case 'D': return "%m/%d/%y";
  case 'T': return "%H:%M:%S";
  }
  return NULL;
}

static const char NO_DIRECTIVE[] =
    "has a directive that is none of %Y %y %m %b %B %d %e %j %a %A %H %k %I %l %p %M %S %f %z %s "
    "%F %D %T %%";

/* Whether the text that it writes behind this begins with a digit: then %s or %f has no clear
** end. */
static bool begins_with_digit(const char *pattern)
{
  if (*pattern != '%') return *pattern >= '0' && *pattern <= '9';
  return given_by(pattern[1]) > 0 && !strchr("bBaApz", pattern[1]);
}

const char *locus_check_pattern(const char *pattern)
{
  int given = 0;

  for (; *pattern; pattern++) {
    if (*pattern != '%') continue;
    const int now = given_by(*++pattern);
    if (now < 0) return NO_DIRECTIVE;
    if (given & now) return "gives the same part twice";
    given |= now;
    if ((*pattern == 's' || *pattern == 'f') && begins_with_digit(pattern + 1))
      return "has digits right behind %s or %f, which would take them, too";
  }
  if ((given & DATE) != DATE) return "does not give year, month and day";
  if (!(given & HOUR) != !(given & NOON)) return "has one of %I and %p without the other";
  return NULL;
}

const char *locus_check_output_pattern(const char *pattern)
{
  for (; *pattern; pattern++)
    if (*pattern == '%' && given_by(*++pattern) < 0) return NO_DIRECTIVE;
  return NULL;
}

/* -- From text --------------------------------------------------------------------------------- */

typedef struct parts {
  const char *begin; /* of the text */
  civil_date date;
  int day_of_year, hour, minute, second; /* day_of_year 0: not given */
  int weekday;                           /* 0 is Sunday; -1: not given */
  bool half_days, afternoon;
  int64_t since_1970, offset; /* in seconds */
  bool negative, absolute;    /* absolute: it says how it lies to UTC */
  moment fraction;
} parts;

static bool is_digit(char byte)
{
  return byte >= '0' && byte <= '9';
}

/* A single digit counts only between non-digits: else its end would be unclear. */
static __attribute__((noinline)) const char *take_one(const parts *p, const char *at,
                                                      const char *end, int *number)
{
  if (at == end || !is_digit(*at) || (at + 1 < end && is_digit(at[1]))) return NULL;
  *number = *at - '0';
  return at > p->begin && is_digit(at[-1]) ? NULL : at + 1;
}

LOCUS_INLINE const char *take_few(const parts *p, const char *at, const char *end, unsigned most,
                                  int *number)
{
  const char *const behind = take_two(at, end, most, number);
  return behind ? behind : take_one(p, at, end, number);
}

/* The same, or a space and one digit. */
static const char *take_padded(const parts *p, const char *at, const char *end, unsigned most,
                               int *number)
{
  if (at == end || *at != ' ') return take_few(p, at, end, most, number);
  if (end - at < 2 || !is_digit(at[1])) return NULL;
  *number = at[1] - '0';
  return at + 2;
}

static const char *take_month(const char *at, const char *end, bool whole, int *month)
{
  at = locus_take_name(at, end, locus_month_names, 12, whole, month);
  ++*month;
  return at;
}

static const char *take_day_of_year(const char *at, const char *end, int *day)
{
  int hundreds, rest;

  if (at == end || *at < '0' || *at > '3') return NULL;
  hundreds = *at - '0';
  at = take_two(at + 1, end, 99, &rest);
  *day = hundreds * 100 + rest;
  return *day > 0 ? at : NULL;
}

static const char *take_half(const char *at, const char *end, bool *afternoon)
{
  if (end - at < 2 || (at[1] | 0x20) != 'm') return NULL;
  *afternoon = (at[0] | 0x20) == 'p';
  return *afternoon || (at[0] | 0x20) == 'a' ? at + 2 : NULL;
}

static const char *take_since_1970(const char *at, const char *end, parts *p)
{
  enum { MOST_BYTES = 20 };
  char padded[READ_BEFORE + MOST_BYTES] = {0}, *const copy = padded + READ_BEFORE;
  const char *const begin = at;

  p->negative = at < end && *at == '-';
  for (at += p->negative; at < end && *at >= '0' && *at <= '9';) at++;
  if (at - begin > MOST_BYTES) return NULL;
  memcpy(copy, begin, (size_t)(at - begin));
  return locus_parse_i64(copy, copy + (at - begin), &p->since_1970) ? at : NULL;
}

static const char *take_parts(const char *pattern, const char *at, const char *end,
                              int64_t per_second, parts *p)
{
  int year;

  for (; at && *pattern; pattern++) {
    if (*pattern != '%') {
      at = at < end && *at == *pattern ? at + 1 : NULL;
      continue;
    }
    int *number = NULL; /* of one or two digits */
    unsigned most = 0;
    switch (*++pattern) {
    case 'Y': at = take_year(at, end, &p->date.year); break;
    case 'y':
      at = take_two(at, end, 99, &year);
      p->date.year = year + (year < 69 ? 2000 : 1900);
      break;
    case 'm': number = &p->date.month, most = 12; break;
    case 'b':
    case 'B': at = take_month(at, end, *pattern == 'B', &p->date.month); break;
    case 'd': number = &p->date.day, most = 31; break;
    case 'e': at = take_padded(p, at, end, 31, &p->date.day); break;
    case 'j': at = take_day_of_year(at, end, &p->day_of_year); break;
    case 'a':
    case 'A':
      at = locus_take_name(at, end, locus_weekday_names, 7, *pattern == 'A', &p->weekday);
      break;
    case 'I':
      p->half_days = true;
      number = &p->hour, most = 12;
      break;
    case 'l':
      p->half_days = true;
      at = take_padded(p, at, end, 12, &p->hour);
      break;
    case 'H': number = &p->hour, most = 23; break;
    case 'k': at = take_padded(p, at, end, 23, &p->hour); break;
    case 'p': at = take_half(at, end, &p->afternoon); break;
    case 'M': number = &p->minute, most = 59; break;
    case 'S': number = &p->second, most = 60; break;
    case 'f': at = locus_take_fraction(at, end, per_second, &p->fraction); break;
    case 'z':
      p->absolute = true;
      at = locus_take_offset(at, end, &p->offset);
      break;
    case 's':
      p->absolute = true;
      at = take_since_1970(at, end, p);
      break;
    case '%': at = at < end && *at == '%' ? at + 1 : NULL; break;
    default: at = take_parts(locus_long_directive(*pattern), at, end, per_second, p); break;
    }
    if (number) at = take_few(p, at, end, most, number);
  }
  return at;
}

/* The day of %s: where its units count backwards they may lie in the one before. */
static int64_t days_since_1970(const parts *p, int64_t units)
{
  const bool before = units < 0 && p->since_1970 % SECONDS_PER_DAY == 0;

  return floor_divide(p->since_1970, SECONDS_PER_DAY) - before;
}

const char *locus_read_pattern(const char *pattern, const char *at, const char *end,
                               int64_t per_second, moment *m, const char *none)
{
  parts p; /* field by field: clearing the whole costs a tenth of the time */

  p.begin = at;
  p.date = (civil_date){1970, 1, 1};
  p.day_of_year = p.hour = p.minute = p.second = 0;
  p.weekday = -1;
  p.half_days = p.afternoon = p.negative = p.absolute = false;
  p.since_1970 = p.offset = 0;
  p.fraction = (moment){0};
  if (take_parts(pattern, at, end, per_second, &p) != end) return none;
  if (p.half_days) {
    if (p.hour == 0) return none;
    p.hour = p.hour % 12 + 12 * p.afternoon;
  }
  if (!is_date(p.date)) return none;
  if (p.day_of_year > 365 + is_leap_year(p.date.year)) return none;
  *m = p.fraction;
  m->leap = p.second == 60;
  m->bare = !p.absolute;
  if (p.negative) m->units = -m->units;
  const int64_t days = days_of_date(p.date) + (p.day_of_year ? p.day_of_year - 1 : 0);
  const int64_t second = p.hour * 3600 + p.minute * 60 + p.second - p.offset;
  m->seconds = (__int128)days * SECONDS_PER_DAY + second + p.since_1970;
  if (p.weekday < 0 || p.weekday == weekday_of_days(days + days_since_1970(&p, m->units)))
    return NULL;
  return "has another weekday than its date";
}
