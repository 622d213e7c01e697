/* SPDX-License-Identifier: MIT */
/* src/text/time: written text is read again, and compared with strftime, gmtime and inet_pton. The
** first bytes choose the type, the unit and the pattern. */
#define _GNU_SOURCE /* timegm */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"
#include "text/number/parse.h"
#include "text/time/address.h"
#include "text/time/format.h"
#include "text/time/pattern.h"
#include "text/time/time.h"

static const int64_t units[] = {1, 1000, 1000000, 1000000000};

typedef struct text {
  const char *bytes; /* closed by a 0 */
  int64_t length;
} text;

/* Reads a copy, so that a sanitizer sees reads beyond it. */
static const char *read_time(text_clock *clock, text from, int64_t *value)
{
  char *copy = fuzz_copy(from.bytes, (size_t)from.length, 0);
  const char *wrong = locus_parse_time(clock, copy, copy + from.length, value);
  fuzz_free(copy, 0);
  return wrong;
}

static const char *read_date(const char *pattern, text from, int64_t *value)
{
  char *copy = fuzz_copy(from.bytes, (size_t)from.length, 0);
  const char *wrong = locus_parse_date(pattern, copy, copy + from.length, value);
  fuzz_free(copy, 0);
  return wrong;
}

/* -- ISO 8601 ---------------------------------------------------------------------------------- */

