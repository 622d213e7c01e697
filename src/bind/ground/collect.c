/* SPDX-License-Identifier: MIT */
/* Paces the collector by the bytes that tensors hold. Userdata look tiny to it, so it is stepped by
** hand, in proportion to the bytes allocated since its last cycle. */
#include "bind/ground/collect.h"

#include <limits.h>
#include <math.h>

#include "core/memory.h"

enum { /* bytes */
       LEAST_WINDOW = 4 << 20,
       MIDDLE_WINDOW = 5 << 20,
       LARGE_WINDOW = 16 << 20,
       MIDDLE_RESULT = 256 << 10,
       LARGE_RESULT = 2 << 20,
       DEVICE_WINDOW = 256 << 20,
       LEAST_STEP = 64 << 10,
};

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

/* The bytes of tensors, and all that they ever took: of the host's memory and of devices'. */
static void read_account(int i, int64_t *live, int64_t *allocated)
{
  *live = i == LOCUS_HOST_BYTES ? locus_memory_live() : locus_device_live(LOCUS_CPU);
  *allocated = i == LOCUS_HOST_BYTES ? locus_memory_allocated() : locus_device_allocated(LOCUS_CPU);
}

/* A collection has ended: notes the live bytes. */
static void rest(locus_state *state)
{
  int64_t allocated;
  for (int i = 0; i < LOCUS_ACCOUNTS; i++)
    read_account(i, &state->account[i].live_at_rest, &allocated);
}

void locus_collect(lua_State *L, locus_state *state)
{
  collect(L, state, LUA_GCCOLLECT, 0);
  collect(L, state, LUA_GCCOLLECT, 0); /* what finalizers released */
  rest(state);
}

/* The window: the bytes of new tensors during one cycle of the collector. On the host it is small
** for a small heap, so that memory is reused while it is in the caches. It is larger for a large
** heap, whose traversal costs more, and for results that fit no cache. But it does not grow with
** the live bytes, since the first touch of memory costs more than the traversal. On a device haste
** gains nothing.
*/
static double window_for(int account, double heap, double bytes, int64_t live_at_rest)
{
  if (account == LOCUS_DEVICE_BYTES) return fmax(DEVICE_WINDOW, (double)live_at_rest);
  const double least = bytes > LARGE_RESULT    ? LARGE_WINDOW
                       : bytes > MIDDLE_RESULT ? MIDDLE_WINDOW
                                               : LEAST_WINDOW;
  return fmax(fmax(least, 4 * heap), fmin(LARGE_WINDOW, 16 * heap));
}

/* The bytes of Lua heap that the collector has to traverse because of an account. The first half of
** the window is free; in the second half the collector runs twice as fast as needed to traverse the
** heap within the window. */
static double debt_of(lua_State *L, locus_account *a, int i)
{
  int64_t live, allocated;

  read_account(i, &live, &allocated);
  double bytes = (double)(allocated - a->allocated_seen);
  a->allocated_seen = allocated;
  if (live < a->live_at_rest) a->live_at_rest = live;
  if (live - a->live_at_rest <= LEAST_WINDOW / 2) return 0;
  double heap = lua_gc(L, LUA_GCCOUNT, 0) * 1024.0;
  double window = window_for(i, heap, bytes, a->live_at_rest);
  return (double)(live - a->live_at_rest) <= window / 2 ? 0 : bytes * 2 * heap / window;
}

void locus_pace(lua_State *L, locus_state *state)
{
  for (int i = 0; i < LOCUS_ACCOUNTS; i++) state->debt += debt_of(L, &state->account[i], i);
  if (state->debt < LEAST_STEP) return;
  int kilobytes = (int)fmin(state->debt / 1024, INT_MAX);
  state->debt = 0;
  if (collect(L, state, LUA_GCSTEP, kilobytes)) rest(state);
}
