/* SPDX-License-Identifier: MIT */
/* The rules of docs/columns.md, record by record. */
#include "naive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/number/number.h"

/* -- Notes ------------------------------------------------------------------------------------- */

static void make_room(notes *notes, size_t more)
{
  if (notes->length + more <= notes->room) return;
  notes->room = 2 * (notes->length + more);
  notes->text = realloc(notes->text, notes->room);
  if (!notes->text) fuzz_fail("no memory");
}

void note(notes *notes, const char *format, ...)
{
  va_list arguments;

  make_room(notes, 200);
  va_start(arguments, format);
  notes->length += (size_t)vsnprintf(notes->text + notes->length, 200, format, arguments);
  va_end(arguments);
}

void note_text(notes *notes, const char *text, size_t length)
{
  make_room(notes, length);
  if (length) memcpy(notes->text + notes->length, text, length);
  notes->length += length;
}

void note_bytes(notes *notes, const char *bytes, int64_t length)
{
  note(notes, "%lld:", (long long)length);
  note_text(notes, bytes, (size_t)length);
}

void note_value(notes *notes, locus_dtype dtype, int64_t bits)
{
  const int64_t size = locus_dtype_size(dtype);
  note(notes, "%llx,", (unsigned long long)bits & (UINT64_MAX >> (64 - 8 * size)));
}

void note_bad(result *result, int64_t line, int column, const char *text, int64_t length,
              const char *wrong)
{
  note(&result->bad, "line %lld column %d %s: ", (long long)line, column, wrong);
  note_bytes(&result->bad, text, length);
  note(&result->bad, "\n");
}

void free_result(result *result)
{
  free(result->rows.text);
  free(result->bad.text);
  memset(result, 0, sizeof *result);
}

/* -- Fields ------------------------------------------------------------------------------------ */

static bool is_space(char c)
{
  return c == ' ' || c == '\t';
}

static naive_field without_spaces(naive_field field)
{
  while (field.length > 0 && is_space(*field.bytes)) field.bytes++, field.length--;
  while (field.length > 0 && is_space(field.bytes[field.length - 1])) field.length--;
  return field;
}

/* Around what is not a string spaces do not count. */
static bool is_missing(const plan *plan, text_type type, naive_field field)
{
  if (type != TEXT_STRING && type != TEXT_REQUEST_PATH) field = without_spaces(field);
  for (int i = 0; i < plan->missings; i++)
    if (plan->missing[i].length == field.length &&
        memcmp(plan->missing[i].bytes, field.bytes, (size_t)field.length) == 0)
      return true;
  return field.length == 0;
}

static const float_format *format_of(locus_dtype dtype)
{
  switch (dtype) {
  case LOCUS_f32: return &FORMAT_f32;
  case LOCUS_f16: return &FORMAT_f16;
  case LOCUS_bf16: return &FORMAT_bf16;
  default: return &FORMAT_f64;
  }
}

static bool fits(locus_dtype dtype, int64_t value)
{
  switch (dtype) {
  case LOCUS_u8: return value >= 0 && value < 256;
  case LOCUS_i8: return value == (int8_t)value;
  case LOCUS_i16: return value == (int16_t)value;
  case LOCUS_i32: return value == (int32_t)value;
  default: return true;
  }
}

/* NULL, or what is wrong. The numbers and times themselves are the business of other targets. */
static const char *value_of(const plan *plan, const plan_field *field, naive_field text,
                            int64_t *bits)
{
  text_clock clock = {.per_second = field->per_second, .pattern = field->pattern};
  char *copy = fuzz_copy(text.bytes, (size_t)text.length, READ_BEFORE);
  const char *end = copy + text.length, *wrong = NULL;
  uint64_t parsed = 0;

  *bits = 0;
  switch (field->type) {
  case TEXT_INTEGER:
    if (!locus_parse_i64(copy, end, bits) || !fits(field->dtype, *bits)) wrong = locus_not_of_type;
    break;
  case TEXT_FLOAT:
    if (!locus_parse_float(copy, end, plan->point, format_of(field->dtype), &parsed))
      wrong = locus_not_of_type;
    *bits = (int64_t)parsed;
    break;
  case TEXT_BOOL:
    if (text.length == 3 && memcmp(copy, "yes", 3) == 0) *bits = 1;
    else if (text.length != 2 || memcmp(copy, "no", 2) != 0) wrong = locus_not_of_type;
    break;
  case TEXT_TIME: wrong = locus_parse_time(&clock, copy, end, bits); break;
  case TEXT_DATE: wrong = locus_parse_date(field->pattern, copy, end, bits); break;
  case TEXT_IPV4: wrong = locus_parse_ipv4(copy, end, bits); break;
  default: break;
  }
  fuzz_free(copy, READ_BEFORE);
  return wrong;
}

