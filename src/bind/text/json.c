/* SPDX-License-Identifier: MIT */
/* The part of readers that only JSON has: the keys that lead to columns, and the keys that there
** are. Only lua/locus/json/job.lua calls these functions. */
#include "text/json/program.h"

#include "bind/bind.h"
#include "bind/text/reader.h"
#include "text/json/schema.h"

/* -- The program ------------------------------------------------------------------------------- */

static int length_of(lua_State *L, int table, const char *name)
{
  lua_getfield(L, table, name);
  const int length = (int)lua_objlen(L, -1);
  lua_pop(L, 1);
  return length;
}

static int number_at(lua_State *L, int list, int i)
{
  lua_rawgeti(L, list, i + 1);
  const int number = (int)lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

/* Keys that an object remembers, and the entries of the table that finds them; none of a place
** without keys. */
static int room_for(int wanted)
{
  return wanted == 0 ? 0 : wanted + JSON_OTHERS;
}

static int table_for(int wanted)
{
  int size = 1;

  while (size < 2 * room_for(wanted)) size *= 2;
  return wanted == 0 ? 0 : size;
}

/* The sizes of the program of the list of places at index 2. */
static json_program count_parts(lua_State *L, int slots)
{
  json_program counts = {.node_count = (int32_t)lua_objlen(L, 2), .slot_count = slots};

  for (int i = 0; i < counts.node_count; i++) {
    lua_rawgeti(L, 2, i + 1);
    const int wanted = length_of(L, -1, "names");
    counts.key_count += room_for(wanted);
    counts.table_size += table_for(wanted);
    counts.item_count += length_of(L, -1, "indexes");
    lua_pop(L, 1);
  }
  return counts;
}

static void add_keys(lua_State *L, json_program *program, json_node *node, int place)
{
  lua_getfield(L, place, "names");
  lua_getfield(L, place, "to");
  for (int i = 0; i < node->wanted; i++) {
    size_t length;
    lua_rawgeti(L, -2, i + 1);
    const char *name = lua_tolstring(L, -1, &length);
    lua_pop(L, 1);
    const int to = number_at(L, lua_gettop(L), i) - 1;
    locus_json_add_key(program, node, (text_span){name, (int64_t)length}, to);
  }
  lua_pop(L, 2);
}

static void add_items(lua_State *L, json_program *program, const json_node *node, int place)
{
  lua_getfield(L, place, "indexes");
  lua_getfield(L, place, "items");
  const int items = lua_gettop(L);
  for (int i = 0; i < node->item_count; i++) {
    json_item *item = &program->items[node->items + i];
    item->index = number_at(L, items - 1, i);
    item->node = number_at(L, items, i) - 1;
  }
  lua_pop(L, 2);
}

static void fill_program(lua_State *L, json_program *program)
{
  int32_t keys = 0, table = 0, items = 0;

  for (int i = 0; i < program->node_count; i++) {
    json_node *node = &program->nodes[i];
    lua_rawgeti(L, 2, i + 1);
    const int place = lua_gettop(L);
    lua_getfield(L, place, "slot");
    node->slot = (int32_t)lua_tonumber(L, -1) - 1;
    lua_pop(L, 1);
    node->wanted = length_of(L, place, "names");
    node->key_room = room_for(node->wanted);
    node->table_size = table_for(node->wanted);
    node->item_count = length_of(L, place, "indexes");
    node->keys = node->first = keys;
    node->table = table;
    node->items = items;
    keys += node->key_room;
    table += node->table_size;
    items += node->item_count;
    add_keys(L, program, node, place);
    add_items(L, program, node, place);
    lua_pop(L, 1);
  }
}

/* reader_keys(reader, places, slots): after reader_program, whose fields have `slot`s from 0 to
** slots - 1. places[1] is the record; each is {slot = its own, from 1, names = {keys}, to = {the
** numbers of the places that they lead to}, indexes = {of elements, ascending}, items = {the
** places}}. */
static int set_keys(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const json_program counts = count_parts(L, (int)luaL_checkinteger(L, 3));
  const int64_t bytes = locus_json_program_bytes(&counts);

  void *memory = lua_newuserdata(L, (size_t)bytes);
  memset(memory, 0, (size_t)bytes);
  lua_pushvalue(L, -1);
  locus_reader_keep(L, 1, READER_JSON);
  lua_pushvalue(L, 2); /* the names */
  locus_reader_keep(L, 1, READER_NODES);
  json_program *program = locus_json_program_place(memory, &counts);
  fill_program(L, program);
  reader->program = program;
  return 0;
}

/* -- The keys that there are ------------------------------------------------------------------- */

/* reader_note(reader): the records that are read from now on are examined for their keys, until
** there is a program. */
static int note(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  locus_call call;
  int status;

  locus_reader_call(&call, L, 1);
  do status = locus_json_schema_begin(reader, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* reader_found(reader): the keys in the records that have been read, in the order of their first
** appearance: lists of keys, of the numbers of the keys around them (0: none), of the kinds of
** their values (bits of json_seen), of how many have a value; then the number of records, and
** whether there are more keys than these. */
static int places(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  json_schema *schema = reader->schema;

  lua_settop(L, 1);
  luaL_argcheck(L, schema, 1, "it takes no note of keys");
  locus_json_schema_finish(schema);
  for (int i = 0; i < 4; i++) lua_createtable(L, schema->count, 0);
  for (int32_t i = 0; i < schema->count; i++) {
    const json_place *place = &schema->places[i];
    const text_span key = locus_json_schema_key(schema, i);
    lua_pushlstring(L, key.bytes, (size_t)key.length);
    lua_rawseti(L, 2, i + 1);
    lua_pushnumber(L, place->parent + 1);
    lua_rawseti(L, 3, i + 1);
    lua_pushnumber(L, place->seen);
    lua_rawseti(L, 4, i + 1);
    lua_pushnumber(L, (lua_Number)place->count);
    lua_rawseti(L, 5, i + 1);
  }
  lua_pushnumber(L, (lua_Number)reader->rows);
  lua_pushboolean(L, schema->full);
  return 6;
}

/* reader_glance(reader, most): takes note of the keys of the next records, at most that many, which
** stay; "read" if the buffer has none. */
static int glance(lua_State *L)
{
  text_reader *reader = locus_check_reader(L, 1);
  const reader_place before = locus_reader_place(reader);
  text_record record;
  locus_call call;
  text_state state;
  bool any = false;

  locus_reader_call(&call, L, 2);
  reader->most = (int64_t)luaL_checkinteger(L, 2);
  do {
    state = locus_reader_run(reader, &record, &call.cx);
    any |= state == TEXT_STOPPED || state == TEXT_BROKEN;
  } while (state == TEXT_STOPPED || (state == TEXT_ERROR && locus_call_again(&call, -1)));
  lua_pushstring(L, any || reader->rows > 0 ? "full" : "read");
  locus_reader_go_back(reader, before);
  return 1;
}

const locus_entry locus_bind_json[] = {
    {"reader_keys", set_keys, LOCUS_INTERNAL},
    {"reader_note", note, LOCUS_INTERNAL},
    {"reader_found", places, LOCUS_INTERNAL},
    {"reader_glance", glance, LOCUS_INTERNAL},
    {0},
};
