/* SPDX-License-Identifier: MIT */
/* Surplus values by position, or values of the wrong type: lua/locus/call/surplus.lua guesses the
** option for which they were meant. */
#ifndef LOCUS_BIND_SURPLUS_H
#define LOCUS_BIND_SURPLUS_H

#include "bind/ground/call.h"

/* Pushes the parameters of the call: a list of {name=, optional=, named=, sizes=}, with the name of
** the function as its field `name`. */
void locus_push_params(locus_call *call);

/* Raises for `given` values by position, on the stack from index 1, since the call takes fewer.
** `option`: the first name of the table of arguments by name at `from`, or NULL. */
int locus_surplus_error(locus_call *call, int given, const char *option, int from);

/* Raises for argument i, given by position and in the table at `from` by name. */
int locus_twice_error(locus_call *call, int i, int from);

/* Whether it is a method of frames that is called without one, as if it were a column: f.to(1). */
bool locus_lacks_frame(const locus_call *call);

/* Raises "function: 'argument' must be <expected>, got <value>", with the option for which it was
** meant. */
int locus_arg_expected(locus_call *call, int i, const char *expected);

/* Pushes "; write {side = "right"}" if the value at `index`, which argument i cannot be, is a word
** of an option or one of several tensors that belong into a table; else "". */
const char *locus_meant(locus_call *call, int i, int index);

#endif
