/* SPDX-License-Identifier: MIT */
/* A program that keeps Lua's symbols to itself, as some do that load Lua as a plugin:
** host LIBRARY -e CHUNK runs the chunk and prints the message of its error. */
#include <dlfcn.h>
#include <stdio.h>

typedef struct lua_State lua_State;

static void *library;

/* The function of that name, for a pointer of any type. */
static void find(const char *name, void *function)
{
  *(void **)function = dlsym(library, name);
}

int main(int argc, char **argv)
{
  lua_State *(*newstate)(void);
  void (*openlibs)(lua_State *);
  int (*loadstring)(lua_State *, const char *), (*call)(lua_State *, int, int, int);
  const char *(*text)(lua_State *, int, size_t *);
  void (*close)(lua_State *);

  library = argc == 4 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) return 2;
  find("luaL_newstate", &newstate);
  find("luaL_openlibs", &openlibs);
  find("luaL_loadstring", &loadstring);
  find("lua_pcall", &call);
  find("lua_tolstring", &text);
  find("lua_close", &close);
  lua_State *L = newstate();
  openlibs(L);
  if (loadstring(L, argv[3]) || call(L, 0, 0, 0)) puts(text(L, -1, NULL));
  close(L);
  return 0;
}
