/* SPDX-License-Identifier: MIT */
/* Times of ISO 8601 and of the common log, and dates, from text. */
#include "text/time/time.h"

#include <string.h>

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

  m->bare = at == end;
  if (m->bare) return true;
  if (locus_take_offset(at + (*at == ' '), end, &offset) != end) return false;
  m->seconds -= offset;
  return true;
}

/* The time in units. One without an offset is on the clocks of the zone. */
static const char *finish(text_clock *clock, const moment *m, int64_t *value)
{
  zone_cursor *const cursor = &clock->cursor;
  moment in_utc = *m;
  int64_t second;

  clock->bare = m->bare;
  if (!m->bare || !clock->zone) return locus_finish_time(m, clock->per_second, value);
  if (cursor->zone != clock->zone) *cursor = zone_cursor_at_none(clock->zone, 1);
  switch (locus_time_of_clock(cursor, clock->choice, m->seconds, &second)) {
  case CLOCK_TWICE: return "comes twice in its zone; write ambiguous = \"first\" or \"second\"";
  case CLOCK_MISSING:
    return "does not exist in its zone, whose clocks jump over it; write missing = \"forward\"";
  case CLOCK_BEYOND: return locus_finish_time(m, clock->per_second, value);
  case CLOCK_FINE: break;
  }
  in_utc.seconds = second;
  if (second + units_ahead(cursor, second) != m->seconds) in_utc.units = 0; /* of a jump */
  return locus_finish_time(&in_utc, clock->per_second, value);
}

/* Reads the seconds and the rest, in the minute that begins `base` seconds after 1970. */
static const char *finish_minute(text_clock *clock, __int128 base, const char *at, const char *end,
                                 int64_t *value)
{
  moment m = {0};
  int second;

  at = take_two(at, end, 60, &second);
  m.seconds = base + second;
  if (at && at < end && (*at == '.' || *at == ','))
    at = locus_take_fraction(at + 1, end, clock->per_second, &m);
  if (!at || !take_zone(at, end, &m)) return locus_no_time;
  return finish(clock, &m, value);
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
  civil_date date;
  moment m = {0};

  if (is_remembered(clock, text, end))
    return finish_minute(clock, clock->base, text + clock->remembered, end, value);
  if (clock->pattern) {
    const char *wrong =
        locus_read_pattern(clock->pattern, text, end, clock->per_second, &m, locus_no_time);
    return wrong ? wrong : finish(clock, &m, value);
  }

  const bool log = end - text > 2 && text[2] == '/';
  const char *at = log ? take_log_date(text, end, &date) : take_date(text, end, &date);
  if (!at) return locus_no_time;
  m.seconds = (__int128)days_of_date(date) * SECONDS_PER_DAY;
  m.bare = at == end;
  if (at == end && !log) return finish(clock, &m, value);
  if (at == end || !parts_date(*at, log)) return locus_no_time;

  at = take_minute(at + 1, end, &m);
  if (!at) return locus_no_time;
  if (at < end && *at == ':') {
    if (at + 1 - text == (log ? LOG_MINUTE : ISO_MINUTE))
      remember(clock, text, log ? LOG_MINUTE : ISO_MINUTE, m.seconds);
    return finish_minute(clock, m.seconds, at + 1, end, value);
  }
  if (log || !take_zone(at, end, &m)) return locus_no_time;
  return finish(clock, &m, value);
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
