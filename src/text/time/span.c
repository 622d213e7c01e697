/* SPDX-License-Identifier: MIT */
/* Spans of time in text, and the words of other libraries for them. */
#include "text/time/span.h"

#include <stdio.h>
#include <string.h>

#include "text/number/parse.h"

/* By unit: the short form, "" where there is none, and the word. */
static const struct {
  const char *brief, *word;
  int64_t nanoseconds;
} units[] = {
    {"ns", "nanosecond", 1},
    {"us", "microsecond", 1000},
    {"ms", "millisecond", 1000000},
    {"s", "second", 1000000000},
    {"m", "minute", 60000000000},
    {"h", "hour", 3600000000000},
    {"d", "day", 86400000000000},
    {"w", "week", 604800000000000},
    {"", "month", 0},
    {"", "quarter", 0},
    {"", "year", 0},
};
enum { UNITS = sizeof units / sizeof *units };

/* Words of pandas, polars, DuckDB, R and Go. Case counts here: pandas has "M" for months and
** "min" for minutes. */
static const struct {
  const char *word;
  span_unit unit;
} foreign[] = {
    {"n", SPAN_NANOSECOND},
    {"N", SPAN_NANOSECOND},
    {"nanos", SPAN_NANOSECOND},
    {"\xc2\xb5s", SPAN_MICROSECOND},
    {"\xce\xbcs", SPAN_MICROSECOND},
    {"u", SPAN_MICROSECOND},
    {"U", SPAN_MICROSECOND},
    {"usec", SPAN_MICROSECOND},
    {"micros", SPAN_MICROSECOND},
    {"l", SPAN_MILLISECOND},
    {"L", SPAN_MILLISECOND},
    {"msec", SPAN_MILLISECOND},
    {"millis", SPAN_MILLISECOND},
    {"sec", SPAN_SECOND},
    {"secs", SPAN_SECOND},
    {"t", SPAN_MINUTE},
    {"T", SPAN_MINUTE},
    {"min", SPAN_MINUTE},
    {"mins", SPAN_MINUTE},
    {"hr", SPAN_HOUR},
    {"hrs", SPAN_HOUR},
    {"b", SPAN_DAY},
    {"wk", SPAN_WEEK},
    {"wks", SPAN_WEEK},
    {"M", SPAN_MONTH},
    {"mo", SPAN_MONTH},
    {"MS", SPAN_MONTH},
    {"ME", SPAN_MONTH},
    {"mon", SPAN_MONTH},
    {"mons", SPAN_MONTH},
    {"mth", SPAN_MONTH},
    {"q", SPAN_QUARTER},
    {"Q", SPAN_QUARTER},
    {"QS", SPAN_QUARTER},
    {"QE", SPAN_QUARTER},
    {"qtr", SPAN_QUARTER},
    {"y", SPAN_YEAR},
    {"Y", SPAN_YEAR},
    {"a", SPAN_YEAR},
    {"A", SPAN_YEAR},
    {"YS", SPAN_YEAR},
    {"YE", SPAN_YEAR},
    {"AS", SPAN_YEAR},
    {"yr", SPAN_YEAR},
    {"yrs", SPAN_YEAR},
};

static bool is(const char *text, size_t length, const char *word)
{
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The word in the singular or the plural. */
static bool is_word(const char *text, size_t length, const char *word)
{
  const size_t letters = strlen(word);
  return is(text, length, word) ||
         (length == letters + 1 && text[letters] == 's' && memcmp(text, word, letters) == 0);
}

static bool find_unit(const char *text, size_t length, span_unit *unit)
{
  for (int i = 0; i < UNITS; i++)
    if ((*units[i].brief && is(text, length, units[i].brief)) ||
        is_word(text, length, units[i].word)) {
      *unit = (span_unit)i;
      return true;
    }
  return false;
}

/* What another library's word means: one of the list, or one of ours in other letters ("H",
** "Minutes"). */
static bool find_foreign(const char *text, size_t length, span_unit *unit)
{
  char lower[16];

  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (is(text, length, foreign[i].word)) {
      *unit = foreign[i].unit;
      return true;
    }
  if (length >= sizeof lower) return false;
  for (size_t i = 0; i < length; i++)
    lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 0x20 : text[i]);
  return find_unit(lower, length, unit);
}

static const char *advise(char advice[SPAN_ADVICE], bool counted, int64_t count, span_unit unit)
{
  const bool plural = count != 1 && count != -1;
  char digits[NUMBER_BYTES + 1] = "";

  if (counted) digits[locus_format_i64(digits, count)] = 0;
  snprintf(advice, SPAN_ADVICE, "write \"%s%s%s%s\"", digits, counted ? " " : "", units[unit].word,
           plural ? "s" : "");
  return advice;
}

static size_t skip_spaces(const char *text, size_t at, size_t length)
{
  while (at < length && text[at] == ' ') at++;
  return at;
}

/* The whole number at `at`; *wrong says what is wrong with it. */
static size_t take_count(const char *text, size_t at, size_t length, int64_t *count,
                         const char **wrong)
{
  const bool minus = at < length && text[at] == '-';
  size_t begin;

  if (at < length && (minus || text[at] == '+')) at = skip_spaces(text, at + 1, length);
  begin = at;
  for (*count = 0; at < length && (unsigned)(text[at] - '0') <= 9; at++)
    if (__builtin_mul_overflow(*count, 10, count) ||
        __builtin_add_overflow(*count, text[at] - '0', count))
      *wrong = "write a number that int64 can hold";
  if (at == begin) *count = 1;
  else if (*count == 0) *wrong = "write a span that is not 0";
  if (at < length && text[at] == '.') *wrong = "write a whole number of a smaller unit";
  if (minus) *count = -*count;
  return at;
}

const char *locus_parse_span(const char *text, size_t length, bool negative, time_span *span,
                             char advice[SPAN_ADVICE])
{
  static const char form[] = "write \"15m\", \"1h\", \"day\", \"2 weeks\", \"month\" or the like";
  const char *wrong = NULL;
  size_t at = skip_spaces(text, 0, length), begin = at;

  at = take_count(text, at, length, &span->count, &wrong);
  const bool counted = at > begin;
  if (!wrong && counted && !negative && (text[begin] == '-' || text[begin] == '+'))
    wrong = "write it without a sign";
  at = skip_spaces(text, at, length);
  while (length > at && text[length - 1] == ' ') length--;
  if (at == length) return wrong ? wrong : form;
  if (find_unit(text + at, length - at, &span->unit)) return wrong;
  if (!wrong && find_foreign(text + at, length - at, &span->unit))
    return advise(advice, counted, span->count, span->unit);
  return wrong ? wrong : form;
}

int64_t locus_span_nanoseconds(span_unit unit)
{
  return units[unit].nanoseconds;
}

const char *locus_span_units(const time_span *span, int64_t per_second, int64_t *count)
{
  const int64_t scale = per_second ? 1000000000 / per_second : units[SPAN_DAY].nanoseconds;
  const __int128 all = (__int128)span->count * units[span->unit].nanoseconds;

  if (units[span->unit].nanoseconds == 0) return "has no fixed length: write it in days, \"30d\"";
  *count = (int64_t)(all / scale);
  if (all % scale != 0)
    return per_second ? "is no whole number of the time's unit" : "is no whole number of days";
  return *count == all / scale ? NULL : "is longer than int64 can hold";
}
