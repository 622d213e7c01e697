/* SPDX-License-Identifier: MIT */
/* Makes the collector see what tensors hold. Userdata look tiny to it; so it is stepped by hand,
** in proportion to the bytes that have come alive since its last cycle. */
#include "core/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "bind/bind.h"

enum { LEAST_WINDOW = 32 << 20, LEAST_STEP = 64 << 10 }; /* bytes */

typedef struct collection {
  int what, argument;
  bool finished;
} collection;

static int collect_protected(lua_State *L)
{
  collection *c = lua_touserdata(L, 1);
  c->finished = lua_gc(L, c->what, c->argument) == 1;
  return 0;
}

/* Finalizers of others run in here: they may raise, which is dropped, and may allocate tensors,
** which must not start another collection. */
static bool collect(lua_State *L, locus_state *state, int what, int argument)
{
  collection c = {what, argument, false};
  int top = lua_gettop(L);

  if (state->collecting || !lua_checkstack(L, 4)) return false;
  state->collecting = true;
  lua_cpcall(L, collect_protected, &c);
  state->collecting = false;
  lua_settop(L, top);
  return c.finished;
}

void locus_collect(lua_State *L, locus_state *state)
{
  collect(L, state, LUA_GCCOLLECT, 0);
  collect(L, state, LUA_GCCOLLECT, 0); /* what finalizers released */
  state->live_at_rest = locus_memory_live();
}

/* W is how many bytes a cycle may be spread over: at least 32 MB, what is alive, and four times the
** Lua heap. The first half of W is free; in the second the collector is driven twice as fast as it
** must be to go round the Lua heap within W. */
void locus_pace(lua_State *L, locus_state *state)
{
  int64_t live = locus_memory_live(), allocated = locus_memory_allocated();
  double bytes = (double)(allocated - state->allocated_seen);

  state->allocated_seen = allocated;
  if (live < state->live_at_rest) state->live_at_rest = live;
  if (live - state->live_at_rest <= LEAST_WINDOW / 2) return;
  double heap = lua_gc(L, LUA_GCCOUNT, 0) * 1024.0;
  double window = fmax(LEAST_WINDOW, fmax((double)state->live_at_rest, 4 * heap));
  if ((double)(live - state->live_at_rest) <= window / 2) return;
  state->debt += bytes * 2 * heap / window;
  if (state->debt < LEAST_STEP) return;
  int kilobytes = (int)fmin(state->debt / 1024, INT_MAX);
  state->debt = 0;
  if (collect(L, state, LUA_GCSTEP, kilobytes)) state->live_at_rest = locus_memory_live();
}

void locus_choose_cache(lua_State *L)
{
  const char *text = getenv("LOCUS_CACHE_LIMIT");
  locus_context cx;

  if (!locus_memory_begin(text && *text ? text : NULL, &cx)) return;
  lua_pushfstring(L, "locus: %s", cx.error.message);
  lua_error(L);
}

const locus_entry locus_bind_memory[] = {{NULL, NULL, 0}};
