/* SPDX-License-Identifier: MIT */
/* A column's elements as fields: the form that reads back, or the one that a format asks for. */
#include <math.h>
#include <string.h>

#include "core/number/element.h"
#include "text/time/address.h"
#include "text/time/format.h"
#include "text/time/pattern.h"
#include "text/time/time.h"
#include "text/write/output.h"
#include "text/write/quote.h"

enum { MOST_WIDTH = 99, MOST_DECIMALS = 20 };

/* -- Elements ---------------------------------------------------------------------------------- */

/* No value of another kind comes here. */
static int64_t load_integer(locus_dtype dtype, const char *element)
{
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, type, value, kind, name) \
  case LOCUS_##id: return (int64_t)LOCUS_REAL(locus_load_##id(*(const locus_##id *)element));
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return 0;
}

static double load_float(locus_dtype dtype, const char *element)
{
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, type, value, kind, name) \
  case LOCUS_##id: return (double)LOCUS_REAL(locus_load_##id(*(const locus_##id *)element));
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return 0;
}

static uint64_t load_bits(locus_dtype dtype, const char *element)
{
  switch (locus_dtype_size(dtype)) {
  case 2: return *(const uint16_t *)element;
  case 4: return *(const uint32_t *)element;
  default: return *(const uint64_t *)element;
  }
}

/* -- Fields ------------------------------------------------------------------------------------ */

static char *put_text(const char *text, char *to)
{
  const size_t length = strlen(text);

  memcpy(to, text, length);
  return to + length;
}

static char *put_i64(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  return to + locus_format_i64(to, load_integer(c->dtype, element));
}

/* The sign comes before zeros, but behind spaces. */
static char *put_padded(const text_writer *w, const text_output *c, const char *element, char *to)
{
  const int64_t value = load_integer(c->dtype, element);
  const bool negative = value < 0;
  uint64_t rest = negative ? 0 - (uint64_t)value : (uint64_t)value;
  char digits[24];
  int at = sizeof digits;

  (void)w;
  do digits[--at] = "0123456789abcdef"[rest % c->radix];
  while (rest /= c->radix);
  const int count = (int)sizeof digits - at, filled = c->width - count - negative;
  if (negative && c->fill == '0') *to++ = '-';
  for (int i = 0; i < filled; i++) *to++ = c->fill;
  if (negative && c->fill != '0') *to++ = '-';
  memcpy(to, digits + at, (size_t)count);
  return to + count;
}

static char *put_point(const text_writer *w, char *field, char *end)
{
  char *point = w->point == '.' ? NULL : memchr(field, '.', (size_t)(end - field));

  if (point) *point = w->point;
  return end;
}

/* Checks this field, if not all fields of the column are checked. */
static char *put_missing(const text_writer *w, const text_output *c, char *to)
{
  char *const end = put_text(w->missing, to);

  return c->may_need_quotes ? end : locus_quote_field(w, to, end);
}

static char *put_shortest(const text_writer *w, const text_output *c, const char *element, char *to)
{
  char *const end = to + locus_format_float(to, load_bits(c->dtype, element), c->precision);

  return *to == 'n' ? put_missing(w, c, to) : put_point(w, to, end);
}

static char *put_fixed(const text_writer *w, const text_output *c, const char *element, char *to)
{
  const double value = load_float(c->dtype, element);

  if (isnan(value)) return put_missing(w, c, to);
  return put_point(w, to, to + locus_format_fixed(to, value, c->places));
}

static char *put_word(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  return put_text(c->words[*element != 0], to);
}

static int32_t ahead_at(const text_output *c, int64_t time)
{
  zone_interval in;

  if (!c->zone) return 0;
  locus_zone_find(c->zone, floor_divide(time, c->per_second), &in);
  return in.offset;
}

static char *put_time(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  const int64_t time = load_integer(c->dtype, element);
  if (!c->zone) return to + locus_format_time(to, time, c->per_second);
  return to + locus_format_time_ahead(to, time, c->per_second, ahead_at(c, time));
}

static char *put_date(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  return to + locus_format_date(to, load_integer(c->dtype, element));
}

static char *put_ipv4(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  return to + locus_format_ipv4(to, load_integer(c->dtype, element));
}

static char *put_pattern(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  const int64_t time = load_integer(c->dtype, element);
  return to + locus_format_pattern(to, locus_pattern_room(c->format), c->format, time,
                                   c->per_second, ahead_at(c, time));
}

static char *put_day(const text_writer *w, const text_output *c, const char *element, char *to)
{
  (void)w;
  return to + locus_format_date_pattern(to, locus_pattern_room(c->format), c->format,
                                        load_integer(c->dtype, element));
}

/* -- Formats ----------------------------------------------------------------------------------- */

static int no_such_format(const text_output *c, const char *expected, locus_context *cx)
{
  return locus_fail(cx, "'formats.%.60s' must be %s, got '%.40s'", c->name, expected, c->format);
}

/* Reads at most two digits; answers -1 if there are more. */
static int read_count(const char **text)
{
  int count = 0;

  for (int digits = 0; **text >= '0' && **text <= '9'; ++*text) {
    if (++digits > 2) return -1;
    count = 10 * count + **text - '0';
  }
  return count;
}

