/* SPDX-License-Identifier: MIT */
/* The buffer of a reader: text from its source, up to the end of the last complete line. */
#include "text/read/buffer.h"

#include "core/memory.h"
#include "text/read/foreign.h"

/* The bytes of a buffer with `room` bytes for text. */
static int64_t bytes_for(int64_t room)
{
  return room + 2 * TEXT_PADDING;
}

static char *start_of(const text_reader *reader)
{
  return reader->buffer + TEXT_PADDING;
}

void locus_reader_restart(text_reader *reader)
{
  reader->first = reader->at;
  reader->first_line = reader->line;
  reader->stale = true;
}

void locus_reader_go_on(text_reader *reader)
{
  locus_source_reset(&reader->source);
  reader->at = reader->end = reader->complete = start_of(reader);
  reader->line = 1;
  reader->begun = reader->final = reader->passing = false;
  reader->form = TEXT_UNSEEN;
  reader->ahead.filled = reader->ahead.failed = false;
  reader->first = reader->alone = NULL;
}

void locus_reader_rewind(text_reader *reader)
{
  locus_reader_go_on(reader);
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

void locus_reader_end(text_reader *reader)
{
  locus_source_reset(&reader->source);
  locus_memory_free(reader->buffer, bytes_for(reader->room));
  locus_memory_free(reader->scratch, bytes_for(reader->scratch_room));
  locus_memory_free(reader->ahead.buffer, bytes_for(reader->ahead.room));
  reader->buffer = reader->scratch = reader->ahead.buffer = NULL;
}

/* Makes room for more bytes. The unread text moves to the front, unless it is longer than the read
** text and there is room behind it: else each piece of a few bytes would move a long line. If it
** fills most of this buffer, it moves to a larger one. */
static int make_room(text_reader *reader, int64_t more, locus_context *cx)
{
  const int64_t read = reader->at - start_of(reader);
  const int64_t kept = reader->end - reader->at, complete = reader->complete - reader->at;

  if (read < kept && read + kept + more <= reader->room) return 0;
  if (reader->first != reader->at) reader->first = NULL;
  memmove(start_of(reader), reader->at, (size_t)kept);
  if (kept + more > reader->room) {
    int64_t room = 2 * reader->room;
    while (room < kept + more) room *= 2;
    char *larger = locus_memory_resize(reader->buffer, bytes_for(reader->room), bytes_for(room));
    if (larger) reader->room = room, reader->buffer = larger;
    else locus_fail_memory(cx, bytes_for(room));
  }
  reader->at = start_of(reader);
  reader->end = reader->at + kept;
  reader->complete = reader->at + complete;
  if (reader->first) reader->first = reader->at;
  return kept + more > reader->room ? -1 : 0;
}

/* The first bytes may give the encoding of the text, or show that the file is no text. */
static int heed_mark(text_reader *reader, locus_context *cx)
{
  const char *first = reader->at;
  const int64_t count = reader->end - reader->at;
  bool undecided;

  const char *foreign = locus_foreign(first, count, reader->final, &undecided);
  if (undecided || (count < 3 && !reader->final)) return 0;
  reader->begun = true;
  if (foreign) return locus_fail(cx, "%s", foreign);
  if (count >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0) {
    if (reader->first == reader->at) reader->first += 3;
    reader->at += 3;
  }
  return 0;
}

/* Complete up to the last line feed, which is searched in the new text. The last line of the source
** need not have one. */
static void see_complete(text_reader *reader, const char *fresh)
{
  char *last = reader->end;

  if (reader->final && last > reader->at && last[-1] != '\n') {
    *last++ = '\n';
    reader->end = last;
  }
  if (reader->complete < reader->at) reader->complete = reader->at;
  while (last > fresh && last[-1] != '\n') last--;
  if (last > fresh) reader->complete = last;
  if (reader->form >= TEXT_ARRAY) reader->complete = reader->end;
  memset(reader->end, 0, TEXT_PADDING);
}

/* -- What was read ahead ----------------------------------------------------------------------- */

/* Bytes in front of it, for the end of a long record. */
enum { HEAD = 1 << 16 };

static char *start_of_ahead(const text_ahead *ahead)
{
  return ahead->buffer + TEXT_PADDING + HEAD;
}

void locus_reader_read_ahead(text_reader *reader, int64_t most)
{
  text_ahead *ahead = &reader->ahead;
  locus_context cx = {.error = {.code = 0}};
  int64_t got = 1;

  if (ahead->room < HEAD + most) {
    char *buffer = locus_memory_alloc(bytes_for(HEAD + most));
    if (!buffer) return;
    memset(buffer, 0, TEXT_PADDING);
    locus_memory_free(ahead->buffer, bytes_for(ahead->room));
    ahead->buffer = buffer;
    ahead->room = HEAD + most;
  }
  for (ahead->length = 0; got > 0 && ahead->length < most; ahead->length += got) {
    char *to = start_of_ahead(ahead) + ahead->length;
    if (!locus_source_read(&reader->source, to, most - ahead->length, &got, &cx)) continue;
    ahead->failed = true;
    ahead->error = cx.error;
    break;
  }
  ahead->filled = ahead->length > 0 || (!ahead->failed && reader->source.last);
}

/* The unread text goes in front of it, and the buffers change places. */
static text_state take_ahead(text_reader *reader)
{
  const text_ahead ahead = reader->ahead;
  const int64_t kept = reader->end - reader->at, complete = reader->complete - reader->at;
  char *const fresh = start_of_ahead(&ahead);

  memcpy(fresh - kept, reader->at, (size_t)kept);
  memset(fresh - kept - TEXT_PADDING, 0, TEXT_PADDING);
  reader->first = reader->first == reader->at ? fresh - kept : NULL;
  reader->at = fresh - kept;
  reader->complete = reader->at + complete;
  reader->end = fresh + ahead.length;
  reader->ahead = (text_ahead){
      .buffer = reader->buffer, .room = reader->room, .failed = ahead.failed, .error = ahead.error};
  reader->buffer = ahead.buffer;
  reader->room = ahead.room;
  reader->final = ahead.length == 0;
  see_complete(reader, fresh);
  return TEXT_READ;
}

/* The same for a record so long that its end goes on in this buffer. */
static text_state append_ahead(text_reader *reader, locus_context *cx)
{
  text_ahead *ahead = &reader->ahead;

  if (make_room(reader, ahead->length, cx)) return TEXT_ERROR;
  char *const fresh = reader->end;
  memcpy(fresh, start_of_ahead(ahead), (size_t)ahead->length);
  reader->end += ahead->length;
  ahead->filled = false;
  reader->final = ahead->length == 0;
  see_complete(reader, fresh);
  return TEXT_READ;
}

text_state locus_reader_fill(text_reader *reader, locus_context *cx)
{
  int64_t got;

  if (reader->final) return TEXT_ENDED;
  reader->alone = NULL;
  if (reader->ahead.filled)
    return reader->end - reader->at <= HEAD ? take_ahead(reader) : append_ahead(reader, cx);
  if (reader->ahead.failed) {
    reader->ahead.failed = false;
    cx->error = reader->ahead.error;
    return TEXT_ERROR;
  }
  if (make_room(reader, TEXT_CHUNK, cx)) return TEXT_ERROR;
  const char *fresh = reader->begun ? reader->end : reader->at;
  if (locus_source_read(&reader->source, reader->end, TEXT_CHUNK, &got, cx)) return TEXT_ERROR;
  reader->end += got;
  if (got == 0 && !reader->source.last) return TEXT_WANTS;
  reader->final = got == 0;
  if (!reader->begun && heed_mark(reader, cx)) return TEXT_ERROR;
  if (reader->begun) see_complete(reader, fresh);
  return TEXT_READ;
}

/* All fields that are copied before their strings are added go to one place that does not move.
** They are not longer than their source, which lies in the buffer. A field that is read again is
** copied to the same bytes. */
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
