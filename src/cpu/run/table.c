/* SPDX-License-Identifier: MIT */
/* The runners of one instruction set. A runner that is missing is an error of the linker. */
#include "cpu/block/kernel.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const locus_runners CAT(locus_cpu_, LOCUS_ISA_ID) = {.name = TEXT(LOCUS_ISA_ID),
#define JOB(runner, type) .runner = ISA(runner),
                                                     LOCUS_JOBS(JOB) LOCUS_CPU_JOBS(JOB)
#undef JOB
};
