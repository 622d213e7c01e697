/* SPDX-License-Identifier: MIT */
/* Times of ISO 8601 and of the common log, and dates, from text. */
#include "text/time/time.h"

#include <string.h>

#include "core/number/digits.h"
#include "text/number/parse.h"
#include "text/time/moment.h"
#include "text/time/pattern.h"

/* -- Dates ------------------------------------------------------------------------------------- */

static const char *take_date(const char *at, const char *end, civil_date *date)
{
  int month, day;

  at = take_year(at, end, &date->year);
  if (!at || at == end || *at != '-' || !(at = take_two(at + 1, end, 12, &month))) return NULL;
  if (at == end || *at != '-' || !(at = take_two(at + 1, end, 31, &day))) return NULL;
  date->month = month;
  date->day = day;
  return is_date(*date) ? at : NULL;
}

/* 22/Nov/2026 */
static const char *take_log_date(const char *at, const char *end, civil_date *date)
{
  int month;

  if (end - at < 11 || at[2] != '/' || at[6] != '/') return NULL;
  if (!take_two(at, end, 31, &date->day) ||
      !locus_take_name(at + 3, at + 6, locus_month_names, 12, false, &month) ||
      !take_year(at + 7, at + 11, &date->year))
    return NULL;
  date->month = month + 1;
  return is_date(*date) ? at + 11 : NULL;
}

/* -- Times ------------------------------------------------------------------------------------- */

/* An offset up to the end or nothing, after a space or not. */
static bool take_zone(const char *at, const char *end, moment *m)
{
  int64_t offset;

  if (at == end) return true;
  if (locus_take_offset(at + (*at == ' '), end, &offset) != end) return false;
  m->seconds -= offset;
  return true;
}

/* Reads the seconds and the rest, in the minute that begins `base` seconds after 1970. */
static const char *finish_minute(__int128 base, const char *at, const char *end, int64_t per_second,
                                 int64_t *value)
{
  moment m = {0};
  int second;

  at = take_two(at, end, 60, &second);
  m.seconds = base + second;
  if (at && at < end && (*at == '.' || *at == ','))
    at = locus_take_fraction(at + 1, end, per_second, &m);
  if (!at || !take_zone(at, end, &m)) return locus_no_time;
  return locus_finish_time(&m, per_second, value);
}

/* The remembered minute ends with the colon before the seconds. */
enum { ISO_MINUTE = 17, LOG_MINUTE = 18 }; /* bytes */

static bool is_remembered(const text_clock *clock, const char *text, const char *end)
{
  if (end - text < LOG_MINUTE) return false;
  if (clock->remembered == ISO_MINUTE) return memcmp(text, clock->minute, ISO_MINUTE) == 0;
  return clock->remembered == LOG_MINUTE && memcmp(text, clock->minute, LOG_MINUTE) == 0;
}

static void remember(text_clock *clock, const char *text, int bytes, __int128 seconds)
{
  clock->remembered = bytes;
  clock->base = (int64_t)seconds;
  memcpy(clock->minute, text, (size_t)bytes);
}

/* 08:30 */
static const char *take_minute(const char *at, const char *end, moment *m)
{
  int hour, minute;

  at = take_two(at, end, 23, &hour);
  if (!at || at == end || *at != ':') return NULL;
  at = take_two(at + 1, end, 59, &minute);
  m->seconds += hour * 3600 + minute * 60;
  return at;
}

/* Whether the time of day follows the date with this byte. */
static bool parts_date(char byte, bool log)
{
  return log ? byte == ':' : byte == ' ' || (byte | 0x20) == 't';
}

const char *locus_parse_time(text_clock *clock, const char *text, const char *end, int64_t *value)
{
  const int64_t per_second = clock->per_second;
  civil_date date;
  moment m = {0};

  if (is_remembered(clock, text, end))
    return finish_minute(clock->base, text + clock->remembered, end, per_second, value);
  if (clock->pattern) {
    const char *wrong =
        locus_read_pattern(clock->pattern, text, end, per_second, &m, locus_no_time);
    return wrong ? wrong : locus_finish_time(&m, per_second, value);
  }

  const bool log = end - text > 2 && text[2] == '/';
  const char *at = log ? take_log_date(text, end, &date) : take_date(text, end, &date);
  if (!at) return locus_no_time;
  m.seconds = (__int128)days_of_date(date) * SECONDS_PER_DAY;
  if (at == end && !log) return locus_finish_time(&m, per_second, value);
  if (at == end || !parts_date(*at, log)) return locus_no_time;

  at = take_minute(at + 1, end, &m);
  if (!at) return locus_no_time;
  if (at < end && *at == ':') {
    if (at + 1 - text == (log ? LOG_MINUTE : ISO_MINUTE))
      remember(clock, text, log ? LOG_MINUTE : ISO_MINUTE, m.seconds);
    return finish_minute(m.seconds, at + 1, end, per_second, value);
  }
  if (log || !take_zone(at, end, &m)) return locus_no_time;
  return locus_finish_time(&m, per_second, value);
}

/* -- Dates ------------------------------------------------------------------------------------- */

const char *locus_parse_date(const char *pattern, const char *text, const char *end, int64_t *value)
{
  civil_date date;
  moment m = {0};

  if (!pattern) {
    if (take_date(text, end, &date) != end) return locus_no_date;
    *value = days_of_date(date);
    return NULL;
  }
  const char *wrong = locus_read_pattern(pattern, text, end, 1, &m, locus_no_date);
  if (wrong) return wrong;
  *value = (int64_t)(m.seconds / SECONDS_PER_DAY);
  const bool whole = m.seconds % SECONDS_PER_DAY == 0 && !m.finer && !m.leap;
  return whole ? NULL : "is a date with a time of day";
}

/* -- To text ----------------------------------------------------------------------------------- */

int locus_format_date(char *out, int64_t value)
{
  char *at = out;

  if (value < LEAST_DAY || value > MOST_DAY) return locus_format_i64(out, value);
  const civil_date date = date_of_days(value);
  at += locus_put_year(at, date.year);
  at[0] = at[3] = '-';
  put_two(at + 1, (unsigned)date.month);
  put_two(at + 4, (unsigned)date.day);
  return (int)(at + 6 - out);
}

int locus_format_time(char *out, int64_t value, int64_t per_second)
{
  const int64_t seconds = floor_divide(value, per_second);
  const int64_t days = floor_divide(seconds, SECONDS_PER_DAY);
  const unsigned second = (unsigned)floor_rest(seconds, SECONDS_PER_DAY);
  uint64_t fraction = (uint64_t)floor_rest(value, per_second);
  char *at = out + locus_format_date(out, days);

  at[0] = 'T';
  at[3] = at[6] = ':';
  put_two(at + 1, second / 3600);
  put_two(at + 4, second / 60 % 60);
  put_two(at + 7, second % 60);
  at += 9;
  if (fraction > 0) {
    int places = per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9;
    for (; fraction % 1000 == 0; fraction /= 1000) places -= 3;
    *at = '.';
    put_digits(at + 1, fraction, places);
    at += 1 + places;
  }
  *at++ = 'Z';
  return (int)(at - out);
}
