/* SPDX-License-Identifier: MIT */
/* The buffer, and the records in it. */
#include "text/read/reader.h"

#include <stdio.h>

#include "core/memory.h"

text_outcome locus_record_bad(text_record *record, int column, const char *text, const char *end,
                              const char *wrong)
{
  record->column = column;
  record->text = (text_span){text, end - text};
  record->wrong = wrong;
  return TEXT_BAD;
}

/* Bytes of a buffer that holds so much text. */
static int64_t bytes_for(int64_t room)
{
  return room + 2 * TEXT_PADDING;
}

/* All fields that are copied before the rows are settled go to one place that does not move: they
** are not longer than what they are copied from. */
char *locus_reader_scratch(text_reader *reader, locus_context *cx)
{
  if (reader->scratch_used == 0 && reader->scratch_room < reader->room) {
    char *larger = locus_memory_alloc(bytes_for(reader->room));
    if (!larger) {
      locus_fail_memory(cx, bytes_for(reader->room));
      return NULL;
    }
    locus_memory_free(reader->scratch, bytes_for(reader->scratch_room));
    memset(larger, 0, TEXT_PADDING);
    reader->scratch = larger;
    reader->scratch_room = reader->room;
  }
  return reader->scratch + TEXT_PADDING + reader->scratch_used;
}

/* -- The buffer -------------------------------------------------------------------------------- */

static char *start_of(const text_reader *reader)
{
  return reader->buffer + TEXT_PADDING;
}

void locus_reader_rewind(text_reader *reader)
{
  locus_source_reset(&reader->source);
  reader->at = reader->end = reader->complete = start_of(reader);
  reader->line = 1;
  reader->begun = reader->final = reader->passing = false;
  locus_reader_restart(reader);
}

int locus_reader_begin(text_reader *reader, locus_context *cx)
{
  reader->room = 2 * TEXT_CHUNK;
  reader->buffer = locus_memory_alloc(bytes_for(reader->room));
  if (!reader->buffer) return locus_fail_memory(cx, bytes_for(reader->room));
  memset(reader->buffer, 0, TEXT_PADDING);
  reader->most = INT64_MAX;
  locus_reader_rewind(reader);
  return 0;
}

void locus_reader_forget(text_reader *reader)
{
  for (int i = 0; i < reader->column_count; i++) locus_column_release(&reader->columns[i]);
  reader->count = reader->column_count = 0;
}

void locus_reader_free(text_reader *reader)
{
  locus_reader_forget(reader);
  locus_source_reset(&reader->source);
  locus_memory_free(reader->buffer, bytes_for(reader->room));
  locus_memory_free(reader->scratch, bytes_for(reader->scratch_room));
  reader->buffer = reader->scratch = NULL;
}

/* The text that has not been read moves to the front, and to a larger buffer where it fills most of
** this one. */
static int make_room(text_reader *reader, locus_context *cx)
{
  const int64_t kept = reader->end - reader->at, complete = reader->complete - reader->at;

  if (reader->first != reader->at) reader->first = NULL;
  memmove(start_of(reader), reader->at, (size_t)kept);
  if (kept + TEXT_CHUNK > reader->room) {
    const int64_t room = 2 * reader->room;
    char *larger = locus_memory_resize(reader->buffer, bytes_for(reader->room), bytes_for(room));
    if (larger) reader->room = room, reader->buffer = larger;
    else locus_fail_memory(cx, bytes_for(room));
  }
  reader->at = start_of(reader);
  reader->end = reader->at + kept;
  reader->complete = reader->at + complete;
  if (reader->first) reader->first = reader->at;
  return kept + TEXT_CHUNK > reader->room ? -1 : 0;
}

/* The first bytes may say how the text is encoded. */
static int heed_mark(text_reader *reader, locus_context *cx)
{
  const unsigned char *first = (const unsigned char *)reader->at;
  const int64_t count = reader->end - reader->at;

  if (count < 3 && !reader->final) return 0;
  reader->begun = true;
  if (count >= 2 && ((first[0] == 0xff && first[1] == 0xfe) ||
                     (first[0] == 0xfe && first[1] == 0xff)))
    return locus_fail(cx, "is UTF-16: convert it to UTF-8");
  if (count >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0) reader->at += 3;
  return 0;
}

