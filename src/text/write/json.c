/* SPDX-License-Identifier: MIT */
/* Rows as objects of JSON, as RFC 8259 has it. */
#include "text/write/json.h"

#include <string.h>

#include "text/json/scan.h"
#include "text/read/record.h"
#include "text/write/output.h"
#include "text/write/write.h"

enum { BOTH = ESCAPED_BYTES + 1 }; /* the room of a text and of its escapes, in texts */

static const char NO_UTF8[] = "column '%.60s' has bytes that are no UTF-8 in row %lld; write "
                              "invalid = \"replace\" for U+FFFD in their place, or \"keep\"";

static char *put_bytes(char *to, const char *bytes, int64_t length)
{
  memcpy(to, bytes, (size_t)length);
  return to + length;
}

/* The number of the row among all, from 0. */
static int64_t number_of(const text_writer *w, int64_t row)
{
  return w->rows + row - w->first;
}

static int no_utf8(const text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  return locus_fail(cx, NO_UTF8, c->name, (long long)number_of(w, row) + 1);
}

/* -- Values ------------------------------------------------------------------------------------ */

/* Each adds the value of that row to the text, where there is room for it but not for a string, or
** fails. One that is left out adds nothing. */

static int put_string(text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  const char *bytes;
  int64_t length;

  LOCUS_TRY(locus_output_string(c, c->data + row * c->step, &bytes, &length, cx));
  LOCUS_TRY(locus_writer_reserve(w, ESCAPED_BYTES * length + 2 + w->most, cx));
  const char *end = locus_put_json_string(w->bytes + w->length, bytes, length, w->invalid);
  if (!end) return no_utf8(w, c, row, cx);
  w->length = end - w->bytes;
  return 0;
}

/* NULL where the bytes, which have TEXT_PADDING zeros behind them, are one value of JSON; else the
** end of a sentence about them. */
static const char *why_no_json(const char *bytes, int64_t length)
{
  json_scan scan = {.end = bytes + length, .wrong = "ends too early"};
  const char *end = locus_json_skip_space(&scan, bytes);

  end = locus_json_skip_value(&scan, end, 0);
  if (!end) return scan.wrong;
  return locus_json_skip_space(&scan, end) == bytes + length ? NULL : "has text behind its value";
}

/* A string that is JSON by itself, or is empty, which is missing. In it a line feed is white space,
** as a blank is, and would end the line. */
static int put_text(text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  const char *bytes;
  int64_t length;

  LOCUS_TRY(locus_output_string(c, c->data + row * c->step, &bytes, &length, cx));
  const bool missing = length == 0;
  if (missing) bytes = w->missing, length = (int64_t)strlen(bytes);
  LOCUS_TRY(locus_writer_reserve(w, length + TEXT_PADDING + w->most, cx));
  char *const to = w->bytes + w->length;
  memset(put_bytes(to, bytes, length), 0, TEXT_PADDING);
  const char *wrong = missing ? NULL : why_no_json(to, length);
  if (wrong) {
    return locus_fail(cx, "the text of column '%.60s' in row %lld is no JSON: it %s", c->name,
                      (long long)number_of(w, row) + 1, wrong);
  }
  for (int64_t i = 0; i < length; i++)
    if (to[i] == '\n' || to[i] == '\r') to[i] = ' ';
  w->length += length;
  return 0;
}

/* The text is written behind the room of its escapes. */
static int put_escaped(text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  char *const to = w->bytes + w->length, *const text = to + c->most / BOTH * ESCAPED_BYTES;
  const int64_t length = c->put(w, c, c->data + row * c->step, text) - text;
  const char *end = locus_put_json_string(to, text, length, w->invalid);

  if (!end) return no_utf8(w, c, row, cx);
  w->length = end - w->bytes;
  return 0;
}

static int put_float(text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  char *const to = w->bytes + w->length;
  const char *end = c->put(w, c, c->data + row * c->step, to);
  const bool negative = end > to && *to == '-';

  if (end > to + negative && to[negative] == 'i') { /* nothing of JSON begins so */
    const char *text = w->infinite[negative];
    if (!text) {
      return locus_fail(cx,
                        "column '%.60s' is infinite in row %lld, which no number of JSON is; "
                        "write infinite = \"null\", \"number\" for 1e999 or \"string\"",
                        c->name, (long long)number_of(w, row) + 1);
    }
    end = put_bytes(to, text, (int64_t)strlen(text));
  }
  w->length = end - w->bytes;
  return 0;
}

