/* SPDX-License-Identifier: MIT */
/* Descriptions of Lua values, for messages. */
#include "bind/ground/describe.h"

#include <lauxlib.h>
#include <string.h>

#include "bind/ground/handle.h"
#include "bind/ground/scalar.h"
#include "bind/ground/state.h"
#include "bind/ground/visible.h"
#include "text/time/meaning.h"

enum { MOST_SHOWN = 60 }; /* characters of a caller's string */

static const char *describe_tensor(lua_State *L, const locus_tensor *tensor)
{
  char text[LOCUS_SHAPE_TEXT];
  const char *name = locus_dtype_name(tensor->dtype);

  if (!tensor->storage) {
    const char *by = locus_freed_by(tensor);
    return *by ? lua_pushfstring(L, "a tensor freed%s", by) : lua_pushfstring(L, "a freed tensor");
  }
  if (tensor->shape.ndim == 0) return lua_pushfstring(L, "a 0-d %s tensor", name);
  return lua_pushfstring(L, "%s %s tensor of size %s", locus_dtype_article(tensor->dtype), name,
                         locus_shape_text(&tensor->shape, text));
}

static const char *describe_string(lua_State *L, const char *text)
{
  bool whole = strlen(text) <= MOST_SHOWN;
  size_t shown = whole ? strlen(text) : MOST_SHOWN;

  while (!whole && ((unsigned char)text[shown] & 0xc0) == 0x80) shown--; /* no half character */
  locus_push_visible(L, text, shown, true);
  return lua_pushfstring(L, "the string \"%s%s\"", lua_tostring(L, -1), whole ? "" : "...");
}

static const char *push(lua_State *L, const char *text)
{
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

/* Objects written in Lua describe themselves, by a __describe of their metatable. */
static const char *describe_userdata(lua_State *L, int index)
{
  const char *text = NULL;

  lua_pushvalue(L, index);
  if (luaL_getmetafield(L, -1, "__describe")) {
    lua_insert(L, -2);
    if (lua_pcall(L, 1, 1, 0) == 0) text = lua_tostring(L, -1);
  }
  return text ? text : push(L, "a userdata");
}

/* A method of frames in the place of a column of that name: as f.to, where `to` is one. */
static const char *describe_function(lua_State *L, int index)
{
  int top = lua_gettop(L);
  const char *name = NULL, *first = NULL;

  lua_pushvalue(L, index);
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_declared);
  lua_insert(L, -2);
  if (lua_istable(L, -2)) lua_rawget(L, -2);
  if (lua_istable(L, -1)) {
    lua_getfield(L, top + 2, "name");
    name = lua_tostring(L, -1);
    lua_rawgeti(L, top + 2, 1);
    if (lua_istable(L, -1)) lua_getfield(L, -1, "name");
    first = lua_tostring(L, -1);
  }
  if (!name || !first || strcmp(first, "frame") != 0 || strchr(name, '.'))
    return push(L, "a function");
  return lua_pushfstring(L,
                         "the method '%s' of frames (it hides a column of that name: write "
                         "f:column(\"%s\"))",
                         name, name);
}

const char *locus_describe_number(lua_State *L, int index)
{
  const char *beyond = locus_beyond_int64(L, index);
  if (!beyond) return locus_describe(L, index);
  return lua_pushfstring(L, "%s, which int64 cannot hold", beyond);
}

const char *locus_describe(lua_State *L, int index)
{
  const locus_tensor *tensor = locus_test_tensor(L, index);
  char text[LOCUS_VALUE_TEXT];
  locus_value value;

  luaL_checkstack(L, 8, "describe");
  if (tensor) return describe_tensor(L, tensor);
  switch (lua_type(L, index)) {
  case LUA_TNIL:
  case LUA_TNONE: return push(L, "nil");
  case LUA_TBOOLEAN:
    return push(L, lua_toboolean(L, index) ? "the Lua boolean true" : "the Lua boolean false");
  case LUA_TSTRING: return describe_string(L, lua_tostring(L, index));
  case LUA_TNUMBER:
    locus_read_scalar(L, index, &value);
    return lua_pushfstring(L, "the number %s", locus_value_text(&value, text));
  case LUA_TTABLE: return push(L, "a table");
  case LUA_TFUNCTION: return describe_function(L, index);
  case LUA_TTHREAD: return push(L, "a coroutine");
  case LUA_TUSERDATA: return describe_userdata(L, index);
  case LUA_TLIGHTUSERDATA: return push(L, "a userdata");
  default: break;
  }
  if (!locus_read_scalar(L, index, &value)) return locus_describe_cdata(L, index);
  if (value.kind) {
    text[locus_format_meaning(value.kind, text, value.element.i64)] = '\0';
    return lua_pushfstring(L, "the %s %s", locus_kinds[value.kind].type, text);
  }
  return lua_pushfstring(L, "the cdata %s", locus_value_text(&value, text));
}
