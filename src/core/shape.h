/* SPDX-License-Identifier: MIT */
/* Sizes and strides: products that cannot overflow, broadcasting, and their spelling in messages.
** Sizes are counts, strides are in elements, dimensions are 0-based here. Entries past the last
** dimension mean nothing and are not copied. */
#ifndef LOCUS_SHAPE_H
#define LOCUS_SHAPE_H

#include "core/error.h"

enum { LOCUS_MAX_DIMS = 32 };

typedef struct locus_shape {
  int32_t ndim;
  int64_t size[LOCUS_MAX_DIMS];
} locus_shape;

/* The number of elements; an error when they take over 2^62 bytes, sizes of 0 left aside. */
int locus_shape_numel(const locus_shape *shape, locus_dtype dtype, int64_t *numel,
                      locus_context *cx);

void locus_shape_copy(locus_shape *to, const locus_shape *from);

/* Strides of C order: the last dimension is contiguous. */
void locus_shape_strides(const locus_shape *shape, int64_t *stride);

bool locus_shape_equal(const locus_shape *a, const locus_shape *b);

/* Widens `to` so that `from` broadcasts to it as well; -1 when they do not fit (no message). */
int locus_shape_broadcast(locus_shape *to, const locus_shape *from);

/* "2x5", or "0-d"; the text lives in `buffer`. */
enum { LOCUS_SHAPE_TEXT = 128 };
const char *locus_shape_text(const locus_shape *shape, char buffer[LOCUS_SHAPE_TEXT]);

#endif
