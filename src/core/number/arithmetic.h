/* SPDX-License-Identifier: MIT */
/* The building blocks of the expressions in core/unary.def and core/binary.def, in C and in CUDA
** C++. V is the value type of the op that uses them. */
#ifndef LOCUS_ARITHMETIC_H
#define LOCUS_ARITHMETIC_H

#include <math.h>
#include <stdint.h>

#include "core/inline.h"
#include "core/number/rounding.h"

#ifdef __cplusplus
#define ROUND(name, a) name(a) /* overloaded */
#elif defined __x86_64__ && !defined __SSE4_1__
#define ROUND(name, a) _Generic((a), float : locus_##name##_f32, double : locus_##name##_f64)(a)
#else
#define ROUND(name, a) _Generic((a), float : name##f, double : name)(a) /* an instruction */
#endif

#define INTEGER_REMAINDER(a, b) LOCUS_REMAINDER(a, b)
#define INTEGER_FMOD(a, b) LOCUS_FMOD(a, b)
#define FLOAT_REMAINDER(a, b) LOCUS_REMAINDER(a, b)
#define INTEGER_POWER(a, b) locus_power_i64(a, b)
#define INTEGER_FLOOR_DIVIDE(a, b) LOCUS_FLOOR_DIVIDE(a, b)
#define FLOAT_FLOOR_DIVIDE(a, b) LOCUS_FLOOR_DIVIDE(a, b)
#define BITS_OF(a) ((int)(8 * sizeof(a)))

/* Whether dividing by b may trap: by 0, or the least integer by -1. Divisors have been checked for
** 0, but others may write to the memory of b since. */
#define TRAPS(b, unsigned_type) ((unsigned_type)(b) + 1 <= 1)

/* fmod has the sign of a, remainder that of b. */
#define REMAINDERS(id, type, unsigned_type)                      \
  LOCUS_INLINE type locus_fmod_##id(type a, type b)              \
  {                                                              \
    return TRAPS(b, unsigned_type) ? 0 : a % b;                  \
  }                                                              \
  LOCUS_INLINE type locus_remainder_##id(type a, type b)         \
  {                                                              \
    const type rest = locus_fmod_##id(a, b);                     \
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest; \
  }
REMAINDERS(i32, int32_t, uint32_t)
REMAINDERS(i64, int64_t, uint64_t)
#undef REMAINDERS

/* The quotient rounded down; the least integer divided by -1 wraps. */
#define FLOOR_DIVIDE(id, type, unsigned_type)                         \
  LOCUS_INLINE type locus_floor_divide_##id(type a, type b)           \
  {                                                                   \
    if (TRAPS(b, unsigned_type)) return (type)(0 - (unsigned_type)a); \
    return a / b - (a % b != 0 && (a < 0) != (b < 0));                \
  }
FLOOR_DIVIDE(i32, int32_t, uint32_t)
FLOOR_DIVIDE(i64, int64_t, uint64_t)
#undef FLOOR_DIVIDE
#undef TRAPS

/* The result from `rest`, which is fmod(a, b). The remainder, even a zero, has the sign of b. The
** quotient without its rest is whole except for rounding; a zero has the sign of a / b. */
#define FROM_REST(id, type, fmod_of, copysign_of)                              \
  LOCUS_INLINE type locus_remainder_from_##id(type b, type rest)               \
  {                                                                            \
    const type other = (rest < 0) != (b < 0) ? rest + b : rest;                \
    return rest == 0 ? copysign_of(rest, b) : other;                           \
  }                                                                            \
  LOCUS_INLINE type locus_quotient_from_##id(type a, type b, type rest)        \
  {                                                                            \
    const type ratio = (a - rest) / b;                                         \
    const type below = rest != 0 && (rest < 0) != (b < 0) ? ratio - 1 : ratio; \
    const type down = ROUND(floor, below);                                     \
    const type whole = below - down > (type)0.5 ? down + 1 : down;             \
    return below == 0 ? copysign_of((type)0, a / b) : whole;                   \
  }                                                                            \
  LOCUS_INLINE type locus_remainder_##id(type a, type b)                       \
  {                                                                            \
    return locus_remainder_from_##id(b, fmod_of(a, b));                        \
  }                                                                            \
  LOCUS_INLINE type locus_floor_divide_##id(type a, type b)                    \
  {                                                                            \
    return b == 0 ? a / b : locus_quotient_from_##id(a, b, fmod_of(a, b));     \
  }
FROM_REST(f32, float, fmodf, copysignf)
FROM_REST(f64, double, fmod, copysign)
#undef FROM_REST

