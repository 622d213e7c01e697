/* SPDX-License-Identifier: MIT */
/* The search among elements in place. */
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/places.inc"
#include "cpu/block/each_real.h"

search_run *const ISA(search_places)[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = search_places_##id,
#include "core/dtype.def"
};
