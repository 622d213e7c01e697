/* SPDX-License-Identifier: MIT */
/* Rows as lines of fields: separators and quotes. */
#include "text/write/csv.h"

#include <string.h>

#include "text/read/foreign.h"
#include "text/write/output.h"
#include "text/write/quote.h"
#include "text/write/write.h"

/* The bytes by which some reader tells comment lines; one of the second row counts only with the
** byte behind it (is_mark). */
static const char MARKS[] = "#%;!*'@$&~^|>"
                            "/-";

/* Adds the field, and leaves room for `after` bytes more. */
static int put_string(text_writer *w, const char *bytes, int64_t length, int64_t after,
                      locus_context *cx)
{
  LOCUS_TRY(locus_writer_reserve(w, 2 * length + 2 + after, cx));
  char *const field = w->bytes + w->length;
  memcpy(field, bytes, (size_t)length);
  w->length = locus_quote_field(w, field, field + length) - w->bytes;
  return 0;
}

/* -- Lines ------------------------------------------------------------------------------------- */

static bool is_mark(const char *line, int64_t length)
{
  if (*line == '/') return length > 1 && (line[1] == '/' || line[1] == '*');
  if (*line == '-') return length > 1 && line[1] == '-';
  return memchr(MARKS, *line, sizeof MARKS - 1) != NULL;
}

static bool is_missing(const text_writer *w, const char *field, int64_t length)
{
  return length > 0 && length == (int64_t)strlen(w->missing) &&
         memcmp(field, w->missing, (size_t)length) == 0;
}

/* Whether a reader may pass the line over: it begins with the writer's comment mark, or its first
** field is text that begins with a usual mark. A quote that opens there is no mark. */
static bool begins_like_a_comment(const text_writer *w, const char *line, int64_t first,
                                  bool is_number)
{
  if (!w->marks[(unsigned char)*line]) return false;
  const int64_t length = w->bytes + w->length - line;

  if (w->comment_length > 0 && length >= w->comment_length &&
      memcmp(line, w->comment, (size_t)w->comment_length) == 0)
    return true;
  if (first == 0 || *line == w->quote || !is_mark(line, first)) return false;
  return !is_number || is_missing(w, line, first);
}

/* Ends the line that begins at `line`. Its first field, of that many bytes, is put between quotes
** if a reader may pass over the line without them. */
static int end_line(text_writer *w, int64_t line, int64_t first, bool is_number, locus_context *cx)
{
  for (const char *end = w->newline; *end; end++) w->bytes[w->length++] = *end;
  if (!begins_like_a_comment(w, w->bytes + line, first, is_number)) return 0;
  LOCUS_TRY(locus_writer_reserve(w, 2 * first + 2, cx));
  char *const field = w->bytes + line, *const behind = field + first;
  const int64_t rest = w->length - line - first, room = first + 2;
  memmove(behind + room, behind, (size_t)rest);
  char *const end = locus_put_quotes(w, field, behind);
  memmove(end, behind + room, (size_t)rest);
  w->length = end + rest - w->bytes;
  return 0;
}

/* -- Rows -------------------------------------------------------------------------------------- */

static int put_names(text_writer *w, locus_context *cx)
{
  const int64_t line = w->length;
  int64_t first = 0;

  LOCUS_TRY(locus_writer_reserve(w, w->most, cx));
  for (int c = 0; c < w->count; c++) {
    const text_output *column = &w->column[c];
    if (c > 0) w->bytes[w->length++] = w->separator;
    LOCUS_TRY(put_string(w, column->name, column->name_length, w->most, cx));
    if (c == 0) first = w->length - line;
  }
  return end_line(w, line, first, false, cx);
}

int locus_csv_names(text_writer *w, locus_context *cx)
{
  const int64_t before = w->length;
  const int status = put_names(w, cx);

  if (status) w->length = before;
  return status;
}

static int put_row(text_writer *w, int64_t row, locus_context *cx)
{
  const int64_t line = w->length;
  int64_t first = 0, length;
  const char *name;

  LOCUS_TRY(locus_writer_reserve(w, w->most, cx));
  char *to = w->bytes + line;
  for (int c = 0; c < w->count; c++) {
    const text_output *column = &w->column[c];
    const char *element = column->data + row * column->step;
    if (c > 0) *to++ = w->separator;
    if (column->put) {
      char *const end = column->put(w, column, element, to);
      to = column->may_need_quotes ? locus_quote_field(w, to, end) : end;
    } else {
      w->length = to - w->bytes;
      LOCUS_TRY(locus_output_string(column, element, &name, &length, cx));
      LOCUS_TRY(put_string(w, name, length, w->most, cx));
      to = w->bytes + w->length;
    }
    if (c == 0) first = to - w->bytes - line;
  }
  w->length = to - w->bytes;
  return end_line(w, line, first, w->column->is_number, cx);
}

int locus_csv_begin(text_writer *w, locus_context *cx)
{
  const char special[] = {w->separator, w->quote, '\r', '\n'};

  for (size_t i = 0; i < sizeof special; i++) w->special[(unsigned char)special[i]] = true;
  if (w->blanks) w->special[' '] = w->special['\t'] = true;
  for (const char *mark = MARKS; *mark; mark++) w->marks[(unsigned char)*mark] = true;
  if (w->comment) w->marks[(unsigned char)*w->comment] = true;
  locus_foreign_begin(w->foreign);
  w->put_row = put_row;
  w->most = (int64_t)strlen(w->newline);
  w->comment_length = w->comment ? (int64_t)strlen(w->comment) : 0;
  for (int c = 0; c < w->count; c++) {
    LOCUS_TRY(locus_output_begin(w, &w->column[c], cx));
    w->most += w->column[c].most + 1;
  }
  return 0;
}
