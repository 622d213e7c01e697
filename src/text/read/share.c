/* SPDX-License-Identifier: MIT */
/* Speculative parallel parsing. The complete records in the buffer are cut into pieces behind line
** feeds. Threads read the pieces, each into its place of the columns. One more thread reads the
** next bytes of the source into a second buffer.
**
**   buffer    | piece 0     | piece 1       | piece 2     |     ahead  |  the next bytes   |
**   columns   | rows . . .  | rows . . . .  | rows .      |     a row for each line feed at most
**
** A line feed may lie within quotes, and then a piece begins within a record. That is detected
** after the work: a piece counts only if the one before it ended exactly where it begins.
**
** Invariant: the first piece begins at a record, so by induction each piece that counts does, and
** its rows are those that one thread would have read. The first piece that ends early ends the
** round. One thread goes on from there: it meets the bad record, the end of the quotes, or another
** cause. It also reads the rest of that round's text, so that bad records cost no more than with
** one thread. If quotes ended a round, later rounds are cut where the number of quotes in front is
** even; those cuts are right in all files that RFC 4180 describes.
**
** Strings get the numbers that one thread would give them, in order of first appearance. While
** pieces are read, nothing is added to a column's dictionary. A string that it lacks gets a number
** below 0, in a dictionary of the piece. After the round the pieces' strings are added, piece by
** piece, and those numbers are replaced.
**
** Source: C. Ge, Y. Li, E. Eilebrecht, B. Chandramouli, D. Kossmann, "Speculative Distributed CSV
** Data Parsing for Big Data Analytics", SIGMOD 2019. */
#include "text/read/share.h"

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "text/read/buffer.h"
#include "text/read/pieces.h"
#include "text/read/rows.h"

enum { LEAST = 1 << 15, LEAST_IN_TESTS = 1 << 6 }; /* bytes of a piece */
enum { WORTH = 8 };                                /* such pieces for each thread, of joined text */

/* -- Cutting ----------------------------------------------------------------------------------- */

static int64_t least_bytes(void)
{
  return locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
}

/* Bytes of the text in the buffer that are to be read, as far as the rows before tell: somewhat
** less than those of the rows that are still wanted. */
static int64_t wanted_bytes(const text_reader *reader)
{
  const int64_t length = reader->complete - reader->at;
  const double wanted = .98 * (double)(reader->most - reader->rows) * reader->row_bytes;

  return reader->row_bytes > 0 && wanted < (double)length ? (int64_t)wanted : length;
}

bool locus_reader_may_share(const text_reader *reader)
{
  return locus_cpu_threads() > 1 && wanted_bytes(reader) >= 2 * least_bytes() && !reader->passing &&
         reader->at >= reader->alone && reader->column_count > 0 && reader->form < TEXT_ARRAY &&
         (reader->guessing == 0 || !reader->first);
}

/* Bytes of text that comes in pieces which are enough for all threads. */
static int64_t worth(void)
{
  return locus_cpu_threads() * WORTH * least_bytes();
}

/* A row has at least a byte for each field, those that end the fields. */
bool locus_reader_may_wait(const text_reader *reader)
{
  const int64_t length = reader->end - reader->at;

  return locus_cpu_threads() > 1 && !reader->source.file && !reader->final && !reader->urgent &&
         reader->count > 0 && length < worth() &&
         length / reader->count < reader->most - reader->rows;
}

typedef uint8_t byte_lanes __attribute__((vector_size(16)));

/* The bytes of the text that are `byte`, sixteen at a time. Each lane counts those in its place, as
** long as it cannot overflow. */
static int64_t count_bytes(const char *text, const char *end, char byte)
{
  enum { MOST = 255, WIDTH = sizeof(byte_lanes) };
  byte_lanes pattern;
  int64_t count = 0;

  memset(&pattern, byte, WIDTH);
  while (end - text >= WIDTH) {
    const int64_t turns = (end - text) / WIDTH < MOST ? (end - text) / WIDTH : MOST;
    byte_lanes lanes = {0};
    for (int64_t i = 0; i < turns; i++, text += WIDTH) {
      byte_lanes here;
      memcpy(&here, text, WIDTH);
      lanes -= (byte_lanes)(here == pattern);
    }
    for (int i = 0; i < WIDTH; i++) count += lanes[i];
  }
  for (; text < end; text++) count += *text == byte;
  return count;
}

/* The place behind the first line feed at `at` or later, before `end`; else `end`. With `quote` the
** line feed must not lie within quotes; `inside` says whether `at` does. */
static char *behind_line(char *at, char *end, int quote, bool inside)
{
  if (!inside && quote < 0) {
    char *feed = memchr(at, '\n', (size_t)(end - at));
    return feed ? feed + 1 : end;
  }
  for (; at < end; at++) {
    if ((unsigned char)*at == quote) inside = !inside;
    else if (*at == '\n' && !inside) return at + 1;
  }
  return end;
}

