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

#endif
