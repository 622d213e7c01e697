/* SPDX-License-Identifier: MIT */
/* The one place that raises: at the caller's line, in the caller's words. */
#ifndef LOCUS_BIND_RAISE_H
#define LOCUS_BIND_RAISE_H

#include <lua.h>

/* Raises the sentence at the line of the nearest caller that is not locus's own Lua. */
int locus_raise(lua_State *L, const char *message);
/* The name of the function that this caller called: `function`, or the declared one of locus's own
** Lua that is running it. It lives as long as that runs. */
const char *locus_called(lua_State *L, const char *function);
/* Raises if a function without named arguments got more than `most` values. */
void locus_check_count(lua_State *L, const char *function, int most);

#endif
