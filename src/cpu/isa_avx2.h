/* SPDX-License-Identifier: MIT */
/* What kernels need of an instruction set beyond what a compiler finds in plain C. Each isa_*.h
** has the same names with the same meanings. AVX2, BMI2 and POPCNT. */
#ifndef LOCUS_ISA_AVX2_H
#define LOCUS_ISA_AVX2_H

#include "cpu/kernel.h"

/* -- searchsorted: ranks among few keys -------------------------------------------------------- */

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

/* -- where: selection past the caches ---------------------------------------------------------- */

#endif