/* Up to the last line feed. The last line of all need not have one. */
static void see_complete(text_reader *reader)
{
  char *last = reader->end;

  if (reader->final && last > reader->at && last[-1] != '\n') {
    *last++ = '\n';
    reader->end = last;
  }
  if (reader->complete < reader->at) reader->complete = reader->at;
  while (last > reader->complete && last[-1] != '\n') last--;
  reader->complete = last;
  memset(reader->end, 0, TEXT_PADDING);
}

text_state locus_reader_fill(text_reader *reader, locus_context *cx)
{
  int64_t got;

  if (reader->final) return TEXT_ENDED;
  if (make_room(reader, cx)) return TEXT_ERROR;
  const int64_t room = reader->room - (reader->end - reader->at);
  if (locus_source_read(&reader->source, reader->end, room < TEXT_CHUNK ? room : TEXT_CHUNK, &got,
                        cx))
    return TEXT_ERROR;
  reader->end += got;
  if (got == 0 && !reader->source.last) return TEXT_WANTS;
  reader->final = got == 0;
  if (!reader->begun && heed_mark(reader, cx)) return TEXT_ERROR;
  if (reader->begun) see_complete(reader);
  return TEXT_READ;
}

/* -- Records ----------------------------------------------------------------------------------- */

void locus_reader_restart(text_reader *reader)
{
  reader->first = reader->at;
  reader->first_line = reader->line;
  reader->stale = true;
}

static int begin_columns(text_reader *reader, locus_context *cx)
{
  reader->rows = reader->capacity = reader->settled = 0;
  reader->scratch_used = 0;
  reader->guessing = 0;
  for (int i = 0; i < reader->column_count; i++) {
    LOCUS_TRY(locus_column_begin(&reader->columns[i], cx));
    reader->guessing += locus_column_guesses(&reader->columns[i]);
  }
  reader->stale = false;
  return 0;
}

int locus_reader_fit(text_reader *reader, locus_context *cx)
{
  if (reader->stale) LOCUS_TRY(begin_columns(reader, cx));
  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    LOCUS_TRY(locus_tensor_resize(&column->values, reader->rows, cx));
    if (column->names) locus_dictionary_trim(column->names);
  }
  return 0;
}

/* Rows are begun when there is room for them in every column. */
static int grow(text_reader *reader, locus_context *cx)
{
  int64_t least = INT64_MAX;

  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    if (column->values.numel == reader->rows)
      LOCUS_TRY(locus_column_grow(column, reader->most, cx));
    if (column->values.numel < least) least = column->values.numel;
  }
  reader->capacity = least;
  return 0;
}

/* The strings of the last rows, which lie in the buffer so far, are added. */
static int settle(text_reader *reader, locus_context *cx)
{
  for (int i = 0; i < reader->column_count; i++)
    if (locus_column_has_names(&reader->columns[i]))
      LOCUS_TRY(locus_column_add(&reader->columns[i], reader->rows, cx));
  reader->settled = reader->rows;
  reader->scratch_used = 0;
  return 0;
}

/* When a guess fails with this record and the first one is still there, that is gone back to. */
static bool guess_again(text_reader *reader)
{
  bool failed = false;

  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    if (!locus_column_guesses(column)) continue;
    column->failed |= column->failing;
    if (!column->failed || !reader->first) continue;
    locus_column_better(column);
    failed = true;
  }
  if (!failed) return false;
  reader->at = (char *)reader->first;
  reader->line = reader->first_line;
  reader->stale = true;
  return true;
}

