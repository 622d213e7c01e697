/* SPDX-License-Identifier: MIT */
/* Times and dates of ISO 8601 to text. */
#include "text/time/iso.h"

#include "core/number/digits.h"
#include "text/number/parse.h"
#include "text/time/moment.h"

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

int64_t locus_day_ahead(int64_t value, int64_t per_second, int32_t ahead, int *second)
{
  const int64_t seconds = floor_divide(value, per_second);
  const int64_t of_day = floor_rest(seconds, SECONDS_PER_DAY) + ahead;

  *second = (int)floor_rest(of_day, SECONDS_PER_DAY);
  return floor_divide(seconds, SECONDS_PER_DAY) + floor_divide(of_day, SECONDS_PER_DAY);
}

/* The time up to its fraction. */
static char *put_local(char *out, int64_t value, int64_t per_second, int32_t ahead)
{
  int second;
  const int64_t days = locus_day_ahead(value, per_second, ahead, &second);
  uint64_t fraction = (uint64_t)floor_rest(value, per_second);
  char *at = out + locus_format_date(out, days);

  at[0] = 'T';
  at[3] = at[6] = ':';
  put_two(at + 1, (unsigned)second / 3600);
  put_two(at + 4, (unsigned)second / 60 % 60);
  put_two(at + 7, (unsigned)second % 60);
  at += 9;
  if (fraction > 0) {
    int places = per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9;
    for (; fraction % 1000 == 0; fraction /= 1000) places -= 3;
    *at = '.';
    put_digits(at + 1, fraction, places);
    at += 1 + places;
  }
  return at;
}

int locus_format_time(char *out, int64_t value, int64_t per_second)
{
  char *at = put_local(out, value, per_second, 0);
  *at++ = 'Z';
  return (int)(at - out);
}

int locus_put_offset(char *out, int32_t ahead, bool parted)
{
  const unsigned seconds = (unsigned)(ahead < 0 ? -ahead : ahead);
  char *at = out;

  *at++ = ahead < 0 ? '-' : '+';
  put_two(at, seconds / 3600);
  at += 2;
  if (parted || seconds % 60 > 0) *at++ = ':';
  put_two(at, seconds / 60 % 60);
  at += 2;
  if (seconds % 60 > 0) {
    *at++ = ':';
    put_two(at, seconds % 60);
    at += 2;
  }
  return (int)(at - out);
}

int locus_format_time_ahead(char *out, int64_t value, int64_t per_second, int32_t ahead)
{
  char *const at = put_local(out, value, per_second, ahead);
  return (int)(at - out) + locus_put_offset(at, ahead, true);
}
