/* SPDX-License-Identifier: MIT */
#include "text/read/guess.h"

#include <string.h>

#include "text/number/parse.h"
#include "text/time/calendar.h"

enum { PER_MILLISECOND = 1000, MICROSECONDS = 1000000, NANOSECONDS = 1000000000 };

/* -- Numbers ----------------------------------------------------------------------------------- */

/* Whether a field is a plain number: without a plus, and without a 0 in front of other digits. A
** guess takes no others, since 007 or +49 may be a name. */
static bool is_plain(text_span field)
{
  const char *text = field.bytes, *end = text + field.length;

  if (text < end && *text == '-') text++;
  if (text == end || *text == '+') return false;
  return *text != '0' || end - text == 1 || text[1] < '0' || text[1] > '9';
}

static bool is_whole(text_span field)
{
  for (int64_t i = field.bytes[0] == '-'; i < field.length; i++)
    if (field.bytes[i] < '0' || field.bytes[i] > '9') return false;
  return true;
}

static bool float64_rounds(int64_t whole)
{
  const double rounded = (double)whole;
  return !(rounded < 0x1p63) || (int64_t)rounded != whole;
}

/* Fortran's exponent D counts only behind a point: 12D3 may be a name. */
static bool parse_decimal(text_span field, char point, uint64_t *bits)
{
  const char *const text = field.bytes, *const end = text + field.length;

  return locus_parse_float(text, end, point, &FORMAT_f64, bits) ||
         (memchr(text, point, (size_t)field.length) &&
          locus_parse_fortran_float(text, end, point, &FORMAT_f64, bits));
}

/* -0 is a float, and a whole number beyond int64 is none. */
static unsigned see_number(text_span field, char point, int64_t *value)
{
  uint64_t bits;

  if (!is_plain(field)) return SEEN_OTHER;
  if (locus_parse_i64(field.bytes, field.bytes + field.length, value) &&
      (*value != 0 || *field.bytes != '-'))
    return SEEN_INTEGER | (float64_rounds(*value) ? SEEN_LONG : 0);
  if (!parse_decimal(field, point, &bits)) return SEEN_OTHER;
  if (is_whole(field) && bits != (uint64_t)1 << 63) return SEEN_OTHER;
  *value = (int64_t)bits;
  return SEEN_FLOAT;
}

/* -- Times ------------------------------------------------------------------------------------- */

static bool fits_nanoseconds(int64_t microseconds)
{
  int64_t nanoseconds;
  return !__builtin_mul_overflow(microseconds, PER_MILLISECOND, &nanoseconds);
}

/* A time of day has a colon, and a date has none. */
static unsigned see_time(text_span field, text_clock *clock, int64_t *value)
{
  const char *const text = field.bytes, *const end = text + field.length;
  unsigned seen = 0;

  clock->per_second = MICROSECONDS;
  if (locus_parse_time(clock, text, end, value)) {
    clock->per_second = NANOSECONDS;
    if (locus_parse_time(clock, text, end, value)) return SEEN_OTHER;
    seen = SEEN_FINE;
  } else if (!fits_nanoseconds(*value)) {
    seen = SEEN_WIDE;
  }
  seen |= memchr(text, ':', (size_t)field.length) ? SEEN_TIME : SEEN_DATE;
  return seen | (clock->bare ? SEEN_BARE : SEEN_ZONED);
}

/* Whether it may begin with a date: a year of four digits and a dash, or a day and a slash. */
static bool may_be_time(text_span field)
{
  const char *const text = field.bytes;

  if (field.length < 10) return false;
  return *text >= '0' && *text <= '9' && (text[4] == '-' || text[2] == '/');
}

/* -- Guesses ----------------------------------------------------------------------------------- */

unsigned locus_guess_see(text_span field, char point, text_clock *clock, int64_t *value)
{
  const unsigned seen = may_be_time(field) ? see_time(field, clock, value) : SEEN_OTHER;

  return seen == SEEN_OTHER ? see_number(field, point, value) : seen;
}

static text_type type_of_times(unsigned seen)
{
  const bool fine = seen & SEEN_FINE;

  if ((seen & SEEN_BARE && seen & SEEN_ZONED) || (fine && seen & SEEN_WIDE)) return TEXT_STRING;
  if (!(seen & SEEN_TIME)) return TEXT_GUESS_DATE;
  return fine ? TEXT_GUESS_TIME_NS : TEXT_GUESS_TIME;
}

text_type locus_guess_type(unsigned seen)
{
  const bool numbers = seen & (SEEN_INTEGER | SEEN_FLOAT), times = seen & (SEEN_DATE | SEEN_TIME);

  if (seen & SEEN_OTHER || (numbers && times)) return TEXT_STRING;
  if (times) return type_of_times(seen);
  if (!(seen & SEEN_FLOAT)) return TEXT_GUESS_INTEGER;
  return seen & SEEN_LONG ? TEXT_STRING : TEXT_GUESS_FLOAT;
}

unsigned locus_guess_least(text_type type)
{
  if (type == TEXT_GUESS_FLOAT) return SEEN_FLOAT;
  if (type == TEXT_GUESS_DATE) return SEEN_DATE;
  if (type == TEXT_GUESS_TIME) return SEEN_TIME;
  return type == TEXT_GUESS_TIME_NS ? SEEN_TIME | SEEN_FINE : 0;
}

int64_t locus_guess_value(text_type type, unsigned seen, int64_t value)
{
  if (type == TEXT_GUESS_FLOAT && seen & SEEN_INTEGER) {
    const double number = (double)value;
    memcpy(&value, &number, sizeof value);
  } else if (type == TEXT_GUESS_DATE) {
    value = floor_divide(value, (int64_t)SECONDS_PER_DAY * MICROSECONDS);
  } else if (type == TEXT_GUESS_TIME_NS && !(seen & SEEN_FINE)) {
    value *= PER_MILLISECOND;
  }
  return value;
}
