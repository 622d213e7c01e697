/* SPDX-License-Identifier: MIT */
/* Arguments by position and by name, laid out on the Lua stack in the order of the parameters. */
#ifndef LOCUS_BIND_ARGS_H
#define LOCUS_BIND_ARGS_H

#include "bind/ground/call.h"

/* Sorts the arguments by position and by name: afterwards argument i is at stack index i + 1, nil
** if absent, and the top is the number of parameters. */
void locus_call_begin(locus_call *call, lua_State *L, const char *function,
                      const locus_param *params);

/* The same for functions that only locus's own Lua files call: `count` arguments as they came. */
void locus_call_begin_plain(locus_call *call, lua_State *L, const char *function,
                            const locus_param *params, int count);

#endif