static bool is_text(text_type type)
{
  return type == TEXT_STRING || type == TEXT_REQUEST_PATH || type == TEXT_GUESS_INTEGER ||
         type == TEXT_GUESS_FLOAT;
}

static const char *convert(const plan *plan, const plan_field *field, naive_field text,
                           int64_t *bits)
{
  const naive_field inner = without_spaces(text);

  if (is_text(field->type)) return NULL;
  if (!is_missing(plan, field->type, text)) {
    const char *wrong = value_of(plan, field, text, bits);
    if (!wrong) return NULL;
    if (inner.length > 0) return value_of(plan, field, inner, bits) ? wrong : NULL;
  }
  *bits = field->missing;
  return field->fills ? NULL : "is missing";
}

/* -- Rows -------------------------------------------------------------------------------------- */

/* All fields of the rows, one row behind the other. */
typedef struct table {
  naive_field *fields;
  int64_t rows, room;
} table;

static void keep_row(table *table, const plan *plan, naive_record *record)
{
  if (table->rows == table->room) {
    table->room = 2 * table->room + 8;
    table->fields = realloc(table->fields, (size_t)(table->room * MOST_FIELDS) * sizeof(naive_field));
  }
  for (int i = 0; i < plan->count; i++) {
    table->fields[table->rows * MOST_FIELDS + i] = record->fields[i];
    record->fields[i].bytes = NULL;
  }
  table->rows++;
}

/* What a guess may be for this field, at the best. */
static text_type best_guess(const plan *plan, naive_field field)
{
  const naive_field inner = without_spaces(field);
  char *copy = fuzz_copy(inner.bytes, (size_t)inner.length, READ_BEFORE);
  const char *digits = copy + (inner.length > 0 && *copy == '-'), *end = copy + inner.length;
  bool whole = digits < end;
  text_type type = TEXT_STRING;
  int64_t value = 0;
  uint64_t bits;

  for (const char *c = digits; c < end; c++) whole = whole && *c >= '0' && *c <= '9';
  if (is_missing(plan, TEXT_GUESS_FLOAT, field)) type = TEXT_GUESS_FLOAT;
  else if (digits < end && *digits == '+') type = TEXT_STRING;
  else if (end - digits > 1 && *digits == '0' && digits[1] >= '0' && digits[1] <= '9')
    type = TEXT_STRING;
  else if (whole && locus_parse_i64(copy, end, &value) && !(value == 0 && *copy == '-'))
    type = TEXT_GUESS_INTEGER;
  else if (whole && value == 0 && end - digits == 1) type = TEXT_GUESS_FLOAT; /* -0 */
  else if (!whole && locus_parse_float(copy, end, plan->point, &FORMAT_f64, &bits))
    type = TEXT_GUESS_FLOAT;
  fuzz_free(copy, READ_BEFORE);
  return type;
}

static bool is_exact(const plan *plan, naive_field field)
{
  const naive_field inner = without_spaces(field);
  char *copy = fuzz_copy(inner.bytes, (size_t)inner.length, READ_BEFORE);
  int64_t value = 0;

  if (is_missing(plan, TEXT_GUESS_FLOAT, field) || !locus_parse_i64(copy, copy + inner.length, &value)) value = 0;
  fuzz_free(copy, READ_BEFORE);
  return (__int128)(double)value == value;
}

static text_type guess(const plan *plan, const table *table, int column)
{
  text_type type = TEXT_GUESS_INTEGER;

  for (int64_t row = 0; row < table->rows; row++) {
    const text_type best = best_guess(plan, table->fields[row * MOST_FIELDS + column]);
    if (best == TEXT_STRING) return TEXT_STRING;
    if (best == TEXT_GUESS_FLOAT) type = TEXT_GUESS_FLOAT;
  }
  for (int64_t row = 0; row < table->rows && type == TEXT_GUESS_FLOAT; row++)
    if (!is_exact(plan, table->fields[row * MOST_FIELDS + column])) return TEXT_STRING;
  return type;
}

