/* SPDX-License-Identifier: MIT */
/* The files that match a pattern of the shell: lua/locus/source/sources.lua asks for them. */
#include <errno.h>
#include <glob.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bind/bind.h"

#define FOUND "locus.glob"

/* The errno of the folder that could not be read, of this thread's search. */
static _Thread_local int refused;

/* A folder that is not there holds no match. */
static int heed_folder(const char *path, int reason)
{
  (void)path;
  if (reason == ENOENT || reason == ENOTDIR) return 0;
  refused = reason;
  return 1;
}

static int free_found(lua_State *L)
{
  globfree(luaL_checkudata(L, 1, FOUND));
  return 0;
}

/* What has been found, which the collector frees if an error comes in between. */
static glob_t *push_found(lua_State *L)
{
  glob_t *found = lua_newuserdata(L, sizeof *found);

  memset(found, 0, sizeof *found);
  if (luaL_newmetatable(L, FOUND)) {
    lua_pushcfunction(L, free_found);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return found;
}

static int by_bytes(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* glob(pattern): a list of the paths that match, in the order of their bytes, without folders; nil
** and the reason if a folder cannot be read. */
static int find(lua_State *L)
{
  const char *pattern = luaL_checkstring(L, 1);
  glob_t *found = push_found(L);
  int count = 0;

  refused = 0;
  const int status = glob(pattern, GLOB_NOSORT, heed_folder, found);
  if (status != 0 && status != GLOB_NOMATCH) {
    lua_pushnil(L);
    lua_pushstring(L, strerror(status == GLOB_NOSPACE ? ENOMEM : refused));
    return 2;
  }
  if (found->gl_pathc > 1) qsort(found->gl_pathv, found->gl_pathc, sizeof(char *), by_bytes);
  lua_newtable(L);
  for (size_t i = 0; i < found->gl_pathc; i++) {
    if (is_folder(found->gl_pathv[i])) continue;
    lua_pushstring(L, found->gl_pathv[i]);
    lua_rawseti(L, -2, ++count);
  }
  globfree(found);
  memset(found, 0, sizeof *found);
  return 1;
}

const locus_entry locus_bind_glob[] = {
    {"glob", find, LOCUS_INTERNAL},
    {0},
};
