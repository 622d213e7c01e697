/* SPDX-License-Identifier: MIT */
/* Remainders of floats, and the functions that use them, many at a time. If the quotient is small,
** its product with the divisor (in two parts for float64) is exact, and so is the rest of the
** dividend, which is the answer of fmod. The rest also reveals other quotients, values that are not
** finite, and quotients that were rounded up; those are left to fmod. */
#ifndef LOCUS_REMAINDER_H
#define LOCUS_REMAINDER_H

#include "core/number/arithmetic.h"
#include "cpu/block/kernel.h"

enum {
  MOST_QUOTIENT = 1 << 22,
  UPPER_BITS = 31, /* of a float64: a product with a quotient has 53 at most */
  REMAINDERS = 64, /* at a time */
};

/* The quotient without its fraction; 0 if it is too large or no number. */
static inline double whole_quotient(double ratio)
{
  return (double)(int32_t)(ratio < MOST_QUOTIENT ? ratio : 0);
}

static inline double upper_part(double x)
{
  uint64_t bits;

  memcpy(&bits, &x, sizeof bits);
  bits &= UINT64_MAX << (53 - UPPER_BITS);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The rest of |a| by |b|. If this method cannot find it, the result is no valid rest: below 0, not
** below |b|, or NaN. */
static inline double rest_f64(double a, double b)
{
  const double x = fabs(a), y = fabs(b), ratio = x / y, q = whole_quotient(ratio);
  const double upper = upper_part(y), rest = (x - q * upper) - q * (y - upper);

  return ratio < MOST_QUOTIENT ? rest : -1;
}

static inline double rest_f32(double a, double b)
{
  const double x = fabs(a), y = fabs(b), ratio = x / y, rest = x - whole_quotient(ratio) * y;

  return ratio < MOST_QUOTIENT ? rest : -1;
}

/* One op that continues from a rest. The rests are kept in a buffer, since the results may
** overwrite the dividends. */
#define FROM_RESTS(op, id, T, copysign_of, from_rest, alone)                               \
  static void op##_run_##id(void *out, const void *left, const void *right, int64_t n)     \
  {                                                                                        \
    const T *a = left, *b = right;                                                         \
    T *z = out, made[REMAINDERS];                                                          \
    for (int64_t at = 0, count; at < n; at += count, a += count, b += count, z += count) { \
      double rests[REMAINDERS];                                                            \
      int64_t unsure = 0;                                                                  \
      count = least(REMAINDERS, n - at);                                                   \
      for (int64_t i = 0; i < count; i++) rests[i] = rest_##id(a[i], b[i]);                \
      for (int64_t i = 0; i < count; i++)                                                  \
        unsure |= !(rests[i] >= 0) | !(rests[i] < fabs((double)b[i]));                     \
      for (int64_t i = 0; i < count; i++) {                                                \
        const T rest = copysign_of((T)rests[i], a[i]);                                     \
        made[i] = from_rest;                                                               \
      }                                                                                    \
      for (int64_t i = 0; unsure && i < count; i++) made[i] = alone(a[i], b[i]);           \
      memcpy(z, made, (size_t)count * sizeof *z);                                          \
    }                                                                                      \
  }
#define ALL_FROM_RESTS(id, T, copysign_of, fmod_of)                                        \
  FROM_RESTS(fmod, id, T, copysign_of, rest, fmod_of)                                      \
  FROM_RESTS(remainder, id, T, copysign_of, locus_remainder_from_##id(b[i], rest),         \
             locus_remainder_##id)                                                         \
  FROM_RESTS(floor_divide, id, T, copysign_of, locus_quotient_from_##id(a[i], b[i], rest), \
             locus_floor_divide_##id)
ALL_FROM_RESTS(f32, float, copysignf, fmodf)
ALL_FROM_RESTS(f64, double, copysign, fmod)
#undef ALL_FROM_RESTS
#undef FROM_RESTS

#endif
