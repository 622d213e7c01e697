/* SPDX-License-Identifier: MIT */
/* From tensors to the index space of a job. */
#ifndef LOCUS_GRID_H
#define LOCUS_GRID_H

#include "op/ground/value.h"

/* The tensor as an operand over `shape`, to which it broadcasts: one stride per dimension. NULL is
** an absent operand: no data, and strides of 0. */
void locus_operand_tensor(locus_operand *operand, const locus_tensor *tensor,
                          const locus_shape *shape);

/* The value as an operand over `shape`. A tensor keeps its dtype; a 0-d one on the CPU becomes a
** scalar, so that it goes with any device. A scalar is written in `dtype`, which is an error when
** an integer dtype cannot hold it. */
int locus_operand_value(locus_operand *operand, const locus_value *value, locus_dtype dtype,
                        const locus_shape *shape, locus_context *cx);

/* Makes the grid of `shape`, merging dimensions whose strides allow it for all operands; strides
** are rewritten to match. There is always at least one dimension; further ones have elements. The
** order of the elements is kept. */
void locus_grid_collapse(locus_grid *grid, const locus_shape *shape, locus_operand *const *operands,
                         int count);

/* The same for a job that may take its elements in any order: by descending strides of the first
** operand, mostly the output, so that a transposed one is accessed in memory order. */
void locus_grid_arrange(locus_grid *grid, const locus_shape *shape, locus_operand *const *operands,
                        int count);

#endif
