/* SPDX-License-Identifier: MIT */
/* The keys of all records and the kinds of their values, for a reader whose caller gives no
** types. */
#ifndef LOCUS_TEXT_JSON_SCHEMA_H
#define LOCUS_TEXT_JSON_SCHEMA_H

#include "text/json/scan.h"
#include "text/names/dictionary.h"
#include "text/read/record.h"
#include "text/time/time.h"

/* What the values at a place have been, a bit each. EXACT: a whole number that float64 holds; WIDE:
** one that only int64 holds; FLOAT: a number with a point or an exponent, or -0; HUGE: a whole one
** beyond int64. TEXT: a string that is no time. Other strings have what text/read/guess.h sees in
** them, moved up by TIME_BITS. */
typedef enum json_seen {
  JSON_SEEN_NULL = 1,
  JSON_SEEN_BOOL = 2,
  JSON_SEEN_EXACT = 4,
  JSON_SEEN_WIDE = 8,
  JSON_SEEN_FLOAT = 16,
  JSON_SEEN_HUGE = 32,
  JSON_SEEN_STRING = 64,
  JSON_SEEN_OBJECT = 128,
  JSON_SEEN_ARRAY = 256,
  JSON_SEEN_TEXT = 512,
  JSON_SEEN_TIME_BITS = 7, /* SEEN_DATE is 1024 */
} json_seen;

/* A place in the records: a key of an object. */
typedef struct json_place {
  int32_t parent; /* -1: the record itself */
  int32_t next;   /* the place whose key followed last time; -1: none has */
  int32_t first;  /* the one that began its last object */
  int32_t seen;   /* in the records before `record` */
  int32_t now;    /* in the record */
  int64_t record; /* the last one that had it */
  int64_t count;  /* of those before `record`, those with a value other than null */
} json_place;

enum { JSON_MOST_PLACES = 1 << 14 };

typedef struct json_schema {
  text_dictionary *names; /* by number of the place, from 1: its parent and its key */
  int64_t at;             /* the record being read, counted from 1 */
  int32_t count;
  int32_t first;
  bool full; /* there were more places, which it does not have */
  text_clock clock;
  json_place places[JSON_MOST_PLACES];
} json_schema;

/* Gives the reader a schema without places; frees it. */
int locus_json_schema_begin(text_reader *reader, locus_context *cx);
void locus_json_schema_end(text_reader *reader);
/* Takes note of the object at `at`; returns the place behind it; NULL: a fault of `scan`, or of the
** context if that has none. */
const char *locus_json_schema_note(json_schema *schema, text_reader *reader, json_scan *scan,
                                   const char *at, locus_context *cx);
/* The last record is bad: forgets what it had. */
void locus_json_schema_drop(json_schema *schema);
/* Counts the last record for all places. */
void locus_json_schema_finish(json_schema *schema);
/* The key of a place. */
text_span locus_json_schema_key(const json_schema *schema, int32_t place);

#endif
