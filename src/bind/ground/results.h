/* SPDX-License-Identifier: MIT */
/* Results of bound functions, besides tensors and plain Lua values. */
#ifndef LOCUS_BIND_RESULTS_H
#define LOCUS_BIND_RESULTS_H

#include "bind/ground/call.h"

/* Pushes a tensor's first element, fetched from its device. */
void locus_push_first(locus_call *call, const locus_tensor *tensor);
/* The same as a plain number where the tensor has a kind. */
void locus_push_first_plain(locus_call *call, const locus_tensor *tensor);
/* Pushes the result that argument `out` holds; its only element as a Lua value where the operands
** were scalars and no `out` was given. Answers 1. */
int locus_push_result(locus_call *call, int out, bool scalar);
/* Pushes a new 1-D tensor of n elements on the CPU, not cleared. */
locus_tensor *locus_push_row(locus_call *call, locus_dtype dtype, int64_t n);
/* Pushes the columns of the z x n tensor at `index`, one view each; answers n. */
int locus_push_columns(lua_State *L, int index);
/* Pushes a size table: compares with ==, prints as 2x3. */
void locus_push_shape(lua_State *L, const locus_shape *shape);

#endif
