/* SPDX-License-Identifier: MIT */
/* Equality in numbering and grouping: NaN equals NaN, -0 equals 0, complex numbers are equal if
** both parts are. So a few bits and the width of a dtype decide it. */
#ifndef LOCUS_EQUALITY_H
#define LOCUS_EQUALITY_H

#include "core/number/element.h"

/* Numbers without any of the bits `kept` are zeros, and those whose kept bits are greater than
** `infinity` equal each other: every NaN, and every true. All others are equal if all of their bits
** are. */
typedef struct locus_equality {
  int64_t numbers; /* of an element: two if it is complex */
  int64_t width;   /* bytes of a number */
  uint64_t kept, infinity;
} locus_equality;

static inline locus_equality locus_equality_of(locus_dtype dtype)
{
  const locus_kind kind = locus_dtype_kind(dtype);
  const locus_dtype number = dtype == LOCUS_c64 ? LOCUS_f32 : LOCUS_f64;
  locus_equality e;

  e.numbers = kind == LOCUS_COMPLEX ? 2 : 1;
  e.width = locus_dtype_size(dtype) / e.numbers;
  e.kept = locus_nonzero_bits(dtype);
  e.infinity = locus_infinity_bits(kind == LOCUS_COMPLEX ? number : dtype);
  if (kind == LOCUS_BOOL) e.infinity = 0;
  return e;
}

/* Whether numbers are equal exactly if their bits are. */
static inline bool locus_equality_of_bits(const locus_equality *e)
{
  return (e->kept & e->infinity) == UINT64_MAX;
}

#endif