/* An empty line is no record, unless that is what one empty field looks like. */
static bool is_passed_over(const text_reader *reader, const char *at, const char *end)
{
  const text_span comment = reader->comment;

  if (comment.length > 0 && end - at >= comment.length &&
      memcmp(at, comment.bytes, (size_t)comment.length) == 0)
    return true;
  if (reader->count == 1 && !reader->log) return false;
  return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

static void pass_line(text_reader *reader)
{
  reader->at = (char *)memchr(reader->at, '\n', (size_t)(reader->complete - reader->at)) + 1;
  reader->line++;
}

static text_outcome read_record(text_reader *reader, text_record *record, locus_context *cx)
{
  return (reader->log ? locus_read_log_record : locus_read_csv_record)(reader, reader->at,
                                                                       reader->complete, record,
                                                                       cx);
}

static void say_limit(const text_reader *reader, text_record *record, const char *wrong)
{
  snprintf(record->wrong_text, sizeof record->wrong_text, wrong, (long long)reader->limit);
  record->wrong = record->wrong_text;
}

static void too_long(const text_reader *reader, text_record *record)
{
  locus_record_bad(record, -1, reader->at, reader->end, NULL);
  say_limit(reader, record, "is longer than %lld bytes");
}

/* A quote that opens and does not close takes the rest of its line along, and no more. */
static text_state leave_open(text_reader *reader, text_record *record)
{
  if (!reader->final && reader->end - reader->at <= reader->limit) return TEXT_READ;
  const char *open = record->text.bytes;
  const char *feed = memchr(open, '\n', (size_t)(reader->complete - open));

  record->wrong = "has a quote that never closes";
  if (!reader->final)
    say_limit(reader, record, "has a quote that does not close within %lld bytes");
  record->text.length = feed - open;
  record->line += record->lines - 1;
  reader->line += record->lines;
  reader->at = (char *)feed + 1;
  return TEXT_STOPPED;
}

static text_state leave_bad(text_reader *reader, text_record *record)
{
  reader->at = (char *)record->next;
  reader->line += record->lines;
  return TEXT_STOPPED;
}

/* What lies in the buffer is part of a line. */
static text_state leave_incomplete(text_reader *reader, text_record *record)
{
  if (reader->passing) reader->at = reader->complete = reader->end;
  if (reader->end - reader->at <= reader->limit) return TEXT_READ;
  too_long(reader, record);
  reader->passing = true;
  record->line = reader->line;
  reader->at = reader->complete = reader->end;
  return TEXT_STOPPED;
}

/* One record, or what stands in its place; TEXT_READ when there was one. */
static text_state step(text_reader *reader, text_record *record, locus_context *cx)
{
  record->line = reader->line;
  if (reader->passing || is_passed_over(reader, reader->at, reader->complete)) {
    reader->passing = false;
    pass_line(reader);
    return TEXT_READ;
  }
  switch (read_record(reader, record, cx)) {
  case TEXT_FAILED: return TEXT_ERROR;
  case TEXT_OPEN: return leave_open(reader, record);
  case TEXT_BAD: return leave_bad(reader, record);
  case TEXT_ROW: break;
  }
  if (record->next - reader->at > reader->limit + 2) {
    too_long(reader, record);
    return leave_bad(reader, record);
  }
  if (reader->guessing > 0 && guess_again(reader)) return TEXT_AGAIN;
  reader->rows++;
  reader->at = (char *)record->next;
  reader->line += record->lines;
  return TEXT_READ;
}

text_state locus_reader_run(text_reader *reader, text_record *record, locus_context *cx)
{
  if (reader->stale && begin_columns(reader, cx)) return TEXT_ERROR;
  while (reader->at < reader->complete && reader->rows < reader->most) {
    if (reader->rows - reader->settled == TEXT_BATCH && settle(reader, cx)) return TEXT_ERROR;
    if (reader->rows == reader->capacity && grow(reader, cx)) return TEXT_ERROR;
    const char *before = reader->at;
    const text_state state = step(reader, record, cx);
    if (state != TEXT_READ) return state;
    if (reader->at == before) break;
  }
  if (settle(reader, cx)) return TEXT_ERROR;
  if (reader->rows == reader->most) return TEXT_FULL;
  return reader->at < reader->complete ? TEXT_READ : leave_incomplete(reader, record);
}

text_state locus_reader_header(text_reader *reader, text_record *record, locus_context *cx)
{
  while (reader->at < reader->complete) {
    record->line = reader->line;
    if (is_passed_over(reader, reader->at, reader->complete)) {
      pass_line(reader);
      continue;
    }
    switch (read_record(reader, record, cx)) {
    case TEXT_FAILED: return TEXT_ERROR;
    case TEXT_OPEN: return leave_open(reader, record);
    case TEXT_BAD: return leave_bad(reader, record);
    case TEXT_ROW: break;
    }
    leave_bad(reader, record);
    return TEXT_FULL;
  }
  return leave_incomplete(reader, record);
}

text_state locus_reader_skip(text_reader *reader)
{
  if (reader->at == reader->complete) return TEXT_READ;
  pass_line(reader);
  return TEXT_FULL;
}
