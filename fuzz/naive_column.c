/* SPDX-License-Identifier: MIT */
/* The values of fields, and the result of a guess when all rows are known. */
#include <stdlib.h>

#include "naive.h"
#include "text/number/parse.h"
#include "text/time/address.h"

/* -- Fields ------------------------------------------------------------------------------------ */

static bool is_space(char c)
{
  return c == ' ' || c == '\t';
}

static naive_field without_spaces(naive_field field)
{
  while (field.length > 0 && is_space(*field.bytes)) field.bytes++, field.length--;
  while (field.length > 0 && is_space(field.bytes[field.length - 1])) field.length--;
  return field;
}

/* Spaces around a field that is no string do not count. */
static bool is_missing(const plan *plan, text_type type, naive_field field)
{
  if (type != TEXT_STRING && type != TEXT_REQUEST_PATH) field = without_spaces(field);
  for (int i = 0; i < plan->missings; i++)
    if (plan->missing[i].length == field.length &&
        memcmp(plan->missing[i].bytes, field.bytes, (size_t)field.length) == 0)
      return true;
  return field.length == 0;
}

static const float_format *format_of(locus_dtype dtype)
{
  switch (dtype) {
  case LOCUS_f32: return &FORMAT_f32;
  case LOCUS_f16: return &FORMAT_f16;
  case LOCUS_bf16: return &FORMAT_bf16;
  default: return &FORMAT_f64;
  }
}

static bool fits(locus_dtype dtype, int64_t value)
{
  switch (dtype) {
  case LOCUS_u8: return value >= 0 && value < 256;
  case LOCUS_i8: return value == (int8_t)value;
  case LOCUS_i16: return value == (int16_t)value;
  case LOCUS_i32: return value == (int32_t)value;
  default: return true;
  }
}

/* The one D is an E elsewhere; `guessed` where that wants a point. */
static bool float_of(char *copy, const char *end, char point, bool guessed,
                     const float_format *format, uint64_t *bits)
{
  if (locus_parse_float(copy, end, point, format, bits)) return true;
  if (guessed && !memchr(copy, point, (size_t)(end - copy))) return false;
  for (char *at = copy; at < end; at++) {
    if (*at == 'e' || *at == 'E') return false;
    if (*at != 'd' && *at != 'D') continue;
    *at = 'e';
    return locus_parse_float(copy, end, point, format, bits);
  }
  return false;
}

/* NULL, or the error. The numbers and times themselves are the business of other targets. */
static const char *value_of(const plan *plan, const plan_field *field, naive_field text,
                            int64_t *bits)
{
  text_clock clock = {.per_second = field->per_second, .pattern = field->pattern};
  char *copy = fuzz_copy(text.bytes, (size_t)text.length, READ_BEFORE);
  const char *end = copy + text.length, *wrong = NULL;
  uint64_t parsed = 0;

  *bits = 0;
  switch (field->type) {
  case TEXT_INTEGER:
    if (!locus_parse_i64(copy, end, bits) || !fits(field->dtype, *bits)) wrong = locus_not_of_type;
    break;
  case TEXT_FLOAT:
    if (!float_of(copy, end, plan->point, false, format_of(field->dtype), &parsed))
      wrong = locus_not_of_type;
    *bits = (int64_t)parsed;
    break;
  case TEXT_BOOL:
    if (text.length == 3 && memcmp(copy, "yes", 3) == 0) *bits = 1;
    else if (text.length != 2 || memcmp(copy, "no", 2) != 0) wrong = locus_not_of_type;
    break;
  case TEXT_TIME: wrong = locus_parse_time(&clock, copy, end, bits); break;
  case TEXT_DATE: wrong = locus_parse_date(field->pattern, copy, end, bits); break;
  case TEXT_IPV4: wrong = locus_parse_ipv4(copy, end, bits); break;
  case TEXT_NOTHING: wrong = "has text behind the separator that ends the line"; break;
  case TEXT_REQUEST_PATH:
  case TEXT_GUESS_INTEGER:
  case TEXT_GUESS_FLOAT:
  case TEXT_GUESS_DATE:
  case TEXT_GUESS_TIME:
  case TEXT_GUESS_TIME_NS:
  case TEXT_STRING: break;
  }
  fuzz_free(copy, READ_BEFORE);
  return wrong;
}

