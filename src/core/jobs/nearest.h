/* SPDX-License-Identifier: MIT */
/* The nearer of two rows of a sequence to a value, if it is near enough; the one behind it if both
** are equally near. The row behind is before - 1, and 0 means none; the one ahead is `after`, if
** that is a row. Distances of int64 are exact, those of doubles are rounded once. */
#ifndef LOCUS_NEAREST_H
#define LOCUS_NEAREST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/inline.h"

LOCUS_INLINE int64_t locus_nearest_i64(const int64_t *sequence, int64_t n, int64_t value,
                                       int64_t before, int64_t after, uint64_t most)
{
  const bool ahead = after >= 0 && after < n;
  const uint64_t back = before > 0 ? (uint64_t)value - (uint64_t)sequence[before - 1] : 0;
  const uint64_t forth = ahead ? (uint64_t)sequence[after] - (uint64_t)value : 0;

  if (before > 0 && back <= most && !(ahead && forth < back)) return before - 1;
  return ahead && forth <= most ? after : -1;
}

/* Equal infinities are 0 apart. */
LOCUS_INLINE double locus_apart(double low, double high)
{
  return low == high ? 0 : high - low;
}

LOCUS_INLINE int64_t locus_nearest_f64(const double *sequence, int64_t n, double value,
                                       int64_t before, int64_t after, double most)
{
  const bool ahead = after >= 0 && after < n;
  const double back = before > 0 ? locus_apart(sequence[before - 1], value) : 0;
  const double forth = ahead ? locus_apart(value, sequence[after]) : 0;

  if (before > 0 && back <= most && !(ahead && forth < back)) return before - 1;
  return ahead && forth <= most ? after : -1;
}

#endif
