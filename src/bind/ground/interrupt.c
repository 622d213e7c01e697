/* SPDX-License-Identifier: MIT */
/* Ctrl-C at the prompt: a signal handler that sets a hook. The handler of the program luajit does
** so, too, but removes itself, so a second signal kills. This one stays: a second signal that comes
** before the first one is answered, or while its error is raised, counts as the same one. */
#include "bind/ground/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>

/* In milliseconds. A signal this soon after an error belongs to it, unless the prompt is ready
** again. If a user has waited this long, in a loop that calls no hook, the next signal ends the
** program. */
enum { ECHO = 50, PATIENCE = 1000 };

static lua_State *state; /* of the prompt; a process has one */
static volatile int64_t asked_at, raised_at = -ECHO;

static int64_t now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void locus_interrupt_raised(void)
{
  raised_at = now();
}

/* Without a place: the running code may be the prompt's own. */
static void stop(lua_State *L, lua_Debug *frame)
{
  (void)frame;
  lua_sethook(L, NULL, 0, 0);
  locus_interrupt_raised();
  lua_pushliteral(L, "interrupted!");
  lua_error(L);
}

/* Calls only functions that are allowed in a handler; and lua_sethook, as LuaJIT's program does. */
static void on_interrupt(int number)
{
  const int saved = errno;
  const int64_t time = now();

  if (lua_gethook(state) != stop) {
    if (time - raised_at >= ECHO) {
      asked_at = time;
      lua_sethook(state, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
    }
  } else if (time - asked_at >= PATIENCE) {
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = saved;
}

void locus_push_interrupt_handler(lua_State *L)
{
  void (*const handler)(int) = on_interrupt;
  void *address;

  lua_pushthread(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "locus.prompt"); /* stays while the handler knows it */
  state = L;
  raised_at = -ECHO;
  memcpy(&address, &handler, sizeof address);
  lua_pushlightuserdata(L, address);
}
