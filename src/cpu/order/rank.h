/* SPDX-License-Identifier: MIT */
/* The one order as unsigned integers: rank_<dtype>(element) of two elements compare as these do,
** with -0.0 == 0.0, NaN last and all NaN equal. */
#ifndef LOCUS_RANK_H
#define LOCUS_RANK_H

#include "cpu/block/kernel.h"

#define RANK FN(rank_of)
#define REAL(id, rank, key, method, constructor) typedef rank rank_of_##id;
#include "core/dtype.def"

#define INFINITY_BITS CAT(INFINITY_BITS_OF_, ID)
#define INFINITY_BITS_OF_f16 0x7c00u
#define INFINITY_BITS_OF_bf16 0x7f80u
#define INFINITY_BITS_OF_f32 0x7f800000u
#define INFINITY_BITS_OF_f64 0x7ff0000000000000u

#define TEMPLATE "cpu/order/rank.inc"
#include "cpu/block/each_real.h"

#endif