static bool is_text(text_type type)
{
  return type == TEXT_STRING || type == TEXT_REQUEST_PATH || type == TEXT_GUESS_INTEGER ||
         type == TEXT_GUESS_FLOAT || type == TEXT_GUESS_DATE || type == TEXT_GUESS_TIME ||
         type == TEXT_GUESS_TIME_NS;
}

const char *naive_convert(const plan *plan, const plan_field *field, naive_field text,
                          int64_t *bits)
{
  const naive_field inner = without_spaces(text);

  if (is_text(field->type)) return NULL;
  if (!is_missing(plan, field->type, text)) {
    if (!value_of(plan, field, text, bits)) return NULL;
    if (inner.length > 0) return value_of(plan, field, inner, bits);
  }
  *bits = field->missing;
  return field->fills || field->type == TEXT_NOTHING ? NULL : "is missing";
}

/* -- Rows -------------------------------------------------------------------------------------- */

void naive_keep_row(naive_table *table, const plan *plan, naive_record *record)
{
  if (table->rows == table->room) {
    table->room = 2 * table->room + 8;
    table->fields =
        realloc(table->fields, (size_t)(table->room * MOST_FIELDS) * sizeof *table->fields);
  }
  for (int i = 0; i < plan->count; i++) {
    table->fields[table->rows * MOST_FIELDS + i] = record->fields[i];
    record->fields[i].bytes = NULL;
  }
  table->rows++;
}

/* The best type that a guess may be for this field. */
static text_type best_guess(const plan *plan, naive_field field)
{
  const naive_field inner = without_spaces(field);
  char *copy = fuzz_copy(inner.bytes, (size_t)inner.length, READ_BEFORE);
  const char *digits = copy + (inner.length > 0 && *copy == '-'), *end = copy + inner.length;
  bool whole = digits < end;
  text_type type = TEXT_STRING;
  int64_t value = 0;
  uint64_t bits;

  for (const char *c = digits; c < end; c++) whole = whole && *c >= '0' && *c <= '9';
  if (is_missing(plan, TEXT_GUESS_FLOAT, field)) type = TEXT_GUESS_FLOAT;
  else if (digits < end && *digits == '+') type = TEXT_STRING;
  else if (end - digits > 1 && *digits == '0' && digits[1] >= '0' && digits[1] <= '9')
    type = TEXT_STRING;
  else if (whole && locus_parse_i64(copy, end, &value) && !(value == 0 && *copy == '-'))
    type = TEXT_GUESS_INTEGER;
  else if (whole && value == 0 && end - digits == 1) type = TEXT_GUESS_FLOAT; /* -0 */
  else if (!whole && float_of(copy, end, plan->point, true, &FORMAT_f64, &bits))
    type = TEXT_GUESS_FLOAT;
  fuzz_free(copy, READ_BEFORE);
  return type;
}

static bool is_exact(const plan *plan, naive_field field)
{
  const naive_field inner = without_spaces(field);
  char *copy = fuzz_copy(inner.bytes, (size_t)inner.length, READ_BEFORE);
  int64_t value = 0;

  if (is_missing(plan, TEXT_GUESS_FLOAT, field) ||
      !locus_parse_i64(copy, copy + inner.length, &value))
    value = 0;
  fuzz_free(copy, READ_BEFORE);
  return (__int128)(double)value == value;
}

static text_type guess_number(const plan *plan, const naive_table *table, int column)
{
  text_type type = TEXT_GUESS_INTEGER;

  for (int64_t row = 0; row < table->rows; row++) {
    const text_type best = best_guess(plan, table->fields[row * MOST_FIELDS + column]);
    if (best == TEXT_STRING) return TEXT_STRING;
    if (best == TEXT_GUESS_FLOAT) type = TEXT_GUESS_FLOAT;
  }
  for (int64_t row = 0; row < table->rows && type == TEXT_GUESS_FLOAT; row++)
    if (!is_exact(plan, table->fields[row * MOST_FIELDS + column])) return TEXT_STRING;
  return type;
}

static bool parses(const char *text, const char *end, int64_t per_second, bool date)
{
  text_clock clock = {.per_second = per_second};
  int64_t value;

  if (date) return !locus_parse_date(NULL, text, end, &value);
  return !locus_parse_time(&clock, text, end, &value);
}

