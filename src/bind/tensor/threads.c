/* SPDX-License-Identifier: MIT */
/* The number of threads, as Lua and the environment set it. */
#include <stdlib.h>

#include "bind/bind.h"
#include "core/parallel.h"

/* Whether this is nginx with Lua, which runs a process per core: its module `ngx` is loaded before
** any code runs. */
static bool inside_nginx(lua_State *L)
{
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, "ngx");
  bool found = lua_istable(L, -1);
  lua_pop(L, 2);
  return found;
}

void locus_choose_threads(lua_State *L)
{
  const char *text = getenv("LOCUS_NUM_THREADS");
  locus_context cx;

  if (!locus_cpu_choose_threads(text && *text ? text : NULL, inside_nginx(L), &cx)) return;
  lua_pushfstring(L, "locus: %s", cx.error.message);
  lua_error(L);
}

/* set_num_threads(n): how many threads, 1..1024, share a large job, in the whole
** process.
** Source: https://pytorch.org/docs/stable/generated/torch.set_num_threads.html */
#define SET_NUM_THREADS_PARAMS(P) P(n, LOCUS_REQUIRED, integer)
static int set_num_threads(lua_State *L)
{
  LOCUS_PARAMS(SET_NUM_THREADS_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "set_num_threads", params);
  int64_t n = locus_arg_int(&call, ARG_n, 0);
  if (n < 1 || n > LOCUS_MOST_THREADS) {
    lua_pushfstring(L, "1..%d", LOCUS_MOST_THREADS);
    locus_arg_expected(&call, ARG_n, lua_tostring(L, -1));
  }
  locus_cpu_set_threads((int)n);
  return 0;
}

/* get_num_threads(): the number of the last set_num_threads; before that LOCUS_NUM_THREADS from the
** environment, else the cores this process may use, 1 inside nginx. */
static int get_num_threads(lua_State *L)
{
  locus_check_count(L, "get_num_threads", 0);
  lua_pushnumber(L, locus_cpu_threads());
  return 1;
}

/* cores(root): for specs. The cores this process may use, by the files below the folder `root`. */
static int cores(lua_State *L)
{
  lua_pushnumber(L, locus_cpu_cores(luaL_checkstring(L, 1)));
  return 1;
}

/* count_shared(go_on): of the jobs that threads have shared since the last call that asked to go
** on, their number, that of their pieces, of the pieces that others than the calling thread did,
** and the processor time of all pieces in seconds. */
static int count_shared(lua_State *L)
{
  const locus_parallel_counts counts = locus_parallel_count(lua_toboolean(L, 1));

  lua_pushnumber(L, (lua_Number)counts.jobs);
  lua_pushnumber(L, (lua_Number)counts.pieces);
  lua_pushnumber(L, (lua_Number)counts.helped);
  lua_pushnumber(L, (lua_Number)counts.nanoseconds / 1e9);
  return 4;
}

const locus_entry locus_bind_threads[] = {
    {"set_num_threads", set_num_threads, LOCUS_FUNCTION},
    {"get_num_threads", get_num_threads, LOCUS_FUNCTION},
    {"cores", cores, LOCUS_INTERNAL},
    {"count_shared", count_shared, LOCUS_INTERNAL},
    {0},
};