static naive_field path_of(naive_field request)
{
  naive_field path = request;

  for (int64_t i = 0; i < request.length; i++) {
    if (request.bytes[i] != ' ') continue;
    path = (naive_field){request.bytes + i + 1, request.length - i - 1};
    break;
  }
  for (int64_t i = 0; i < path.length; i++)
    if (path.bytes[i] == ' ' || path.bytes[i] == '?') path.length = i;
  return path;
}

static void note_field(const plan *plan, const plan_field *field, text_type type, naive_field text,
                       notes *rows)
{
  plan_field as = *field;
  int64_t bits;

  as.type = type;
  if (type == TEXT_GUESS_INTEGER) as.type = TEXT_INTEGER;
  if (type == TEXT_GUESS_FLOAT) as.type = TEXT_FLOAT, as.dtype = LOCUS_f64;
  if (is_text(as.type)) {
    if (is_missing(plan, type, text)) text = (naive_field){(char *)field->filled.bytes,
                                                     field->filled.length};
    else if (type == TEXT_REQUEST_PATH) text = path_of(text);
    note_bytes(rows, text.bytes, text.length);
    note(rows, ",");
  } else {
    if (convert(plan, &as, text, &bits)) fuzz_fail("naive: a guess that does not hold");
    note_value(rows, as.dtype, bits);
  }
}

static void note_rows(const plan *plan, const table *table, result *result)
{
  for (int i = 0; i < plan->count; i++) {
    const plan_field *field = &plan->fields[i];
    result->types[i] = field->type;
    if (field->taken && field->type == TEXT_GUESS_INTEGER) result->types[i] = guess(plan, table, i);
  }
  for (int64_t row = 0; row < table->rows; row++) {
    for (int i = 0; i < plan->count; i++) {
      if (plan->fields[i].taken)
        note_field(plan, &plan->fields[i], result->types[i],
                   table->fields[row * MOST_FIELDS + i], &result->rows);
    }
    note(&result->rows, "\n");
  }
  result->row_count = table->rows;
}

/* -- The text ---------------------------------------------------------------------------------- */

typedef struct naive {
  const plan *plan;
  char *text;
  int64_t length, at, line;
  bool header;
  naive_record record;
} naive;

static bool passed_over(const naive *n)
{
  const char *text = n->text + n->at;
  const text_span comment = n->plan->comment;

  if (comment.length && n->length - n->at >= comment.length &&
      memcmp(text, comment.bytes, (size_t)comment.length) == 0)
    return true;
  if (!n->header && n->plan->count == 1 && !n->plan->log) return false;
  return *text == '\n' || (*text == '\r' && text[1] == '\n');
}

static int64_t behind_line(const naive *n, int64_t at)
{
  while (n->text[at] != '\n') at++;
  return at + 1;
}

static int64_t count_lines(const naive *n, int64_t from, int64_t to)
{
  int64_t lines = 0;

  for (; from < to; from++) lines += n->text[from] == '\n';
  return lines;
}

/* Goes on behind the line that `from` is on. */
static void leave_from(naive *n, int64_t from)
{
  const int64_t next = behind_line(n, from);

  n->line += count_lines(n, n->at, next);
  n->at = next;
}

/* A quote opens at `open`, and does not close before `end`. */
static void leave_open(naive *n, result *result, int64_t open, int64_t end, const char *wrong)
{
  const int64_t line = n->line + count_lines(n, n->at, open), feed = behind_line(n, open) - 1;

  note_bad(result, line, n->record.column, n->text + open, (feed < end ? feed : end) - open, wrong);
  leave_from(n, open);
}

/* Of a record that is longer than the limit only the bytes count that it may have, and two that may
** end a line. */
static void leave_long(naive *n, result *result)
{
  const int64_t limit = n->plan->limit;
  char *window = malloc((size_t)limit + 3);
  char wrong[96];

  memcpy(window, n->text + n->at, (size_t)limit + 2);
  window[limit + 2] = '\n';
  if (!n->plan->log) naive_csv_record(n->plan, window, limit + 3, 0, n->header, &n->record);
  free(window);
  if (!n->plan->log && n->record.outcome == NAIVE_OPEN) {
    snprintf(wrong, sizeof wrong, "has a quote that does not close within %lld bytes",
             (long long)limit);
    leave_open(n, result, n->at + n->record.from, n->at + limit + 2, wrong);
    return;
  }
  snprintf(wrong, sizeof wrong, "is longer than %lld bytes", (long long)limit);
  note_bad(result, n->line, -1, n->text + n->at, limit, wrong);
  leave_from(n, n->at + limit);
}

