/* SPDX-License-Identifier: MIT */
/* Files that are written beside others, for lua/locus/files/file.lua. Only Lua can make its file
** handles, so a handle that it has opened gets another file. */
#include "core/system/replace.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"
#include "bind/bytes/folder.h"

#define REPLACEMENT "locus.replacement"

static int drop_replacement(lua_State *L)
{
  locus_replacement_drop(luaL_checkudata(L, 1, REPLACEMENT));
  return 0;
}

static locus_replacement *push_replacement(lua_State *L)
{
  locus_replacement *r = lua_newuserdata(L, sizeof *r);

  memset(r, 0, sizeof *r);
  if (luaL_newmetatable(L, REPLACEMENT)) {
    lua_pushcfunction(L, drop_replacement);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "replacement");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  return r;
}

/* begin_file(handle, path, folder): makes the handle, which is open for reading and writing, that
** of a new file for that path, or for that name in an open folder. Gives the replacement, which
** publish or drop ends; false if the file is to be written in place, and the handle is unchanged;
** or nil, the system's reason, and whether the file exists but none can be made beside it. */
static int begin_file(lua_State *L)
{
  FILE *handle = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  const char *path = luaL_checkstring(L, 2);
  locus_replacement *r = push_replacement(L);

  if (!handle) return luaL_error(L, "attempt to use a closed file");
  const locus_place place = lua_isnoneornil(L, 3)
                                ? locus_replacement_begin(r, path)
                                : locus_replacement_begin_in(r, locus_check_folder(L, 3), path);
  if (place == LOCUS_BESIDE && locus_give_descriptor(r->file, handle) == 0) return 1;
  const int reason = errno;
  locus_replacement_drop(r);
  if (place == LOCUS_IN_PLACE) {
    lua_pushboolean(L, false);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, strerror(reason));
  lua_pushboolean(L, r->replaces);
  return 3;
}

/* publish_file(replacement, sync): puts the file in its place, with all bytes that were written to
** the handle and flushed. With "file" they are synced before; with "folder" the folder is synced,
** too, when this returns. Gives the reason of a failure, or nil. */
static int publish_file(lua_State *L)
{
  locus_replacement *r = luaL_checkudata(L, 1, REPLACEMENT);

  if (!r->is_open) return luaL_error(L, "attempt to publish a file that has ended");
  const char *sync = lua_tostring(L, 2);
  const locus_sync how = !sync                  ? LOCUS_NO_SYNC
                         : strcmp(sync, "file") ? LOCUS_SYNC
                                                : LOCUS_SYNC_FILE;
  const int reason = locus_replacement_publish(r, how);
  if (reason == 0) return 0;
  lua_pushstring(L, strerror(reason));
  return 1;
}

const locus_entry locus_bind_replace[] = {
    {"begin_file", begin_file, LOCUS_INTERNAL},
    {"publish_file", publish_file, LOCUS_INTERNAL},
    {"drop_file", drop_replacement, LOCUS_INTERNAL},
    {0},
};
