/* SPDX-License-Identifier: MIT */
/* locus.memory: the counts of the allocator, and its limits. */
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

#include "bind/bind.h"
#include "core/system/group.h"

void locus_choose_cache(lua_State *L)
{
  const char *text = getenv("LOCUS_CACHE_LIMIT");
  locus_context cx;

  if (!locus_memory_begin(text && *text ? text : NULL, &cx)) return;
  lua_pushfstring(L, "locus: %s", cx.error.message);
  lua_error(L);
}

static void set_count(lua_State *L, const char *name, int64_t count)
{
  lua_pushnumber(L, count == INT64_MAX ? HUGE_VAL : (lua_Number)count);
  lua_setfield(L, -2, name);
}

/* memory.stats(): a table of the counts of this process's allocator. */
static int stats(lua_State *L)
{
  LOCUS_NO_PARAMS(table<string, number>);
  locus_call call;

  locus_call_begin(&call, L, "memory.stats", params);
  locus_memory_counts counts = locus_memory_count();
  lua_newtable(L);
  set_count(L, "live_bytes", counts.live);
  set_count(L, "peak_bytes", counts.peak);
  set_count(L, "allocated_bytes", counts.allocated);
  set_count(L, "cached_bytes", counts.cached);
  set_count(L, "reserved_bytes", counts.reserved);
  set_count(L, "hits", counts.hits);
  set_count(L, "misses", counts.misses);
  set_count(L, "limit", counts.limit);
  set_count(L, "cache_limit", counts.cache_limit);
  return 1;
}

/* memory.trim(): gives the kept free blocks back to the system; returns their bytes. Garbage
** tensors are not freed yet: collectgarbage() first. */
static int trim(lua_State *L)
{
  LOCUS_NO_PARAMS(integer);
  locus_call call;

  locus_call_begin(&call, L, "memory.trim", params);
  lua_pushnumber(L, (lua_Number)locus_memory_trim());
  return 1;
}

/* A size in bytes; infinity and numbers that int64 cannot hold become the greatest one. */
static int64_t bytes_argument(locus_call *call, int i)
{
  double bytes = locus_arg_number(call, i, 0);
  if (!(bytes >= 0)) locus_arg_expected(call, i, "0 or more");
  return bytes < 0x1p63 ? (int64_t)bytes : INT64_MAX;
}

#define BYTES_PARAMS(P) P(bytes, LOCUS_REQUIRED, number)
static const locus_param bytes_params[] = {BYTES_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(nil)};

/* memory.set_limit(bytes): the most bytes that tensors may hold, math.huge for no limit. A call
** that would pass it collects garbage, tries again, and raises "out of memory". */
static int set_limit(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "memory.set_limit", bytes_params);
  locus_memory_set_limit(bytes_argument(&call, 0));
  return 0;
}

/* memory.set_cache_limit(bytes): the most bytes of freed blocks that are kept; 0 keeps none. */
static int set_cache_limit(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "memory.set_cache_limit", bytes_params);
  locus_memory_set_cache_limit(bytes_argument(&call, 0));
  return 0;
}

/* usual_cache_limit(root): for specs. The limit at first, by the files below the folder `root`. */
static int usual_cache_limit(lua_State *L)
{
  lua_pushnumber(L, (lua_Number)locus_memory_usual_limit(luaL_checkstring(L, 1)));
  return 1;
}

/* memory_of_machine(): the most bytes that this process could ever have. */
static int memory_of_machine(lua_State *L)
{
  lua_pushnumber(L, (lua_Number)locus_group_memory(""));
  return 1;
}

const locus_entry locus_bind_memory[] = {
    {"stats", stats, LOCUS_MEMORY},
    {"trim", trim, LOCUS_MEMORY},
    {"set_limit", set_limit, LOCUS_MEMORY},
    {"set_cache_limit", set_cache_limit, LOCUS_MEMORY},
    {"usual_cache_limit", usual_cache_limit, LOCUS_INTERNAL},
    {"memory_of_machine", memory_of_machine, LOCUS_INTERNAL},
    {0},
};