/* Reads the next record into n->record; false when that is too long or does not end, which it has
** noted. */
static bool next_record(naive *n, result *result)
{
  const int64_t limit = n->plan->limit;

  if (n->plan->log) naive_log_record(n->plan, n->text, n->length, n->at, &n->record);
  else naive_csv_record(n->plan, n->text, n->length, n->at, n->header, &n->record);
  const bool open = n->record.outcome == NAIVE_OPEN;
  int64_t length = (open ? n->length : n->record.next) - n->at - 1;
  if (!open && length > limit && n->text[n->at + length - 1] == '\r') length--;
  if (length > limit) leave_long(n, result);
  else if (open)
    leave_open(n, result, n->record.from, n->length, "has a quote that never closes");
  else return true;
  return false;
}

static void read_rows(naive *n, table *table, result *result)
{
  while (n->at < n->length) {
    if (passed_over(n)) {
      n->at = behind_line(n, n->at);
      n->line++;
      continue;
    }
    if (!next_record(n, result)) continue;
    naive_record *record = &n->record;
    const bool structure = record->outcome == NAIVE_BAD;
    int known = structure ? n->plan->log ? record->column : 0 : n->plan->count;
    if (structure && n->plan->log && known < 0) known = record->count;
    bool bad = false;
    for (int i = 0; i < known && !bad; i++) {
      int64_t bits;
      const plan_field *field = &n->plan->fields[i];
      const char *wrong = field->taken ? convert(n->plan, field, record->fields[i], &bits) : NULL;
      if (!wrong) continue;
      note_bad(result, n->line, i, record->fields[i].bytes, record->fields[i].length, wrong);
      bad = true;
    }
    if (structure && !bad)
      note_bad(result, n->line, record->column, n->text + record->from, record->to - record->from,
               record->wrong);
    n->line += record->lines;
    n->at = record->next;
    if (!structure && !bad) keep_row(table, n->plan, record);
  }
}

static bool read_header(naive *n, result *result)
{
  n->header = true;
  while (n->at < n->length && passed_over(n)) n->at = behind_line(n, n->at), n->line++;
  if (n->at == n->length || !next_record(n, result)) return false;
  const naive_record *record = &n->record;
  if (record->outcome == NAIVE_BAD) {
    note_bad(result, n->line, record->column, n->text + record->from, record->to - record->from,
             record->wrong);
    return false;
  }
  note(&result->rows, "header %d ", record->count);
  for (int i = 0; i < record->count && i < MOST_FIELDS; i++)
    note_bytes(&result->rows, record->fields[i].bytes, record->fields[i].length);
  note(&result->rows, "\n");
  n->at = record->next;
  n->line += record->lines;
  n->header = false;
  return true;
}

static void read_all(naive *n, result *result)
{
  table table = {0};

  for (int i = 0; i < n->plan->skip; i++, n->line++) {
    if (n->at == n->length) { /* there is no such line, and so there are no records */
      result->failed = n->plan->header;
      break;
    }
    n->at = behind_line(n, n->at);
  }
  if (result->failed || (n->plan->header && !read_header(n, result))) {
    result->failed = true;
    return;
  }
  read_rows(n, &table, result);
  note_rows(n->plan, &table, result);
  for (int64_t i = 0; i < table.rows * MOST_FIELDS; i++)
    if (i % MOST_FIELDS < n->plan->count) free(table.fields[i].bytes);
  free(table.fields);
}

void naive_read(const plan *plan, const char *text, int64_t length, result *result)
{
  naive n = {.plan = plan, .line = 1};

  if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
    note(&result->bad, "is UTF-16: convert it to UTF-8");
    result->failed = true;
    return;
  }
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3;
  n.length = length + (length > 0 && text[length - 1] != '\n');
  n.text = fuzz_copy(text, (size_t)length, 0);
  if (n.length > length) {
    n.text = realloc(n.text, (size_t)n.length);
    n.text[length] = '\n';
  }
  read_all(&n, result);
  result->line = n.line;
  free_record(&n.record);
  fuzz_free(n.text, 0);
}
