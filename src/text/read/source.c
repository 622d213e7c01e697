/* SPDX-License-Identifier: MIT */
/* Reading bytes, through a library if they are compressed. */
#include "text/read/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"

enum { RAW = 1 << 18 };

static int read_file(text_source *source, char *to, int64_t room, int64_t *got, locus_context *cx)
{
  errno = 0;
  *got = (int64_t)fread(to, 1, (size_t)room, source->file);
  source->taken += *got;
  if (*got == 0) source->last = true;
  if (!ferror(source->file)) return 0;
  return locus_fail(cx, "cannot be read: %s", errno ? strerror(errno) : "an error of the file");
}

/* The next bytes that were looked at before. */
static int64_t read_head(text_source *source, char *to, int64_t room)
{
  const int64_t left = source->headed - source->head_at, count = left < room ? left : room;

  memcpy(to, source->head + source->head_at, (size_t)count);
  source->head_at += (int)count;
  return count;
}

/* The next bytes of a piece, which may have none and be NULL. */
static int64_t take_piece(text_source *source, char *to, int64_t room)
{
  const int64_t count = source->left < room ? source->left : room;

  if (count == 0) return 0;
  memcpy(to, source->piece, (size_t)count);
  source->piece += count;
  source->left -= count;
  source->taken += count;
  return count;
}

static int read_plain(text_source *source, char *to, int64_t room, int64_t *got, locus_context *cx)
{
  const int64_t head = read_head(source, to, room);

  to += head;
  room -= head;
  if (source->file) {
    if (room > 0) LOCUS_TRY(read_file(source, to, room, got, cx));
    *got += head;
    return 0;
  }
  *got = head + take_piece(source, to, room);
  return 0;
}

/* Inflates what was looked at before, or else what waits. */
static int inflate(text_source *source, char *to, int64_t room, int64_t *got, locus_context *cx)
{
  const int64_t before = source->left;
  int64_t left = source->headed - source->head_at;

  if (left > 0) {
    const char *from = source->head + source->head_at;
    LOCUS_TRY(locus_inflate(source->inflater, &from, &left, to, room, got, cx));
    source->head_at = source->headed - (int)left;
    if (*got > 0 || left > 0) return 0;
  }
  LOCUS_TRY(locus_inflate(source->inflater, &source->piece, &source->left, to, room, got, cx));
  if (!source->file) source->taken += before - source->left;
  return 0;
}

/* Compressed bytes that inflate to nothing yet do not end the text. */
static int read_compressed(text_source *source, char *to, int64_t room, int64_t *got,
                           locus_context *cx)
{
  for (;;) {
    LOCUS_TRY(locus_poll(cx));
    LOCUS_TRY(inflate(source, to, room, got, cx));
    if (*got > 0) return 0;
    if (source->file && !source->last) {
      source->piece = source->raw;
      LOCUS_TRY(read_file(source, source->raw, RAW, &source->left, cx));
      continue;
    }
    if (!source->last || locus_inflater_done(source->inflater)) return 0;
    return locus_inflater_cut(source->inflater, cx);
  }
}

/* The bytes of a regular file behind the caller's place. */
static int64_t length_of(FILE *file)
{
  struct stat status;
  const off_t start = file ? ftello(file) : -1;

  if (start < 0 || fstat(fileno(file), &status) || !S_ISREG(status.st_mode)) return 0;
  return status.st_size > start ? status.st_size - start : 0;
}

/* Looks at more of the first bytes; *ended: there are no more. */
static int look(text_source *source, bool *ended, locus_context *cx)
{
  char *to = source->head + source->headed;
  const int64_t room = TEXT_MARK - source->headed;
  int64_t got = 0;

  *ended = false;
  if (room == 0) return 0; /* a failed call is repeated */
  if (source->file) {
    LOCUS_TRY(read_file(source, to, room, &got, cx));
    *ended = got < room;
  } else {
    got = take_piece(source, to, room);
    *ended = source->last && source->left == 0;
  }
  source->headed += (int)got;
  return 0;
}

/* The first bytes decide how the source is read. */
static int begin(text_source *source, locus_context *cx)
{
  bool undecided, ended;

  if (source->headed == 0) source->length = length_of(source->file);
  LOCUS_TRY(look(source, &ended, cx));
  const text_compression compression =
      locus_compression_of(source->head, source->headed, ended, &undecided);
  if (undecided) return 0;
  if (compression != TEXT_PLAIN) {
    if (source->file && !source->raw) source->raw = locus_memory_alloc(RAW);
    if (source->file && !source->raw) return locus_fail_memory(cx, RAW);
    LOCUS_TRY(locus_inflater_new(&source->inflater, compression, cx));
    source->length = 0;
  }
  source->begun = true;
  return 0;
}

int locus_source_read(text_source *source, char *to, int64_t room, int64_t *got, locus_context *cx)
{
  *got = 0;
  if (!source->begun) LOCUS_TRY(begin(source, cx));
  if (!source->begun) return 0;
  return (source->inflater ? read_compressed : read_plain)(source, to, room, got, cx);
}

bool locus_source_is_worth_reading_ahead(const text_source *source)
{
  struct stat status;

  if (!source->file) return source->inflater && source->left > 0;
  return fstat(fileno(source->file), &status) == 0 && S_ISREG(status.st_mode);
}

void locus_source_reset(text_source *source)
{
  locus_inflater_free(source->inflater);
  locus_memory_free(source->raw, RAW);
  *source = (text_source){.file = source->file};
}
