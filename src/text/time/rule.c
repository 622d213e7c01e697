/* SPDX-License-Identifier: MIT */
/* TZ strings of POSIX, and the changes that they make.
** Sources: POSIX.1-2024, 8.3, TZ; RFC 9636, 3.3.1 and 3.3.2. */
#include "text/time/rule.h"

#include <string.h>

/* -- Reading ----------------------------------------------------------------------------------- */

typedef struct rule_text {
  const char *at, *end;
  const char *needs; /* NULL as long as all is well */
} rule_text;

static void need(rule_text *t, bool good, const char *what)
{
  if (!good && !t->needs) t->needs = what;
}

static bool take(rule_text *t, char byte)
{
  if (t->needs || t->at == t->end || *t->at != byte) return false;
  t->at++;
  return true;
}

/* A number of at most `digits` digits, -1 if there is none. */
static int take_number(rule_text *t, int digits)
{
  int number = -1;

  for (; digits > 0 && t->at < t->end && (unsigned)(*t->at - '0') <= 9; digits--, t->at++)
    number = (number < 0 ? 0 : number * 10) + (*t->at - '0');
  return number;
}

static bool is_letter(char byte)
{
  return (unsigned)((byte | 0x20) - 'a') < 26;
}

/* Letters, or letters, digits and signs in <>. The name does not matter. */
static void take_name(rule_text *t)
{
  const char *const begin = t->at;
  const bool quoted = take(t, '<');

  while (t->at < t->end && (is_letter(*t->at) || (quoted && ((unsigned)(*t->at - '0') <= 9 ||
                                                             *t->at == '+' || *t->at == '-'))))
    t->at++;
  const bool good = quoted ? t->at - begin > 1 && take(t, '>') : t->at - begin >= 3;
  if (!good) t->at = begin;
  need(t, good, "a name of three letters or one in <>");
}

/* 3, -3:30 or 03:30:15, in seconds. */
static int32_t take_time(rule_text *t, int most_hours, const char *what)
{
  const char *const begin = t->at;
  const bool minus = take(t, '-');
  int parts[3] = {0};

  if (!minus) take(t, '+');
  parts[0] = take_number(t, 3);
  for (int i = 1; i < 3 && take(t, ':'); i++) {
    parts[i] = take_number(t, 2);
    need(t, parts[i] >= 0 && parts[i] < 60, "minutes and seconds below 60");
  }
  if (parts[0] < 0 || parts[0] > most_hours) {
    if (!t->needs) t->at = begin;
    need(t, false, what);
  }
  const int32_t seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2];
  return minus ? -seconds : seconds;
}

static int32_t take_ahead(rule_text *t)
{
  return -take_time(t, 24, "a time of at most 24 hours");
}

static rule_day take_day(rule_text *t)
{
  rule_day day = {.how = RULE_WITH_LEAP, .time = 2 * 3600};

  need(t, take(t, ','), "a comma");
  if (take(t, 'M')) {
    day.how = RULE_WEEKDAY;
    day.month = take_number(t, 2);
    day.week = take(t, '.') ? take_number(t, 1) : -1;
    day.weekday = take(t, '.') ? take_number(t, 1) : -1;
    need(t,
         day.month >= 1 && day.month <= 12 && day.week >= 1 && day.week <= 5 && day.weekday >= 0 &&
             day.weekday <= 6,
         "a month, a week and a weekday that exist");
  } else {
    if (take(t, 'J')) day.how = RULE_WITHOUT_LEAP;
    day.n = t->needs ? 0 : take_number(t, 4);
    need(t, day.n >= (day.how == RULE_WITHOUT_LEAP) && day.n <= 365, "a day (Mm.w.d, Jn or n)");
  }
  if (take(t, '/')) day.time = take_time(t, 167, "a time of at most 167 hours");
  return day;
}

const char *locus_parse_rule(const char *text, const char *end, time_rule *rule, const char **place)
{
  rule_text t = {.at = text, .end = end};

  *rule = (time_rule){0};
  take_name(&t);
  if (!t.needs) rule->standard = take_ahead(&t);
  if (!t.needs && t.at < end) {
    rule->changes = true;
    take_name(&t);
    rule->daylight = rule->standard + 3600;
    if (!t.needs && (t.at == end || *t.at != ',')) rule->daylight = take_ahead(&t);
    if (!t.needs) rule->start = take_day(&t);
    if (!t.needs) rule->finish = take_day(&t);
    need(&t, t.at == end, "its end");
  }
  *place = t.at;
  return t.needs;
}

/* -- Changes ----------------------------------------------------------------------------------- */

static int64_t day_in_year(const rule_day *day, int64_t year)
{
  if (day->how == RULE_WEEKDAY) {
    const int64_t first = days_of_date((civil_date){year, day->month, 1});
    const int to_first = (day->weekday - weekday_of_days(first) + 7) % 7;
    const int of_month = to_first + 7 * (day->week - 1);
    return first + (of_month < days_in_month(year, day->month) ? of_month : of_month - 7);
  }
  const int64_t first = days_of_date((civil_date){year, 1, 1});
  if (day->how == RULE_WITH_LEAP) return first + day->n;
  return first + day->n - 1 + (day->n >= 60 && is_leap_year(year));
}

/* Puts it where it belongs, behind its equals. */
static void insert(zone_changes *changes, int64_t first, int64_t at, int32_t ahead)
{
  int64_t i = changes->count++;

  for (; i > first && changes->at[i - 1] > at; i--) {
    changes->at[i] = changes->at[i - 1];
    changes->ahead[i + 1] = changes->ahead[i];
  }
  changes->at[i] = at;
  changes->ahead[i + 1] = ahead;
}

void locus_rule_add(const time_rule *rule, int64_t from, zone_changes *changes, int64_t *cycle,
                    bool *always)
{
  const int64_t first = changes->count;
  const int64_t year =
      from == INT64_MIN ? 1970 : date_of_days(floor_divide(from, SECONDS_PER_DAY)).year;
  int64_t kept = first;

  *always = from == INT64_MIN;
  *cycle = INT64_MAX;
  if (rule->changes) {
    for (int64_t y = year - 2; y < year - 2 + RULE_YEARS; y++) {
      const int64_t start = day_in_year(&rule->start, y) * SECONDS_PER_DAY;
      const int64_t finish = day_in_year(&rule->finish, y) * SECONDS_PER_DAY;
      insert(changes, first, start + rule->start.time - rule->standard, rule->daylight);
      insert(changes, first, finish + rule->finish.time - rule->daylight, rule->standard);
    }
    *cycle = days_of_date((civil_date){year + 1, 1, 1}) * SECONDS_PER_DAY;
  }
  /* The changes up to `from` become one: the offset that the rule has then. */
  int32_t ahead = rule->standard;
  for (int64_t i = first; i < changes->count; i++) {
    if (changes->at[i] <= from) ahead = changes->ahead[i + 1];
    else break;
    kept = i + 1;
  }
  if (from == INT64_MIN) {
    changes->ahead[first] = ahead;
    return;
  }
  const int64_t dropped = kept - first, rest = changes->count - kept;
  memmove(changes->at + first + 1, changes->at + kept, (size_t)rest * sizeof *changes->at);
  memmove(changes->ahead + first + 2, changes->ahead + kept + 1,
          (size_t)rest * sizeof *changes->ahead);
  changes->at[first] = from;
  changes->ahead[first + 1] = ahead;
  changes->count += 1 - dropped;
}
