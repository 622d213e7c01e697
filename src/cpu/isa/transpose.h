/* SPDX-License-Identifier: MIT */
/* TRANSPOSE(width, vector, load, store, low, high): a square of 16 by 16 bytes in vectors of 16,
** to[r * to_step + c] = from[c * from_step + r]. Each round interleaves the upper half of the rows
** with the lower one; `low` and `high` give the first and the second half of two vectors so
** interleaved. */
#ifndef LOCUS_TRANSPOSE_H
#define LOCUS_TRANSPOSE_H

#include "cpu/block/kernel.h"

#define TRANSPOSE(width, vector, load, store, low, high)                              \
  static inline void transpose_##width(bits_##width *to, int64_t to_step,             \
                                       const bits_##width *from, int64_t from_step)   \
  {                                                                                   \
    enum { SIDE = 16 / width, HALF = SIDE / 2 };                                      \
    vector a[SIDE], b[SIDE];                                                          \
    for (int i = 0; i < SIDE; i++) a[i] = load((const void *)(from + i * from_step)); \
    for (int round = 1; round < SIDE; round *= 2) {                                   \
      for (int i = 0; i < HALF; i++) {                                                \
        b[2 * i] = low(a[i], a[i + HALF]);                                            \
        b[2 * i + 1] = high(a[i], a[i + HALF]);                                       \
      }                                                                               \
      for (int i = 0; i < SIDE; i++) a[i] = b[i];                                     \
    }                                                                                 \
    for (int i = 0; i < SIDE; i++) store((void *)(to + i * to_step), a[i]);           \
  }

static inline void transpose_16(bits_16 *to, int64_t to_step, const bits_16 *from,
                                int64_t from_step)
{
  (void)to_step, (void)from_step;
  *to = *from;
}

#endif
