/* SPDX-License-Identifier: MIT */
/* A place is known by its parent's number and its key, which are one string of a dictionary: its
** keyed hash keeps texts from making searches long. As in record.c, keys are expected in the order
** of the last record. A value counts once its record is good, and only the last one of a key. */
#include "text/json/schema.h"

#include "core/memory.h"
#include "text/number/parse.h"
#include "text/read/buffer.h"
#include "text/read/guess.h"

enum { LEAD = sizeof(int32_t) }; /* bytes of the parent's number in front of a key */

typedef struct json_noting {
  json_schema *schema;
  text_reader *reader;
  json_scan *scan;
  locus_context *cx;
} json_noting;

void locus_json_schema_end(text_reader *reader)
{
  if (!reader->schema) return;
  locus_dictionary_free(reader->schema->names);
  locus_memory_free(reader->schema, (int64_t)sizeof *reader->schema);
  reader->schema = NULL;
}

int locus_json_schema_begin(text_reader *reader, locus_context *cx)
{
  const int64_t bytes = (int64_t)sizeof(json_schema);

  locus_json_schema_end(reader);
  json_schema *made = locus_memory_alloc(bytes);
  if (!made) return locus_fail_memory(cx, bytes);
  made->names = NULL;
  made->at = 0;
  made->count = 0;
  made->first = -1;
  made->full = false;
  made->clock = (text_clock){0};
  reader->schema = made;
  return locus_dictionary_new(&made->names, cx);
}

text_span locus_json_schema_key(const json_schema *schema, int32_t place)
{
  text_span name;

  name.bytes = locus_dictionary_name(schema->names, place + 1, &name.length);
  return (text_span){name.bytes + LEAD, name.length - LEAD};
}

/* -- Records ----------------------------------------------------------------------------------- */

/* Counts what the place had in its last record, if that was kept. */
static void settle(const json_schema *schema, json_place *place)
{
  if (place->record > 0 && place->record < schema->at) {
    place->seen |= place->now;
    place->count += place->now != 0 && place->now != JSON_SEEN_NULL;
  }
}

void locus_json_schema_finish(json_schema *schema)
{
  schema->at++;
  for (int32_t i = 0; i < schema->count; i++) {
    settle(schema, &schema->places[i]);
    schema->places[i].record = schema->places[i].now = 0;
  }
}

/* Forgets what this record had: at `place` and below, or at all for -1. A place below another has a
** greater number. */
static void forget(json_schema *schema, int32_t place)
{
  for (int32_t i = place + 1; i < schema->count; i++) {
    json_place *below = &schema->places[i];
    const bool under = place < 0 || below->parent == place ||
                       (below->parent > place && schema->places[below->parent].now == 0);
    if (under && below->record == schema->at) below->now = 0;
  }
}

void locus_json_schema_drop(json_schema *schema)
{
  forget(schema, -1);
}

/* -- Places ------------------------------------------------------------------------------------ */

/* The string of a place in the dictionary, in memory for one. */
static text_span named(json_noting *noting, int32_t parent, const char *text, const char *end,
                       bool escaped)
{
  char *copy = locus_reader_scratch(noting->reader, noting->cx), *to = copy;

  if (!copy) return (text_span){NULL, 0};
  memcpy(to, &parent, LEAD);
  to += LEAD;
  if (escaped) {
    to = locus_json_unescape(text, end, to);
  } else {
    memcpy(to, text, (size_t)(end - text));
    to += end - text;
  }
  return (text_span){copy, to - copy};
}

static bool is_named(const json_schema *schema, int32_t place, const char *text, const char *end)
{
  const text_span key = locus_json_schema_key(schema, place);
  return locus_same_text(key, (text_span){text, end - text});
}

/* The place of a key; -1 if there are too many, -2 without memory. */
static int32_t find_place(json_noting *noting, int32_t parent, const char *text, const char *end,
                          bool escaped)
{
  json_schema *schema = noting->schema;
  const text_span name = named(noting, parent, text, end, escaped);
  int32_t id;

  if (!name.bytes) return -2;
  id = locus_dictionary_find(schema->names, name.bytes, name.length);
  if (id > 0) return id - 1;
  if (schema->count == JSON_MOST_PLACES) {
    schema->full = true;
    return -1;
  }
  if (locus_dictionary_add(schema->names, name.bytes, name.length, &id, noting->cx)) return -2;
  schema->places[schema->count++] = (json_place){.parent = parent, .next = -1, .first = -1};
  return id - 1;
}

