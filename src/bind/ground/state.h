/* SPDX-License-Identifier: MIT */
/* The data of one Lua state: a struct, which is an upvalue of every bound function, and hooks,
** which locus's own Lua files leave in the registry. */
#ifndef LOCUS_BIND_STATE_H
#define LOCUS_BIND_STATE_H

#include <lauxlib.h>
#include <lua.h>

#include "core/device.h"
#include "text/time/zone.h"

/* The upvalues of every bound C function. */
enum { UPVALUE_METATABLE = lua_upvalueindex(1), UPVALUE_STATE = lua_upvalueindex(2) };

/* And those of one that reads the arguments of a function in Lua (declare.c). The tables keep the
** names alive. */
enum {
  UPVALUE_DECLARATION = lua_upvalueindex(3),
  UPVALUE_PARAMS = lua_upvalueindex(4),
  UPVALUE_DEFAULTS = lua_upvalueindex(5),
};

/* The accounts that pace the collector, one for each of two kinds of memory. */
enum { LOCUS_HOST_BYTES, LOCUS_DEVICE_BYTES, LOCUS_ACCOUNTS };

typedef struct locus_account {
  int64_t live_at_rest;   /* bytes alive when the last collection ended */
  int64_t allocated_seen; /* bytes ever allocated, when the pace was last set */
} locus_account;

enum { LOCUS_CURRENT = -1 }; /* in place of a device: the current one, "cuda" */

typedef struct locus_state {
  locus_dtype default_dtype;
  locus_device default_device; /* or LOCUS_CURRENT */
  const char *function;        /* the bound function called last */
  double debt;                 /* bytes of Lua heap the collector still has to walk */
  bool collecting;             /* a collection is running: do not start another */
  bool asked;                  /* a call with an unknown name raises its parameters */
  struct locus_scope *scopes;  /* the open ones, the innermost first (scope.h) */
  uint64_t floats_found;       /* the floating-point state of the caller's thread; 0: IEEE 754 */
  locus_account account[LOCUS_ACCOUNTS];
} locus_state;

static inline locus_state *locus_state_of(lua_State *L)
{
  return lua_touserdata(L, UPVALUE_STATE);
}

/* THE list of hooks, for services that only Lua has: the name, and whether it needs LuaJIT's FFI.
** Lua gives them to `setup` (module.c), which keeps them in the registry. */
#define LOCUS_HOOKS(HOOK) \
  HOOK(size, false)       \
  HOOK(source, false)     \
  HOOK(declared, false)   \
  HOOK(meant, false)      \
  HOOK(stream, false)     \
  HOOK(event, false)      \
  HOOK(mean, false)       \
  HOOK(classify, true)    \
  HOOK(int64, true)       \
  HOOK(meaning, true)     \
  HOOK(complex, true)     \
  HOOK(point, true)       \
  HOOK(pointer, true)

#define HOOK(name, ffi) extern const char locus_hook_##name[]; /* its key in the registry */
LOCUS_HOOKS(HOOK)
#undef HOOK

/* A time zone: a userdata, which owns it. */
typedef struct locus_bound_zone {
  time_zone *zone;
  char name[]; /* as it was asked for */
} locus_bound_zone;

/* The zone at that index, NULL when it is something else. */
const locus_bound_zone *locus_test_zone(lua_State *L, int index);

/* Pushes one of that name without a zone yet. */
locus_bound_zone *locus_push_zone(lua_State *L, const char *name);

/* The state keeps zones by keys, strings at that index. The first function pushes two values, the
** zone of the key last, and answers whether there is one. */
bool locus_push_kept_zone(lua_State *L, int key);
void locus_keep_zone(lua_State *L, int zone, int key);

#endif
