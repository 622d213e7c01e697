/* SPDX-License-Identifier: MIT */
/* The different elements of a column of integers. */
#ifndef LOCUS_TEXT_DISTINCT_H
#define LOCUS_TEXT_DISTINCT_H

#include "core/tensor.h"
#include "text/names/factorize.h"

/* Whether the elements, integers or bool, lie so close together that a bit for each is worth while,
** which `near` says: then out, a tensor of their dtype without elements, gets them in order, each
** once. */
int locus_distinct(locus_dtype dtype, const key_column *column, locus_tensor *out, bool *near,
                   locus_context *cx);

#endif