/* Whether the field is a time, or with `date` a date, of units that are that many in a second.
** *bare: it is a date, or has no offset, so that one may stand behind it. */
static bool is_time(const plan *plan, naive_field field, int64_t per_second, bool date, bool *bare)
{
  const naive_field inner = without_spaces(field);
  char *copy = malloc((size_t)inner.length + 1), *end = copy + inner.length;
  bool fits = inner.length > 0 && !is_missing(plan, TEXT_GUESS_FLOAT, field);

  if (inner.length > 0) memcpy(copy, inner.bytes, (size_t)inner.length);
  *end = 'Z';
  fits = fits && *copy >= '0' && *copy <= '9' && parses(copy, end, per_second, date);
  *bare = fits && (parses(copy, end, 1, true) || parses(copy, end + 1, per_second, false));
  free(copy);
  return fits;
}

/* Whether all fields are times in that unit, or dates, and all or none has an offset. */
static bool are_times(const plan *plan, const naive_table *table, int column, int64_t per_second,
                      bool date)
{
  int64_t bares = 0;

  for (int64_t row = 0; row < table->rows; row++) {
    bool bare;
    if (!is_time(plan, table->fields[row * MOST_FIELDS + column], per_second, date, &bare))
      return false;
    bares += bare;
  }
  return table->rows > 0 && (bares == 0 || bares == table->rows);
}

static text_type guess(const plan *plan, const naive_table *table, int column)
{
  if (are_times(plan, table, column, 1000000, true)) return TEXT_GUESS_DATE;
  if (are_times(plan, table, column, 1000000, false)) return TEXT_GUESS_TIME;
  if (are_times(plan, table, column, 1000000000, false)) return TEXT_GUESS_TIME_NS;
  return guess_number(plan, table, column);
}

static naive_field path_of(naive_field request)
{
  naive_field path = request;

  for (int64_t i = 0; i < request.length; i++) {
    if (request.bytes[i] != ' ') continue;
    path = (naive_field){request.bytes + i + 1, request.length - i - 1};
    break;
  }
  for (int64_t i = 0; i < path.length; i++)
    if (path.bytes[i] == ' ' || path.bytes[i] == '?') path.length = i;
  return path;
}

static void note_field(const plan *plan, const plan_field *field, text_type type, naive_field text,
                       notes *rows)
{
  plan_field as = *field;
  int64_t bits;

  as.type = type;
  if (type == TEXT_GUESS_INTEGER) as.type = TEXT_INTEGER;
  if (type == TEXT_GUESS_FLOAT) as.type = TEXT_FLOAT, as.dtype = LOCUS_f64;
  if (type == TEXT_GUESS_DATE) as.type = TEXT_DATE, as.fills = false;
  if (type == TEXT_GUESS_TIME) as.type = TEXT_TIME, as.per_second = 1000000;
  if (type == TEXT_GUESS_TIME_NS) as.type = TEXT_TIME, as.per_second = 1000000000;
  if (is_text(as.type)) {
    if (is_missing(plan, type, text))
      text = (naive_field){(char *)field->filled.bytes, field->filled.length};
    else if (type == TEXT_REQUEST_PATH) text = path_of(text);
    note_bytes(rows, text.bytes, text.length);
    note(rows, ",");
  } else {
    if (naive_convert(plan, &as, text, &bits)) fuzz_fail("naive: a guess that does not hold");
    note_value(rows, as.dtype, bits);
  }
}

void naive_note_rows(const plan *plan, const naive_table *table, result *result)
{
  for (int i = 0; i < plan->count; i++) {
    const plan_field *field = &plan->fields[i];
    result->types[i] = field->type;
    if (field->taken && field->type == TEXT_GUESS_INTEGER) result->types[i] = guess(plan, table, i);
  }
  for (int64_t row = 0; row < table->rows; row++) {
    for (int i = 0; i < plan->count; i++) {
      if (plan->fields[i].taken && plan->fields[i].type != TEXT_NOTHING)
        note_field(plan, &plan->fields[i], result->types[i], table->fields[row * MOST_FIELDS + i],
                   &result->rows);
    }
    note(&result->rows, "\n");
  }
  result->row_count = table->rows;
}
