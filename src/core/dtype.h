/* SPDX-License-Identifier: MIT */
/* Element types: their names, sizes, kinds, ranges, and which type two of them make. */
#ifndef LOCUS_DTYPE_H
#define LOCUS_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ieee.h"

typedef struct locus_complex64 {
  float re, im;
} locus_complex64;

typedef struct locus_complex128 {
  double re, im;
} locus_complex128;

/* locus_f32 is the element type of dtype f32, locus_value_f32 the type it is computed in. */
#define DTYPE(id, element, value, kind, name) \
  typedef element locus_##id;                 \
  typedef value locus_value_##id;
#include "core/dtype.def"

typedef enum locus_dtype {
#define DTYPE(id, element, value, kind, name) LOCUS_##id,
#include "core/dtype.def"
  LOCUS_DTYPES
} locus_dtype;

typedef enum locus_kind { LOCUS_BOOL, LOCUS_INTEGER, LOCUS_FLOAT, LOCUS_COMPLEX } locus_kind;

extern const uint8_t locus_dtype_sizes[LOCUS_DTYPES], locus_dtype_kinds[LOCUS_DTYPES];

/* Bytes per element. */
static inline int64_t locus_dtype_size(locus_dtype dtype)
{
  return locus_dtype_sizes[dtype];
}

static inline locus_kind locus_dtype_kind(locus_dtype dtype)
{
  return (locus_kind)locus_dtype_kinds[dtype];
}

/* The bits that make an element nonzero, repeated to fill 64: all except the signs of floats. So
** NaN is nonzero and -0.0 is not, and only widths matter. */
static inline uint64_t locus_nonzero_bits(locus_dtype dtype)
{
  const locus_kind kind = locus_dtype_kind(dtype);
  const int bits = (int)(8 * locus_dtype_size(dtype) / (kind == LOCUS_COMPLEX ? 2 : 1));

  if (kind < LOCUS_FLOAT) return UINT64_MAX;
  return ~(UINT64_MAX / (UINT64_MAX >> (64 - bits)) << (bits - 1));
}

const char *locus_dtype_name(locus_dtype dtype);
const char *locus_dtype_article(locus_dtype dtype); /* "a", or "an" as in "an int8 tensor" */

/* Finds the dtype of that name; false when there is none. */
bool locus_dtype_find(const char *name, locus_dtype *dtype);

/* The dtype two tensors of equal rank make (PyTorch's table, symmetric). */
locus_dtype locus_dtype_promote(locus_dtype a, locus_dtype b);

/* The integers a dtype of kind BOOL or INTEGER can hold. */
typedef struct locus_range {
  int64_t low, high;
} locus_range;
locus_range locus_dtype_range(locus_dtype dtype);

#endif
