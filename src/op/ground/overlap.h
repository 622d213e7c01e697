/* SPDX-License-Identifier: MIT */
/* Whether tensors share bytes. */
#ifndef LOCUS_OVERLAP_H
#define LOCUS_OVERLAP_H

#include "core/tensor.h"

/* Whether the elements of a and b share a byte. The answer is exact, unless the search grows too
** long, as it may between unfolded views of many dimensions: then it is yes. */
bool locus_overlap(const locus_tensor *a, const locus_tensor *b);

/* Whether two elements of the tensor share a byte. */
bool locus_overlap_self(const locus_tensor *tensor);

#endif
