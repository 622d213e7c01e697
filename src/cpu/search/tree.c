/* SPDX-License-Identifier: MIT */
/* The search of many values down a tree. */
#include "cpu/isa/isa.h"
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/bisect.inc"
#include "cpu/search/each_key.h"
#define TEMPLATE "cpu/search/tree.inc"
#include "cpu/search/each_key.h"

search_run *const ISA(search_tree)[LOCUS_DTYPES] = BY_KEY(search_tree);
search_sides *const ISA(search_tree_both)[LOCUS_DTYPES] = BY_KEY(search_tree_both);
