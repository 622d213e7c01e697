/* SPDX-License-Identifier: MIT */
/* Lines whose fields lie between literal texts, as servers write their logs. */
#include "text/read/log.h"

#include "core/inline.h"
#include "text/read/buffer.h"

/* The first place of the literal in the text; NULL: it is not there. */
static const char *find(const char *text, const char *end, text_span literal)
{
  for (;; text++) {
    text = end > text ? memchr(text, literal.bytes[0], (size_t)(end - text)) : NULL;
    if (!text || end - text < literal.length) return NULL;
    if (literal.length == 1 || memcmp(text, literal.bytes, (size_t)literal.length) == 0)
      return text;
  }
}

/* The same for a field in which a backslash takes the byte behind it along. */
static const char *find_unescaped(const char *text, const char *end, text_span literal)
{
  for (; end - text >= literal.length; text++) {
    if (*text == '\\') text++;
    else if (memcmp(text, literal.bytes, (size_t)literal.length) == 0) return text;
  }
  return NULL;
}

static int hexadecimal(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that an escape behind a backslash means; *from moves behind it. */
static char unescape(const char **from, const char *end)
{
  static const char names[] = "abfnrtv", meant[] = "\a\b\f\n\r\t\v";
  const char c = *(*from)++;
  const char *name = c ? strchr(names, c) : NULL;

  if (name) return meant[name - names];
  if (c != 'x' || end - *from < 2) return c;
  const int high = hexadecimal((*from)[0]), low = hexadecimal((*from)[1]);
  if (high < 0 || low < 0) return c;
  *from += 2;
  return (char)(16 * high + low);
}

static text_outcome unescape_field(text_reader *reader, text_span *field, locus_context *cx)
{
  const char *from = field->bytes, *end = from + field->length;

  if (!memchr(from, '\\', (size_t)field->length)) return TEXT_ROW;
  char *copy = locus_reader_scratch(reader, cx), *to = copy;
  if (!copy) return TEXT_FAILED;
  while (from < end) {
    const char c = *from++;
    *to++ = c == '\\' && from < end ? unescape(&from, end) : c;
  }
  *field = (text_span){copy, to - copy};
  reader->scratch_used += to - copy;
  return TEXT_ROW;
}

LOCUS_INLINE text_outcome read_record(text_reader *reader, const char *at, const char *end,
                                      text_record *record, locus_context *cx)
{
  const char *stop = memchr(at, '\n', (size_t)(end - at)), *text = at;

  record->next = stop + 1;
  record->lines = 1;
  if (stop > at && stop[-1] == '\r') stop--;
  if (stop - at < reader->before.length ||
      memcmp(at, reader->before.bytes, (size_t)reader->before.length) != 0)
    return locus_record_bad(record, -1, at, stop, "does not begin as the format says");
  text += reader->before.length;
  for (int i = 0; i < reader->count; i++) {
    const text_field *field = &reader->fields[i];
    const char *ends = field->ends.length == 0 ? stop
                       : field->escapes        ? find_unescaped(text, stop, field->ends)
                                               : find(text, stop, field->ends);
    if (!ends) return locus_record_bad(record, i, text, stop, "does not end as the format says");
    if (field->column) {
      text_span span = {text, ends - text};
      if (field->escapes && unescape_field(reader, &span, cx) != TEXT_ROW) return TEXT_FAILED;
      const char *span_end = span.bytes + span.length;
      const char *wrong = locus_reader_take(reader, field->column, span.bytes, span_end);
      if (wrong) return locus_record_bad(record, i, span.bytes, span_end, wrong);
    }
    text = ends + field->ends.length;
  }
  if (text == stop) return TEXT_ROW;
  return locus_record_bad(record, -1, at, stop, "goes on behind the end of the format");
}

#define ROWS locus_read_log_rows
#define PASSED_OVER locus_is_passed_over
#include "text/read/rows.inc"
