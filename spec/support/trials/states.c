/* SPDX-License-Identifier: MIT */
/* Runs one Lua file in several Lua states at the same time, a thread for each: states COUNT FILE.
** For ThreadSanitizer: what the states share, and nothing else, may be touched by two threads. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

static const char *path;

/* Gives NULL when the file ran without an error. */
static void *run(void *unused)
{
  lua_State *L = luaL_newstate();

  luaL_openlibs(L);
  int failed = luaL_loadfile(L, path) || lua_pcall(L, 0, 0, 0);
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed ? &path : unused;
}

int main(int argc, char **argv)
{
  pthread_t threads[MOST];
  int count = argc == 3 ? atoi(argv[1]) : 0, failures = 0;

  if (count < 1 || count > MOST) {
    fprintf(stderr, "usage: states COUNT FILE, with a count from 1 to %d\n", MOST);
    return 2;
  }
  path = argv[2];
  for (int i = 0; i < count; i++) {
    if (pthread_create(&threads[i], NULL, run, NULL) != 0) abort();
  }
  for (int i = 0; i < count; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    failures += failed != NULL;
  }
  return failures > 0;
}
