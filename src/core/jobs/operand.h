/* SPDX-License-Identifier: MIT */
/* The operands of jobs: arrays seen through an index space. */
#ifndef LOCUS_OPERAND_H
#define LOCUS_OPERAND_H

#include "core/shape.h"

/* The index space of a job, with as few dimensions as its operands' strides allow, at least one. An
** empty grid is a single dimension of size 0; no other has a size of 0. For an empty grid, and for
** rows without elements, a runner gives a count or sum of 0 and a position of -1. min and max never
** get such rows. */
typedef struct locus_grid {
  int64_t numel;
  int32_t ndim;
  int64_t size[LOCUS_MAX_DIMS];
} locus_grid;

typedef union locus_element {
  int64_t i64;
  double f64;
  locus_complex128 c128;
  unsigned char bytes[16];
} locus_element;

/* An array seen through a grid, in its own dtype: runners convert as they load and store. */
typedef struct locus_operand {
  char *data; /* NULL: every element is `value` */
  locus_dtype dtype;
  locus_element value;
  int64_t stride[LOCUS_MAX_DIMS];
} locus_operand;

#endif
