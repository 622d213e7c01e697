/* SPDX-License-Identifier: MIT */
/* Functions of Lua that compute as IEEE 754 has it, whatever the state of the thread
** (core/number/floats.h). */
#ifndef LOCUS_BIND_FLOATS_H
#define LOCUS_BIND_FLOATS_H

#include <lua.h>

/* Calls the function so. */
int locus_call_ieee(lua_State *L, lua_CFunction function);
/* Gives the state of the thread back before an error leaves such a function. */
void locus_floats_give_back(lua_State *L);
/* ieee(f, ...) of Lua: calls f while floats are computed so, in Lua, too. The thread gets its state
** back after any error that leaves f, and after none that f catches. */
int locus_ieee(lua_State *L);

#endif
