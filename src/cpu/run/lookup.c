/* SPDX-License-Identifier: MIT */
/* Runner of lookup. */
#include "cpu/order/rank.h"

#define TEMPLATE "cpu/search/lookup.inc"
#include "cpu/block/each_real.h"

static int64_t (*const lookups[LOCUS_DTYPES])(const locus_lookup_job *job) = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = lookup_##id,
#include "core/dtype.def"
};

int ISA(lookup)(const locus_lookup_job *job, locus_context *cx)
{
  (void)cx;
  *job->count = lookups[job->dtype](job);
  return 0;
}
