/* SPDX-License-Identifier: MIT */
/* Times by patterns like those of strftime, from text and back. */
#include <string.h>

#include "core/digits.h"
#include "text/time/moment.h"
#include "text/number/number.h"
#include "text/time/time.h"

/* -- What a pattern gives ---------------------------------------------------------------------- */

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

/* What the directive gives; -1: it is none. */
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

/* The directives of which this one is made, or NULL. */
static const char *long_form(char directive)
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

/* Whether what it writes from here on begins with a digit: where %s or %f ends is then unknown. */
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
    if (given & now) return "gives something twice";
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
  int weekday;                           /* from 0, a Sunday, on; -1: not given */
  bool half_days, afternoon;
  int64_t since_1970, offset; /* in seconds */
  bool negative;
  moment fraction;
} parts;

static bool is_digit(char byte)
{
  return byte >= '0' && byte <= '9';
}

/* Two digits, or one that stands alone: between other digits it would be a matter of taste. */
static const char *take_few(const parts *p, const char *at, const char *end, unsigned most,
                            int *number)
{
  const char *const behind = take_two(at, end, most, number);

  if (behind) return behind;
  if (at == end || !is_digit(*at) || (at + 1 < end && is_digit(at[1]))) return NULL;
  *number = *at - '0';
  return at > p->begin && is_digit(at[-1]) ? NULL : at + 1;
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
    switch (*++pattern) {
    case 'Y': at = take_year(at, end, &p->date.year); break;
    case 'y':
      at = take_two(at, end, 99, &year);
      p->date.year = year + (year < 69 ? 2000 : 1900);
      break;
    case 'm': at = take_few(p, at, end, 12, &p->date.month); break;
    case 'b':
    case 'B': at = take_month(at, end, *pattern == 'B', &p->date.month); break;
    case 'd': at = take_few(p, at, end, 31, &p->date.day); break;
    case 'e': at = take_padded(p, at, end, 31, &p->date.day); break;
    case 'j': at = take_day_of_year(at, end, &p->day_of_year); break;
    case 'a':
    case 'A':
      at = locus_take_name(at, end, locus_weekday_names, 7, *pattern == 'A', &p->weekday);
      break;
    case 'I':
    case 'l':
      p->half_days = true;
      at = (*pattern == 'l' ? take_padded : take_few)(p, at, end, 12, &p->hour);
      break;
    case 'H': at = take_few(p, at, end, 23, &p->hour); break;
    case 'k': at = take_padded(p, at, end, 23, &p->hour); break;
    case 'p': at = take_half(at, end, &p->afternoon); break;
    case 'M': at = take_few(p, at, end, 59, &p->minute); break;
    case 'S': at = take_few(p, at, end, 60, &p->second); break;
    case 'f': at = locus_take_fraction(at, end, per_second, &p->fraction); break;
    case 'z': at = locus_take_offset(at, end, &p->offset); break;
    case 's': at = take_since_1970(at, end, p); break;
    case '%': at = at < end && *at == '%' ? at + 1 : NULL; break;
    default: at = take_parts(long_form(*pattern), at, end, per_second, p); break;
    }
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
  parts p = {.begin = at, .date = {1970, 1, 1}, .weekday = -1};

  if (take_parts(pattern, at, end, per_second, &p) != end) return none;
  if (p.half_days) {
    if (p.hour == 0) return none;
    p.hour = p.hour % 12 + 12 * p.afternoon;
  }
  if (!is_date(p.date)) return none;
  if (p.day_of_year > 365 + is_leap_year(p.date.year)) return none;
  *m = p.fraction;
  m->leap = p.second == 60;
  if (p.negative) m->units = -m->units;
  const int64_t days = days_of_date(p.date) + (p.day_of_year ? p.day_of_year - 1 : 0);
  const int64_t second = p.hour * 3600 + p.minute * 60 + p.second - p.offset;
  m->seconds = (__int128)days * SECONDS_PER_DAY + second + p.since_1970;
  if (p.weekday < 0 || p.weekday == weekday_of_days(days + days_since_1970(&p, m->units)))
    return NULL;
  return "has another weekday than its date";
}

/* -- To text ----------------------------------------------------------------------------------- */

/* A time to be written, and where to. */
typedef struct shown {
  civil_date date;
  int day_of_year, weekday, hour, minute, second;
  int64_t since_1970, units; /* rounded towards 0 where the pattern has %s and %f, else down */
  int places;                /* of the fraction */
  bool minus_zero;           /* since_1970 is 0, units count backwards */
  char *out;
  int room, count; /* count -1: there was no room */
} shown;

