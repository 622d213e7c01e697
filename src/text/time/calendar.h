/* SPDX-License-Identifier: MIT */
/* The proleptic Gregorian calendar, counted in days since 1970-01-01. */
#ifndef LOCUS_TEXT_CALENDAR_H
#define LOCUS_TEXT_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/inline.h"

/* Years and days beyond these are neither read nor written. All seconds that an int64 can count
** lie within. */
static const int64_t MOST_YEAR = 999999999999, LEAST_DAY = -365242500719162,
                     MOST_DAY = 365242499280471;
enum { SECONDS_PER_DAY = 86400 };

typedef struct civil_date {
  int64_t year;
  int month, day; /* counted from 1 */
} civil_date;

LOCUS_INLINE bool is_leap_year(int64_t year)
{
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

LOCUS_INLINE int days_in_month(int64_t year, int month)
{
  return month == 2 ? 28 + is_leap_year(year) : 30 + ((month + month / 8) & 1);
}

LOCUS_INLINE bool is_date(civil_date date)
{
  return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         (date.day <= 28 || date.day <= days_in_month(date.year, date.month));
}

LOCUS_INLINE int64_t floor_divide(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

LOCUS_INLINE int64_t floor_rest(int64_t a, int64_t b)
{
  return a % b + (a % b < 0 ? b : 0);
}

/* Years begin in March here, so that a leap day is the last day of a year: the months before some
** month then take (153 * months + 2) / 5 days. The 719468 days are those from 0000-03-01. */
LOCUS_INLINE int64_t days_of_date(civil_date date)
{
  const int64_t year = date.year - (date.month <= 2), century = floor_divide(year, 100);
  const int months = date.month + (date.month > 2 ? -3 : 9);

  return year * 365 + floor_divide(year, 4) - century + floor_divide(century, 4) +
         (153 * months + 2) / 5 + date.day - 1 - 719468;
}

/* From 0, a Sunday, on. */
LOCUS_INLINE int weekday_of_days(int64_t days)
{
  return (int)floor_rest(days % 7 + 4, 7); /* 1970 began on a Thursday */
}

LOCUS_INLINE civil_date date_of_days(int64_t days)
{
  enum { DAYS_IN_400_YEARS = 146097, DAYS_IN_100 = 36524, DAYS_IN_4 = 1461 };
  const int64_t since = days + 719468, era = floor_divide(since, DAYS_IN_400_YEARS);
  const int day = (int)(since - era * DAYS_IN_400_YEARS);
  const int year =
      (day - day / (DAYS_IN_4 - 1) + day / DAYS_IN_100 - day / (DAYS_IN_400_YEARS - 1)) / 365;
  const int day_of_year = day - (year * 365 + year / 4 - year / 100);
  const int months = (5 * day_of_year + 2) / 153, month = months < 10 ? months + 3 : months - 9;

  return (civil_date){era * 400 + year + (month <= 2), month,
                      day_of_year - (153 * months + 2) / 5 + 1};
}

#endif
