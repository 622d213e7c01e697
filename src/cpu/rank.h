/* SPDX-License-Identifier: MIT */
/* The one order as unsigned integers: rank_<dtype>(element) of two elements compare as these do,
** with -0.0 == 0.0, NaN last and all NaN equal. */
#ifndef LOCUS_RANK_H
#define LOCUS_RANK_H

#include "cpu/kernel.h"

#define RANK CAT(RANK_OF_, ID)
#define RANK_OF_b8 bits_1
#define RANK_OF_u8 bits_1
#define RANK_OF_i8 bits_1
#define RANK_OF_i16 bits_2
#define RANK_OF_i32 bits_4
#define RANK_OF_i64 bits_8
#define RANK_OF_f16 bits_2
#define RANK_OF_bf16 bits_2
#define RANK_OF_f32 bits_4
#define RANK_OF_f64 bits_8

#define INFINITY_BITS CAT(INFINITY_BITS_OF_, ID)
#define INFINITY_BITS_OF_f16 0x7c00u
#define INFINITY_BITS_OF_bf16 0x7f80u
#define INFINITY_BITS_OF_f32 0x7f800000u
#define INFINITY_BITS_OF_f64 0x7ff0000000000000u

#define TEMPLATE "cpu/rank.inc"
#include "cpu/each_real.h"

/* A table of name_<dtype>, by dtype; complex ones have none. */
#define BY_REAL(name)                                                                           \
  {                                                                                             \
    [LOCUS_b8] = name##_b8, [LOCUS_u8] = name##_u8, [LOCUS_i8] = name##_i8,                     \
    [LOCUS_i16] = name##_i16, [LOCUS_i32] = name##_i32, [LOCUS_i64] = name##_i64,               \
    [LOCUS_f16] = name##_f16, [LOCUS_bf16] = name##_bf16, [LOCUS_f32] = name##_f32,             \
    [LOCUS_f64] = name##_f64                                                                    \
  }

#endif
