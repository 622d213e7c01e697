/* SPDX-License-Identifier: MIT */
/* Rows of fields: separators, quotes, and the text that grows. */
#include "text/write/write.h"

#include <string.h>

#include "core/memory.h"

enum { LEAST_ROOM = 1 << 12 };

int locus_writer_begin(text_writer *w, locus_context *cx)
{
  const char special[] = {w->separator, w->quote, '\r', '\n'};

  for (size_t i = 0; i < sizeof special; i++) w->special[(unsigned char)special[i]] = true;
  w->most = (int64_t)strlen(w->newline);
  for (int c = 0; c < w->count; c++) {
    LOCUS_TRY(locus_output_begin(w, &w->column[c], cx));
    w->most += w->column[c].most + 1;
  }
  return 0;
}

void locus_writer_end(text_writer *w)
{
  locus_memory_free(w->bytes, w->room);
  w->bytes = NULL;
  w->length = w->room = 0;
}

/* Makes room for so many bytes more. */
static int reserve(text_writer *w, int64_t bytes, locus_context *cx)
{
  int64_t room = w->room ? w->room : LEAST_ROOM;

  if (w->room - w->length >= bytes) return 0;
  while (room - w->length < bytes) room *= 2;
  char *moved = w->bytes ? locus_memory_resize(w->bytes, w->room, room) : locus_memory_alloc(room);
  if (!moved) return locus_fail_memory(cx, room);
  w->bytes = moved;
  w->room = room;
  return 0;
}

/* -- Quotes ------------------------------------------------------------------------------------ */

/* Whether a text that begins so is taken for UTF-8 with its mark, UTF-16 or, by its first byte
** alone, gzip. */
static bool begins_like_a_file(const char *field, const char *end)
{
  const int64_t length = end - field;

  if (length == 0) return false;
  switch ((unsigned char)*field) {
  case 0xef: return length > 2 && memcmp(field, "\xef\xbb\xbf", 3) == 0;
  case 0xfe: return length > 1 && field[1] == '\xff';
  case 0xff: return length > 1 && field[1] == '\xfe';
  case 0x1f: return true;
  default: return false;
  }
}

/* A line that has no bytes is none, so the only field of a row is never without any. */
char *locus_quote_field(const text_writer *w, char *field, char *end)
{
  bool needed = end == field ? w->count == 1 : begins_like_a_file(field, end);
  int64_t quotes = 0;

  for (const char *at = field; at < end; at++) {
    needed |= w->special[(unsigned char)*at];
    quotes += *at == w->quote;
  }
  if (!needed) return end;

  char *const new_end = end + quotes + 2;
  char *to = new_end;
  *--to = w->quote;
  for (const char *at = end; at > field;) {
    const char byte = *--at;
    *--to = byte;
    if (byte == w->quote) *--to = byte;
  }
  *--to = w->quote;
  return new_end;
}

/* Adds the field, and leaves room for `after` bytes more. */
static int put_string(text_writer *w, const char *bytes, int64_t length, int64_t after,
                      locus_context *cx)
{
  LOCUS_TRY(reserve(w, 2 * length + 2 + after, cx));
  char *const field = w->bytes + w->length;
  memcpy(field, bytes, (size_t)length);
  w->length = locus_quote_field(w, field, field + length) - w->bytes;
  return 0;
}

static void put_newline(text_writer *w)
{
  for (const char *at = w->newline; *at; at++) w->bytes[w->length++] = *at;
}

/* -- Rows -------------------------------------------------------------------------------------- */

static int put_names(text_writer *w, locus_context *cx)
{
  LOCUS_TRY(reserve(w, w->most, cx));
  for (int c = 0; c < w->count; c++) {
    const text_output *column = &w->column[c];
    if (c > 0) w->bytes[w->length++] = w->separator;
    LOCUS_TRY(put_string(w, column->name, column->name_length, w->most, cx));
  }
  put_newline(w);
  return 0;
}

int locus_write_names(text_writer *w, locus_context *cx)
{
  const int64_t before = w->length;
  const int status = put_names(w, cx);

  if (status) w->length = before;
  return status;
}

/* The string of the element; its number is checked, since users can write there. */
static int put_name(text_writer *w, const text_output *column, const char *element,
                    locus_context *cx)
{
  const int32_t id = *(const int32_t *)element, count = locus_dictionary_count(column->dictionary);
  int64_t length;

  if (id < 1 || id > count) {
    return locus_fail(cx, "column '%.60s' has the id %d, and there are %d names", column->name, id,
                      count);
  }
  const char *name = locus_dictionary_name(column->dictionary, id, &length);
  return put_string(w, name, length, w->most, cx);
}

static int put_row(text_writer *w, int64_t row, locus_context *cx)
{
  LOCUS_TRY(reserve(w, w->most, cx));
  char *to = w->bytes + w->length;
  for (int c = 0; c < w->count; c++) {
    const text_output *column = &w->column[c];
    const char *element = column->data + row * column->step;
    if (c > 0) *to++ = w->separator;
    if (column->put) {
      char *const end = column->put(w, column, element, to);
      to = column->may_need_quotes ? locus_quote_field(w, to, end) : end;
      continue;
    }
    w->length = to - w->bytes;
    LOCUS_TRY(put_name(w, column, element, cx));
    to = w->bytes + w->length;
  }
  w->length = to - w->bytes;
  put_newline(w);
  return 0;
}

int locus_write_rows(text_writer *w, int64_t first, int64_t rows, int64_t *written,
                     locus_context *cx)
{
  const int64_t before = w->length;
  int64_t row = 0;

  for (; row < rows && w->length - before < PIECE_BYTES; row++) {
    if (put_row(w, first + row, cx) == 0) continue;
    w->length = before;
    return -1;
  }
  *written = row;
  return 0;
}
