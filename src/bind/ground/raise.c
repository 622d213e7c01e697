/* SPDX-License-Identifier: MIT */
/* The one place that raises: at the caller's line, in the caller's words. */
#include "bind/ground/raise.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "bind/ground/floats.h"
#include "bind/ground/state.h"
#include "bind/ground/visible.h"

/* Whether the frame is Lua code that is not a file of locus's own folder. */
static bool is_callers(lua_State *L, lua_Debug *frame)
{
  lua_getinfo(L, "Sl", frame);
  if (frame->currentline <= 0) return false;
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_source);
  const char *own = lua_tostring(L, -1);
  bool foreign = !own || strncmp(frame->source, own, strlen(own)) != 0;
  lua_pop(L, 1);
  return foreign;
}

int locus_raise(lua_State *L, const char *message)
{
  lua_Debug frame;

  locus_floats_give_back(L);
  luaL_checkstack(L, 8, "error");
  message = locus_push_visible(L, message, strlen(message), false); /* one line, too */
  for (int level = 0; lua_getstack(L, level, &frame); level++) {
    if (!is_callers(L, &frame)) continue;
    lua_pushfstring(L, "%s:%d: %s", frame.short_src, frame.currentline, message);
    return lua_error(L);
  }
  lua_pushstring(L, message);
  return lua_error(L);
}

/* The caller called the outermost of the running declared functions; or, if a declared function
** runs a function of the caller by declare.call, the one called from there. */
const char *locus_called(lua_State *L, const char *function)
{
  lua_Debug frame;
  int top = lua_gettop(L);

  luaL_checkstack(L, 8, "error");
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_declared);
  bool declared = lua_istable(L, -1);
  for (int level = 0; declared && lua_getstack(L, level, &frame); level++) {
    if (is_callers(L, &frame)) break;
    lua_getinfo(L, "f", &frame);
    lua_rawget(L, top + 1);
    if (lua_isboolean(L, -1)) break;
    if (lua_istable(L, -1)) {
      lua_getfield(L, -1, "name");
      function = lua_tostring(L, -1);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return function;
}

void locus_check_count(lua_State *L, const char *function, int most)
{
  char message[160];
  int given = lua_gettop(L);

  while (given > most && lua_isnil(L, given)) given--;
  if (given <= most) return;
  snprintf(message, sizeof message, "%s: takes at most %d argument%s by position, got %d",
           locus_called(L, function), most, most == 1 ? "" : "s", given);
  locus_raise(L, message);
}
