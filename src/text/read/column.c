/* SPDX-License-Identifier: MIT */
/* Fields of text become elements of a column: by type, one parser each (text_type.def). */
#include "text/read/column.h"

#include <string.h>

#include "text/number/parse.h"
#include "text/time/address.h"

const char locus_not_of_type[] = "is not of its type";

static bool is_space(char c)
{
  return c == ' ' || c == '\t';
}

text_span locus_trimmed(const char *text, const char *end)
{
  while (text < end && is_space(*text)) text++;
  while (end > text && is_space(end[-1])) end--;
  return (text_span){text, end - text};
}

/* Writes an element of a row: the low bytes of `bits`. */
static void put(text_column *column, int64_t row, int64_t bits)
{
  const int64_t size = locus_dtype_size(column->values.dtype);
  char *element = column->values.data + row * size;

  switch (size) {
  case 8: memcpy(element, &bits, 8); break;
  case 4: memcpy(element, &bits, 4); break;
  case 2: memcpy(element, &bits, 2); break;
  default: memcpy(element, &bits, 1); break;
  }
}

/* -- Numbers ----------------------------------------------------------------------------------- */

static bool parse_float(const text_column *column, const float_format *format, const char *text,
                        const char *end, int64_t *bits)
{
  uint64_t parsed;

  if (!locus_parse_float(text, end, column->point, format, &parsed) &&
      !locus_parse_fortran_float(text, end, column->point, format, &parsed))
    return false;
  *bits = (int64_t)parsed;
  return true;
}

static bool parse_integer(const text_column *column, const char *text, const char *end,
                          int64_t *value)
{
  if (!locus_parse_i64(text, end, value)) return false;
  if (column->values.dtype == LOCUS_i64) return true;
  const locus_range range = locus_dtype_range(column->values.dtype);
  return *value >= range.low && *value <= range.high;
}

/* -- Guesses ----------------------------------------------------------------------------------- */

/* Notes in `wanted` how this field is seen. It counts once the whole record is good. */
static void take_guess(text_column *column, int64_t row, text_span field)
{
  int64_t value = column->missing;

  if (column->better == TEXT_STRING) return;
  column->wanted = SEEN_FLOAT;
  if (field.length > 0)
    column->wanted = locus_guess_see(field, column->point, &column->clock, &value);
  if (locus_guess_type(column->seen | column->wanted) == column->type)
    put(column, row, locus_guess_value(column->type, column->wanted, value));
}

void locus_column_note_seen(text_column *column, unsigned seen)
{
  if (!(seen & ~column->seen)) return;
  column->seen |= seen;
  column->better = locus_guess_type(column->seen);
}

/* -- Words and paths --------------------------------------------------------------------------- */

static bool parse_bool(const text_column *column, text_span field, int64_t *value)
{
  for (int i = 0; i < column->trues + column->falses; i++) {
    if (!locus_same_text(field, column->words[i])) continue;
    *value = i < column->trues;
    return true;
  }
  return false;
}

/* The path of a request `GET /a/b?c HTTP/1.1`: from the first space to the next one, or to `?`.
** Text without a space is no request (scanners send such lines), and begins at its first byte. */
static text_span path_of(text_span request)
{
  const char *text = request.bytes, *end = text + request.length;
  const char *space = request.length ? memchr(text, ' ', (size_t)request.length) : NULL;

  if (space) text = space + 1;
  const char *stop = text;
  while (stop < end && *stop != '?' && *stop != ' ') stop++;
  return (text_span){text, stop - text};
}

/* -- Fields ------------------------------------------------------------------------------------ */

/* NULL, or the error. */
static const char *parse(text_column *column, const char *text, const char *end, int64_t *bits)
{
  const locus_dtype dtype = column->values.dtype;

  switch (column->type) {
  case TEXT_INTEGER: return parse_integer(column, text, end, bits) ? NULL : locus_not_of_type;
  case TEXT_FLOAT:
    return parse_float(column, locus_float_format(dtype), text, end, bits) ? NULL
                                                                           : locus_not_of_type;
  case TEXT_BOOL:
    return parse_bool(column, (text_span){text, end - text}, bits) ? NULL : locus_not_of_type;
  case TEXT_TIME: return locus_parse_time(&column->clock, text, end, bits);
  case TEXT_DATE: return locus_parse_date(column->clock.pattern, text, end, bits);
  case TEXT_IPV4: return locus_parse_ipv4(text, end, bits);
  case TEXT_NOTHING: return "has text behind the separator that ends the line";
  case TEXT_STRING:
  case TEXT_REQUEST_PATH:
  case TEXT_GUESS_INTEGER:
  case TEXT_GUESS_FLOAT:
  case TEXT_GUESS_DATE:
  case TEXT_GUESS_TIME:
  case TEXT_GUESS_TIME_NS: break;
  }
  return locus_not_of_type;
}

