/* SPDX-License-Identifier: MIT */
/* A reader as lua/locus/frame/job.lua drives it. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/memory.h"
#include "plan.h"
#include "text/read/reader.h"

typedef struct drive {
  const plan *plan;
  const delivery *delivery;
  const uint8_t *bytes;
  size_t size, given; /* of it, the bytes handed over */
  unsigned seed;
  char *piece; /* that was handed over last */
  void *keys;  /* memory of a program of JSON */
  FILE *file;
  text_reader reader;
  text_record record;
  text_field fields[MOST_FIELDS];
  text_column columns[MOST_FIELDS];
  text_type types[MOST_FIELDS];
  bool armed; /* an allocation will fail */
  locus_context cx;
  notes header;
  int header_fields;
  result *result;
} drive;

/* Begins to count allocations up to the one that fails. */
static void arm(drive *d)
{
  locus_memory_fail(d->delivery->failing, false);
  d->armed = true;
}

/* Whether to repeat a step that has failed for want of memory; the second time there is enough. */
static bool again(drive *d, bool failed)
{
  const bool wants = failed && d->cx.error.code == LOCUS_OUT_OF_MEMORY;

  if (wants) {
    if (!locus_memory_fail(0, false)) fuzz_fail("no memory, though no allocation failed");
    d->armed = false;
  } else if (!d->armed) {
    arm(d);
  }
  d->cx.error.code = 0;
  return wants;
}

static int64_t piece_size(drive *d)
{
  const size_t left = d->size - d->given;
  size_t size = left;

  if (d->delivery->form == IN_BYTES) size = 1;
  if (d->delivery->form == IN_PIECES) {
    d->seed = d->seed * 1103515245 + 12345;
    size = (d->seed >> 16) % (d->seed >> 28 ? 12 : 700);
  }
  return (int64_t)(size < left ? size : left);
}

static void hand_over(drive *d)
{
  const int64_t size = piece_size(d);

  if (d->piece) fuzz_free(d->piece, 0);
  d->piece = fuzz_copy(d->bytes + d->given, (size_t)size, 0);
  d->reader.source.piece = d->piece;
  d->reader.source.left = size;
  d->reader.source.last = d->given == d->size;
  d->given += (size_t)size;
}

/* Whether there was anything. */
static bool fill(drive *d)
{
  text_state state;

  for (;;) {
    do state = locus_reader_fill(&d->reader, &d->cx);
    while (again(d, state == TEXT_ERROR));
    if (state == TEXT_ERROR) {
      d->result->bad.length = 0;
      note(&d->result->bad, "%s", d->cx.error.message);
      d->result->failed = true;
    }
    if (state != TEXT_WANTS) return state == TEXT_READ;
    if (d->reader.source.last) fuzz_fail("a piece is wanted behind the last one");
    hand_over(d);
  }
}

static void note_stopped(drive *d)
{
  const text_record *record = &d->record;
  note_bad(d->result, record->line, record->column, record->text.bytes, record->text.length,
           record->wrong);
}

static void each(void *user, text_span field)
{
  drive *d = user;
  if (d->header_fields++ < MOST_FIELDS) note_bytes(&d->header, field.bytes, field.length);
}

static bool read_header(drive *d)
{
  for (;;) {
    text_state state;
    d->reader.each = each;
    d->reader.user = d;
    do {
      d->header.length = 0;
      d->header_fields = 0;
      state = locus_reader_header(&d->reader, &d->record, &d->cx);
    } while (again(d, state == TEXT_ERROR));
    d->reader.each = NULL;
    if (state == TEXT_FULL) return true;
    if (state == TEXT_STOPPED) note_stopped(d);
    if (state == TEXT_STOPPED || !fill(d)) return false;
  }
}

static bool pass_beginning(drive *d)
{
  for (int i = 0; i < d->plan->skip; i++)
    while (locus_reader_skip(&d->reader) != TEXT_FULL)
      if (!fill(d)) return !d->plan->header && !d->result->failed;
  return !d->plan->header || read_header(d);
}

