/* SPDX-License-Identifier: MIT */
/* Quotients and remainders of integers, many at a time, in float64. A quotient of numbers below
** 2^53 that is not whole is further from the next whole number than rounding moves it. So rounding
** it down gives the quotient of integers, and the steps after it are exact. A constant divisor is
** turned into a factor; the quotient, which is off by at most one, is corrected by its remainder.
** int64 of at least 2^51 are divided one by one. Divisors are not 0. */
#ifndef LOCUS_QUOTIENT_H
#define LOCUS_QUOTIENT_H

#include "core/number/arithmetic.h"
#include "cpu/block/kernel.h"

enum { QUOTIENTS = 64 }; /* at a time */

/* A sum with this offset holds a whole number below 2^51 in its lowest bits; sets before AVX-512
** have no instruction that converts vectors of int64. */
#define WHOLE_OFFSET 0x1.8p52
#define WHOLE_OFFSET_BITS UINT64_C(0x4338000000000000)

/* A number without its sign's bits. */
static inline uint64_t extent(int64_t a)
{
  return (uint64_t)(a ^ (a >> 63));
}

static inline double exactly(int64_t a)
{
  const uint64_t bits = (uint64_t)a + WHOLE_OFFSET_BITS;
  double sum;

  memcpy(&sum, &bits, sizeof sum);
  return sum - WHOLE_OFFSET;
}

static inline int64_t as_whole(double a)
{
  const double sum = a + WHOLE_OFFSET;
  uint64_t bits;

  memcpy(&bits, &sum, sizeof bits);
  return (int64_t)(bits - WHOLE_OFFSET_BITS);
}

/* x / y rounded down, from a product that may lie on the other side of a whole number. */
static inline double set_right(double product, double x, double y)
{
  const double q = ROUND(floor, product), rest = (x - q * y) * copysign(1, y);

  return q - (rest < 0) + (rest >= fabs(y));
}

#define QUOTIENTS_OF(op, id, T, result, alone)                                             \
  static void op##_run_##id(void *out, const void *left, const void *right, int64_t n)     \
  {                                                                                        \
    const T *a = left, *b = right;                                                         \
    T *z = out;                                                                            \
    for (int64_t at = 0, count; at < n; at += count, a += count, b += count, z += count) { \
      uint64_t extents = 0, differences = 0;                                               \
      count = least(QUOTIENTS, n - at);                                                    \
      for (int64_t i = 0; i < count; i++) {                                                \
        extents |= extent(a[i]) | extent(b[i]);                                            \
        differences |= (uint64_t)b[i] ^ (uint64_t)b[0];                                    \
      }                                                                                    \
      if (extents >> 51) {                                                                 \
        for (int64_t i = 0; i < count; i++) z[i] = (T)(alone);                             \
      } else if (differences) {                                                            \
        for (int64_t i = 0; i < count; i++) {                                              \
          const double x = exactly(a[i]), y = exactly(b[i]), q = ROUND(floor, x / y);      \
          z[i] = (T)as_whole(result);                                                      \
        }                                                                                  \
      } else {                                                                             \
        const double y = exactly(b[0]), factor = 1 / y;                                    \
        for (int64_t i = 0; i < count; i++) {                                              \
          const double x = exactly(a[i]), q = set_right(x * factor, x, y);                 \
          z[i] = (T)as_whole(result);                                                      \
        }                                                                                  \
      }                                                                                    \
    }                                                                                      \
  }
#define ALL_QUOTIENTS_OF(id, T)                                                                  \
  QUOTIENTS_OF(fmod, id, T, x - (q + ((q < 0) & (x != q * y))) * y, locus_fmod_##id(a[i], b[i])) \
  QUOTIENTS_OF(remainder, id, T, x - q * y, locus_remainder_i64(a[i], b[i]))                     \
  QUOTIENTS_OF(floor_divide, id, T, q, locus_floor_divide_i64(a[i], b[i]))
ALL_QUOTIENTS_OF(i32, int32_t)
ALL_QUOTIENTS_OF(i64, int64_t)
#undef ALL_QUOTIENTS_OF
#undef QUOTIENTS_OF

#endif
