/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "naive.h"

void free_record(naive_record *record)
{
  for (int i = 0; i < MOST_FIELDS; i++) free(record->fields[i].bytes);
  memset(record, 0, sizeof *record);
}

static void begin_field(naive_record *record)
{
  if (record->count < MOST_FIELDS) record->fields[record->count].bytes = calloc(1, 1);
  record->count++;
  record->is_empty = true;
}

static void add_byte(naive_record *record, char c)
{
  if (c != ' ' && c != '\t') record->is_empty = false;
  if (record->count > MOST_FIELDS) return;
  naive_field *field = &record->fields[record->count - 1];
  field->bytes = realloc(field->bytes, (size_t)field->length + 1);
  field->bytes[field->length++] = c;
}

static void blame(naive_record *record, int column, int64_t from, int64_t to, const char *wrong)
{
  record->outcome = NAIVE_BAD;
  record->column = column;
  record->from = from;
  record->to = to;
  snprintf(record->wrong, sizeof record->wrong, "%s", wrong);
}

bool naive_is_blank(const plan *plan, char c)
{
  if (plan->blanks) return c == ' ' || c == '\t';
  return plan->skip_blanks && (c == ' ' || c == '\t') && c != plan->separator;
}

/* The text behind the last of those separators that end each line is no field. */
static void miscounted(const plan *plan, const naive_record *record, char *wrong, size_t room)
{
  const plan_field *last = &plan->fields[plan->count - 1];
  const bool ended = last->taken && last->type == TEXT_NOTHING;
  const bool empty = record->is_empty;
  int fields = record->count;

  if (ended && !empty && fields == plan->count - 1) {
    snprintf(wrong, room, "has no separator at its end");
    return;
  }
  fields -= ended && empty;
  snprintf(wrong, room, "has %d field%s and not %d", fields, fields == 1 ? "" : "s",
           plan->count - ended);
}

static int64_t line_end(const char *text, int64_t at)
{
  while (text[at] != '\n') at++;
  return at;
}

/* Those at the end of the last field. */
static void drop_blanks(const plan *plan, naive_record *record)
{
  if (record->count > MOST_FIELDS) return;
  naive_field *last = &record->fields[record->count - 1];
  while (last->length > 0 && naive_is_blank(plan, last->bytes[last->length - 1])) last->length--;
}

/* The place behind the quote that closes the one at `at`; -1: there is none. */
static int64_t quoted(const plan *plan, const char *text, int64_t length, int64_t at,
                      naive_record *record)
{
  for (at++; at < length; at++) {
    const int byte = (unsigned char)text[at];
    const int next = at + 1 < length ? (unsigned char)text[at + 1] : -1;
    if (byte == '\n') record->lines++;
    if (byte == plan->quote && next != plan->quote) return at + 1;
    const bool escapes = byte == plan->escape && (next == plan->quote || next == plan->escape);
    if (byte == plan->quote || escapes) at++;
    add_byte(record, text[at]);
  }
  return -1;
}

void naive_csv_record(const plan *plan, const char *text, int64_t length, int64_t at, bool header,
                      naive_record *record)
{
  const int64_t begin = at;
  char wrong[96];

  free_record(record);
  record->lines = 1;
  while (naive_is_blank(plan, text[at])) at++;
  for (;;) {
    const int64_t field = at;
    const bool is_quoted = (unsigned char)text[at] == plan->quote;
    const int64_t lines = record->lines;
    begin_field(record);
    if (is_quoted) {
      at = quoted(plan, text, length, at, record);
      if (at < 0) {
        record->outcome = NAIVE_OPEN;
        record->column = record->count - 1;
        record->from = field;
        record->lines = lines;
        return;
      }
    } else {
      for (; text[at] != plan->separator && text[at] != '\r' && text[at] != '\n'; at++) {
        if (plan->blanks && text[at] == '\t') break;
        add_byte(record, text[at]);
      }
      drop_blanks(plan, record);
    }
    const int64_t ended = at;
    while (naive_is_blank(plan, text[at])) at++;
    const bool parted = plan->blanks && at > ended;
    if (text[at] == '\r' && text[at + 1] == '\n') at++;
    else if (parted && text[at] != '\n') continue;
    if (!plan->blanks && text[at] == plan->separator) {
      at++;
      while (naive_is_blank(plan, text[at])) at++;
      continue;
    }
    const int64_t feed = line_end(text, at);
    record->next = feed + 1;
    if (text[at] != '\n' && is_quoted)
      blame(record, record->count - 1, field, feed, "has text behind the closing quote");
    else if (text[at] != '\n')
      blame(record, -1, field, feed, "has a carriage return (CR) without a line feed");
    else if (record->count != plan->count && !header) {
      miscounted(plan, record, wrong, sizeof wrong);
      blame(record, -1, begin, feed > begin && text[feed - 1] == '\r' ? feed - 1 : feed, wrong);
    }
    return;
  }
}

/* -- Logs -------------------------------------------------------------------------------------- */

static int digit(char c)
{
  const char *digits = "0123456789abcdef0123456789ABCDEF";
  const char *found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) % 16 : -1;
}

/* The byte for a backslash at `*at`; moves behind it. */
static char escaped(const char *text, int64_t *at, int64_t end)
{
  const char c = text[*at + 1];

  *at += 2;
  switch (c) {
  case 'a': return '\a';
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  case 'v': return '\v';
  default: break;
  }
  if (c == 'x' && *at + 1 < end && digit(text[*at]) >= 0 && digit(text[*at + 1]) >= 0) {
    *at += 2;
    return (char)(16 * digit(text[*at - 2]) + digit(text[*at - 1]));
  }
  return c;
}

static bool stands(const char *text, int64_t at, int64_t end, text_span what)
{
  return end - at >= what.length && memcmp(text + at, what.bytes, (size_t)what.length) == 0;
}

void naive_log_record(const plan *plan, const char *text, int64_t length, int64_t at,
                      naive_record *record)
{
  const int64_t begin = at, feed = line_end(text, at);
  const int64_t end = feed > begin && text[feed - 1] == '\r' ? feed - 1 : feed;

  (void)length;
  free_record(record);
  record->next = feed + 1;
  record->lines = 1;
  if (!stands(text, at, end, plan->before)) {
    blame(record, -1, begin, end, "does not begin as the format says");
    return;
  }
  at += plan->before.length;
  for (int i = 0; i < plan->count; i++) {
    const plan_field *field = &plan->fields[i];
    int64_t stop = at;
    begin_field(record);
    if (field->ends.length == 0) stop = end;
    else {
      while (stop < end && !stands(text, stop, end, field->ends))
        stop += field->escapes && text[stop] == '\\' ? 2 : 1;
      if (stop >= end) {
        blame(record, i, at, end, "does not end as the format says");
        return;
      }
    }
    for (int64_t from = at; from < stop;) {
      if (field->escapes && text[from] == '\\' && from + 1 < stop)
        add_byte(record, escaped(text, &from, stop));
      else add_byte(record, text[from++]);
    }
    at = stop + field->ends.length;
  }
  if (at != end) blame(record, -1, begin, end, "goes on behind the end of the format");
}
