/* SPDX-License-Identifier: MIT */
/* All ranges that overlap each of some values. */
#ifndef LOCUS_OP_OVERLAPS_H
#define LOCUS_OP_OVERLAPS_H

#include "core/tensor.h"

/* The ranges in the order of their starts, by places: rank[i], from 0, is the place of the end of
** range i in the order of ends, and row[i] the caller's position of it. Value j overlaps those of
** the first until[j] ranges whose rank is at least above[j]: these are until[j] - above[j]. */
typedef struct locus_overlaps {
  const int64_t *rank, *row;
  int64_t ranges;
  const int64_t *until, *above;
  int64_t values;
  int64_t base; /* of positions of values */
} locus_overlaps;

/* Sets *total to the number of pairs. If these are at most `most`, values and ranges, int64 tensors
** without elements, get the positions of both: in the order of the values, then of the starts. */
int locus_find_overlaps(const locus_overlaps *overlaps, int64_t most, int64_t *total,
                        locus_tensor *values, locus_tensor *ranges, locus_context *cx);

#endif
