/* SPDX-License-Identifier: MIT */
/* Durations from text and back. */
#include "text/time/duration.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/number/decimal.h"
#include "core/number/digits.h"
#include "text/time/calendar.h"

/* -- To text ----------------------------------------------------------------------------------- */

static char *put_text(char *at, const char *text)
{
  const size_t length = strlen(text);
  memcpy(at, text, length);
  return at + length;
}

static char *put_count(char *at, uint64_t number)
{
  return at + locus_format_i64(at, (int64_t)number);
}

static char *put_pair(char *at, unsigned two)
{
  put_two(at, two);
  return at + 2;
}

static char *put_days(char *at, uint64_t days)
{
  return put_text(put_count(at, days), days == 1 ? " day" : " days");
}

static char *put_fraction(char *at, uint64_t fraction, uint64_t per_second)
{
  if (fraction == 0) return at;
  *at++ = '.';
  for (uint64_t place = per_second / 10; fraction > 0; place /= 10) {
    *at++ = (char)('0' + fraction / place);
    fraction %= place;
  }
  return at;
}

int locus_format_duration(char *out, int64_t value, int64_t per_second)
{
  const uint64_t most = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  char *at = out;

  if (value < 0) *at++ = '-';
  if (per_second == 0) return (int)(put_days(at, most) - out);
  const uint64_t unit = (uint64_t)per_second, seconds = most / unit;
  const uint64_t days = seconds / SECONDS_PER_DAY;
  const unsigned second = (unsigned)(seconds % SECONDS_PER_DAY);
  if (days > 0) {
    at = put_days(at, days);
    *at++ = ' ';
    at = put_pair(at, second / 3600);
  } else {
    at = put_count(at, second / 3600);
  }
  *at++ = ':';
  at = put_pair(at, second / 60 % 60);
  *at++ = ':';
  at = put_pair(at, second % 60);
  return (int)(put_fraction(at, most % unit, unit) - out);
}

/* -- From text --------------------------------------------------------------------------------- */

static const char no_duration[] = "is not a duration";

typedef struct scan {
  const char *at, *end;
} scan;

static bool take(scan *s, const char *text)
{
  const size_t length = strlen(text);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return false;
  s->at += length;
  return true;
}

/* Up to 18 digits; false if there is none, or more. */
static bool take_digits(scan *s, int64_t *number)
{
  const char *begin = s->at;

  *number = 0;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
    if (s->at - begin == 18) return false;
    *number = *number * 10 + *s->at - '0';
  }
  return s->at > begin;
}

static bool take_sixtieths(scan *s, int64_t *number)
{
  const char *begin = s->at;
  return take_digits(s, number) && s->at - begin == 2 && *number < 60;
}

static const char *too_fine(int64_t per_second)
{
  if (per_second == 1) return "has a finer fraction than seconds";
  if (per_second == 1000) return "has a finer fraction than milliseconds";
  return per_second == 1000000 ? "has a finer fraction than microseconds"
                               : "has a finer fraction than nanoseconds";
}

/* The digits behind the point as units. */
static const char *take_fraction(scan *s, int64_t per_second, int64_t *units)
{
  int64_t place = per_second;

  *units = 0;
  if (s->at == s->end || *s->at < '0' || *s->at > '9') return no_duration;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
    place /= 10;
    if (place == 0 && *s->at != '0') return too_fine(per_second);
    *units += place * (*s->at - '0');
  }
  return NULL;
}

static const char *past(int64_t per_second)
{
  if (per_second == 0) return "is a duration that int64 cannot hold in days";
  if (per_second == 1) return "is a duration that int64 cannot hold in seconds";
  if (per_second == 1000) return "is a duration that int64 cannot hold in milliseconds";
  return per_second == 1000000 ? "is a duration that int64 cannot hold in microseconds"
                               : "is a duration that int64 cannot hold in nanoseconds";
}

/* H:MM, H:MM:SS, H:MM:SS.f */
static const char *take_clock(scan *s, bool after_days, int64_t per_second, __int128 *seconds,
                              int64_t *units)
{
  int64_t hours, minutes, rest = 0;

  if (!take_digits(s, &hours) || (after_days && hours > 23)) return no_duration;
  if (!take(s, ":") || !take_sixtieths(s, &minutes)) return no_duration;
  if (take(s, ":") && !take_sixtieths(s, &rest)) return no_duration;
  *seconds += (__int128)hours * 3600 + minutes * 60 + rest;
  return take(s, ".") ? take_fraction(s, per_second, units) : NULL;
}

const char *locus_parse_duration(const char *text, const char *end, int64_t per_second,
                                 int64_t *value)
{
  scan s = {text, end};
  const bool negative = take(&s, "-");
  const char *begin = s.at;
  int64_t days = 0, units = 0;
  __int128 seconds = 0;

  const bool has_days = take_digits(&s, &days) && (take(&s, days == 1 ? " day" : " days"));
  if (!has_days) {
    days = 0;
    s.at = begin;
  }
  const bool has_clock = !has_days || take(&s, " ");
  const char *wrong =
      has_clock ? take_clock(&s, has_days, per_second ? per_second : 1, &seconds, &units) : NULL;
  if (wrong) return wrong;
  if (s.at != s.end) return no_duration;
  seconds += (__int128)days * SECONDS_PER_DAY;
  if (per_second == 0 && (seconds % SECONDS_PER_DAY || units)) return "is no whole number of days";
  __int128 all = per_second ? seconds * per_second + units : seconds / SECONDS_PER_DAY;
  if (negative) all = -all;
  *value = (int64_t)all;
  return *value == all ? NULL : past(per_second);
}
