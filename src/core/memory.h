/* SPDX-License-Identifier: MIT */
/* The one door to memory: 64-byte aligned blocks, counted, kept for reuse when freed, and made to
** fail on demand. Any thread may call anything here. */
#ifndef LOCUS_MEMORY_H
#define LOCUS_MEMORY_H

#include "core/error.h"

/* NULL when there is no memory. The bytes are not cleared. */
void *locus_memory_alloc(int64_t bytes);
/* `bytes` as given to locus_memory_alloc; NULL is fine. */
void locus_memory_free(void *block, int64_t bytes);

/* Bytes as they were asked for, but `cached`. */
typedef struct locus_memory_counts {
  int64_t live;         /* now allocated */
  int64_t peak;         /* the most that were ever live */
  int64_t allocated;    /* ever allocated */
  int64_t cached;       /* of the blocks kept for reuse */
  int64_t hits, misses; /* allocations from kept blocks, from the system */
  int64_t cache_limit;  /* the most that `cached` may be */
} locus_memory_counts;
locus_memory_counts locus_memory_count(void);

int64_t locus_memory_live(void);
int64_t locus_memory_allocated(void);

/* Once per process, before the first allocation: the most bytes to keep, as in `text`; by default
** the smaller of 1 GB and an eighth of the memory there is. An error when the text is no size. */
int locus_memory_begin(const char *text, locus_context *cx);
void locus_memory_set_cache_limit(int64_t bytes);
/* Gives all kept blocks back to the system; answers how many bytes. */
int64_t locus_memory_trim(void);

/* For the specs: let the k-th allocation from now fail (1 is the next), once or from then on;
** 0 switches it off. Answers how many allocations were refused since the last call. */
int64_t locus_memory_fail(int64_t k, bool persistent);

#endif