/* "%5d", "%05d", "%x": at least that many bytes, filled with spaces or zeros. */
static int begin_integer(text_output *c, locus_context *cx)
{
  const char *at = c->format;

  c->put = put_i64;
  c->most = NUMBER_BYTES;
  if (!at) return 0;
  c->put = put_padded;
  c->most = MOST_WIDTH + 1;
  if (*at++ == '%') {
    c->fill = *at == '0' ? *at++ : ' ';
    c->width = read_count(&at);
    c->radix = *at == 'x' ? 16 : 10;
    if (c->width >= 0 && (*at == 'd' || *at == 'x') && at[1] == 0) return 0;
  }
  return no_such_format(c, "a format of integers, as '%d', '%05d' or '%x'", cx);
}

/* "%.2f" */
static int begin_float(text_output *c, locus_context *cx)
{
  const char *at = c->format;

  c->precision = locus_float_format(c->dtype);
  c->put = put_shortest;
  c->most = NUMBER_BYTES;
  if (!at) return 0;
  c->put = put_fixed;
  c->most = FIXED_BYTES;
  if (at[0] == '%' && at[1] == '.' && at[2] >= '0' && at[2] <= '9') {
    at += 2;
    c->places = read_count(&at);
    if (c->places >= 0 && c->places <= MOST_DECIMALS && strcmp(at, "f") == 0) return 0;
  }
  return no_such_format(c, "a format of floats, from '%.0f' to '%.20f'", cx);
}

static int begin_bool(text_output *c, locus_context *cx)
{
  c->put = put_word;
  if (c->format) return no_such_format(c, "two words, as {\"yes\", \"no\"}, of a bool column", cx);
  if (c->words[0]) c->may_need_quotes = true;
  else c->words[0] = "false", c->words[1] = "true";
  for (int i = 0; i < 2; i++) {
    const int64_t most = 2 * (int64_t)strlen(c->words[i]) + 2;
    c->most = c->most > most ? c->most : most;
  }
  return 0;
}

/* Times and dates, by a pattern or not; `usual` writes them without. */
static int begin_pattern(text_output *c, text_put *usual, text_put *by_pattern, locus_context *cx)
{
  const char *wrong = c->format ? locus_check_output_pattern(c->format) : NULL;

  c->put = usual;
  c->most = TIME_BYTES;
  if (!c->format) return 0;
  if (wrong) {
    return locus_fail(cx, "'formats.%.60s' must be a pattern as '%%Y-%%m-%%d', but '%.60s' %s",
                      c->name, c->format, wrong);
  }
  c->put = by_pattern;
  c->most = locus_pattern_room(c->format);
  c->may_need_quotes = true;
  return 0;
}

static int begin_value(text_output *c, locus_context *cx)
{
  switch (locus_dtype_kind(c->dtype)) {
  case LOCUS_BOOL: return begin_bool(c, cx);
  case LOCUS_INTEGER: return begin_integer(c, cx);
  case LOCUS_FLOAT: return begin_float(c, cx);
  case LOCUS_COMPLEX: break;
  }
  return locus_fail(cx, "column '%.60s' is %s, which only a function in 'formats' can write",
                    c->name, locus_dtype_name(c->dtype));
}

static int begin_by_meaning(text_output *c, locus_context *cx)
{
  switch (c->meaning) {
  case MEANS_VALUE: return begin_value(c, cx);
  case MEANS_TIME: return begin_pattern(c, put_time, put_pattern, cx);
  case MEANS_DATE: return begin_pattern(c, put_date, put_day, cx);
  case MEANS_IPV4: c->put = put_ipv4, c->most = NUMBER_BYTES; break;
  case MEANS_STRING: c->put = NULL; break;
  }
  return c->format ? no_such_format(c, "a function", cx) : 0;
}

/* Whether numbers, times or words may hold the byte: then all fields are checked. */
static bool occurs(char byte)
{
  return byte && strchr("0123456789abcdefghijklmnopqrstuvwxyzTZ+-.: ", byte) != NULL;
}

int locus_output_begin(const text_writer *w, text_output *c, locus_context *cx)
{
  if (c->words[0] && (c->meaning != MEANS_VALUE || locus_dtype_kind(c->dtype) != LOCUS_BOOL)) {
    return locus_fail(cx, "'formats.%.60s' has two words, and the column is not bool", c->name);
  }
  LOCUS_TRY(begin_by_meaning(c, cx));
  const int64_t missing = (int64_t)strlen(w->missing);
  c->most = 2 * (c->most > missing ? c->most : missing) + 2;
  c->is_number = c->put != NULL && !c->may_need_quotes;
  if (occurs(w->separator) || occurs(w->quote)) c->may_need_quotes = true;
  return 0;
}

int locus_output_string(const text_output *c, const char *element, const char **bytes,
                        int64_t *length, locus_context *cx)
{
  const int32_t id = *(const int32_t *)element, count = locus_dictionary_count(c->dictionary);

  if (id < 1 || id > count) {
    return locus_fail(cx, "column '%.60s' has the id %d, and there are %d names", c->name, id,
                      count);
  }
  *bytes = locus_dictionary_name(c->dictionary, id, length);
  return 0;
}
