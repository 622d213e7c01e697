/* SPDX-License-Identifier: MIT */
/* The pieces of times in text that ISO 8601, the common log and patterns have in common. */
#include "text/time/moment.h"

#include <string.h>

#include "core/number/digits.h"
#include "text/number/parse.h"

const char locus_no_time[] = "is not a time", locus_no_date[] = "is not a date";
const char locus_month_names[12][NAME_BYTES] = {"January",   "February", "March",    "April",
                                                "May",       "June",     "July",     "August",
                                                "September", "October",  "November", "December"};
const char locus_weekday_names[7][NAME_BYTES] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                 "Thursday", "Friday", "Saturday"};

/* Whether the first letters of the word stand there, in any case. */
static bool stands(const char *at, const char *end, const char *word, int letters)
{
  if (end - at < letters) return false;
  for (int i = 0; i < letters; i++)
    if ((at[i] ^ word[i]) & ~0x20) return false;
  return true;
}

const char *locus_take_name(const char *at, const char *end, const char names[][NAME_BYTES],
                            int count, bool whole, int *index)
{
  for (*index = 0; *index < count; ++*index) {
    const char *const name = names[*index];
    if (!stands(at, end, name, SHORT_NAME)) continue;
    const int letters = (int)strlen(name);
    return at + (whole && stands(at, end, name, letters) ? letters : SHORT_NAME);
  }
  return NULL;
}

const char *locus_take_fraction(const char *at, const char *end, int64_t per_second, moment *m)
{
  const char *const first = at;
  int64_t unit = per_second, units = 0;
  bool finer = false;

  for (; at < end; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9) break;
    unit /= 10;
    units += digit * unit;
    finer |= unit == 0 && digit > 0;
  }
  m->units = units;
  m->finer = finer;
  return at > first ? at : NULL;
}

const char *locus_take_offset(const char *at, const char *end, int64_t *seconds)
{
  int hours, parts[2] = {0}; /* minutes and seconds */

  *seconds = 0;
  if (at < end && (*at | 0x20) == 'z') return at + 1;
  if (stands(at, end, "UTC", 3) || stands(at, end, "GMT", 3)) return at + 3;
  if (at == end || (*at != '+' && *at != '-')) return NULL;
  const bool west = *at == '-';
  at = take_two(at + 1, end, 23, &hours);
  const bool parted = at && at < end && *at == ':';
  if (at && at < end && (parted || (unsigned)(*at - '0') <= 9))
    at = take_two(at + parted, end, 59, &parts[0]);
  if (parted && at && at < end && *at == ':') at = take_two(at + 1, end, 59, &parts[1]);
  *seconds = (hours * 3600 + parts[0] * 60 + parts[1]) * (west ? -1 : 1);
  return at;
}

const char *locus_finish_time(const moment *m, int64_t per_second, int64_t *value)
{
  static const struct {
    int64_t per_second;
    const char *finer, *beyond;
  } wrong[] = {
      {1, "has a finer fraction than seconds", "is a time that int64 cannot hold in seconds"},
      {1000, "has a finer fraction than milliseconds",
       "is a time that int64 cannot hold in milliseconds"},
      {1000000, "has a finer fraction than microseconds",
       "is a time that int64 cannot hold in microseconds"},
      {1000000000, "has a finer fraction than nanoseconds",
       "is a time that int64 cannot hold in nanoseconds"},
  };
  const __int128 all = m->seconds * per_second + m->units;
  int unit = 0;

  *value = (int64_t)all;
  if (*value == all && !m->finer) return NULL;
  while (wrong[unit].per_second < per_second) unit++;
  return m->finer ? wrong[unit].finer : wrong[unit].beyond;
}

int locus_put_year(char *out, int64_t year)
{
  char digits[NUMBER_BYTES];

  if (year >= 0 && year <= 9999) {
    put_digits(out, (uint64_t)year, 4);
    return 4;
  }
  const int count = locus_format_i64(digits, year < 0 ? -year : year);
  const int zeros = count < 4 ? 4 - count : 0;
  *out++ = year < 0 ? '-' : '+';
  memset(out, '0', (size_t)zeros);
  memcpy(out + zeros, digits, (size_t)count);
  return 1 + zeros + count;
}
