/* SPDX-License-Identifier: MIT */
#include "text/read/pieces.h"

#include "core/device.h"
#include "core/memory.h"
#include "text/json/program.h"
#include "text/read/buffer.h"
#include "text/read/rows.h"

enum {
  PER_THREAD = 8,        /* so that all threads end at about the same time */
  MOST_MEMORY = 4 << 20, /* bytes that the pieces of each thread take, if they can be so few */
};

static int64_t bytes_of_piece(const text_reader *reader)
{
  return (int64_t)sizeof(text_piece) + reader->count * (int64_t)sizeof(text_field) +
         reader->column_count * (int64_t)(sizeof(text_column) + sizeof(int64_t)) +
         (reader->program ? reader->program->bytes : 0);
}

static int count_pieces(const text_reader *reader)
{
  const int threads = locus_cpu_threads();
  const int64_t fit = MOST_MEMORY / bytes_of_piece(reader);

  /* one less, since reading ahead is another task of the same round */
  return threads * (int)(fit < 1 ? 1 : fit > PER_THREAD ? PER_THREAD : fit) - 1;
}

/* The program of the reader, with columns of the piece. They have no rows of their own: `values`
** only says where rows go. */
static void set_program(const text_reader *reader, text_piece *piece, text_column *columns,
                        text_field *fields)
{
  piece->reader.columns = columns;
  piece->reader.fields = fields;
  memcpy(columns, reader->columns, (size_t)reader->column_count * sizeof *columns);
  memcpy(fields, reader->fields, (size_t)reader->count * sizeof *fields);
  for (int i = 0; i < reader->column_count; i++) {
    columns[i].names = NULL;
    locus_tensor_clear(&columns[i].values);
  }
  for (int i = 0; i < reader->count; i++) {
    const text_column *column = fields[i].column;
    if (column == &reader->nothing) fields[i].column = &piece->reader.nothing;
    else if (column) fields[i].column = columns + (column - reader->columns);
  }
}

/* One block: the pieces, then of each its columns, fields and numbers. */
int locus_pieces_make(text_reader *reader, locus_context *cx)
{
  const int count = count_pieces(reader);
  const int64_t bytes = (int64_t)sizeof(text_pieces) + count * bytes_of_piece(reader);
  text_pieces *made = locus_memory_alloc(bytes);

  if (!made) return locus_fail_memory(cx, bytes);
  memset(made, 0, (size_t)bytes);
  made->bytes = bytes;
  made->count = count;
  char *at = (char *)&made->piece[count];
  for (int k = 0; k < count; k++) {
    text_piece *piece = &made->piece[k];
    text_column *columns = (text_column *)at;
    text_field *fields = (text_field *)(columns + reader->column_count);
    piece->numbers = (int64_t *)(fields + reader->count);
    at = (char *)(piece->numbers + reader->column_count);
    if (reader->program) {
      piece->reader.program = locus_json_program_copy(at, reader->program);
      at += reader->program->bytes;
    }
    set_program(reader, piece, columns, fields);
  }
  reader->pieces = made;
  return 0;
}

void locus_pieces_free(text_reader *reader)
{
  text_pieces *pieces = reader->pieces;

  if (!pieces) return;
  for (int k = 0; k < pieces->count; k++) {
    text_reader *own = &pieces->piece[k].reader;
    for (int i = 0; i < reader->column_count; i++) locus_dictionary_free(own->columns[i].names);
    locus_reader_end(own);
  }
  locus_memory_free(pieces, pieces->bytes);
  reader->pieces = NULL;
}

int locus_piece_begin(const text_reader *reader, text_piece *piece, int64_t row, locus_context *cx)
{
  text_reader *own = &piece->reader;
  const text_reader kept = *own;

  *own = *reader;
  own->source = (text_source){.file = NULL};
  own->ahead = (text_ahead){.buffer = NULL};
  own->buffer = NULL;
  own->pieces = NULL;
  own->columns = kept.columns;
  own->fields = kept.fields;
  own->program = kept.program;
  own->scratch = kept.scratch;
  own->scratch_room = kept.scratch_room;
  own->at = (char *)piece->begin;
  own->complete = kept.complete;
  own->room = own->complete - own->at > TEXT_PIECE ? own->complete - own->at : TEXT_PIECE;
  own->line = own->scratch_used = 0;
  own->rows = own->named = piece->row = row;
  for (int i = 0; i < reader->column_count; i++) {
    const text_column *from = &reader->columns[i];
    text_column *column = &own->columns[i];
    column->type = from->type;
    column->seen = from->seen;
    column->better = from->better;
    column->values.dtype = from->values.dtype;
    column->values.data = from->values.data;
    column->added = row;
    column->known = from->names;
    if (!locus_column_has_names(column)) continue;
    if (column->names) locus_dictionary_clear(column->names);
    else LOCUS_TRY(locus_dictionary_new(&column->names, cx));
  }
  return 0;
}

int locus_piece_read(text_piece *piece, locus_context *cx)
{
  text_reader *own = &piece->reader;
  text_outcome outcome = TEXT_ROW;
  text_record record;

  while (own->at < own->complete && outcome == TEXT_ROW) {
    if (own->rows - own->named == TEXT_BATCH) LOCUS_TRY(locus_reader_add_strings(own, cx));
    if (locus_reader_passes_over(own)) {
      locus_reader_pass_line(own);
      continue;
    }
    const int64_t until = own->guessing > 0 ? own->rows + 1 : own->named + TEXT_BATCH;
    outcome = locus_reader_rows(own, until, &record, cx);
    if (outcome == TEXT_ROW && own->guessing > 0) locus_reader_note_guesses(own);
  }
  piece->open = outcome == TEXT_OPEN;
  return outcome == TEXT_FAILED ? -1 : locus_reader_add_strings(own, cx);
}
