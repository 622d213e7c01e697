/* SPDX-License-Identifier: MIT */
/* Built once per instruction set, with LOCUS_ISA_ID its name and the compiler's flags to match.
** Everything the runners need is static in here; the table is all that it exports. */
#include LOCUS_ISA_HEADER

#include "cpu/binary.c"
#include "cpu/bincount.c"
#include "cpu/compare.c"
#include "cpu/copy.c"
#include "cpu/cumsum.c"
#include "cpu/index.c"
#include "cpu/lookup.c"
#include "cpu/mask.c"
#include "cpu/nonzero.c"
#include "cpu/reduce.c"
#include "cpu/select.c"
#include "cpu/sort.c"
#include "cpu/searchsorted.c"
#include "cpu/unary.c"
#include "cpu/unsorted.c"
#include "cpu/where.c"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const locus_runners CAT(locus_cpu_, LOCUS_ISA_ID) = {
    .name = TEXT(LOCUS_ISA_ID),
#define JOB(runner, type) .runner = runner,
    LOCUS_JOBS(JOB)
#undef JOB
};
