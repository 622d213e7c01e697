/* SPDX-License-Identifier: MIT */
/* A record is read in two steps. The first one goes through its text, checks all of it, and notes
** where the wanted values are. The second one gives them to their columns. So a later key of the
** same name takes the place of an earlier one, and a line that is no JSON leaves nothing behind.
**
** Keys mostly come in the order of the last record. Each key remembers the one that followed it
** last, whose bytes are compared at once, with the quote and the colon; only if they differ is the
** key's end searched, and its name looked up. */
#include "text/json/record.h"

#include <stdio.h>

#include "text/json/array.h"
#include "text/json/schema.h"
#include "text/read/buffer.h"

typedef struct json_walk {
  json_scan scan;
  json_program *program;
  text_reader *reader;
  locus_context *cx; /* has failed: `fault` is NULL */
} json_walk;

static const char *walk_value(json_walk *walk, json_node *node, const char *at, int depth);

/* -- Keys -------------------------------------------------------------------------------------- */

LOCUS_INLINE uint64_t differs(const char *text, const char *key, const char *mask)
{
  uint64_t a, b, m;

  memcpy(&a, text, 8);
  memcpy(&b, key, 8);
  memcpy(&m, mask, 8);
  return (a ^ b) & m;
}

LOCUS_INLINE bool is_key(const char *at, const json_key *key)
{
  if (key->quick == 0) return false;
  if (differs(at, key->text, key->mask) | differs(at + 8, key->text + 8, key->mask + 8))
    return false;
  return key->quick <= 16 || !(differs(at + 16, key->text + 16, key->mask + 16) |
                               differs(at + 24, key->text + 24, key->mask + 24));
}

/* The contents of a string up to its closing quote; no bytes without memory for those that have
** escapes. */
static text_span contents(json_walk *walk, const char *text, const char *end, bool escaped)
{
  if (!escaped) return (text_span){text, end - text};
  char *copy = locus_reader_scratch(walk->reader, walk->cx);
  if (!copy) return (text_span){NULL, 0};
  return (text_span){copy, locus_json_unescape(text, end, copy) - copy};
}

/* A key that is not the expected one, behind its quote. Returns the place of its value; *found is
** NULL if it is not known, and cannot be remembered. */
static const char *search_key(json_walk *walk, json_node *node, const char *at, json_key **found)
{
  bool escaped = false;
  const char *end = json_string(&walk->scan, at, &escaped);

  if (!end) return NULL;
  const text_span name = contents(walk, at, end, escaped);
  if (!name.bytes) return NULL;
  *found = locus_json_find_key(walk->program, node, name);
  if (!*found) *found = locus_json_remember(walk->program, node, name);
  return json_colon(&walk->scan, end + 1);
}

/* -- Values ------------------------------------------------------------------------------------ */

static void note(json_walk *walk, const json_node *node, json_kind kind, const char *text,
                 const char *end)
{
  if (node->slot < 0) return;
  walk->program->values[node->slot] = (json_value){text, end, kind, walk->program->record};
}

static const char *walk_object(json_walk *walk, json_node *node, const char *at, int depth)
{
  json_program *program = walk->program;
  int32_t *expected = &node->first;
  bool more = true;

  at = json_space(&walk->scan, at + 1);
  if (*at == '}') return at + 1;
  while (more) {
    json_key *key = &program->keys[*expected];
    if (*at != '"') return locus_json_fail(&walk->scan, at, "has no key where one is due");
    at++;
    if (is_key(at, key)) {
      at = json_space(&walk->scan, at + key->quick);
    } else {
      at = search_key(walk, node, at, &key);
      if (!at) return NULL;
      if (key) *expected = (int32_t)(key - program->keys);
    }
    if (key) expected = &key->next;
    at = key && key->node >= 0 ? walk_value(walk, &program->nodes[key->node], at, depth)
                               : locus_json_skip_value(&walk->scan, at, depth);
    if (at) at = json_comma(&walk->scan, at, '}', &more);
    if (!at) return NULL;
  }
  return at;
}