static void put(shown *w, const char *bytes, int count)
{
  if (w->count < 0 || count > w->room - w->count) {
    w->count = -1;
    return;
  }
  memcpy(w->out + w->count, bytes, (size_t)count);
  w->count += count;
}

static void put_padded(shown *w, int64_t number, int digits)
{
  char text[NUMBER_BYTES];
  put_digits(text, (uint64_t)number, digits);
  put(w, text, digits);
}

static void put_space_padded(shown *w, int number)
{
  char text[2];
  put_two(text, (unsigned)number);
  if (number < 10) text[0] = ' ';
  put(w, text, 2);
}

static void put_name(shown *w, const char *name)
{
  put(w, name, (int)strlen(name));
}

static void put_seconds(shown *w)
{
  char text[NUMBER_BYTES];
  if (w->minus_zero) put(w, "-", 1);
  put(w, text, locus_format_i64(text, w->since_1970));
}

static void put_year(shown *w)
{
  char text[NUMBER_BYTES];
  put(w, text, locus_put_year(text, w->date.year));
}

static void put_parts(shown *w, const char *pattern)
{
  for (; *pattern; pattern++) {
    if (*pattern != '%') {
      put(w, pattern, 1);
      continue;
    }
    switch (*++pattern) {
    case 'Y': put_year(w); break;
    case 'y': put_padded(w, (w->date.year % 100 + 100) % 100, 2); break;
    case 'm': put_padded(w, w->date.month, 2); break;
    case 'b': put(w, locus_month_names[w->date.month - 1], SHORT_NAME); break;
    case 'B': put_name(w, locus_month_names[w->date.month - 1]); break;
    case 'd': put_padded(w, w->date.day, 2); break;
    case 'e': put_space_padded(w, w->date.day); break;
    case 'a': put(w, locus_weekday_names[w->weekday], SHORT_NAME); break;
    case 'A': put_name(w, locus_weekday_names[w->weekday]); break;
    case 'j': put_padded(w, w->day_of_year, 3); break;
    case 'I': put_padded(w, (w->hour + 11) % 12 + 1, 2); break;
    case 'l': put_space_padded(w, (w->hour + 11) % 12 + 1); break;
    case 'H': put_padded(w, w->hour, 2); break;
    case 'k': put_space_padded(w, w->hour); break;
    case 'p': put(w, w->hour < 12 ? "AM" : "PM", 2); break;
    case 'M': put_padded(w, w->minute, 2); break;
    case 'S': put_padded(w, w->second, 2); break;
    case 'f': put_padded(w, w->units, w->places); break;
    case 'z': put(w, "+0000", 5); break;
    case 's': put_seconds(w); break;
    case '%': put(w, "%", 1); break;
    default: put_parts(w, long_form(*pattern)); break;
    }
  }
}

static bool shows(const char *pattern, char directive)
{
  for (; *pattern; pattern++)
    if (*pattern == '%' && *++pattern == directive) return true;
  return false;
}

int locus_format_pattern(char *out, int room, const char *pattern, int64_t value,
                         int64_t per_second)
{
  const int64_t seconds = floor_divide(value, per_second);
  const int64_t days = floor_divide(seconds, SECONDS_PER_DAY);
  const int second = (int)floor_rest(seconds, SECONDS_PER_DAY);
  const civil_date date = date_of_days(days);
  shown w = {
      .date = date,
      .day_of_year = (int)(days - days_of_date((civil_date){date.year, 1, 1})) + 1,
      .weekday = weekday_of_days(days),
      .hour = second / 3600,
      .minute = second / 60 % 60,
      .second = second % 60,
      .since_1970 = seconds,
      .units = floor_rest(value, per_second),
      .places = per_second == 1 ? 1 : per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9,
      .out = out,
      .room = room,
  };

  if (value < 0 && shows(pattern, 's') && shows(pattern, 'f')) {
    w.since_1970 = value / per_second;
    w.units = -(value % per_second);
    w.minus_zero = w.since_1970 == 0;
  }
  put_parts(&w, pattern);
  return w.count;
}

int locus_format_date_pattern(char *out, int room, const char *pattern, int64_t value)
{
  const int64_t most = INT64_MAX / SECONDS_PER_DAY;

  if (value >= -most && value <= most)
    return locus_format_pattern(out, room, pattern, value * SECONDS_PER_DAY, 1);
  return room >= NUMBER_BYTES ? locus_format_i64(out, value) : -1;
}