typedef struct text_round {
  text_reader *reader;
  int64_t length; /* bytes of the text, and of a piece */
  int64_t size;
  int64_t ahead; /* to be read */
} text_round;

static char *raw_end(const text_round *round, int64_t k)
{
  const text_reader *reader = round->reader;
  const bool last = k + 1 == reader->pieces->used;
  return reader->at + (last ? round->length : (k + 1) * round->size);
}

/* The quotes of pieces that may end anywhere. */
static int count_quotes(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_round *round = job;
  text_reader *reader = round->reader;

  for (int64_t k = begin; k < end; k++)
    reader->pieces->piece[k].quotes =
        count_bytes(reader->at + k * round->size, raw_end(round, k), (char)reader->quote);
  return locus_poll(cx);
}

static int count_lines(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_round *round = job;

  for (int64_t k = begin; k < end; k++) {
    text_piece *piece = &round->reader->pieces->piece[k];
    piece->rows = count_bytes(piece->begin, piece->reader.complete, '\n');
  }
  return locus_poll(cx);
}

/* Cuts the text into at most `used` pieces of `size` bytes or more. */
static int cut(text_round *round, locus_context *cx)
{
  text_reader *reader = round->reader;
  text_pieces *pieces = reader->pieces;
  const int64_t length = wanted_bytes(reader), least = least_bytes();
  const bool quoted = pieces->quoted && reader->quote >= 0;
  char *begin = reader->at;
  int64_t quotes = 0;
  int used = 0;

  round->length = length;
  round->size = length / pieces->count;
  if (round->size < least) round->size = least;
  pieces->used = (int)(length / round->size);
  if (pieces->used > pieces->count) pieces->used = pieces->count;
  if (quoted) LOCUS_TRY(locus_parallel(count_quotes, round, pieces->used, 1, cx));
  for (int k = 0; k < pieces->used && begin < reader->complete; k++) {
    char *raw = raw_end(round, k);
    if (quoted) quotes += pieces->piece[k].quotes;
    if (raw < begin) continue; /* the line before goes on behind it */
    if (raw < reader->complete)
      raw = behind_line(raw, reader->complete, quoted ? reader->quote : -1, quotes % 2 != 0);
    pieces->piece[used].begin = begin;
    pieces->piece[used++].reader.complete = raw;
    begin = raw;
  }
  pieces->used = used;
  return locus_parallel(count_lines, round, used, 1, cx);
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* The number of pieces with room for their rows among those that the reader may have. One thread
** reads the first piece without room. */
static int begin_pieces(text_round *round, locus_context *cx)
{
  text_reader *reader = round->reader;
  text_pieces *pieces = reader->pieces;
  int64_t rows = reader->rows;
  int used = 0;

  reader->alone = pieces->piece[0].reader.complete;
  while (used < pieces->used && pieces->piece[used].rows <= reader->most - rows)
    rows += pieces->piece[used++].rows;
  pieces->used = used;
  if (used > 0)
    LOCUS_TRY(locus_reader_grow(reader, rows, pieces->piece[used - 1].reader.complete, cx));
  rows = reader->rows;
  for (int k = 0; k < used; k++) {
    LOCUS_TRY(locus_piece_begin(reader, &pieces->piece[k], rows, cx));
    rows += pieces->piece[k].rows;
  }
  return 0;
}

/* The source comes first: it may take longest. */
static int read_pieces(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_round *round = job;

  for (int64_t k = begin; k < end; k++) {
    const int64_t piece = round->ahead > 0 ? k - 1 : k;
    LOCUS_TRY(locus_poll(cx));
    if (piece < 0) locus_reader_read_ahead(round->reader, round->ahead);
    else LOCUS_TRY(locus_piece_read(&round->reader->pieces->piece[piece], cx));
  }
  return 0;
}

/* The bytes to read ahead: twice the last text, up to the amount that keeps all threads busy.
** Nothing is read ahead from a source that another program may still be writing, since rows must
** not wait for it. */
static int64_t bytes_ahead(const text_reader *reader)
{
  const int64_t most = reader->source.file ? (int64_t)reader->pieces->count * TEXT_PIECE : worth();
  const int64_t twice = 2 * (reader->complete - reader->at);

  if (reader->ahead.filled || reader->ahead.failed || reader->final ||
      !locus_source_is_worth_reading_ahead(&reader->source))
    return 0;
  return twice < TEXT_CHUNK ? TEXT_CHUNK : twice < most ? twice : most;
}

/* -- Taking over what has been read ------------------------------------------------------------ */

/* The number of pieces that count: each begins where the one before it ended. */
static int count_right(const text_pieces *pieces)
{
  int right = 0;

  while (right < pieces->used) {
    const text_reader *own = &pieces->piece[right++].reader;
    if (own->at < own->complete) break;
  }
  return right;
}

/* Adds the new strings of the column to its dictionary; *at moves on by as many numbers. */
static int add_strings(text_pieces *pieces, text_column *column, int i, int64_t *at,
                       locus_context *cx)
{
  text_span spans[TEXT_BATCH];

  for (int k = 0; k < pieces->used; k++) {
    const text_dictionary *fresh = pieces->piece[k].reader.columns[i].names;
    const int32_t count = locus_dictionary_count(fresh);
    pieces->piece[k].numbers[i] = *at;
    for (int32_t begin = 0; begin < count; begin += TEXT_BATCH) {
      const int n = count - begin < TEXT_BATCH ? count - begin : TEXT_BATCH;
      for (int s = 0; s < n; s++)
        spans[s].bytes = locus_dictionary_name(fresh, begin + s + 1, &spans[s].length);
      LOCUS_TRY(locus_dictionary_add_many(column->names, spans, n, pieces->numbers + *at, cx));
      *at += n;
    }
  }
  return 0;
}

static int renumber_pieces(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_reader *reader = job;

  for (int64_t k = begin; k < end; k++) {
    const text_piece *piece = &reader->pieces->piece[k];
    for (int i = 0; i < reader->column_count; i++) {
      const text_column *column = &piece->reader.columns[i];
      if (!locus_column_has_names(column) || locus_dictionary_count(column->names) == 0) continue;
      int32_t *ids = (int32_t *)column->values.data;
      const int32_t *numbers = reader->pieces->numbers + piece->numbers[i];
      for (int64_t row = piece->row; row < piece->reader.rows; row++)
        if (ids[row] < 0) ids[row] = numbers[-ids[row] - 1];
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int64_t count_new_strings(const text_reader *reader)
{
  const text_pieces *pieces = reader->pieces;
  int64_t count = 0;

  for (int k = 0; k < pieces->used; k++)
    for (int i = 0; i < reader->column_count; i++)
      if (locus_column_has_names(&reader->columns[i]))
        count += locus_dictionary_count(pieces->piece[k].reader.columns[i].names);
  return count;
}

static int take_strings(text_reader *reader, locus_context *cx)
{
  text_pieces *pieces = reader->pieces;
  const int64_t bytes = count_new_strings(reader) * (int64_t)sizeof(int32_t);
  int64_t at = 0;
  int status = 0;

  if (bytes == 0) return 0;
  pieces->numbers = locus_memory_alloc(bytes);
  if (!pieces->numbers) return locus_fail_memory(cx, bytes);
  for (int i = 0; i < reader->column_count && status == 0; i++)
    if (locus_column_has_names(&reader->columns[i]))
      status = add_strings(pieces, &reader->columns[i], i, &at, cx);
  if (status == 0) status = locus_parallel(renumber_pieces, reader, pieces->used, 1, cx);
  locus_memory_free(pieces->numbers, bytes);
  return status;
}

/* Moves its rows behind those of the reader: the pieces in front may have fewer rows than
** expected. */
static void move_rows(const text_reader *reader, const text_piece *piece)
{
  const int64_t rows = piece->reader.rows - piece->row;

  for (int i = 0; i < reader->column_count && reader->rows < piece->row; i++) {
    const locus_tensor *values = &reader->columns[i].values;
    const int64_t size = locus_dtype_size(values->dtype);
    memmove(values->data + reader->rows * size, values->data + piece->row * size,
            (size_t)(rows * size));
  }
}

static void take_piece(text_reader *reader, const text_piece *piece)
{
  const text_reader *own = &piece->reader;

  move_rows(reader, piece);
  reader->rows += own->rows - piece->row;
  reader->line += own->line;
  reader->at = own->at;
  reader->pieces->quoted |= piece->open;
  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    if (locus_column_guesses(column)) locus_column_note_seen(column, own->columns[i].seen);
    column->added = reader->rows;
  }
  reader->named = reader->rows;
}

int locus_reader_share(text_reader *reader, locus_context *cx)
{
  text_round round = {.reader = reader};
  const int64_t rows = reader->rows;
  const char *const at = reader->at;

  if (!reader->pieces) LOCUS_TRY(locus_pieces_make(reader, cx));
  text_pieces *pieces = reader->pieces;
  LOCUS_TRY(cut(&round, cx));
  round.ahead = bytes_ahead(reader);
  LOCUS_TRY(begin_pieces(&round, cx));
  LOCUS_TRY(locus_parallel(read_pieces, &round, pieces->used + (round.ahead > 0), 1, cx));
  if (pieces->used == 0) return 0;
  const char *end = pieces->piece[pieces->used - 1].reader.complete;
  pieces->used = count_right(pieces);
  LOCUS_TRY(take_strings(reader, cx));
  for (int k = 0; k < pieces->used; k++) take_piece(reader, &pieces->piece[k]);
  reader->alone = end;
  if (reader->rows > rows)
    reader->row_bytes = (double)(reader->at - at) / (double)(reader->rows - rows);
  return 0;
}
