/* SPDX-License-Identifier: MIT */
/* The one order as unsigned integers: rank_<dtype>(a) < rank_<dtype>(b) exactly if a is before b,
** with -0.0 == 0.0, NaN last and all NaN equal. */
#ifndef LOCUS_RANK_H
#define LOCUS_RANK_H

#include "cpu/block/kernel.h"

#define RANK FN(rank_of)
#define REAL(id, rank, key, method, constructor) typedef rank rank_of_##id;
#include "core/dtype.def"

#define TEMPLATE "cpu/order/rank.inc"
#include "cpu/block/each_real.h"

#endif