static void set_program(drive *d)
{
  locus_reader_clear(&d->reader);
  memset(d->columns, 0, sizeof d->columns);
  memset(d->fields, 0, sizeof d->fields);
  for (int i = 0; i < d->plan->count; i++) {
    const plan_field *field = &d->plan->fields[i];
    d->fields[i].ends = field->ends;
    d->fields[i].escapes = field->escapes;
    d->fields[i].slot = i;
    if (!field->taken) continue;
    if (field->type == TEXT_NOTHING) {
      d->reader.nothing.type = d->reader.nothing.better = TEXT_NOTHING;
      d->fields[i].column = &d->reader.nothing;
      continue;
    }
    text_column *column = &d->columns[d->reader.column_count++];
    d->fields[i].column = column;
    locus_column_set_type(column, d->types[i]);
    column->values.dtype = column->type == TEXT_GUESS_FLOAT ? LOCUS_f64
                           : column->type == TEXT_STRING    ? LOCUS_i32
                                                            : field->dtype;
    column->clock = (text_clock){.per_second = field->per_second, .pattern = field->pattern};
    column->point = d->plan->point;
    column->fills = field->fills;
    column->missing = field->missing;
    column->filled = field->filled;
    column->words[0] = (text_span){"yes", 3};
    column->words[1] = (text_span){"no", 2};
    column->trues = column->falses = 1;
  }
  if (d->plan->keys) d->reader.program = locus_json_program_copy(d->keys, d->plan->keys);
  d->reader.fields = d->fields;
  d->reader.columns = d->columns;
  d->reader.count = d->plan->count;
  d->reader.most = d->delivery->most ? d->delivery->most : INT64_MAX;
  locus_reader_restart(&d->reader);
}

static int64_t load(const text_column *column, int64_t row)
{
  const int64_t size = locus_dtype_size(column->values.dtype);
  int64_t bits = 0;

  memcpy(&bits, column->values.data + row * size, (size_t)size);
  return bits;
}

/* Strings have numbers in the order in which they come, and there are no others. */
static void check_ids(const text_column *column)
{
  int32_t most = 0;

  for (int64_t row = 0; row < column->values.numel; row++) {
    const int32_t id = (int32_t)load(column, row);
    if (id < 1 || id > most + 1) fuzz_fail("string %d comes after %d", id, most);
    if (id > most) most = id;
  }
  if (most != locus_dictionary_count(column->names)) fuzz_fail("strings that no row has");
}

static void note_rows(drive *d)
{
  text_reader *reader = &d->reader;
  int status;

  do status = locus_reader_fit(reader, &d->cx);
  while (again(d, status != 0));
  for (int i = 0; i < reader->column_count; i++)
    if (locus_column_has_names(&d->columns[i])) check_ids(&d->columns[i]);
  for (int64_t row = 0; row < reader->rows; row++) {
    for (int i = 0; i < reader->column_count; i++) {
      const text_column *column = &d->columns[i];
      if (locus_column_has_names(column)) {
        const int32_t id = (int32_t)load(column, row);
        int64_t length;
        const char *name = locus_dictionary_name(column->names, id, &length);
        note_bytes(&d->result->rows, name, length);
        note(&d->result->rows, ",");
      } else {
        note_value(&d->result->rows, column->values.dtype, load(column, row));
      }
    }
    note(&d->result->rows, "\n");
  }
  d->result->row_count += reader->rows;
  locus_reader_restart(reader);
  reader->first = NULL; /* a column that is given away cannot become a better type */
}

