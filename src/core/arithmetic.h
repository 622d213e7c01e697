/* SPDX-License-Identifier: MIT */
/* What the expressions of core/unary.def and core/binary.def are made of, in C and in CUDA C++.
** V is the value type where they stand. */
#ifndef LOCUS_ARITHMETIC_H
#define LOCUS_ARITHMETIC_H

#include <math.h>
#include <stdint.h>

#include "core/inline.h"

#define INTEGER_REMAINDER(a, b) LOCUS_REMAINDER(a, b)
#define FLOAT_REMAINDER(a, b) LOCUS_REMAINDER(a, b)
#define INTEGER_POWER(a, b) locus_power_i64(a, b)

/* The sign is that of b, which is not 0; dividing the least integer by -1 would trap. */
#define REMAINDER(id, type)                                                             \
  LOCUS_INLINE type locus_remainder_##id(type a, type b)                                \
  {                                                                                     \
    if (b == -1) return 0;                                                              \
    type rest = a % b;                                                                  \
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;                        \
  }
REMAINDER(i32, int32_t)
REMAINDER(i64, int64_t)
#undef REMAINDER

/* The result, even a zero, has the sign of b. */
#define REMAINDER(id, type, fmod_of, copysign_of)                                       \
  LOCUS_INLINE type locus_remainder_##id(type a, type b)                                \
  {                                                                                     \
    type rest = fmod_of(a, b);                                                          \
    if (rest == 0) return copysign_of(rest, b);                                         \
    return (rest < 0) != (b < 0) ? rest + b : rest;                                     \
  }
REMAINDER(f32, float, fmodf, copysignf)
REMAINDER(f64, double, fmod, copysign)
#undef REMAINDER

/* Modulo 2^64, by squaring; b is not negative. */
LOCUS_INLINE uint64_t locus_power_i64(int64_t a, int64_t b)
{
  uint64_t power = 1;
  for (uint64_t square = (uint64_t)a; b > 0; b >>= 1, square *= square)
    if (b & 1) power *= square;
  return power;
}

/* A root is rounded correctly; pow need not be. */
#define POWER(id, type, pow_of, sqrt_of)                                                \
  LOCUS_INLINE type locus_power_##id(type a, type b)                                    \
  {                                                                                     \
    return b == (type)0.5 && a > 0 ? sqrt_of(a) : pow_of(a, b);                         \
  }
POWER(f32, float, powf, sqrtf)
POWER(f64, double, pow, sqrt)
#undef POWER

#ifdef __cplusplus
extern "C++" {
LOCUS_INLINE uint64_t locus_wrap(int64_t a) { return (uint64_t)a; }
LOCUS_INLINE uint32_t locus_wrap(int32_t a) { return (uint32_t)a; }
LOCUS_INLINE float locus_fabs(float a) { return fabsf(a); }
LOCUS_INLINE double locus_fabs(double a) { return fabs(a); }
LOCUS_INLINE float locus_power(float a, float b) { return locus_power_f32(a, b); }
LOCUS_INLINE double locus_power(double a, double b) { return locus_power_f64(a, b); }
LOCUS_INLINE int32_t locus_remainder(int32_t a, int32_t b) { return locus_remainder_i32(a, b); }
LOCUS_INLINE int64_t locus_remainder(int64_t a, int64_t b) { return locus_remainder_i64(a, b); }
LOCUS_INLINE float locus_remainder(float a, float b) { return locus_remainder_f32(a, b); }
LOCUS_INLINE double locus_remainder(double a, double b) { return locus_remainder_f64(a, b); }
}
#define WRAP(x) locus_wrap(x)
#define FABS(x) locus_fabs(x)
#define PAIR(re, im) (V{re, im})
#define LOCUS_REMAINDER(a, b) locus_remainder(a, b)
#define FLOAT_POWER(a, b) locus_power(a, b)
#else
/* Unary plus promotes a shorter integer to int; a type that is not listed does not compile. */
#define WRAP(x) _Generic(+(x), int64_t: (uint64_t)(x), int32_t: (uint32_t)(x))
#define FABS(x) _Generic((x), float: fabsf, double: fabs)(x)
#define PAIR(re, im) ((V){re, im})
#define LOCUS_REMAINDER(a, b)                                                           \
  _Generic(+(a), float: locus_remainder_f32, double: locus_remainder_f64,               \
           int64_t: locus_remainder_i64, int32_t: locus_remainder_i32)(a, b)
#define FLOAT_POWER(a, b)                                                               \
  _Generic((a), float: locus_power_f32, double: locus_power_f64)(a, b)
#endif

#endif
