/* SPDX-License-Identifier: MIT */
/* Lua tables as lists, and as tensors. */
#ifndef LOCUS_BIND_TABLE_H
#define LOCUS_BIND_TABLE_H

#include "bind/ground/call.h"

/* The length of the table at an absolute index, -1 when its keys are not exactly 1..n. */
int locus_list_length(lua_State *L, int index);
/* Makes the device of the tensors in the list of argument i the call's home: one other than the
** CPU, if any. */
void locus_home_among(locus_call *call, int i, int count);
/* Replaces the table at `index` by a new tensor of that dtype, or of the one its elements have
** (LOCUS_DTYPES), on the device call->cx.home. */
void locus_table_to_tensor(locus_call *call, int index, const char *name, locus_dtype dtype);

#endif
