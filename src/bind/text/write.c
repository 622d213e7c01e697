/* SPDX-License-Identifier: MIT */
/* The functions by which lua/locus/write/rows.lua writes text. A writer takes rows and gives
** pieces of text. */
#include "text/write/csv.h"
#include "text/write/json.h"
#include "text/write/share.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"

#define WRITER "locus.writer"

#define WRITE_PARAMS(P)           \
  P(writer, LOCUS_REQUIRED, any)  \
  P(columns, LOCUS_REQUIRED, any) \
  P(first, LOCUS_REQUIRED, any)   \
  P(rows, LOCUS_REQUIRED, any)    \
  P(file, LOCUS_OPTIONAL, any)    \
  P(cut, LOCUS_OPTIONAL, any)
static const locus_param params[] = {WRITE_PARAMS(LOCUS_PARAM){0}};

static text_writer *check_writer(lua_State *L)
{
  return luaL_checkudata(L, 1, WRITER);
}

/* -- A new one --------------------------------------------------------------------------------- */

/* The string in the field of the table on top, NULL where there is none; its table keeps it. */
static const char *text(lua_State *L, const char *field)
{
  lua_getfield(L, -1, field);
  const char *held = lua_tostring(L, -1);
  lua_pop(L, 1);
  return held;
}

/* The number in the field of the table on top; 0 where there is none. */
static int count(lua_State *L, const char *field)
{
  lua_getfield(L, -1, field);
  const int value = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return value;
}

/* The meaning of a column's type by its word; MEANS_VALUE for numbers, which have no word. */
static text_meaning read_meaning(const char *word)
{
  static const struct {
    const char *word;
    text_meaning means;
  } types[] = {
#define TYPE(id, name, word, means, called) {word, MEANS_##means},
#include "text/read/text_type.def"
  };

  for (size_t i = 0; word && i < sizeof types / sizeof *types; i++)
    if (strcmp(word, types[i].word) == 0) return types[i].means;
  return MEANS_VALUE;
}

static int64_t read_unit(const char *name)
{
  if (!name || strcmp(name, "us") == 0) return 1000000;
  if (strcmp(name, "ns") == 0) return 1000000000;
  return strcmp(name, "ms") == 0 ? 1000 : 1;
}

/* Reads a column from the table on top. */
static void read_column(lua_State *L, text_output *column)
{
  size_t length;

  lua_getfield(L, -1, "name");
  column->name = lua_tolstring(L, -1, &length);
  column->name_length = (int64_t)length;
  lua_pop(L, 1);
  column->meaning = read_meaning(text(L, "meaning"));
  column->per_second = read_unit(text(L, "unit"));
  lua_getfield(L, -1, "zone"); /* which the plan keeps */
  const locus_bound_zone *const zone = locus_test_zone(L, -1);
  column->zone = zone ? zone->zone : NULL;
  lua_pop(L, 1);
  column->format = text(L, "format");
  column->words[0] = text(L, "no");
  column->words[1] = text(L, "yes");
  column->key =
      (text_key){.closes = count(L, "closes"), .opens = text(L, "opens"), .text = text(L, "key")};
  column->key.opens_length = column->key.opens ? (int64_t)strlen(column->key.opens) : 0;
  column->key.length = column->key.text ? (int64_t)strlen(column->key.text) : 0;
  locus_dtype_find(text(L, "dtype"), &column->dtype);
}

static void end(text_writer *w)
{
  locus_slices_free(w);
  locus_writer_end(w);
}

static int free_writer(lua_State *L)
{
  end(lua_touserdata(L, 1));
  return 0;
}

static text_writer *push_writer(lua_State *L, int count)
{
  const size_t columns = (size_t)count * sizeof(text_output);
  text_writer *w = lua_newuserdata(L, sizeof *w + columns);

  memset(w, 0, sizeof *w + columns);
  w->count = count;
  w->column = (text_output *)(w + 1);
  if (luaL_newmetatable(L, WRITER)) {
    lua_pushcfunction(L, free_writer);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "writer");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  return w;
}

/* How the plan on top has lines of fields; their separator, and so on. */
static void read_csv_plan(lua_State *L, text_writer *w)
{
  w->separator = *text(L, "separator");
  w->quote = *text(L, "quote");
  w->point = *text(L, "decimal");
  w->newline = text(L, "newline");
  w->escape = *text(L, "escape");
  w->blanks = text(L, "blanks") != NULL;
  w->comment = text(L, "comment");
}

static json_bytes read_invalid(const char *word)
{
  if (!word) return BYTES_FAIL;
  return strcmp(word, "replace") == 0 ? BYTES_REPLACED : BYTES_KEPT;
}

static void read_json_plan(lua_State *L, text_writer *w)
{
  w->array = count(L, "array") != 0;
  w->closes = count(L, "closes");
  w->infinite[0] = text(L, "infinite");
  w->infinite[1] = text(L, "minus_infinite");
  w->invalid = read_invalid(text(L, "invalid"));
}

