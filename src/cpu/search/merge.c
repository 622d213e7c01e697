/* SPDX-License-Identifier: MIT */
/* The search of ascending values. */
#include "cpu/isa/isa.h"
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/bisect.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/down.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/merge.inc"
#include "cpu/search/each_key.h"

search_run *const ISA(search_merge)[LOCUS_DTYPES] = BY_KEY(search_merge);
values_are *const ISA(ascending)[LOCUS_DTYPES] = BY_KEY(ascending);
