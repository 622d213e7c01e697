/* SPDX-License-Identifier: MIT */
/* What the instruction sets of x86 have in common, in vectors of 16 bytes. */
#ifndef LOCUS_ISA_X86_H
#define LOCUS_ISA_X86_H

#include <immintrin.h>

#include "cpu/kernel.h"

/* -- every op: transposed operands ------------------------------------------------------------- */

/* A square of 16 by 16 bytes: to[r * to_step + c] = from[c * from_step + r]. Each round interleaves
** the upper half of the rows with the lower one. */
#define TRANSPOSE(width, low, high)                                                             \
  static inline void transpose_##width(bits_##width *to, int64_t to_step,                       \
                                       const bits_##width *from, int64_t from_step)             \
  {                                                                                             \
    enum { SIDE = 16 / width, HALF = SIDE / 2 };                                                \
    __m128i a[SIDE], b[SIDE];                                                                   \
    for (int i = 0; i < SIDE; i++) a[i] = _mm_loadu_si128((const void *)(from + i * from_step));\
    for (int round = 1; round < SIDE; round *= 2) {                                             \
      for (int i = 0; i < HALF; i++) {                                                          \
        b[2 * i] = low(a[i], a[i + HALF]);                                                      \
        b[2 * i + 1] = high(a[i], a[i + HALF]);                                                 \
      }                                                                                         \
      for (int i = 0; i < SIDE; i++) a[i] = b[i];                                               \
    }                                                                                           \
    for (int i = 0; i < SIDE; i++) _mm_storeu_si128((void *)(to + i * to_step), a[i]);          \
  }
TRANSPOSE(1, _mm_unpacklo_epi8, _mm_unpackhi_epi8)
TRANSPOSE(2, _mm_unpacklo_epi16, _mm_unpackhi_epi16)
TRANSPOSE(4, _mm_unpacklo_epi32, _mm_unpackhi_epi32)
TRANSPOSE(8, _mm_unpacklo_epi64, _mm_unpackhi_epi64)
#undef TRANSPOSE

static inline void transpose_16(bits_16 *to, int64_t to_step, const bits_16 *from,
                                int64_t from_step)
{
  (void)to_step, (void)from_step;
  *to = *from;
}

#endif