const char *locus_column_take_missing(text_column *column, int64_t row)
{
  if (locus_column_has_names(column)) {
    column->strings[row - column->added] = column->filled;
  } else if (locus_column_guesses(column)) {
    take_guess(column, row, (text_span){"", 0});
  } else if (column->fills) {
    put(column, row, column->missing);
  } else if (column->type != TEXT_NOTHING) {
    return "is missing";
  }
  return NULL;
}

/* Takes a field of a type that is neither a string nor a guess; spaces around it do not count. */
static const char *take_value(text_column *column, int64_t row, const char *text, const char *end)
{
  int64_t bits;
  const char *wrong = parse(column, text, end, &bits);

  if (wrong) { /* spaces around it are rare */
    const text_span inner = locus_trimmed(text, end);
    if (inner.length == 0) return locus_column_take_missing(column, row);
    if (inner.length < end - text)
      wrong = parse(column, inner.bytes, inner.bytes + inner.length, &bits);
  }
  if (!wrong) put(column, row, bits);
  return wrong;
}

/* The most frequent types come first, and are called directly. */
const char *locus_column_take(text_column *column, int64_t row, const char *text, const char *end)
{
  const text_span field = {text, end - text};

  switch (column->type) {
  case TEXT_INTEGER:
    if (column->values.dtype == LOCUS_i64 &&
        locus_parse_i64(text, end, (int64_t *)column->values.data + row))
      return NULL;
    break;
  case TEXT_FLOAT:
    if (column->values.dtype == LOCUS_f64 &&
        locus_parse_float(text, end, column->point, &FORMAT_f64,
                          (uint64_t *)column->values.data + row))
      return NULL;
    break;
  case TEXT_STRING: column->strings[row - column->added] = field; return NULL;
  case TEXT_REQUEST_PATH: column->strings[row - column->added] = path_of(field); return NULL;
  case TEXT_GUESS_INTEGER:
  case TEXT_GUESS_FLOAT:
  case TEXT_GUESS_DATE:
  case TEXT_GUESS_TIME:
  case TEXT_GUESS_TIME_NS: take_guess(column, row, locus_trimmed(text, end)); return NULL;
  case TEXT_BOOL:
  case TEXT_TIME:
  case TEXT_DATE:
  case TEXT_IPV4:
  case TEXT_NOTHING: break;
  }
  return take_value(column, row, text, end);
}

int locus_column_add(text_column *column, int64_t rows, locus_context *cx)
{
  const int64_t count = rows - column->added;
  int32_t *ids = (int32_t *)column->values.data + column->added;

  if (column->known)
    LOCUS_TRY(locus_dictionary_add_unknown(column->names, column->known, column->strings, count,
                                           ids, cx));
  else LOCUS_TRY(locus_dictionary_add_many(column->names, column->strings, count, ids, cx));
  column->added = rows;
  return 0;
}

static int resize(text_column *column, int64_t rows, int64_t most, locus_context *cx)
{
  return locus_tensor_resize(&column->values, rows < most ? rows : most, cx);
}

/* Each growth of a small block leaves one in the cache of memory, so there are few steps. Large
** blocks move, and their bytes beyond the rows take no memory yet. A chunk's last step has the
** final size, since the chunk before has freed a block of that size. If the number of rows is
** known, only their bytes lie in huge pages. */
int locus_column_grow(text_column *column, int64_t expected, int64_t most, locus_context *cx)
{
  enum { FIRST = 1 << 9, SECOND = 1 << 16, MANY = 1 << 20 };
  const int64_t rows = column->values.numel;

  if (expected > rows && resize(column, expected, most, cx) == 0) return 0;
  if (rows == 0) return resize(column, FIRST, most, cx);
  if (rows >= SECOND && most / 256 <= rows && resize(column, most, most, cx) == 0) return 0;
  if (rows < MANY && resize(column, 16 * rows, most, cx) == 0) return 0;
  return resize(column, 2 * rows, most, cx);
}

void locus_column_set_type(text_column *column, text_type type)
{
  column->type = column->better = type;
  column->seen = locus_guess_least(type);
  column->wanted = 0;
}

void locus_column_better(text_column *column)
{
  column->type = column->better;
  column->values.dtype = column->type == TEXT_STRING        ? LOCUS_i32
                         : column->type == TEXT_GUESS_FLOAT ? LOCUS_f64
                                                            : LOCUS_i64;
}

void locus_column_release(text_column *column)
{
  locus_tensor_release(&column->values);
  locus_dictionary_free(column->names);
  column->names = NULL;
}

int locus_column_begin(text_column *column, locus_context *cx)
{
  const locus_shape none = {.ndim = 1};
  const locus_dtype dtype = column->values.dtype;

  locus_column_release(column);
  column->added = 0;
  LOCUS_TRY(locus_tensor_new(&column->values, dtype, &none, LOCUS_CPU, cx));
  if (locus_column_has_names(column)) LOCUS_TRY(locus_dictionary_new(&column->names, cx));
  return 0;
}