/* -- Values ------------------------------------------------------------------------------------ */

/* A number as column.c guesses it. */
static int32_t kind_of_number(const char *text, const char *end)
{
  int64_t value;

  for (const char *at = text; at < end; at++)
    if (*at == '.' || *at == 'e' || *at == 'E') return JSON_SEEN_FLOAT;
  if (*text == '-' && text[1] == '0') return JSON_SEEN_FLOAT;
  if (!locus_parse_i64(text, end, &value)) return JSON_SEEN_HUGE;
  const double rounded = (double)value;
  const bool exact = rounded < 0x1p63 && (int64_t)rounded == value;
  return exact ? JSON_SEEN_EXACT : JSON_SEEN_WIDE;
}

/* Strings are not numbers: a service that writes "007" means it so. */
static int32_t kind_of_string(json_schema *schema, const json_place *place, text_span text)
{
  enum { TIMES = SEEN_DATE | SEEN_TIME };
  int64_t value;

  if (place->seen & JSON_SEEN_TEXT) return JSON_SEEN_STRING | JSON_SEEN_TEXT;
  const unsigned seen = locus_guess_see(text, '.', &schema->clock, &value);
  if (!(seen & TIMES)) return JSON_SEEN_STRING | JSON_SEEN_TEXT;
  return JSON_SEEN_STRING | (int32_t)(seen << JSON_SEEN_TIME_BITS);
}

static const char *note_object(json_noting *noting, int32_t at_place, const char *at, int depth);

static const char *note_value(json_noting *noting, int32_t number, const char *at, int depth)
{
  enum { DEEP = 64 }; /* objects within more others are text */
  json_schema *schema = noting->schema;
  json_place *place = &schema->places[number];

  if (place->record == schema->at) {
    place->now = 0;
    forget(schema, number);
  } else {
    settle(schema, place);
    place->record = schema->at;
  }
  if (*at == '{' && depth < DEEP) {
    place->now = JSON_SEEN_OBJECT;
    return note_object(noting, number, at, depth + 1);
  }
  const char *end = locus_json_skip_value(noting->scan, at, depth);
  if (!end) return NULL;
  switch (*at) {
  case '"': place->now = kind_of_string(schema, place, (text_span){at + 1, end - at - 2}); break;
  case '{':
  case '[': place->now = JSON_SEEN_ARRAY; break;
  case 't':
  case 'f': place->now = JSON_SEEN_BOOL; break;
  case 'n': place->now = JSON_SEEN_NULL; break;
  default: place->now = kind_of_number(at, end); break;
  }
  return end;
}

static const char *note_object(json_noting *noting, int32_t parent, const char *at, int depth)
{
  json_schema *schema = noting->schema;
  int32_t *expected = parent < 0 ? &schema->first : &schema->places[parent].first;
  bool more = true;

  at = json_space(noting->scan, at + 1);
  if (*at == '}') return at + 1;
  while (more) {
    bool escaped = false;
    if (*at != '"') return locus_json_fail(noting->scan, at, "has no key where one is due");
    const char *text = at + 1, *end = json_string(noting->scan, text, &escaped);
    if (!end) return NULL;
    int32_t place = *expected;
    if (place < 0 || escaped || !is_named(schema, place, text, end)) {
      place = find_place(noting, parent, text, end, escaped);
      if (place == -2) return NULL;
      if (place >= 0) *expected = place;
    }
    at = json_colon(noting->scan, end + 1);
    if (!at) return NULL;
    if (place >= 0) expected = &schema->places[place].next;
    at = place >= 0 ? note_value(noting, place, at, depth)
                    : locus_json_skip_value(noting->scan, at, depth);
    if (at) at = json_comma(noting->scan, at, '}', &more);
    if (!at) return NULL;
  }
  return at;
}

const char *locus_json_schema_note(json_schema *schema, text_reader *reader, json_scan *scan,
                                   const char *at, locus_context *cx)
{
  json_noting noting = {schema, reader, scan, cx};

  return note_object(&noting, -1, at, 1);
}
