/* SPDX-License-Identifier: MIT */
/* Readers of text as Lua values: the common part of the two files that bind them. */
#ifndef LOCUS_BIND_READER_H
#define LOCUS_BIND_READER_H

#include "bind/ground/call.h"
#include "text/read/reader.h"

/* The environment of a reader keeps alive the targets of its spans, and its arrays. */
enum {
  READER_DIALECT = 1,
  READER_MISSING,
  READER_PROGRAM,
  READER_FIELDS,
  READER_COLUMNS,
  READER_PIECE,
  READER_SOURCE,
  READER_PLACES,
  READER_NODES,
  READER_JSON
};

text_reader *locus_check_reader(lua_State *L, int index);
/* Keeps the value on top of the stack, which it pops. */
void locus_reader_keep(lua_State *L, int reader, int what);
/* Begins a call with its arguments as they came. */
void locus_reader_call(locus_call *call, lua_State *L, int count);
/* Where the next record begins, and back there while the buffer is not filled. */
typedef struct reader_place {
  char *at, *complete;
  int64_t line;
  text_form form;
} reader_place;
reader_place locus_reader_place(const text_reader *reader);
void locus_reader_go_back(text_reader *reader, reader_place place);
/* Fills a cleared column as the table at `spec`, which must stay, describes it: {type, dtype,
** per_second, pattern, zone, twice, gone, point, fill (a tensor of one element), filled, trues,
** falses}. */
void locus_read_text_column(lua_State *L, int spec, text_column *column);
/* The name of a type, as programs have it. */
const char *locus_text_type_name(text_type type);

#endif
