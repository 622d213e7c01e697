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

/* C. Neri, L. Schneider, "Euclidean affine functions and their application to calendar algorithms",
** Software: Practice and Experience 53, 2023: the year of the century and the day of that year are
** quotient and rest of one division, made by a multiplication. */
LOCUS_INLINE civil_date date_of_days(int64_t days)
{
  enum { DAYS_IN_400_YEARS = 146097, TO_JANUARY = 306 };
  const int64_t since = days + 719468, era = floor_divide(since, DAYS_IN_400_YEARS);
  const uint32_t quarters = 4 * (uint32_t)(since - era * DAYS_IN_400_YEARS) + 3;
  const uint32_t century = quarters / DAYS_IN_400_YEARS;
  const uint32_t in_century = quarters % DAYS_IN_400_YEARS / 4;
  const uint64_t scaled = (uint64_t)2939745 * (4 * in_century + 3);
  const uint32_t year = (uint32_t)(scaled >> 32), day_of_year = (uint32_t)scaled / 2939745 / 4;
  const uint32_t months = 2141 * day_of_year + 197913;
  const bool next = day_of_year >= TO_JANUARY;

  return (civil_date){era * 400 + century * 100 + year + next,
                      (int)(months >> 16) - (next ? 12 : 0), (int)((months & 0xffff) / 2141) + 1};
}

/* The year of a day, and the day of that year, from 0; likewise. */
LOCUS_INLINE int64_t year_of_days(int64_t days, int *day_of_year)
{
  enum { DAYS_IN_400_YEARS = 146097, TO_JANUARY = 306, FROM_MARCH = 59 };
  const int64_t since = days + 719468, era = floor_divide(since, DAYS_IN_400_YEARS);
  const uint32_t quarters = 4 * (uint32_t)(since - era * DAYS_IN_400_YEARS) + 3;
  const uint32_t century = quarters / DAYS_IN_400_YEARS;
  const uint32_t in_century = quarters % DAYS_IN_400_YEARS / 4;
  const uint64_t scaled = (uint64_t)2939745 * (4 * in_century + 3);
  const uint32_t year = (uint32_t)(scaled >> 32), from_march = (uint32_t)scaled / 2939745 / 4;
  const bool next = from_march >= TO_JANUARY;
  const bool is_leap = year % 4 == 0 && (year > 0 || century == 0);

  *day_of_year = (int)from_march + (next ? -TO_JANUARY : FROM_MARCH + is_leap);
  return era * 400 + century * 100 + year + next;
}

#endif
