/* SPDX-License-Identifier: MIT */
/* A program that stops calls: polls -e CHUNK runs the chunk in LuaJIT, whose lua_gethook it stands
** in front of. That is what the module asks whether the user has pressed Ctrl-C. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct lua_State lua_State;
typedef void lua_Hook(lua_State *L, void *frame);

lua_State *luaL_newstate(void);
void luaL_openlibs(lua_State *L);
int luaL_loadfile(lua_State *L, const char *path);
int luaL_loadstring(lua_State *L, const char *chunk);
int lua_pcall(lua_State *L, int arguments, int results, int handler);
const char *lua_tolstring(lua_State *L, int index, size_t *length);
void lua_close(lua_State *L);

static int countdown, stops;

/* For the chunk, through the FFI: the k-th question from now on is answered with another hook, none
** with 0. Gives how many have been since the last time. */
int polls_stop(int k)
{
  const int before = stops;
  countdown = k;
  stops = 0;
  return before;
}

static void other_hook(lua_State *L, void *frame)
{
  (void)L, (void)frame;
}

lua_Hook *lua_gethook(lua_State *L)
{
  static lua_Hook *(*own)(lua_State *);

  if (countdown > 0 && --countdown == 0) {
    stops++;
    return other_hook;
  }
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "lua_gethook");
  return own(L);
}

/* The file that LUA_INIT names with @ in front, as LuaJIT itself does: .ci/mutation/hits.lua is
** one. */
static int run_first(lua_State *L)
{
  const char *init = getenv("LUA_INIT");
  return init && *init == '@' && (luaL_loadfile(L, init + 1) || lua_pcall(L, 0, 0, 0));
}

int main(int argc, char **argv)
{
  lua_State *L = luaL_newstate();

  if (argc != 3 || !L) return 2;
  luaL_openlibs(L);
  const int failed = run_first(L) || luaL_loadstring(L, argv[2]) || lua_pcall(L, 0, 0, 0);
  if (failed) puts(lua_tolstring(L, -1, NULL));
  lua_close(L);
  return failed;
}
