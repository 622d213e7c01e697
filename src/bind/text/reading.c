/* SPDX-License-Identifier: MIT */
/* Filling and running a reader, and taking its columns. */
#include <lualib.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"
#include "bind/text/reader.h"

static const char *const state_names[] = {
    [TEXT_WANTS] = "wants", [TEXT_READ] = "read",   [TEXT_AGAIN] = "again",   [TEXT_FULL] = "full",
    [TEXT_STOPPED] = "bad", [TEXT_ENDED] = "ended", [TEXT_BROKEN] = "broken",
};

/* Pushes the state; for a bad record also its line, the field to blame (0: none), its text and its
** error. */
static int push_state(lua_State *L, text_state state, const text_record *record)
{
  lua_pushstring(L, state_names[state]);
  if (state != TEXT_STOPPED && state != TEXT_BROKEN) return 1;
  lua_pushnumber(L, (lua_Number)record->line);
  lua_pushnumber(L, record->column + 1);
  lua_pushlstring(L, record->text.bytes, (size_t)record->text.length);
  if (record->wrong == locus_not_of_type) lua_pushnil(L);
  else lua_pushstring(L, record->wrong);
  return 5;
}

/* The owner of a Lua file can close it at any time, and its FILE is then gone. */
static void check_open(locus_call *call, const char *place)
{
  lua_State *L = call->L;

  lua_getfenv(L, 1);
  lua_rawgeti(L, -1, READER_SOURCE);
  FILE **file = lua_touserdata(L, -1);
  if (file && !*file) locus_call_error(call, "%s was closed while it was being read", place);
  lua_pop(L, 2);
}

/* An error of the source itself begins with its name. */
static bool fill_again(locus_call *call, const char *place)
{
  if (call->cx.error.code == LOCUS_BAD_CALL)
    locus_call_error(call, "%s %s", place, call->cx.error.message);
  return locus_call_again(call, -1);
}

/* reader_fill(reader, place, piece, last): reads on, and returns "read", "wants" (a piece) or
** "ended". `place` is the source's name for messages. A piece is a string; `last` says that no
** other comes. */
static int fill(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const char *place = luaL_checkstring(L, 2);
  locus_call call;
  text_state state;
  size_t length;

  locus_reader_call(&call, L, 4);
  check_open(&call, place);
  if (lua_isstring(L, 3)) {
    reader->source.piece = lua_tolstring(L, 3, &length);
    reader->source.left = (int64_t)length;
    lua_pushvalue(L, 3);
    locus_reader_keep(L, 1, READER_PIECE);
  }
  if (lua_toboolean(L, 4)) reader->source.last = true;
  do state = locus_reader_fill(reader, &call.cx);
  while (state == TEXT_ERROR && fill_again(&call, place));
  return push_state(L, state, NULL);
}

/* reader_run(reader, urgent): reads the records that are there: "read" (fill it again), "again"
** (begin at the first record), "full", or "bad" and the bad record. Pieces may wait for more of
** them unless it is urgent. */
static int run(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  text_record record;
  locus_call call;
  text_state state;

  locus_reader_call(&call, L, 2);
  reader->urgent = lua_toboolean(L, 2);
  do state = locus_reader_run(reader, &record, &call.cx);
  while (state == TEXT_ERROR && locus_call_again(&call, -1));
  return push_state(L, state, &record);
}

/* A list on top of the stack. */
static void append_span(void *user, text_span field)
{
  lua_State *L = user;

  lua_pushlstring(L, field.bytes, (size_t)field.length);
  lua_rawseti(L, -2, (int)lua_objlen(L, -2) + 1);
}

/* reader_header(reader, stay): "full" and the fields of the next record, or "read", or "bad" and
** the bad record. The record is passed over unless `stay`. No row waits for its strings. */
static int header(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const reader_place before = locus_reader_place(reader);
  const int count = reader->count;
  text_record record;
  locus_call call;
  text_state state;

  locus_reader_call(&call, L, 2);
  reader->each = append_span;
  reader->user = L;
  reader->count = 0; /* all fields are for `each` */
  do {
    lua_settop(L, 2);
    lua_newtable(L);
    state = locus_reader_header(reader, &record, &call.cx);
  } while (state == TEXT_ERROR && locus_call_again(&call, -1));
  reader->each = NULL;
  reader->count = count;
  if (lua_toboolean(L, 2)) locus_reader_go_back(reader, before);
  if (state != TEXT_FULL) return push_state(L, state, &record);
  lua_pushstring(L, state_names[state]);
  lua_insert(L, 3);
  return 2;
}

typedef struct fields {
  int count;
  bool empty; /* the last one */
} fields;

static void note_span(void *user, text_span field)
{
  fields *noted = user;

  noted->count++;
  noted->empty = locus_trimmed(field.bytes, field.bytes + field.length).length == 0;
}

/* The counts of records with the expected fields whose last one is empty, of those whose last one
** is not, and of all others. */
typedef struct tally {
  int empty, full, others;
} tally;

/* Counts up to `most` of the next records, and some bytes; TEXT_FULL when that is done. */
static text_state peek_records(text_reader *reader, int expected, int most, tally *counts,
                               locus_context *cx)
{
  enum { MOST_BYTES = 1 << 16 };
  const char *const begin = reader->at;

  *counts = (tally){0};
  for (int i = 0; i < most && reader->at - begin < MOST_BYTES; i++) {
    fields found = {0};
    text_record record;
    reader->user = &found;
    const text_state state = locus_reader_header(reader, &record, cx);
    if (state != TEXT_FULL && state != TEXT_STOPPED) return state;
    if (state == TEXT_STOPPED) continue; /* a bad record tells nothing */
    if (found.count != expected) counts->others++;
    else if (found.empty) counts->empty++;
    else counts->full++;
  }
  return TEXT_FULL;
}