static const char *walk_array(json_walk *walk, json_node *node, const char *at, int depth)
{
  const json_item *item = walk->program->items + node->items, *last = item + node->item_count;
  bool more = true;

  at = json_space(&walk->scan, at + 1);
  if (*at == ']') return at + 1;
  for (int64_t i = 0; more; i++) {
    const bool wanted = item < last && item->index == i;
    at = wanted ? walk_value(walk, &walk->program->nodes[item++->node], at, depth)
                : locus_json_skip_value(&walk->scan, at, depth);
    if (at) at = json_comma(&walk->scan, at, ']', &more);
    if (!at) return NULL;
  }
  return at;
}

static const char *walk_string(json_walk *walk, json_node *node, const char *at)
{
  bool escaped = false;
  const char *end = json_string(&walk->scan, at + 1, &escaped);

  if (!end) return NULL;
  if (node->slot >= 0) {
    const text_span text = contents(walk, at + 1, end, escaped);
    if (!text.bytes) return NULL;
    if (escaped) walk->reader->scratch_used += text.length;
    note(walk, node, JSON_STRING, text.bytes, text.bytes + text.length);
  }
  return end + 1;
}

static const char *walk_word(json_walk *walk, json_node *node, const char *at)
{
  const char *end = locus_json_skip_word(&walk->scan, at);

  if (end) note(walk, node, *at == 'n' ? JSON_NULL : JSON_BOOL, at, end);
  return end;
}

static const char *walk_container(json_walk *walk, json_node *node, const char *at, int depth)
{
  const bool object = *at == '{';
  const char *end;

  if (object && node->wanted > 0) end = walk_object(walk, node, at, depth + 1);
  else if (!object && node->item_count > 0) end = walk_array(walk, node, at, depth + 1);
  else end = locus_json_skip_value(&walk->scan, at, depth);
  if (end) note(walk, node, object ? JSON_OBJECT : JSON_ARRAY, at, end);
  return end;
}

static const char *walk_value(json_walk *walk, json_node *node, const char *at, int depth)
{
  if (node->record == walk->program->record) locus_json_forget(walk->program, node);
  node->record = walk->program->record;
  switch (*at) {
  case '"': return walk_string(walk, node, at);
  case '{':
  case '[': return walk_container(walk, node, at, depth);
  case '-':
  case '0':
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9': {
    const char *end = locus_json_skip_number(&walk->scan, at);
    if (end) note(walk, node, JSON_NUMBER, at, end);
    return end;
  }
  default: return walk_word(walk, node, at);
  }
}

/* -- Columns ----------------------------------------------------------------------------------- */

/* An empty string is a string; for other types it is a missing value. */
static const char *take(const text_reader *reader, text_column *column, const json_value *value)
{
  const int64_t row = reader->rows;

  if (value->record != reader->program->record || value->kind == JSON_NULL)
    return locus_column_take_missing(column, row);
  if (value->text == value->end && locus_column_has_names(column) &&
      !locus_reader_misses(reader, column, value->text, value->end))
    return locus_column_take(column, row, value->text, value->end);
  return locus_reader_take(reader, column, value->text, value->end);
}

static text_outcome take_values(const text_reader *reader, text_record *record)
{
  for (int i = 0; i < reader->count; i++) {
    const json_value *value = &reader->program->values[reader->fields[i].slot];
    const char *wrong = take(reader, reader->fields[i].column, value);
    if (!wrong) continue;
    const bool there = value->record == reader->program->record && value->kind != JSON_NULL;
    return locus_record_bad(record, i, there ? value->text : "", there ? value->end : "", wrong);
  }
  return TEXT_ROW;
}

/* -- Records ----------------------------------------------------------------------------------- */

/* The end of a line, without text behind the object. */
static const char *end_line(json_scan *scan, const char *at)
{
  at = json_space(scan, at);
  if (*at == '\n') return at + 1;
  return locus_json_fail(scan, at, "has text behind its object");
}

/* The next element of the array, or the bracket that closes it. */
static const char *end_element(json_scan *scan, const char *at)
{
  bool more;

  const char *end = json_comma(scan, at, ']', &more);
  if (!end || !more) return end ? end - 1 : NULL;
  if (end >= scan->end) return locus_json_fail(scan, end, "ends within an array");
  if (*end != ']') return end;
  return locus_json_fail(scan, end, "has a comma behind the last element");
}

