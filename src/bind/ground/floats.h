/* SPDX-License-Identifier: MIT */
/* Functions of Lua that compute as IEEE 754 has it, whatever the state of the thread
** (core/number/floats.h). */
#ifndef LOCUS_BIND_FLOATS_H
#define LOCUS_BIND_FLOATS_H

#include <lua.h>

/* Calls the function so. */
int locus_call_ieee(lua_State *L, lua_CFunction function);
/* Restores the state of the thread before an error leaves such a function. */
void locus_floats_give_back(lua_State *L);
/* ieee(f, ...) of Lua: calls f while floats are computed by IEEE 754, in Lua, too. The thread's
** state is restored after an error that leaves f, but not after one that f catches. */
int locus_ieee(lua_State *L);

#endif
