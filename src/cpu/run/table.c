/* SPDX-License-Identifier: MIT */
/* Built once per instruction set, with LOCUS_ISA_ID its name and the compiler's flags to match.
** Everything the runners need is static in here; the table is all that it exports. */
#include LOCUS_ISA_HEADER

#include "cpu/run/binary.c"
#include "cpu/run/bincount.c"
#include "cpu/run/compare.c"
#include "cpu/run/copy.c"
#include "cpu/run/cumsum.c"
#include "cpu/run/index.c"
#include "cpu/run/lookup.c"
#include "cpu/run/mask.c"
#include "cpu/run/nonzero.c"
#include "cpu/run/reduce.c"
#include "cpu/run/select.c"
#include "cpu/run/sort.c"
#include "cpu/run/searchsorted.c"
#include "cpu/run/unary.c"
#include "cpu/run/unsorted.c"
#include "cpu/run/where.c"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const locus_runners CAT(locus_cpu_, LOCUS_ISA_ID) = {
    .name = TEXT(LOCUS_ISA_ID),
#define JOB(runner, type) .runner = runner,
    LOCUS_JOBS(JOB)
#undef JOB
};
