/* SPDX-License-Identifier: MIT */
/* The search of a handful of values. */
#include "cpu/isa/isa.h"
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/bisect.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/one.inc"
#include "cpu/search/each_key.h"

search_run *const ISA(search_one)[LOCUS_DTYPES] = BY_KEY(search_one);
