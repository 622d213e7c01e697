/* SPDX-License-Identifier: MIT */
/* Pairs of rows on two sides whose keys have the same number. */
#ifndef LOCUS_TEXT_JOIN_H
#define LOCUS_TEXT_JOIN_H

#include "core/tensor.h"

/* The numbers of the rows of both sides. `own` has 0 .. count, 0 for a key that the other side
** lacks; `others` has 1 .. count. others NULL: row k of the other side has number k, and no other
** row does. With `all` a row of the own side without a match stands in a pair, too. */
typedef struct locus_join {
  const int32_t *own, *others;
  int64_t own_rows, other_rows, count;
  bool all;
} locus_join;

/* The greatest number of rows of the other side. */
#define LOCUS_JOIN_MOST UINT32_MAX

/* Sets *total to the number of pairs. If these are at most `most`, rows and matched, int64 tensors
** without elements, get the rows of both sides, counted from 1, 0 for none: in the order of the own
** side's rows, then of the other's. */
int locus_join_rows(const locus_join *join, int64_t most, int64_t *total, locus_tensor *rows,
                    locus_tensor *matched, locus_context *cx);

#endif