/* reader_peek(reader, expected, most): "full" and three counts over the next records: with
** `expected` fields and an empty last one, with `expected` fields and another last one, and with
** other numbers of fields. "read" and the counts so far, if the buffer ends before. The records
** stay. No row waits for its strings. */
static int peek(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const int expected = (int)luaL_checkinteger(L, 2), most = (int)luaL_checkinteger(L, 3);
  const reader_place before = locus_reader_place(reader);
  const int count = reader->count;
  locus_call call;
  text_state state;
  tally counts;

  locus_reader_call(&call, L, 3);
  reader->each = note_span;
  reader->count = 0;
  do {
    locus_reader_go_back(reader, before);
    state = peek_records(reader, expected, most, &counts, &call.cx);
  } while (state == TEXT_ERROR && locus_call_again(&call, -1));
  reader->each = NULL;
  reader->count = count;
  locus_reader_go_back(reader, before);
  lua_pushstring(L, state_names[state]);
  lua_pushnumber(L, counts.empty);
  lua_pushnumber(L, counts.full);
  lua_pushnumber(L, counts.others);
  return 4;
}

/* reader_skip(reader): passes over a line; "full", or "read" if there is none. */
static int skip(lua_State *L)
{
  return push_state(L, locus_reader_skip(locus_check_reader(L, 1)), NULL);
}

/* reader_position(reader): bytes of the source that have been read, the line that is next, and the
** number of rows in the columns. */
static int position(lua_State *L)
{
  const text_reader *reader = locus_check_reader(L, 1);

  lua_pushnumber(L, (lua_Number)reader->source.taken);
  lua_pushnumber(L, (lua_Number)reader->line);
  lua_pushnumber(L, reader->stale ? 0 : (lua_Number)reader->rows);
  return 3;
}

/* -- What has been read ------------------------------------------------------------------------ */

/* reader_types(reader): for each column the type that it is read as ("integer", "guess_float", ...)
** or, if a guess did not hold, the type that it needs; and for each whether that is so. */
static int types(lua_State *L)
{
  const text_reader *reader = locus_check_reader(L, 1);

  lua_settop(L, 1);
  lua_createtable(L, reader->column_count, 0);
  lua_createtable(L, reader->column_count, 0);
  for (int i = 0; i < reader->column_count; i++) {
    const text_column *column = &reader->columns[i];
    lua_pushstring(L, locus_text_type_name(column->better));
    lua_rawseti(L, 2, i + 1);
    lua_pushboolean(L, locus_column_failed(column));
    lua_rawseti(L, 3, i + 1);
  }
  return 2;
}

/* For a guess: a column that has given rows away can no longer change its type. */
static void restart_without_first(text_reader *reader)
{
  locus_reader_restart(reader);
  reader->first = NULL;
}

/* reader_columns(reader): the rows that have been read, as lists of tensors and of dictionaries
** (false where there is none); the reader goes on without rows. */
static int columns(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  locus_call call;
  int status;

  locus_reader_call(&call, L, 1);
  do status = locus_reader_fit(reader, &call.cx);
  while (locus_call_again(&call, status));
  lua_createtable(L, reader->column_count, 0);
  lua_createtable(L, reader->column_count, 0);
  for (int i = 0; i < reader->column_count; i++) {
    text_column *column = &reader->columns[i];
    locus_tensor_move(locus_push_tensor(L), &column->values);
    lua_rawseti(L, 2, i + 1);
    if (locus_column_has_names(column)) {
      text_dictionary **names = locus_push_dictionary(L);
      *names = column->names;
      column->names = NULL;
    } else {
      lua_pushboolean(L, false);
    }
    lua_rawseti(L, 3, i + 1);
  }
  restart_without_first(reader);
  return 2;
}

/* reader_forget(reader): the rows that have been read go, and their memory; the reader goes on
** without rows. */
static int forget(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);

  for (int i = 0; i < reader->column_count; i++) locus_column_release(&reader->columns[i]);
  restart_without_first(reader);
  return 0;
}

/* reader_rewind(reader): begins again with its source, which is at its beginning again. */
static int rewind_reader(lua_State *L)
{
  locus_reader_rewind(locus_check_reader(L, 1));
  return 0;
}

/* reader_go_on(reader, file): reads on in another source, a Lua file or none if pieces will be
** handed over. All rows of the one before have been read. */
static int go_on(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);

  lua_settop(L, 2);
  reader->source.file = lua_isnil(L, 2) ? NULL : *(FILE **)luaL_checkudata(L, 2, LUA_FILEHANDLE);
  locus_reader_keep(L, 1, READER_SOURCE);
  locus_reader_go_on(reader);
  return 0;
}

const locus_entry locus_bind_reading[] = {
    {"reader_fill", fill, LOCUS_INTERNAL},     {"reader_run", run, LOCUS_INTERNAL},
    {"reader_header", header, LOCUS_INTERNAL}, {"reader_peek", peek, LOCUS_INTERNAL},
    {"reader_skip", skip, LOCUS_INTERNAL},     {"reader_position", position, LOCUS_INTERNAL},
    {"reader_types", types, LOCUS_INTERNAL},   {"reader_columns", columns, LOCUS_INTERNAL},
    {"reader_forget", forget, LOCUS_INTERNAL}, {"reader_rewind", rewind_reader, LOCUS_INTERNAL},
    {"reader_go_on", go_on, LOCUS_INTERNAL},   {0},
};
