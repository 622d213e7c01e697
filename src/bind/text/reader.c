/* SPDX-License-Identifier: MIT */
/* Text to columns, driven by lua/locus/frame/job.lua. A reader gets its dialect and its program,
** and is then filled and run by turns. Only that file calls these functions. */
#include "bind/text/reader.h"

#include <lualib.h>

#include "bind/bind.h"
#include "text/read/foreign.h"
#include "text/read/pieces.h"

static const char key[] = "locus.reader";

text_reader *locus_check_reader(lua_State *L, int index)
{
  text_reader *reader = luaL_checkudata(L, index, key);
  luaL_argcheck(L, reader->buffer, index, "the reader is closed");
  return reader;
}

reader_place locus_reader_place(const text_reader *reader)
{
  return (reader_place){reader->at, reader->complete, reader->line, reader->form};
}

void locus_reader_go_back(text_reader *reader, reader_place place)
{
  reader->at = place.at;
  reader->complete = place.complete;
  reader->line = place.line;
  reader->form = place.form;
  reader->passing = false;
}

static int free_reader(lua_State *L)
{
  locus_reader_free(luaL_checkudata(L, 1, key));
  return 0;
}

void locus_reader_keep(lua_State *L, int reader, int what)
{
  lua_getfenv(L, reader);
  lua_insert(L, -2);
  lua_rawseti(L, -2, what);
  lua_pop(L, 1);
}

static void *new_array(lua_State *L, int reader, int what, size_t count, size_t size)
{
  void *array = lua_newuserdata(L, count * size + 1);

  memset(array, 0, count * size);
  locus_reader_keep(L, reader, what);
  return array;
}

/* -- Fields of the tables that Lua hands over -------------------------------------------------- */

