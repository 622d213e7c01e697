/* SPDX-License-Identifier: MIT */
/* What the expressions of core/unary.def and core/binary.def are made of, in C. */
#ifndef LOCUS_ARITHMETIC_H
#define LOCUS_ARITHMETIC_H

#include "cpu/kernel.h"

#define WRAP(x) _Generic((x), int64_t: (uint64_t)(x), default: (uint32_t)(x))
#define FABS(x) _Generic((x), float: fabsf, default: fabs)(x)
#define PAIR(re, im) ((V){re, im})
#define INTEGER_REMAINDER(a, b) FN(remainder_of)(a, b)
#define FLOAT_REMAINDER(a, b) FN(remainder_of)(a, b)
#define INTEGER_POWER(a, b) FN(power_of)(a, b)
#define FLOAT_POWER(a, b) _Generic((a), float: powf, default: pow)(a, b)

#endif