static int64_t whole_quotient(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* The time as the C library writes it, where years have four digits. */
static bool expected_time(int64_t value, int64_t per_second, char *out, size_t room)
{
  const time_t seconds = whole_quotient(value, per_second);
  long long rest = (long long)(value - (__int128)seconds * per_second);
  int digits = per_second == 1 ? 0 : per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9;
  struct tm tm;

  if (!gmtime_r(&seconds, &tm) || tm.tm_year < -1900 || tm.tm_year > 9999 - 1900) return false;
  for (; digits > 0 && rest % 1000 == 0; digits -= 3) rest /= 1000;
  size_t length = (size_t)snprintf(out, room, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900,
                                   tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
  if (digits) length += (size_t)snprintf(out + length, room - length, ".%0*lld", digits, rest);
  snprintf(out + length, room - length, "Z");
  return true;
}

static void check_time(int64_t value, int64_t per_second)
{
  char out[TIME_BYTES + 1], expected[64];
  text_clock clock = {.per_second = per_second};
  int64_t back = 0;

  out[locus_format_time(out, value, per_second)] = 0;
  const char *wrong = read_time(&clock, (text){out, (int64_t)strlen(out)}, &back);
  if (wrong || back != value) fuzz_fail("%s reads back as %lld", out, (long long)back);
  if (expected_time(value, per_second, expected, sizeof expected) && strcmp(out, expected))
    fuzz_fail("%s and not %s", out, expected);
}

static void check_date(int64_t value)
{
  char out[TIME_BYTES + 1];
  int64_t back = 0;

  out[locus_format_date(out, value)] = 0;
  if (value > INT64_C(360000000000000) || value < -INT64_C(360000000000000)) return;
  if (read_date(NULL, (text){out, (int64_t)strlen(out)}, &back) || back != value)
    fuzz_fail("%s reads back as %lld", out, (long long)back);
}

/* A time that reads is the same after it was written, and the clock's memory changes nothing. */
static void check_text(text from, int64_t per_second)
{
  const char *const middle = memchr(from.bytes, '|', (size_t)from.length);
  text_clock used = {.per_second = per_second}, fresh = used;
  int64_t value = 0, other = 0;

  if (middle) {
    const text first = {from.bytes, middle - from.bytes};
    from = (text){middle + 1, from.length - first.length - 1};
    read_time(&used, first, &value);
  }
  const char *wrong = read_time(&used, from, &value);
  if (wrong != read_time(&fresh, from, &other) || (!wrong && value != other))
    fuzz_fail("\"%s\" depends on what was read before: %lld, %lld", from.bytes, (long long)value,
              (long long)other);
  if (!wrong) check_time(value, per_second);
  if (!read_date(NULL, from, &value)) check_date(value);
}

/* Two digits each at their places, which is all that it takes where they have theirs. */
static void check_civil(text from)
{
  struct tm tm = {0};
  text_clock clock = {.per_second = 1};
  int64_t value = 0;
  char rest, written[32];

  if (from.length != 19 || strlen(from.bytes) != 19) return;
  if (sscanf(from.bytes, "%4d-%2d-%2dT%2d:%2d:%2d%c", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
             &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &rest) != 6)
    return;
  const struct tm given = tm;
  const int leap = given.tm_sec == 60; /* the second behind the one before it */
  tm.tm_sec -= leap;
  tm.tm_year -= 1900;
  tm.tm_mon--;
  const time_t seconds = timegm(&tm) + leap;
  snprintf(written, sizeof written, "%04d-%02d-%02dT%02d:%02d:%02d", given.tm_year, given.tm_mon,
           given.tm_mday, given.tm_hour, given.tm_min, given.tm_sec);
  const bool same_day = tm.tm_year == given.tm_year - 1900 && tm.tm_mon == given.tm_mon - 1 &&
                        tm.tm_mday == given.tm_mday;
  const bool same_time =
      tm.tm_hour == given.tm_hour && tm.tm_min == given.tm_min && tm.tm_sec + leap == given.tm_sec;
  const bool exists = given.tm_year >= 0 && !strcmp(written, from.bytes) && same_day && same_time;
  const bool read = !read_time(&clock, from, &value);
  if (read != exists || (read && value != seconds))
    fuzz_fail("\"%s\": %lld and not %lld", from.bytes, (long long)value, (long long)seconds);
}

/* -- Patterns ---------------------------------------------------------------------------------- */

/* Whether it writes all of the pattern, and strftime the same. */
static void check_strftime(const char *pattern, int64_t value, int64_t per_second, const char *out)
{
  const time_t seconds = whole_quotient(value, per_second);
  char expected[2048], wide[512], *to = wide;
  struct tm tm;

  if (!gmtime_r(&seconds, &tm) || tm.tm_year < -900 || tm.tm_year > 9999 - 1900) return;
  if (strlen(pattern) > 100 || *pattern == 0) return;
  for (const char *at = pattern; *at; at++) { /* %f is not C's */
    if (*at == '%' && (at[1] == 'f' || at[1] == 'z')) return;
    *to++ = *at;
    if (*at == '%') *to++ = *++at;
  }
  *to = 0;
  strftime(expected, sizeof expected, wide, &tm);
  if (strcmp(out, expected)) fuzz_fail("%s: %s and not %s", pattern, out, expected);
}

/* Whether each piece ends before the next one begins: digits of any number do not before digits. */
static bool is_separated(const char *pattern)
{
  for (; *pattern; pattern++) {
    if (*pattern != '%') continue;
    pattern++;
    const char next = pattern[1];
    const bool digits = (next == '%' && pattern[2] != '%') || (next >= '0' && next <= '9');
    if (digits && strchr("YFsf", *pattern)) return false;
  }
  return true;
}

static bool has_one_of(const char *pattern, const char *directives)
{
  for (; *pattern; pattern++)
    if (*pattern == '%' && strchr(directives, *++pattern)) return true;
  return false;
}

/* A year of two digits is one of a hundred, and its days may be other ones of the week. */
static bool is_of_any_century(const char *pattern)
{
  return !has_one_of(pattern, "yD") || !has_one_of(pattern, "aA");
}

/* A part that the pattern leaves out reads as the beginning of the day, month or year. In the year
** of the least int64 that is too early. */
static bool is_past_the_first_year(int64_t value, int64_t per_second)
{
  return value >= INT64_MIN + 366 * 86400 * per_second;
}

/* Written text reads back as a value that is written so, too. */
static void check_written(const char *pattern, int64_t value, int64_t per_second)
{
  const int room = 10 * (int)strlen(pattern) + 32;
  char *out = malloc((size_t)room + 1), *again = malloc((size_t)room + 1);
  text_clock clock = {.per_second = per_second, .pattern = pattern};
  int64_t back;

  const int length = locus_format_pattern(out, room, pattern, value, per_second, 0);
  if (length < 0) fuzz_fail("%s does not fit", pattern);
  out[length] = 0;
  check_strftime(pattern, value, per_second, out);
  for (int less = 0; less < length; less += 1 + less / 4) {
    char *small = malloc((size_t)less + 1);
    if (locus_format_pattern(small, less, pattern, value, per_second, 0) >= 0)
      fuzz_fail("%s fits into %d bytes", out, less);
    free(small);
  }
  const bool known = !locus_check_pattern(pattern); /* else it can only be written */
  if (known && !read_time(&clock, (text){out, length}, &back)) {
    const int other = locus_format_pattern(again, room, pattern, back, per_second, 0);
    if (other != length || memcmp(out, again, (size_t)length))
      fuzz_fail("%s: %s reads back as %.*s", pattern, out, other, again);
  } else if (known && is_separated(pattern) && is_of_any_century(pattern) &&
             is_past_the_first_year(value, per_second)) {
    fuzz_fail("%s: %s does not read back", pattern, out);
  }
  free(out);
  free(again);
}

static void check_pattern(fuzz_input *input, int64_t per_second)
{
  int64_t value = (int64_t)fuzz_word(input), read = 0;
  const int shift = (int)fuzz_byte(input) % 64;
  const size_t left = (size_t)(input->end - input->at);
  char *pattern = malloc(left + 1);

  if (left) memcpy(pattern, input->at, left);
  pattern[left] = 0;
  char *sample = strchr(pattern, '\n'); /* a line of its own */
  if (sample) *sample++ = 0;
  value >>= shift;
  if (!locus_check_output_pattern(pattern)) check_written(pattern, value, per_second);
  if (sample && !locus_check_pattern(pattern)) {
    const text from = {sample, (int64_t)strlen(sample)};
    text_clock clock = {.per_second = per_second, .pattern = pattern};
    if (!read_time(&clock, from, &read)) check_written(pattern, read, per_second);
    read_date(pattern, from, &read);
  }
  free(pattern);
}

/* -- Addresses --------------------------------------------------------------------------------- */

static void check_address(text from)
{
  char *copy = fuzz_copy(from.bytes, (size_t)from.length, 0), out[TIME_BYTES + 1], other[32];
  struct in_addr address = {0};
  int64_t value = 0;
  const bool known =
      strlen(from.bytes) == (size_t)from.length && inet_pton(AF_INET, from.bytes, &address) == 1;
  const bool read = !locus_parse_ipv4(copy, copy + from.length, &value);

  if (read != known || (read && value != ntohl(address.s_addr)))
    fuzz_fail("\"%s\": %lld and not %u", from.bytes, (long long)value, ntohl(address.s_addr));
  if (read) {
    out[locus_format_ipv4(out, value)] = 0;
    if (strcmp(out, inet_ntop(AF_INET, &address, other, sizeof other))) fuzz_fail("%s", out);
  }
  fuzz_free(copy, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_input input = {data, data + size};
  const unsigned what = fuzz_byte(&input);
  const int64_t per_second = units[what >> 3 & 3];

  if (size > 2000) return 0;
  if ((what & 7) < 3) {
    check_pattern(&input, per_second);
  } else if ((what & 7) == 3) {
    const int64_t value = (int64_t)fuzz_word(&input) >> (fuzz_byte(&input) & 63);
    check_time(value, per_second);
    check_date(value);
  } else {
    const size_t left = (size_t)(input.end - input.at);
    char *bytes = malloc(left + 1);
    if (left) memcpy(bytes, input.at, left);
    bytes[left] = 0;
    const text from = {bytes, (int64_t)left};
    if ((what & 7) == 4) check_address(from);
    else if ((what & 7) == 5) check_civil(from);
    else check_text(from, per_second);
    free(bytes);
  }
  return 0;
}
