/* SPDX-License-Identifier: MIT */
/* The search of many values in lock step. */
#include "cpu/isa/isa.h"
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/down.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/eytzinger.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/steps.inc"
#include "cpu/search/each_key.h"

search_run *const ISA(search_steps)[LOCUS_DTYPES] = BY_KEY(search_steps);
search_sides *const ISA(search_steps_both)[LOCUS_DTYPES] = BY_KEY(search_steps_both);
