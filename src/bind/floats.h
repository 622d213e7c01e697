/* SPDX-License-Identifier: MIT */
/* Functions of Lua that compute as IEEE 754 has it, whatever the thread was told
** (core/floats.h). */
#ifndef LOCUS_BIND_FLOATS_H
#define LOCUS_BIND_FLOATS_H

#include <lua.h>
#include <stdint.h>

/* Calls the function so. */
int locus_call_ieee(lua_State *L, lua_CFunction function);
/* Gives the state of the thread back before an error leaves such a function. */
void locus_floats_give_back(void);
/* The state that the caller of the function which runs now has; 0 where that is IEEE 754's. */
uint64_t locus_floats_found(void);

#endif
