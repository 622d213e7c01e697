/* SPDX-License-Identifier: MIT */
/* What the expressions of core/unary.def and core/binary.def are made of, in C. */
#ifndef LOCUS_ARITHMETIC_H
#define LOCUS_ARITHMETIC_H

#include "cpu/kernel.h"

#define WRAP(x) _Generic((x), int64_t: (uint64_t)(x), default: (uint32_t)(x))
#define FABS(x) _Generic((x), float: fabsf, default: fabs)(x)
#define PAIR(re, im) ((V){re, im})
#define INTEGER_REMAINDER(a, b) _Generic((a), int64_t: remainder_i64, default: remainder_i32)(a, b)
#define FLOAT_REMAINDER(a, b) _Generic((a), float: remainder_f32, default: remainder_f64)(a, b)
#define INTEGER_POWER(a, b) integer_power(a, b)
#define FLOAT_POWER(a, b) _Generic((a), float: powf, default: pow)(a, b)

/* The sign is that of b, which is not 0; dividing the least integer by -1 would trap. */
#define REMAINDER(id)                                                                     \
  static inline locus_##id remainder_##id(locus_##id a, locus_##id b)                     \
  {                                                                                       \
    if (b == -1) return 0;                                                                \
    locus_##id rest = a % b;                                                              \
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;                          \
  }
REMAINDER(i32)
REMAINDER(i64)
#undef REMAINDER

/* The sign is that of b, of a zero too. */
#define REMAINDER(id, fmod_of, copysign_of)                                               \
  static inline locus_##id remainder_##id(locus_##id a, locus_##id b)                     \
  {                                                                                       \
    locus_##id rest = fmod_of(a, b);                                                      \
    if (rest == 0) return copysign_of(rest, b);                                           \
    return (rest < 0) != (b < 0) ? rest + b : rest;                                       \
  }
REMAINDER(f32, fmodf, copysignf)
REMAINDER(f64, fmod, copysign)
#undef REMAINDER

/* Modulo 2^64, by squaring; b is not negative. */
static inline uint64_t integer_power(int64_t a, int64_t b)
{
  uint64_t power = 1;
  for (uint64_t square = (uint64_t)a; b > 0; b >>= 1, square *= square)
    if (b & 1) power *= square;
  return power;
}

#endif
