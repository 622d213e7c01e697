/* SPDX-License-Identifier: MIT */
/* The records in the buffer: rows, and lines that are no rows. */
#include "text/read/reader.h"

#include <stdio.h>

#include "text/json/array.h"
#include "text/json/schema.h"
#include "text/read/csv.h"
#include "text/read/loose.h"
#include "text/read/pieces.h"
#include "text/read/rows.h"
#include "text/read/share.h"

void locus_reader_clear(text_reader *reader)
{
  locus_pieces_free(reader);
  locus_json_schema_end(reader);
  reader->program = NULL;
  for (int i = 0; i < reader->column_count; i++) locus_column_release(&reader->columns[i]);
  reader->column_count = reader->count = 0;
}

void locus_reader_free(text_reader *reader)
{
  locus_reader_clear(reader);
  locus_reader_end(reader);
}

static int begin_columns(text_reader *reader, locus_context *cx)
{
  reader->rows = reader->capacity = reader->named = 0;
  reader->scratch_used = 0;
  reader->guessing = 0;
  reader->in_front = locus_reader_taken(reader, reader->at);
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

/* If a guess fails with this record and the first one is still in the buffer, begins again
** there. */
static bool guess_again(text_reader *reader)
{
  if (!locus_reader_note_guesses(reader) || !reader->first) return false;
  for (int i = 0; i < reader->column_count; i++)
    if (locus_column_failed(&reader->columns[i])) locus_column_better(&reader->columns[i]);
  reader->at = (char *)reader->first;
  reader->line = reader->first_line;
  reader->stale = true;
  return true;
}

/* Drops the part of a line that has been read, and skips its rest. */
static text_state drop_incomplete(text_reader *reader)
{
  reader->passing |= reader->end > reader->at;
  reader->at = reader->complete = reader->end;
  return TEXT_READ;
}

static text_outcome read_record(text_reader *reader, const char *end, text_record *record,
                                locus_context *cx)
{
  return (reader->loose ? locus_read_loose_record : locus_read_csv_record)(reader, reader->at, end,
                                                                           record, cx);
}

/* -- Records that do not end ------------------------------------------------------------------- */

static void say_limit(const text_reader *reader, text_record *record, const char *wrong)
{
  snprintf(record->wrong_text, sizeof record->wrong_text, "%s %lld bytes", wrong,
           (long long)reader->limit);
  record->wrong = record->wrong_text;
}

/* Goes on after the line of `from`, whose end may not have been read yet. */
static text_state leave_from(text_reader *reader, const char *from)
{
  const char *feed =
      from < reader->complete ? memchr(from, '\n', (size_t)(reader->complete - from)) : NULL;

  if (!feed) {
    reader->line += locus_count_lines(reader->at, reader->end);
    drop_incomplete(reader);
    return TEXT_STOPPED;
  }
  reader->line += locus_count_lines(reader->at, feed + 1);
  reader->at = (char *)feed + 1;
  return TEXT_STOPPED;
}

/* A quote that opens and does not close before `end` spoils the rest of its line, and no more. */
static text_state leave_open(text_reader *reader, text_record *record, const char *end)
{
  const char *open = record->text.bytes;
  const char *feed = memchr(open, '\n', (size_t)(end - open));

  record->text.length = (feed ? feed : end) - open;
  record->line += locus_count_lines(reader->at, open);
  return leave_from(reader, open);
}

/* The buffer has as many bytes as a record may have, with its line's end, and the record goes on.
** These bytes alone decide its error, so the error does not depend on the pieces of the text. */
static text_state leave_long(text_reader *reader, text_record *record, locus_context *cx)
{
  char *const window = reader->at + reader->limit + 2, held = *window;
  const text_reader kept = *reader;
  text_outcome outcome = TEXT_ROW;

  *window = '\n';
  reader->count = 0; /* nothing is taken from it */
  reader->each = NULL;
  if (!reader->log && !reader->json) outcome = read_record(reader, window + 1, record, cx);
  *window = held;
  reader->count = kept.count;
  reader->each = kept.each;
  reader->scratch_used = kept.scratch_used;
  if (outcome == TEXT_FAILED) return TEXT_ERROR;
  record->line = reader->line;
  if (outcome == TEXT_OPEN) {
    say_limit(reader, record, "has a quote that does not close within");
    return leave_open(reader, record, window);
  }
  say_limit(reader, record, "is longer than");
  locus_record_bad(record, -1, reader->at, reader->at + reader->limit, record->wrong_text);
  return leave_from(reader, reader->at + reader->limit);
}

static bool is_beyond_limit(const text_reader *reader)
{
  return reader->end - reader->at >= reader->limit + 2;
}

/* Quotes are open where the text ends. */
static text_state leave_unended(text_reader *reader, text_record *record, locus_context *cx)
{
  if (is_beyond_limit(reader)) return leave_long(reader, record, cx);
  if (!reader->final) return TEXT_READ;
  record->wrong = "has a quote that never closes";
  return leave_open(reader, record, reader->end);
}

static text_state leave_record(text_reader *reader, const text_record *record, text_state state)
{
  reader->at = (char *)record->next;
  reader->line += record->lines;
  return state;
}

/* The buffer holds part of a line. Blanks in front of a comment are passed over once, when there
** are enough bytes to tell. */
static text_state leave_incomplete(text_reader *reader, text_record *record, locus_context *cx)
{
  if (!reader->begun) return TEXT_READ;
  if (reader->form >= TEXT_ARRAY) return locus_json_leave_open(reader, record);
  if (reader->passing || locus_is_comment(reader, reader->at, reader->end))
    return drop_incomplete(reader);
  if (!is_beyond_limit(reader)) return TEXT_READ;
  if (reader->loose && locus_is_loose_comment(reader, reader->at, reader->end))
    return drop_incomplete(reader);
  return leave_long(reader, record, cx);
}

/* Reads rows until there are `until`, or a record is no row; returns the outcome of that record.
** TEXT_READ: no such record so far. */
static text_state step(text_reader *reader, int64_t until, text_record *record, locus_context *cx)
{
  if (locus_json_between(reader)) return locus_json_pass(reader, record);
  if (reader->passing || locus_reader_passes_over(reader)) {
    locus_reader_pass_line(reader);
    return TEXT_READ;
  }
  const text_outcome outcome = locus_reader_rows(reader, until, record, cx);
  record->line = reader->line;
  switch (outcome) {
  case TEXT_FAILED: return TEXT_ERROR;
  case TEXT_OPEN:
    if (reader->json) return locus_json_leave_open(reader, record);
    return leave_unended(reader, record, cx);
  case TEXT_LONG: return leave_long(reader, record, cx);
  case TEXT_SPOILT: record->line += record->lines; return TEXT_BROKEN;
  case TEXT_BAD: return leave_record(reader, record, TEXT_STOPPED);
  case TEXT_ROW: break;
  }
  return reader->guessing > 0 && guess_again(reader) ? TEXT_AGAIN : TEXT_READ;
}

/* The number of rows to read before other work is due: while types are guessed, each row is
** checked. */
static int64_t next_stop(const text_reader *reader)
{
  int64_t until = reader->named + TEXT_BATCH;

  if (reader->guessing > 0) return reader->rows + 1;
  if (until > reader->capacity) until = reader->capacity;
  return until < reader->most ? until : reader->most;
}

text_state locus_reader_run(text_reader *reader, text_record *record, locus_context *cx)
{
  if (reader->stale && begin_columns(reader, cx)) return TEXT_ERROR;
  if (reader->json && reader->begun) locus_json_look(reader);
  if (locus_reader_may_wait(reader)) /* strings may lie where the buffer is filled */
    return locus_reader_add_strings(reader, cx) ? TEXT_ERROR : TEXT_READ;
  while (reader->at < reader->complete && reader->rows < reader->most) {
    if (locus_reader_may_share(reader)) {
      if (locus_reader_add_strings(reader, cx) || locus_reader_share(reader, cx)) return TEXT_ERROR;
      continue;
    }
    if (reader->rows - reader->named == TEXT_BATCH && locus_reader_add_strings(reader, cx))
      return TEXT_ERROR;
    if (reader->rows == reader->capacity &&
        locus_reader_grow(reader, reader->rows + 1, reader->at, cx))
      return TEXT_ERROR;
    const char *before = reader->at;
    const text_state state = step(reader, next_stop(reader), record, cx);
    if (state != TEXT_READ) return state;
    if (reader->at == before) break;
  }
  if (locus_reader_add_strings(reader, cx)) return TEXT_ERROR;
  if (reader->rows == reader->most) return TEXT_FULL;
  return reader->at < reader->complete ? TEXT_READ : leave_incomplete(reader, record, cx);
}

text_state locus_reader_header(text_reader *reader, text_record *record, locus_context *cx)
{
  while (reader->at < reader->complete) {
    record->line = reader->line;
    if (reader->passing || locus_reader_passes_over(reader)) {
      locus_reader_pass_line(reader);
      continue;
    }
    const text_outcome outcome = read_record(reader, reader->complete, record, cx);
    reader->scratch_used = 0; /* no string waits yet */
    if (outcome == TEXT_FAILED) return TEXT_ERROR;
    if (outcome == TEXT_OPEN) return leave_unended(reader, record, cx);
    if (locus_is_too_long(reader, record)) return leave_long(reader, record, cx);
    if (outcome == TEXT_BAD) return leave_record(reader, record, TEXT_STOPPED);
    return leave_record(reader, record, TEXT_FULL);
  }
  return leave_incomplete(reader, record, cx);
}

text_state locus_reader_skip(text_reader *reader)
{
  if (!reader->begun) return TEXT_READ;
  if (reader->at == reader->complete) return drop_incomplete(reader);
  locus_reader_pass_line(reader);
  return TEXT_FULL;
}
