/* SPDX-License-Identifier: MIT */
#include "text/read/rows.h"

#include "text/json/record.h"
#include "text/read/csv.h"
#include "text/read/log.h"
#include "text/read/loose.h"

bool locus_reader_passes_over(const text_reader *reader)
{
  if (reader->json) return locus_is_json_passed_over(reader, reader->at, reader->complete);
  if (reader->loose) return locus_is_loose_passed_over(reader, reader->at, reader->complete);
  return locus_is_passed_over(reader, reader->at, reader->complete);
}

void locus_reader_pass_line(text_reader *reader)
{
  reader->at = (char *)memchr(reader->at, '\n', (size_t)(reader->complete - reader->at)) + 1;
  reader->line++;
  reader->passing = false;
}

text_outcome locus_reader_rows(text_reader *reader, int64_t until, text_record *record,
                               locus_context *cx)
{
  if (reader->json) return locus_read_json_rows(reader, until, record, cx);
  if (reader->log) return locus_read_log_rows(reader, until, record, cx);
  if (reader->loose) return locus_read_loose_rows(reader, until, record, cx);
  return locus_read_csv_rows(reader, until, record, cx);
}

int64_t locus_reader_taken(const text_reader *reader, const char *upto)
{
  const int64_t ahead = reader->ahead.filled ? reader->ahead.length : 0;
  return reader->source.taken - ahead - (reader->end - upto);
}

/* How many rows there will be if those to come are as long as these, and a little more; 0: nothing
** tells. Not many times more at once while there are few, since these may be unlike the others. */
static int64_t expected_rows(const text_reader *reader, int64_t rows, const char *upto)
{
  enum { FEW = 1 << 9, MANY = 1 << 14, TIMES = 16, MOST_TIMES = 256 };
  const int64_t taken = locus_reader_taken(reader, upto);
  const double text = (double)(taken - reader->in_front);

  if (rows < FEW || reader->source.length <= taken || text <= 0) return 0;
  const double times = 1.01 + 1.01 * (double)(reader->source.length - taken) / text;
  const double most = rows < MANY ? TIMES : MOST_TIMES;
  return (int64_t)((double)rows * (times < most ? times : most));
}

int locus_reader_grow(text_reader *reader, int64_t rows, const char *upto, locus_context *cx)
{
  const int64_t expected = expected_rows(reader, rows, upto);
  int64_t least = INT64_MAX;

  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    while (column->values.numel < rows)
      LOCUS_TRY(locus_column_grow(column, expected, reader->most, cx));
    if (column->values.numel < least) least = column->values.numel;
  }
  reader->capacity = least;
  return 0;
}

int locus_reader_add_strings(text_reader *reader, locus_context *cx)
{
  for (int i = 0; i < reader->column_count; i++)
    if (locus_column_has_names(&reader->columns[i]))
      LOCUS_TRY(locus_column_add(&reader->columns[i], reader->rows, cx));
  reader->named = reader->rows;
  reader->scratch_used = 0;
  return 0;
}

bool locus_reader_note_guesses(text_reader *reader)
{
  bool failed = false;

  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    if (!locus_column_guesses(column)) continue;
    locus_column_note_seen(column, column->wanted);
    failed |= locus_column_failed(column);
  }
  return failed;
}
