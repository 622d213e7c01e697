/* SPDX-License-Identifier: MIT */
/* The keys of the hooks, and the time zones that a state keeps. */
#include "bind/ground/state.h"

#include <string.h>

#define HOOK(name, ffi) const char locus_hook_##name[] = "locus." #name;
LOCUS_HOOKS(HOOK)
#undef HOOK

/* -- Time zones, which a state keeps when it has read them ----------------------------------- */

#define ZONE "locus.zone"
enum { MOST_KEPT = 700 }; /* more than the system has */

/* Its address is the registry's key of a table: the zones, and at 0 their count. */
static const char KEPT = 0;

const locus_bound_zone *locus_test_zone(lua_State *L, int index)
{
  void *const value = lua_touserdata(L, index);

  if (!value || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, ZONE);
  const bool is = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is ? value : NULL;
}

static int free_zone(lua_State *L)
{
  locus_bound_zone *const bound = lua_touserdata(L, 1);

  locus_zone_free(bound->zone);
  bound->zone = NULL;
  return 0;
}

locus_bound_zone *locus_push_zone(lua_State *L, const char *name)
{
  const size_t bytes = strlen(name) + 1;
  locus_bound_zone *bound = lua_newuserdata(L, sizeof *bound + bytes);

  bound->zone = NULL;
  memcpy(bound->name, name, bytes);
  if (luaL_newmetatable(L, ZONE)) {
    lua_pushcfunction(L, free_zone);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "zone");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  return bound;
}

/* Pushes the table of zones, an empty one where that is full. */
static void push_kept(lua_State *L, bool anew)
{
  lua_pushlightuserdata(L, (void *)&KEPT);
  lua_rawget(L, LUA_REGISTRYINDEX);
  if (lua_istable(L, -1) && !anew) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushlightuserdata(L, (void *)&KEPT);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

bool locus_push_kept_zone(lua_State *L, int key)
{
  push_kept(L, false);
  lua_pushvalue(L, key);
  lua_rawget(L, -2);
  return locus_test_zone(L, -1) != NULL;
}

void locus_keep_zone(lua_State *L, int zone, int key)
{
  push_kept(L, false);
  lua_rawgeti(L, -1, 0);
  const int count = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (count >= MOST_KEPT) {
    lua_pop(L, 1);
    push_kept(L, true);
  }
  lua_pushinteger(L, count >= MOST_KEPT ? 1 : count + 1);
  lua_rawseti(L, -2, 0);
  lua_pushvalue(L, key);
  lua_pushvalue(L, zone);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}
