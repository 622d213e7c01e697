/* SPDX-License-Identifier: MIT */
/* What a reader wants of each object: the keys that lead to its columns, and the order in which the
** keys of the last objects came. */
#ifndef LOCUS_TEXT_JSON_PROGRAM_H
#define LOCUS_TEXT_JSON_PROGRAM_H

#include "text/json/scan.h"
#include "text/names/dictionary.h"

typedef enum json_kind {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_STRING,
  JSON_OBJECT,
  JSON_ARRAY,
} json_kind;

/* A value's text: of a string its contents, of others as they are written. */
typedef struct json_value {
  const char *text, *end;
  json_kind kind;
  int64_t record; /* whose value it is */
} json_value;

enum {
  JSON_QUICK = 32, /* bytes of a key with its quote and colon that are compared at once */
  JSON_OTHERS = 32 /* keys of an object that lead to no column, and are remembered */
};

/* A key of an object. */
typedef struct json_key {
  char text[JSON_QUICK]; /* the key, the closing quote and a colon, if they fit */
  char mask[JSON_QUICK];
  text_span name;
  int32_t quick; /* bytes of `text`; 0: it does not fit */
  int32_t node;  /* that it leads to; -1: none */
  int32_t next;  /* the key that followed last time */
} json_key;

/* An element of an array. */
typedef struct json_item {
  int64_t index;
  int32_t node;
} json_item;

/* A place in a record. */
typedef struct json_node {
  int32_t slot;                              /* of its value; -1: nobody wants it */
  int32_t first;                             /* the key that began the last object */
  int32_t keys, key_count, wanted, key_room; /* its part of the program's keys; `wanted` lead on */
  int32_t table, table_size;                 /* and of the tables, which find them */
  int32_t items, item_count;                 /* and of the elements, in their order */
  int64_t record;                            /* the last one that had it */
} json_node;

/* One block of memory. */
typedef struct json_program {
  int64_t bytes;
  int32_t node_count, key_count, item_count, table_size, slot_count;
  int64_t record;   /* counts them, from 1 */
  json_node *nodes; /* the first one is the record itself */
  json_key *keys;
  json_item *items;
  int32_t *table;
  json_value *values; /* of the record, by slot */
} json_program;

/* The bytes of a program with these counts. */
int64_t locus_json_program_bytes(const json_program *counts);
/* Makes the program in that memory, which is cleared; a copy of one in the same way. */
json_program *locus_json_program_place(void *memory, const json_program *counts);
json_program *locus_json_program_copy(void *memory, const json_program *from);
/* Adds a key that leads to the node, or to none. */
void locus_json_add_key(json_program *program, json_node *node, text_span name, int32_t to);
/* The key of that name; NULL: it is not known. */
json_key *locus_json_find_key(const json_program *program, const json_node *node, text_span name);
/* Remembers a key that leads nowhere, if there is room. */
json_key *locus_json_remember(json_program *program, json_node *node, text_span name);
/* Forgets the values at this place and below. */
void locus_json_forget(json_program *program, json_node *node);

#endif
