/* SPDX-License-Identifier: MIT */
/* The one door to the heap: 64-byte aligned blocks, counted, and made to fail on demand. */
#ifndef LOCUS_MEMORY_H
#define LOCUS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* NULL when there is no memory. The bytes are not cleared. */
void *locus_memory_alloc(int64_t bytes);
/* `bytes` as given to locus_memory_alloc; NULL is fine. */
void locus_memory_free(void *block, int64_t bytes);

int64_t locus_memory_live(void);      /* bytes now allocated */
int64_t locus_memory_allocated(void); /* bytes ever allocated */

/* For the specs: let the k-th allocation from now fail (1 is the next), once or from then on;
** 0 switches it off. Hits counts the allocations refused since. */
void locus_memory_fail(int64_t k, bool persistent);
int64_t locus_memory_hits(void);

#endif
