/* SPDX-License-Identifier: MIT */
/* Objects written in Lua: a userdata, which can define #, with a table of its own. No other table
** refers to that table, so both are garbage together. */
#include "bind/tensor/object.h"

static const char mark; /* the target of the userdata */

bool locus_is_object(lua_State *L, int index)
{
  const char *const *object = lua_touserdata(L, index);
  return object && lua_objlen(L, index) == sizeof *object && *object == &mark;
}

/* object(metatable, state): a new one. */
static int object(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  const char **made = lua_newuserdata(L, sizeof *made);
  *made = &mark;
  lua_pushvalue(L, 1);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, 2);
  lua_setfenv(L, -2);
  return 1;
}

/* state(value, metatable): the table of an object of that metatable; nil when it is none. */
static int state(lua_State *L)
{
  lua_settop(L, 2);
  if (lua_type(L, 1) != LUA_TUSERDATA || !lua_getmetatable(L, 1)) return 0;
  if (!lua_rawequal(L, 2, 3)) return 0;
  lua_getfenv(L, 1);
  return 1;
}

static int is_object(lua_State *L)
{
  lua_pushboolean(L, locus_is_object(L, 1));
  return 1;
}

const locus_entry locus_bind_object[] = {
    {"object", object, LOCUS_INTERNAL},
    {"state", state, LOCUS_INTERNAL},
    {"is_object", is_object, LOCUS_INTERNAL},
    {0},
};
