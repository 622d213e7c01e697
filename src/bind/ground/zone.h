/* SPDX-License-Identifier: MIT */
/* Time zones as Lua values. */
#ifndef LOCUS_BIND_ZONE_H
#define LOCUS_BIND_ZONE_H

#include <lua.h>

#include "bind/ground/call.h"
#include "text/time/clock.h"

/* A userdata, which owns the zone. */
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

/* The choice that the arguments `ambiguous` and `missing` make. */
clock_choice locus_arg_clock_choice(locus_call *call, int ambiguous, int missing);

#endif
