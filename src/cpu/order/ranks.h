/* SPDX-License-Identifier: MIT */
/* Elements to ranks and back, a run at a time, by dtype. */
#ifndef LOCUS_RANKS_H
#define LOCUS_RANKS_H

#include "cpu/order/rank.h"

#define TEMPLATE "cpu/order/ranks.inc"
#include "cpu/block/each_real.h"

/* Ranks are complemented for a descending order. Every zero comes back as +0, and every NaN as the
** same NaN. */
typedef void rank_run(uint64_t *ranks, const void *in, int64_t n, bool descending);
static rank_run *const rank_runs[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = rank_run_##id,
#include "core/dtype.def"
};

typedef void unrank_run(void *out, const uint64_t *ranks, int64_t n, bool descending);
static unrank_run *const unrank_runs[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = unrank_run_##id,
#include "core/dtype.def"
};

#endif