static text_outcome bad_line(const json_scan *scan, text_record *record, const char *at)
{
  const char *end = memchr(scan->fault, '\n', (size_t)(scan->end - scan->fault));

  record->next = end + 1;
  while (end > at && (end[-1] == '\r' || end[-1] == ' ')) end--;
  snprintf(record->wrong_text, sizeof record->wrong_text, "%s (byte %lld)", scan->wrong,
           (long long)(scan->fault - at + 1));
  return locus_record_bad(record, -1, at, end, record->wrong_text);
}

static const char *trim(const char *begin, const char *end)
{
  while (end > begin && (unsigned char)end[-1] <= ' ') end--;
  return end;
}

/* Text that ends too early is bad on its last line. */
static text_outcome bad_record(const json_walk *walk, text_record *record, const char *at)
{
  const json_scan *scan = &walk->scan;
  const char *fault = scan->fault;

  if (!scan->wrong) return TEXT_FAILED;
  if (scan->lines) return bad_line(scan, record, at);
  if (!locus_json_is_fault(walk->reader, fault)) return TEXT_OPEN;
  if (fault >= scan->end) fault = trim(at, scan->end);
  record->lines = locus_count_lines(at, fault);
  locus_json_bad_at(walk->reader, record, fault, scan->wrong);
  return TEXT_SPOILT;
}

/* Goes through an object and what is behind it; an element of an array may be something else. */
static const char *walk_record(json_walk *walk, const char *begin)
{
  json_scan *scan = &walk->scan;
  text_reader *reader = walk->reader;
  const char *end;

  if (begin >= scan->end && !scan->lines)
    return locus_json_fail(scan, begin, "ends within an array");
  if (*begin != '{' && scan->lines) return locus_json_fail(scan, begin, "is no object");
  if (*begin != '{') {
    end = locus_json_skip_value(scan, begin, 1);
  } else if (reader->schema) {
    end = locus_json_schema_note(reader->schema, reader, scan, begin, walk->cx);
  } else {
    walk->program->record++;
    end = walk->program->nodes->wanted > 0
              ? walk_object(walk, walk->program->nodes, begin, scan->lines ? 1 : 2)
              : locus_json_skip_value(scan, begin, scan->lines ? 0 : 1);
  }
  if (!end) return NULL;
  return scan->lines ? end_line(scan, end) : end_element(scan, end);
}

/* An element of an array is bad by itself if it is no object, or too long. One that is so long that
** a buffer could end within it spoils the array in either case. */
static text_outcome check_element(const text_reader *reader, text_record *record, const char *begin)
{
  if (*begin == '{' && record->next - begin <= reader->limit) return TEXT_ROW;
  const char *end = trim(begin, record->next);
  if (end[-1] == ',') end = trim(begin, end - 1);
  if (end - begin > reader->limit) {
    locus_json_bad_length(reader, record, begin, end);
    return record->next - begin > reader->limit + JSON_SLACK ? TEXT_SPOILT : TEXT_BAD;
  }
  return *begin == '{' ? TEXT_ROW : locus_record_bad(record, -1, begin, end, "is no object");
}

static text_outcome read_record(text_reader *reader, const char *at, const char *end,
                                text_record *record, locus_context *cx)
{
  const bool lines = reader->form != TEXT_ARRAY;
  json_walk walk = {{.end = end, .lines = lines}, reader->program, reader, cx};
  const char *begin = json_space(&walk.scan, at);
  text_outcome outcome = TEXT_ROW;

  if (reader->schema) reader->schema->at++;
  record->next = walk_record(&walk, begin);
  record->lines = lines ? 1 : walk.scan.feeds;
  if (!record->next) outcome = bad_record(&walk, record, at);
  else if (!lines) outcome = check_element(reader, record, begin);
  if (!reader->schema) return outcome == TEXT_ROW ? take_values(reader, record) : outcome;
  if (outcome != TEXT_ROW || locus_is_too_long(reader, record))
    locus_json_schema_drop(reader->schema);
  return outcome;
}

bool locus_is_json_passed_over(const text_reader *reader, const char *at, const char *end)
{
  json_scan scan = {.end = end, .lines = true};

  if (reader->form == TEXT_ARRAY) return *at == ']';
  return *json_space(&scan, at) == '\n';
}

#define ROWS locus_read_json_rows
#define PASSED_OVER locus_is_json_passed_over
#include "text/read/rows.inc"
