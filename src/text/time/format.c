/* SPDX-License-Identifier: MIT */
/* Times by patterns like those of strftime, to text. */
#include "text/time/format.h"

#include "core/number/digits.h"
#include "text/number/parse.h"
#include "text/time/iso.h"
#include "text/time/moment.h"
#include "text/time/pattern.h"

/* A time to be written, and where to. */
typedef struct shown {
  civil_date date;
  int day_of_year, weekday, hour, minute, second;
  int64_t since_1970, units; /* rounded towards 0 where the pattern has %s and %f, else down */
  int places;                /* of the fraction */
  bool minus_zero;           /* since_1970 is 0, units count backwards */
  int32_t ahead;             /* of UTC, in seconds */
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

static void put_offset(shown *w)
{
  char text[TIME_BYTES];
  put(w, text, locus_put_offset(text, w->ahead, false));
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
    case 'z': put_offset(w); break;
    case 's': put_seconds(w); break;
    case '%': put(w, "%", 1); break;
    default: put_parts(w, locus_long_directive(*pattern)); break;
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
                         int64_t per_second, int32_t ahead)
{
  int second;
  const int64_t seconds = floor_divide(value, per_second);
  const int64_t days = locus_day_ahead(value, per_second, ahead, &second);
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
      .places = per_second == 1         ? 1
                : per_second == 1000    ? 3
                : per_second == 1000000 ? 6
                                        : 9,
      .ahead = ahead,
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
    return locus_format_pattern(out, room, pattern, value * SECONDS_PER_DAY, 1, 0);
  return room >= NUMBER_BYTES ? locus_format_i64(out, value) : -1;
}
