/* SPDX-License-Identifier: MIT */
/* Descriptions of Lua values, for messages. */
#ifndef LOCUS_BIND_DESCRIBE_H
#define LOCUS_BIND_DESCRIBE_H

#include <lua.h>

/* "a float32 tensor of size 2x3", "the number 1.5"; leaves a string on the stack. */
const char *locus_describe(lua_State *L, int index);

/* The same in the place of a number: "18446744073709551615, which int64 cannot hold". */
const char *locus_describe_number(lua_State *L, int index);

#endif