static bool get_flag(lua_State *L, int table, const char *name)
{
  lua_getfield(L, table, name);
  const bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* A string that the table keeps; no bytes where there is none. */
static text_span get_span(lua_State *L, int table, const char *name)
{
  size_t length = 0;

  lua_getfield(L, table, name);
  const char *bytes = lua_tolstring(L, -1, &length);
  lua_pop(L, 1);
  return (text_span){bytes, (int64_t)length};
}

static double get_number(lua_State *L, int table, const char *name)
{
  lua_getfield(L, table, name);
  const double number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

/* Appends the strings of a list to `spans`, at most `most`, and returns their count. */
static int get_spans(lua_State *L, int table, const char *name, text_span *spans, int most)
{
  int count = 0;

  lua_getfield(L, table, name);
  if (lua_istable(L, -1)) {
    for (; count < most && count < (int)lua_objlen(L, -1); count++) {
      size_t length;
      lua_rawgeti(L, -1, count + 1);
      spans[count].bytes = lua_tolstring(L, -1, &length);
      spans[count].length = (int64_t)length;
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return count;
}

/* -- Making one -------------------------------------------------------------------------------- */

/* The arguments as they came. Errors name the declared function that runs, or the loop over
** chunks. */
/* clang-format off */
#define LOCUS_READER_CALL_PARAMS(P)                                                          \
  P(reader, LOCUS_REQUIRED, any) P(place, LOCUS_REQUIRED, any) P(piece, LOCUS_REQUIRED, any) \
  P(last, LOCUS_REQUIRED, any)
/* clang-format on */
void locus_reader_call(locus_call *call, lua_State *L, int count)
{
  LOCUS_PARAMS(LOCUS_READER_CALL_PARAMS, any);
  locus_call_begin_plain(call, L, "chunks", params, count);
}

static void read_dialect(lua_State *L, text_reader *reader)
{
  const text_span separator = get_span(L, 1, "separator"), quote = get_span(L, 1, "quote");
  const text_span escape = get_span(L, 1, "escape");

  reader->log = get_flag(L, 1, "log");
  reader->json = get_flag(L, 1, "json");
  reader->separator = separator.length ? *separator.bytes : '\n';
  reader->quote = quote.length ? (unsigned char)*quote.bytes : -1;
  reader->escape = escape.length ? (unsigned char)*escape.bytes : -1;
  reader->blanks = get_flag(L, 1, "blanks");
  reader->skip_blanks = get_flag(L, 1, "skip_blanks");
  reader->loose = reader->blanks || reader->skip_blanks || reader->escape >= 0;
  reader->comment = get_span(L, 1, "comment");
  reader->before = get_span(L, 1, "before");
  const double limit = get_number(L, 1, "limit");
  reader->limit = limit < 0x1p62 ? (int64_t)limit : INT64_MAX / 2;
  lua_getfield(L, 1, "missing");
  const int count = (int)lua_objlen(L, -1);
  lua_pop(L, 1);
  text_span *missing = new_array(L, lua_gettop(L), READER_MISSING, (size_t)count, sizeof *missing);
  reader->missings = get_spans(L, 1, "missing", missing, count);
  reader->missing = missing;
}

/* new_reader(dialect, file): a table {log, json, separator, blanks, skip_blanks, quote, escape,
** comment, before, missing, limit} and a Lua file, or none if pieces will be handed over. */
static int new_reader(lua_State *L)
{
  locus_call call;
  int status;

  locus_reader_call(&call, L, 2);
  text_reader *reader = lua_newuserdata(L, sizeof *reader);
  memset(reader, 0, sizeof *reader);
  if (luaL_newmetatable(L, key)) {
    lua_pushcfunction(L, free_reader);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, 3);
  lua_newtable(L);
  lua_setfenv(L, 3);
  for (int what = 1; what <= 2; what++) {
    lua_pushvalue(L, what);
    locus_reader_keep(L, 3, what == 1 ? READER_DIALECT : READER_SOURCE);
  }
  read_dialect(L, reader);
  if (!lua_isnil(L, 2)) reader->source.file = *(FILE **)luaL_checkudata(L, 2, LUA_FILEHANDLE);
  do status = locus_reader_begin(reader, &call.cx);
  while (locus_call_again(&call, status));
  lua_settop(L, 3);
  return 1;
}

/* -- Its program ------------------------------------------------------------------------------- */

static const char *const type_names[TEXT_TYPES + 1] = {
#define TYPE(id, name, word, means, called) name,
#include "text/read/text_type.def"
    NULL,
};

/* text_types(): a list of {word=, called=, means=}, of each type that has a word. */
static int text_types(lua_State *L)
{
  static const char *const types[][3] = {
#define TYPE(id, name, word, means, called) {word, called, #means},
#include "text/read/text_type.def"
  };
  static const char *const fields[] = {"word", "called", "means"};

  lua_newtable(L);
  for (int type = 0; type < TEXT_TYPES; type++) {
    if (!*types[type][0]) continue;
    lua_newtable(L);
    for (int i = 0; i < 3; i++) {
      lua_pushstring(L, types[type][i]);
      lua_setfield(L, -2, fields[i]);
    }
    lua_rawseti(L, 1, (int)lua_objlen(L, 1) + 1);
  }
  return 1;
}

const char *locus_text_type_name(text_type type)
{
  return type_names[type];
}

/* The zone of times without an offset, which the table keeps, and what becomes of times that its
** clocks show twice or never. */
static void read_zone(lua_State *L, int spec, text_clock *clock)
{
  lua_getfield(L, spec, "zone");
  const locus_bound_zone *const zone = locus_test_zone(L, -1);
  clock->zone = zone ? zone->zone : NULL;
  const int twice = (int)get_number(L, spec, "twice"), missing = (int)get_number(L, spec, "gone");
  clock->choice = (clock_choice){(clock_twice)twice, (clock_missing)missing};
  lua_pop(L, 1);
}

void locus_read_text_column(lua_State *L, int spec, text_column *column)
{
  lua_getfield(L, spec, "type");
  locus_column_set_type(column, (text_type)luaL_checkoption(L, -1, NULL, type_names));
  column->values.dtype = LOCUS_i64;
  locus_dtype_find(get_span(L, spec, "dtype").bytes, &column->values.dtype);
  column->clock.per_second = (int64_t)get_number(L, spec, "per_second");
  column->clock.pattern = get_span(L, spec, "pattern").bytes;
  read_zone(L, spec, &column->clock);
  column->point = *get_span(L, spec, "point").bytes;
  column->filled = get_span(L, spec, "filled");
  column->trues = get_spans(L, spec, "trues", column->words, TEXT_MOST_WORDS);
  column->falses =
      get_spans(L, spec, "falses", column->words + column->trues, TEXT_MOST_WORDS - column->trues);
  lua_getfield(L, spec, "fill");
  const locus_tensor *fill = locus_test_tensor(L, -1);
  column->fills = fill != NULL;
  if (fill) memcpy(&column->missing, fill->data, (size_t)locus_dtype_size(fill->dtype));
  lua_pop(L, 2);
}

/* How many of the fields in the list at `list` become columns. */
static int count_columns(lua_State *L, int list, int count)
{
  int columns = 0;

  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    lua_getfield(L, -1, "column");
    columns += lua_istable(L, -1);
    lua_pop(L, 2);
  }
  return columns;
}

/* reader_program(reader, fields): a list with a table for each field of a record: {column = as
** locus_read_text_column reads it, or none, ends, escapes, nothing = whether it must be empty}. It
** holds for the next record and later ones. */
static int set_program(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const int count = (int)lua_objlen(L, 2), wanted = count_columns(L, 2, count);
  int columns = 0;

  lua_settop(L, 2);
  reader->nothing.type = reader->nothing.better = TEXT_NOTHING;
  locus_reader_clear(reader);
  lua_pushvalue(L, 2);
  locus_reader_keep(L, 1, READER_PROGRAM);
  text_field *fields = new_array(L, 1, READER_FIELDS, (size_t)count, sizeof *fields);
  text_column *column = new_array(L, 1, READER_COLUMNS, (size_t)wanted, sizeof *column);
  reader->columns = column;
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    fields[i].ends = get_span(L, 3, "ends");
    fields[i].escapes = get_flag(L, 3, "escapes");
    fields[i].slot = (int)get_number(L, 3, "slot");
    if (get_flag(L, 3, "nothing")) fields[i].column = &reader->nothing;
    lua_getfield(L, 3, "column");
    if (lua_istable(L, 4)) {
      locus_read_text_column(L, 4, &column[columns]);
      fields[i].column = &column[columns++];
    }
    lua_settop(L, 2);
  }
  reader->fields = fields;
  reader->count = count;
  reader->column_count = columns;
  locus_reader_restart(reader);
  return 0;
}

/* reader_places(reader, places): records of the next source have the fields of the program in
** another order: a list of the number of each in the program, 0 for one that must be empty. */
static int set_places(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const int count = (int)lua_objlen(L, 2);

  lua_settop(L, 2);
  lua_getfenv(L, 1);
  lua_rawgeti(L, 3, READER_FIELDS);
  const text_field *program = lua_touserdata(L, 4);
  text_field *fields = new_array(L, 1, READER_PLACES, (size_t)count, sizeof *fields);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    const int place = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (place > 0) fields[i] = program[place - 1];
    else fields[i].column = &reader->nothing;
  }
  locus_pieces_free(reader);
  reader->fields = fields;
  reader->count = count;
  return 0;
}

/* reader_rows(reader, most): how many rows it reads before it is full. */
static int set_rows(lua_State *L)
{
  const double most = luaL_checknumber(L, 2);
  locus_check_reader(L, 1)->most = most < 0x1p62 ? (int64_t)most : INT64_MAX;
  return 0;
}

/* foreign(bytes): the format of a file that begins with these bytes and is no text, or nil. */
static int foreign(lua_State *L)
{
  size_t count;
  bool undecided;
  const char *bytes = luaL_checklstring(L, 1, &count);

  lua_pushstring(L, locus_foreign(bytes, (int64_t)count, true, &undecided));
  return 1;
}

/* compressed_by(bytes): the kind of compression of a file that begins with these bytes, or nil. */
static int compressed_by(lua_State *L)
{
  size_t count;
  bool undecided;
  const char *bytes = luaL_checklstring(L, 1, &count);
  const text_compression found = locus_compression_of(bytes, (int64_t)count, true, &undecided);

  if (found == TEXT_PLAIN) lua_pushnil(L);
  else lua_pushstring(L, locus_compression_name(found));
  return 1;
}

/* type_elsewhere(word): our names for a type of another library: the name of the type, and that of
** another one that may be meant. Each is nil if there is none. */
static int type_elsewhere(lua_State *L)
{
  const char *other, *ours = locus_type_elsewhere(luaL_checkstring(L, 1), &other);

  lua_pushstring(L, ours); /* nil for NULL */
  lua_pushstring(L, other);
  return 2;
}

/* clang-format off */
const locus_entry locus_bind_reader[] = {
    {"text_types", text_types, LOCUS_INTERNAL},
    {"type_elsewhere", type_elsewhere, LOCUS_INTERNAL},
    {"foreign", foreign, LOCUS_INTERNAL},
    {"compressed_by", compressed_by, LOCUS_INTERNAL},
    {"new_reader", new_reader, LOCUS_INTERNAL},
    {"reader_program", set_program, LOCUS_INTERNAL},
    {"reader_places", set_places, LOCUS_INTERNAL},
    {"reader_rows", set_rows, LOCUS_INTERNAL},
    {"reader_close", free_reader, LOCUS_INTERNAL},
    {0},
};
/* clang-format on */
