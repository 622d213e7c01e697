/* SPDX-License-Identifier: MIT */
/* Lua tables as lists, and as tensors. */
#ifndef LOCUS_BIND_TABLE_H
#define LOCUS_BIND_TABLE_H

#include "bind/ground/call.h"
#include "op/ground/value.h"

/* The length of the table at an absolute index, -1 when its keys are not exactly 1..n. */
int locus_list_length(lua_State *L, int index);
/* Makes the device of the tensors in the list of argument i the call's home: one other than the
** CPU, if any; and their kind that in which texts are read. */
void locus_home_among(locus_call *call, int i, int count);
/* Reads a text beside times, dates, durations or addresses as one of these; false if the value at
** `index` is no text, or none of the call's tensors has a kind. Raises if it is none. */
bool locus_read_meaning(locus_call *call, int index, const char *name, locus_value *value);
/* Gives a scalar that has a kind the unit of the call's tensors. Raises if it is no whole number of
** these. */
void locus_adapt_meaning(locus_call *call, locus_value *value);
/* Replaces the table at `index` by a new tensor of that dtype, or of the one its elements have
** (LOCUS_DTYPES), on the device call->cx.home. */
void locus_table_to_tensor(locus_call *call, int index, const char *name, locus_dtype dtype);

#endif