/* Modulo 2^64, by squaring; b is not negative. */
LOCUS_INLINE uint64_t locus_power_i64(int64_t a, int64_t b)
{
  uint64_t power = 1;
  for (uint64_t square = (uint64_t)a; b > 0; b >>= 1, square *= square)
    if (b & 1) power *= square;
  return power;
}

/* A root is rounded correctly; pow need not be. */
#define POWER(id, type, pow_of, sqrt_of)                        \
  LOCUS_INLINE type locus_power_##id(type a, type b)            \
  {                                                             \
    return b == (type)0.5 && a > 0 ? sqrt_of(a) : pow_of(a, b); \
  }
POWER(f32, float, powf, sqrtf)
POWER(f64, double, pow, sqrt)
#undef POWER

#ifdef __cplusplus
extern "C++" {
LOCUS_INLINE uint64_t locus_wrap(int64_t a)
{
  return (uint64_t)a;
}
LOCUS_INLINE uint32_t locus_wrap(int32_t a)
{
  return (uint32_t)a;
}
LOCUS_INLINE float locus_fabs(float a)
{
  return fabsf(a);
}
LOCUS_INLINE double locus_fabs(double a)
{
  return fabs(a);
}
LOCUS_INLINE float locus_power(float a, float b)
{
  return locus_power_f32(a, b);
}
LOCUS_INLINE double locus_power(double a, double b)
{
  return locus_power_f64(a, b);
}
LOCUS_INLINE int32_t locus_fmod(int32_t a, int32_t b)
{
  return locus_fmod_i32(a, b);
}
LOCUS_INLINE int64_t locus_fmod(int64_t a, int64_t b)
{
  return locus_fmod_i64(a, b);
}
LOCUS_INLINE int32_t locus_remainder(int32_t a, int32_t b)
{
  return locus_remainder_i32(a, b);
}
LOCUS_INLINE int64_t locus_remainder(int64_t a, int64_t b)
{
  return locus_remainder_i64(a, b);
}
LOCUS_INLINE float locus_remainder(float a, float b)
{
  return locus_remainder_f32(a, b);
}
LOCUS_INLINE double locus_remainder(double a, double b)
{
  return locus_remainder_f64(a, b);
}
#define FLOOR_DIVIDE(id, type)                         \
  LOCUS_INLINE type locus_floor_divide(type a, type b) \
  {                                                    \
    return locus_floor_divide_##id(a, b);              \
  }
FLOOR_DIVIDE(i32, int32_t)
FLOOR_DIVIDE(i64, int64_t)
FLOOR_DIVIDE(f32, float)
FLOOR_DIVIDE(f64, double)
#undef FLOOR_DIVIDE
}
#define WRAP(x) locus_wrap(x)
#define FABS(x) locus_fabs(x)
#define PAIR(re, im) (V{re, im})
#define LOCUS_FMOD(a, b) locus_fmod(a, b)
#define LOCUS_REMAINDER(a, b) locus_remainder(a, b)
#define LOCUS_FLOOR_DIVIDE(a, b) locus_floor_divide(a, b)
#define FLOAT_POWER(a, b) locus_power(a, b)
#define MATH(name, a) name(a) /* overloaded */
#define MATH2(name, a, b) name(a, b)
#else
/* Unary plus promotes a shorter integer to int; a type that is not listed does not compile. */
#define WRAP(x) _Generic(+(x), int64_t : (uint64_t)(x), int32_t : (uint32_t)(x))
#define FABS(x) _Generic((x), float : fabsf, double : fabs)(x)
#define PAIR(re, im) ((V){re, im})
#define LOCUS_FMOD(a, b) _Generic(+(a), int64_t : locus_fmod_i64, int32_t : locus_fmod_i32)(a, b)
#define LOCUS_REMAINDER(a, b)             \
  _Generic(+(a), float                    \
           : locus_remainder_f32, double  \
           : locus_remainder_f64, int64_t \
           : locus_remainder_i64, int32_t \
           : locus_remainder_i32)(a, b)
#define LOCUS_FLOOR_DIVIDE(a, b)             \
  _Generic(+(a), float                       \
           : locus_floor_divide_f32, double  \
           : locus_floor_divide_f64, int64_t \
           : locus_floor_divide_i64, int32_t \
           : locus_floor_divide_i32)(a, b)
#define FLOAT_POWER(a, b) _Generic((a), float : locus_power_f32, double : locus_power_f64)(a, b)
#define MATH(name, a) _Generic((a), float : name##f, double : name)(a)
#define MATH2(name, a, b) _Generic((a), float : name##f, double : name)(a, b)
#endif

#endif
