/* SPDX-License-Identifier: MIT */
/* The rules of docs/columns.md, byte by byte and record by record. */
#include <stdio.h>
#include <stdlib.h>

#include "naive.h"

typedef struct naive {
  const plan *plan;
  char *text;
  int64_t length, at, line;
  bool header;
  naive_record record;
} naive;

static bool begins(const naive *n, int64_t at, text_span what)
{
  return what.length && n->length - at >= what.length &&
         memcmp(n->text + at, what.bytes, (size_t)what.length) == 0;
}

/* Blanks that do not count may come in front of comments and make an empty line, within the
** limit. */
static bool passed_over(const naive *n)
{
  const text_span comment = n->plan->comment;
  int64_t at = n->at;

  while (naive_is_blank(n->plan, n->text[at])) at++;
  const int64_t blanks = at - n->at;
  if (begins(n, n->at, comment)) return true;
  if (begins(n, at, comment) && blanks + comment.length <= n->plan->limit) return true;
  if (!n->header && n->plan->count == 1 && !n->plan->log && !n->plan->blanks) return false;
  if (blanks > n->plan->limit) return false;
  return n->text[at] == '\n' || (n->text[at] == '\r' && n->text[at + 1] == '\n');
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

/* If a record is longer than the limit, only the bytes up to the limit count, and two that may end
** a line. */
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
  else if (open) leave_open(n, result, n->record.from, n->length, "has a quote that never closes");
  else return true;
  return false;
}

static void read_rows(naive *n, naive_table *table, result *result)
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
      if (!field->taken) continue;
      const char *wrong = naive_convert(n->plan, field, record->fields[i], &bits);
      if (!wrong) continue;
      note_bad(result, n->line, i, record->fields[i].bytes, record->fields[i].length, wrong);
      bad = true;
    }
    if (structure && !bad)
      note_bad(result, n->line, record->column, n->text + record->from, record->to - record->from,
               record->wrong);
    n->line += record->lines;
    n->at = record->next;
    if (!structure && !bad) naive_keep_row(table, n->plan, record);
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
  naive_table table = {0};

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
  naive_note_rows(n->plan, &table, result);
  for (int64_t i = 0; i < table.rows * MOST_FIELDS; i++)
    if (i % MOST_FIELDS < n->plan->count) free(table.fields[i].bytes);
  free(table.fields);
}

void naive_read(const plan *plan, const char *text, int64_t length, result *result)
{
  naive n = {.plan = plan, .line = 1};

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
