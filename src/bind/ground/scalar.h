/* SPDX-License-Identifier: MIT */
/* Lua numbers, booleans and cdata to scalars and back. */
#ifndef LOCUS_BIND_SCALAR_H
#define LOCUS_BIND_SCALAR_H

#include <lua.h>

#include "op/ground/value.h"

/* Reads a number, boolean or cdata; false when it is something else. */
bool locus_read_scalar(lua_State *L, int index, locus_value *value);
/* Reads an exact integer: an integral number or an int64 cdata. */
bool locus_read_int64(lua_State *L, int index, int64_t *value);
/* "a cdata of type double [3]" or "the cdata 9223372036854775808ULL", for one that is no scalar;
** leaves it on the stack. */
const char *locus_describe_cdata(lua_State *L, int index);

/* The digits of a cdata that is an integer past int64, which stay on the stack; NULL for others. */
const char *locus_beyond_int64(lua_State *L, int index);

void locus_push_int64(lua_State *L, int64_t value);
/* Pushes an int64 of that kind: a value that knows it, where Lua has an FFI. */
void locus_push_meaning(lua_State *L, int kind, int64_t value);
/* Pushes one element of a tensor as a Lua value; and one that has no kind. */
void locus_push_element_of(lua_State *L, const locus_tensor *tensor, const void *element);
void locus_push_element(lua_State *L, locus_dtype dtype, const void *element);

#endif