static int put_plain(text_writer *w, const text_output *c, int64_t row)
{
  const bool quoted = c->shape == SHAPE_PLAIN;
  char *to = w->bytes + w->length;

  if (quoted) *to++ = '"';
  to = c->put(w, c, c->data + row * c->step, to);
  if (quoted) *to++ = '"';
  w->length = to - w->bytes;
  return 0;
}

static int put_value(text_writer *w, const text_output *c, int64_t row, locus_context *cx)
{
  switch (c->shape) {
  case SHAPE_STRING: return put_string(w, c, row, cx);
  case SHAPE_TEXT: return put_text(w, c, row, cx);
  case SHAPE_ESCAPED: return put_escaped(w, c, row, cx);
  case SHAPE_FLOAT: return put_float(w, c, row, cx);
  case SHAPE_BARE:
  case SHAPE_PLAIN: break;
  }
  return put_plain(w, c, row);
}

/* -- Objects ----------------------------------------------------------------------------------- */

static void put(text_writer *w, const char *bytes, int64_t length)
{
  put_bytes(w->bytes + w->length, bytes, length);
  w->length += length;
}

static void put_braces(text_writer *w, int count)
{
  for (int k = 0; k < count; k++) w->bytes[w->length++] = '}';
}

/* Adds the key and the value. *comma: whether something stands in front of it, or behind it. */
static int put_member(text_writer *w, const text_output *c, int64_t row, bool *comma,
                      locus_context *cx)
{
  put_braces(w, c->key.closes);
  if (c->key.closes > 0) *comma = true;
  if (c->key.opens_length > 0) {
    if (*comma) w->bytes[w->length++] = ',';
    put(w, c->key.opens, c->key.opens_length);
    *comma = false;
  }
  const int64_t before = w->length;
  if (*comma) w->bytes[w->length++] = ',';
  put(w, c->key.text, c->key.length);
  const int64_t value = w->length;
  LOCUS_TRY(put_value(w, c, row, cx));
  if (w->length == value) w->length = before;
  else *comma = true;
  return 0;
}

static int put_row(text_writer *w, int64_t row, locus_context *cx)
{
  bool comma = false;

  LOCUS_TRY(locus_writer_reserve(w, w->most, cx));
  if (w->array) put(w, number_of(w, row) == 0 ? "[\n" : ",\n", 2);
  w->bytes[w->length++] = '{';
  for (int c = 0; c < w->count; c++) LOCUS_TRY(put_member(w, &w->column[c], row, &comma, cx));
  put_braces(w, w->closes + 1);
  if (!w->array) w->bytes[w->length++] = '\n';
  return 0;
}

/* -- Begin and end ----------------------------------------------------------------------------- */

static json_shape shape_of(const text_output *c, bool words, bool is_json)
{
  if (!c->put) return is_json ? SHAPE_TEXT : SHAPE_STRING;
  if (words || (c->format && (c->meaning == MEANS_TIME || c->meaning == MEANS_DATE)))
    return SHAPE_ESCAPED;
  if (c->meaning != MEANS_VALUE) return SHAPE_PLAIN;
  if (locus_dtype_kind(c->dtype) == LOCUS_FLOAT) return SHAPE_FLOAT;
  const bool is_number = !c->format || strcmp(c->format, "%d") == 0;
  return is_number ? SHAPE_BARE : SHAPE_PLAIN;
}

int locus_json_begin(text_writer *w, locus_context *cx)
{
  w->point = '.';
  w->put_row = put_row;
  w->most = 2 + 1 + w->closes + 1 + 1; /* an item's begin, braces, the end of the line */
  for (int i = 0; i < w->count; i++) {
    text_output *c = &w->column[i];
    const bool words = c->words[0] != NULL, strings = c->meaning == MEANS_STRING;
    const bool is_json = strings && c->format && strcmp(c->format, "json") == 0;
    if (is_json) c->format = NULL;
    LOCUS_TRY(locus_output_begin(w, c, cx));
    c->shape = shape_of(c, words, is_json);
    c->may_need_quotes = true; /* those of CSV stay away from what is missing */
    if (c->shape == SHAPE_ESCAPED) c->most *= BOTH;
    w->most += c->key.closes + 1 + c->key.opens_length + 1 + c->key.length + c->most + 2;
  }
  return 0;
}

int locus_json_close(text_writer *w, locus_context *cx)
{
  if (!w->array) return 0;
  LOCUS_TRY(locus_writer_reserve(w, 3, cx));
  put(w, w->rows > 0 ? "\n]\n" : "[]\n", 3);
  return 0;
}
