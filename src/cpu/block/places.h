/* SPDX-License-Identifier: MIT */
/* Blocks of positions that have been checked. Others may write to their memory since, so each is
** read once more, checked again, and copied to a block of the runner's own. */
#ifndef LOCUS_PLACES_H
#define LOCUS_PLACES_H

#include "core/once.h"
#include "cpu/block/block.h"

/* The first bit is set if a place is none of 0 .. size - 1, nor -1 if that is `allowed`. */
static ALWAYS_INLINE uint64_t leads_outside(uint64_t place, int64_t size, bool allowed)
{
  return (place + allowed) | ((uint64_t)size - 1 - place);
}

/* The 0-based place of a position; negative ones count from the end. */
static ALWAYS_INLINE uint64_t place_of(int64_t position, int64_t base, int64_t size)
{
  return (uint64_t)position + (position < 0 ? (uint64_t)size : 0 - (uint64_t)base);
}

/* Up to BLOCK positions as 0-based places; false where one is not below `size`. */
static inline bool read_places(int64_t *restrict place, const int64_t *restrict at, int64_t n,
                               int64_t base, int64_t size)
{
  uint64_t outside = 0;

  for (int64_t i = 0; i < n; i++) {
    const uint64_t own = (uint64_t)at[i] - (uint64_t)base;
    place[i] = (int64_t)own;
    outside |= leads_outside(own, size, false);
  }
  LOCUS_SETTLED(place);
  return outside >> 63 == 0;
}

/* The same of int32 or int64 numbers, for up to 2^32 - 1 places. */
static inline bool read_numbers(uint32_t *restrict place, const void *at, bool narrow, int64_t n,
                                int64_t base, int64_t size)
{
  const int32_t *restrict x = at, first = (int32_t)base;
  const int64_t *restrict y = at;
  const uint32_t size_32 = (uint32_t)size;
  uint64_t outside = 0;
  uint32_t outside_32 = 0;

  for (int64_t i = 0; narrow && i < n; i++) {
    const int32_t number = x[i];
    const uint32_t own = (uint32_t)number - (uint32_t)first;
    place[i] = own;
    outside_32 |= (number < first) | (own >= size_32);
  }
  for (int64_t i = 0; !narrow && i < n; i++) {
    const uint64_t own = (uint64_t)y[i] - (uint64_t)base;
    place[i] = (uint32_t)own;
    outside |= leads_outside(own, size, false);
  }
  LOCUS_SETTLED(place);
  return (outside >> 63 | outside_32) == 0;
}

#endif