static void read_rows(drive *d)
{
  size_t bad = d->result->bad.length; /* as it was when these rows began */

  for (;;) {
    const text_state state = locus_reader_run(&d->reader, &d->record, &d->cx);
    if (again(d, state == TEXT_ERROR)) continue;
    if (state == TEXT_ERROR) fuzz_fail("reading fails: %s", d->cx.error.message);
    if (state == TEXT_FULL) {
      note_rows(d);
      bad = d->result->bad.length;
    } else if (state == TEXT_AGAIN) {
      d->result->bad.length = bad;
    } else if (state == TEXT_STOPPED) {
      note_stopped(d);
    } else if (state == TEXT_BROKEN) {
      note_stopped(d);
      d->result->failed = true; /* whoever reads has no rows then */
      break;
    } else if (!fill(d)) {
      break;
    }
  }
  if (!d->result->failed) note_rows(d);
}

/* The result of the guesses; whether all rows have been read by them. */
static bool resolve_types(drive *d)
{
  bool resolved = true;

  for (int i = 0; i < d->plan->count; i++) {
    const text_column *column = d->fields[i].column;
    if (!column) continue;
    resolved &= !locus_column_failed(column);
    d->types[i] = column->better;
  }
  return resolved;
}

static void begin_source(drive *d)
{
  if (d->file) rewind(d->file);
  d->given = 0;
  d->seed = d->delivery->seed;
  d->result->rows.length = d->result->bad.length = 0;
  d->result->row_count = 0;
}

/* Until all guesses hold. */
static void read_again_and_again(drive *d)
{
  for (int i = 0; i < d->plan->count; i++) d->types[i] = d->plan->fields[i].type;
  for (bool resolved = false; !resolved;) {
    begin_source(d);
    locus_reader_clear(&d->reader);
    locus_reader_rewind(&d->reader);
    arm(d);
    d->result->failed = !pass_beginning(d);
    if (d->result->failed) return;
    if (d->plan->header) {
      note(&d->result->rows, "header %d ", d->header_fields);
      note_text(&d->result->rows, d->header.text, d->header.length);
      note(&d->result->rows, "\n");
    }
    set_program(d);
    read_rows(d);
    resolved = d->result->failed || resolve_types(d);
  }
}

/* A file in memory, which counts as one of a disk: readers read ahead in it. */
static FILE *open_bytes(const uint8_t *bytes, size_t size)
{
  const int memory = memfd_create("text", 0);
  FILE *file = memory < 0 ? NULL : fdopen(memory, "r");

  if (!file || write(memory, bytes, size) != (ssize_t)size) fuzz_fail("no file in memory");
  rewind(file);
  return file;
}

void read_text(const plan *plan, const delivery *delivery, const uint8_t *bytes, size_t size,
               result *result)
{
  drive d = {.plan = plan, .delivery = delivery, .bytes = bytes, .size = size, .result = result};
  const int64_t live = locus_memory_live();
  int status;

  if (delivery->form == BY_FILE) d.file = open_bytes(bytes, size);
  d.reader = (text_reader){
      .source.file = d.file,
      .log = plan->log,
      .json = plan->keys != NULL,
      .separator = plan->separator,
      .quote = plan->quote,
      .blanks = plan->blanks,
      .skip_blanks = plan->skip_blanks,
      .escape = plan->escape,
      .loose = plan->blanks || plan->skip_blanks || plan->escape >= 0,
      .comment = plan->comment,
      .before = plan->before,
      .missing = plan->missing,
      .missings = plan->missings,
      .limit = plan->limit,
  };
  if (plan->keys && !(d.keys = malloc((size_t)plan->keys->bytes))) fuzz_fail("no memory");
  arm(&d);
  do status = locus_reader_begin(&d.reader, &d.cx);
  while (again(&d, status != 0));
  read_again_and_again(&d);
  result->line = d.reader.line;
  memcpy(result->types, d.types, sizeof d.types);
  locus_reader_free(&d.reader);
  locus_memory_fail(0, false);
  if (d.piece) fuzz_free(d.piece, 0);
  if (d.file) fclose(d.file);
  free(d.header.text);
  free(d.keys);
  if (locus_memory_live() != live) fuzz_fail("memory that nobody freed");
}