/* writer(plan): a writer, which keeps the plan: {missing, columns} and, for lines of fields,
** separator, blanks, quote, escape, decimal, newline and comment; for JSON json = true, array (1:
** one), closes, infinite, minus_infinite and invalid. `columns` is a list of {name, dtype, meaning,
** unit, format, yes, no} and, for JSON, closes, opens and key. Raises an error in a format. */
static int new_writer(lua_State *L)
{
  locus_call call;

  locus_call_begin_plain(&call, L, "writer", params, 1);
  lua_getfield(L, 1, "columns");
  text_writer *w = push_writer(L, (int)lua_objlen(L, 2));
  for (int c = 0; c < w->count; c++) {
    lua_rawgeti(L, 2, c + 1);
    read_column(L, &w->column[c]);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, 1);
  lua_getfield(L, -1, "json");
  const bool is_json = lua_toboolean(L, -1);
  lua_pop(L, 1);
  w->missing = text(L, "missing");
  if (is_json) read_json_plan(L, w);
  else read_csv_plan(L, w);
  lua_setfenv(L, 3);
  if (is_json ? locus_json_begin(w, &call.cx) : locus_csv_begin(w, &call.cx))
    locus_call_again(&call, -1);
  return 1;
}

/* -- Rows in ----------------------------------------------------------------------------------- */

static int add_text(lua_State *L, int (*add)(text_writer *, locus_context *))
{
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "writer", params, 1);
  text_writer *w = check_writer(L);
  do status = add(w, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* write_names(writer): a line of the columns' names. */
static int write_names(lua_State *L)
{
  return add_text(L, locus_csv_names);
}

/* write_close(writer): the end of JSON. */
static int write_close(lua_State *L)
{
  return add_text(L, locus_json_close);
}

/* json_string(bytes, invalid): the bytes as a string of JSON, between quotes; nil where they are no
** UTF-8, unless `invalid` says what becomes of them. */
static int json_string(lua_State *L)
{
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  const json_bytes invalid = read_invalid(luaL_optstring(L, 2, NULL));
  char *made = lua_newuserdata(L, ESCAPED_BYTES * length + 2);
  const char *end = locus_put_json_string(made, bytes, (int64_t)length, invalid);

  if (end) lua_pushlstring(L, made, (size_t)(end - made));
  else lua_pushnil(L);
  return 1;
}

/* The source of a column: {data, dictionary}, which is on top. */
static void take_rows(lua_State *L, text_output *column)
{
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  const locus_tensor *tensor = locus_test_tensor(L, -2);
  column->data = tensor->data;
  column->step = tensor->stride[0] * locus_dtype_size(tensor->dtype);
  column->dictionary = locus_test_dictionary(L, -1);
  lua_pop(L, 2);
}

/* The file handle of Lua's at that index; NULL where there is none. */
static FILE *file_at(lua_State *L, int index)
{
  if (lua_isnoneornil(L, index)) return NULL;
  FILE *file = *(FILE **)luaL_checkudata(L, index, LUA_FILEHANDLE);
  if (!file) luaL_error(L, "attempt to use a closed file");
  return file;
}

static void push_reason(lua_State *L, int reason)
{
  lua_pushstring(L, reason ? strerror(reason) : "the file takes no more");
}

/* write_rows(writer, columns, first, rows, file, cut): writes at most `rows` rows, the first one
** being `first`, counted from 0. `columns` is a list of {data, dictionary}: a 1-D tensor on the CPU
** that nobody else resizes, and the dictionary of its strings. If a file is given, several threads
** may write to it by themselves. `cut`: the text is to be handed on in pieces. Returns how many
** rows were written, how many pieces there are to take or pour, and why the file takes no more. */
static int write_rows(lua_State *L)
{
  locus_call call;
  text_progress done;
  int status;

  locus_call_begin_plain(&call, L, "writer", params, 6);
  text_writer *w = check_writer(L);
  const int64_t first = locus_arg_int(&call, 2, 0), rows = locus_arg_int(&call, 3, 0);
  FILE *file = file_at(L, 5);
  const bool cut = lua_toboolean(L, 6);
  for (int c = 0; c < w->count; c++) {
    lua_rawgeti(L, 2, c + 1);
    take_rows(L, &w->column[c]);
    lua_pop(L, 1);
  }
  do status = locus_write_shared(w, first, rows, file, cut, &done, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (lua_Number)done.written);
  lua_pushnumber(L, (lua_Number)done.pieces);
  if (!done.refused) return 2;
  push_reason(L, done.reason);
  return 3;
}

/* -- Text out ---------------------------------------------------------------------------------- */

/* take_text(writer): the next piece of the text so far, as a string; all of the text if it is not
** cut. The writer then no longer holds it. */
static int take_text(lua_State *L)
{
  text_writer *w = check_writer(L);
  const int64_t length = locus_writer_piece(w);

  lua_pushlstring(L, length ? w->bytes + w->taken : "", (size_t)length);
  locus_writer_drop(w, length);
  return 1;
}

/* pour_text(writer, file): moves the text so far to a file handle of Lua's. Returns nil, or why the
** write failed. */
static int pour_text(lua_State *L)
{
  text_writer *w = check_writer(L);
  FILE *file = file_at(L, 2);
  const size_t length = (size_t)w->length;

  w->length = 0;
  errno = 0;
  if (length == 0 || fwrite(w->bytes, 1, length, file) == length) return 0;
  push_reason(L, errno);
  return 1;
}

/* end_writer(writer): frees its memory, which the collector would do later. */
static int end_writer(lua_State *L)
{
  end(check_writer(L));
  return 0;
}

const locus_entry locus_bind_write[] = {
    {"writer", new_writer, LOCUS_INTERNAL},
    {"write_names", write_names, LOCUS_INTERNAL},
    {"write_close", write_close, LOCUS_INTERNAL},
    {"json_string", json_string, LOCUS_INTERNAL},
    {"write_rows", write_rows, LOCUS_INTERNAL},
    {"take_text", take_text, LOCUS_INTERNAL},
    {"pour_text", pour_text, LOCUS_INTERNAL},
    {"end_writer", end_writer, LOCUS_INTERNAL},
    {0},
};
