/* SPDX-License-Identifier: MIT */
/* The one door to memory: 64-byte aligned blocks, counted, kept for reuse when freed, and made to
** fail on demand. Any thread may call anything here. */
#ifndef LOCUS_MEMORY_H
#define LOCUS_MEMORY_H

#include "core/error.h"

/* The error of whoever has asked for so many bytes and got none. */
int locus_fail_memory(locus_context *cx, int64_t bytes);

/* NULL when there is no memory. The bytes are not cleared. */
void *locus_memory_alloc(int64_t bytes);
/* `bytes` as given to locus_memory_alloc; NULL is fine. */
void locus_memory_free(void *block, int64_t bytes);
/* The same block, which is not NULL, with another number of bytes, at another place perhaps, the
** first ones kept. NULL when there is no memory: then it stays as it is. Large ones move without
** being copied, where the system can do that. */
void *locus_memory_resize(void *block, int64_t bytes, int64_t wanted);

/* Bytes as they were asked for; `cached` and `reserved` count whole blocks. */
typedef struct locus_memory_counts {
  int64_t live;             /* now allocated */
  int64_t peak;             /* the most that were ever live */
  int64_t allocated;        /* ever allocated */
  int64_t cached, reserved; /* freed blocks kept for reuse; those and the live ones */
  int64_t hits, misses;     /* allocations from kept blocks, from the system */
  int64_t limit;            /* the most that may be live */
  int64_t cache_limit;      /* the most that may be cached */
} locus_memory_counts;
locus_memory_counts locus_memory_count(void);

int64_t locus_memory_live(void);
int64_t locus_memory_allocated(void);

/* Before the first allocation: the most bytes to cache, as in `text`, else the usual limit. Only
** the first call in a process sets it. An error when the text is no size. */
int locus_memory_begin(const char *text, locus_context *cx);
/* The smaller of 1 GB and an eighth of locus_group_memory(root). */
int64_t locus_memory_usual_limit(const char *root);
void locus_memory_set_cache_limit(int64_t bytes);
/* Allocations that would raise the live bytes above this fail. */
void locus_memory_set_limit(int64_t bytes);
/* Gives all kept blocks back to the system; answers how many bytes. */
int64_t locus_memory_trim(void);

/* For the specs: makes the k-th allocation from now fail (1 is the next), once or from then on;
** 0 switches it off. Answers how many allocations were refused since the last call. */
int64_t locus_memory_fail(int64_t k, bool persistent);
/* Whether an allocation must fail for that: asked by those that do not allocate here. */
bool locus_memory_must_fail(void);

#endif
