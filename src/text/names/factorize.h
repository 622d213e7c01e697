/* SPDX-License-Identifier: MIT */
/* Elements by number, 1 to n in the order in which they first come. Equal elements have one number:
** NaN equals NaN, -0 equals 0, and complex numbers are equal where both parts are. */
#ifndef LOCUS_TEXT_FACTORIZE_H
#define LOCUS_TEXT_FACTORIZE_H

#include "core/tensor.h"

/* A column on the CPU, its elements one behind the other. */
typedef struct key_column {
  const char *elements;
  int64_t count;
} key_column;

/* ids[i] = the number of element i of `keys`, and firsts, an int64 tensor without elements that
** grows, its first rows by number, from 1 on. found[i] = the number of element i of `values`, of
** the same dtype, 0 where it is none of the keys. At most 2^31 - 1 numbers. */
int locus_factorize(locus_dtype dtype, const key_column *keys, int32_t *ids, locus_tensor *firsts,
                    const key_column *values, int32_t *found, locus_context *cx);

/* there[i] = whether element i of `values`, of the same dtype, is one of the keys. */
int locus_is_among(locus_dtype dtype, const key_column *keys, const key_column *values, bool *there,
                   locus_context *cx);

#endif
