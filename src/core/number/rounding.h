/* SPDX-License-Identifier: MIT */
/* Rounding to whole numbers: locus_floor_f32 and the like. x86-64 without SSE4.1 has no instruction
** for that. But a sum that reaches 2^23 or 2^52 has no room for a fraction, and compilers vectorise
** sums. Numbers of that size are whole; a sum with 0 leaves them as they are and makes a NaN quiet,
** as the instructions do. */
#ifndef LOCUS_ROUNDING_H
#define LOCUS_ROUNDING_H

#include <math.h>

#include "core/inline.h"

#define ROUNDING(id, type, offset, fabs_of, copysign_of)            \
  LOCUS_INLINE type locus_near_##id(type a)                         \
  {                                                                 \
    const type side = copysign_of(offset, a);                       \
    return (a + side) - side;                                       \
  }                                                                 \
  LOCUS_INLINE type locus_whole_##id(type a, type whole)            \
  {                                                                 \
    return fabs_of(a) < offset ? copysign_of(whole, a) : a + 0;     \
  }                                                                 \
  LOCUS_INLINE type locus_rint_##id(type a)                         \
  {                                                                 \
    return locus_whole_##id(a, locus_near_##id(a));                 \
  }                                                                 \
  LOCUS_INLINE type locus_floor_##id(type a)                        \
  {                                                                 \
    const type near = locus_near_##id(a);                           \
    return locus_whole_##id(a, near - (near > a ? (type)1 : 0));    \
  }                                                                 \
  LOCUS_INLINE type locus_ceil_##id(type a)                         \
  {                                                                 \
    const type near = locus_near_##id(a);                           \
    return locus_whole_##id(a, near + (near < a ? (type)1 : 0));    \
  }                                                                 \
  LOCUS_INLINE type locus_trunc_##id(type a)                        \
  {                                                                 \
    const type size = fabs_of(a), near = locus_near_##id(size);     \
    return locus_whole_##id(a, near - (near > size ? (type)1 : 0)); \
  }
ROUNDING(f32, float, 0x1p23f, fabsf, copysignf)
ROUNDING(f64, double, 0x1p52, fabs, copysign)
#undef ROUNDING

#endif
