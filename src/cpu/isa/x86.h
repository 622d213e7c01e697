/* SPDX-License-Identifier: MIT */
/* The common part of the instruction sets of x86, in vectors of 16 bytes. */
#ifndef LOCUS_ISA_X86_H
#define LOCUS_ISA_X86_H

#include <immintrin.h>

#include "cpu/isa/transpose.h"

/* -- moves: squares of 16 by 16 bytes ---------------------------------------------------------- */

#define TRANSPOSE_BITS(width, bits)                                                    \
  TRANSPOSE(width, __m128i, _mm_loadu_si128, _mm_storeu_si128, _mm_unpacklo_epi##bits, \
            _mm_unpackhi_epi##bits)
TRANSPOSE_BITS(1, 8)
TRANSPOSE_BITS(2, 16)
TRANSPOSE_BITS(4, 32)
TRANSPOSE_BITS(8, 64)
#undef TRANSPOSE_BITS

#endif
