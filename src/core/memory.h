/* SPDX-License-Identifier: MIT */
/* The one door to memory: 64-byte aligned blocks, counted, kept for reuse when freed, and made to
** fail on demand. Any thread may call anything here.
**
** A caching allocator with size classes (segregated free lists). Freed blocks are kept for the next
** allocation of their class, because a page fault costs more than a computation on the page. One
** spin lock, held for a few instructions, guards everything.
**
** Up to 16 KiB there are four classes to each power of two, as in jemalloc. So a block has at most
** a quarter more than was asked for, or less than one unit of 64 bytes:
**
**   class      0   1   2   3   4   5   6   7 |  8   9  10  11 | 12  13  14  15 | ...
**   units      1   2   3   4   5   6   7   8 | 10  12  14  16 | 20  24  28  32 | ...
**              |
**              +-> block -> block -> NULL       last in, first out: the warmest block first
**
** Above that a class has one page of 4 KiB more than the one before, or, from 128 KiB, a sixteenth
** of a power of two. Columns lie side by side in huge pages, so the surplus of a block takes
** memory.
**
** Where blocks come from, by size:
**
**   below 16 KiB       the C library
**   below 4 MiB        an arena (core/system/pages.c): regions of huge pages, of 32 MiB and then as
**                      large as all before, cut from the start
**   4 MiB and more     a mapping of their own, which can grow by mremap without a copy, of whole
**                      huge pages where these are at most a sixteenth more
**
** Invariants: a block's class follows from the bytes asked for, so a block has no header, and the
** code that frees it says its bytes. A block is in one free list or live, never both. in_use +
** cached stays within room() of the most bytes that were ever in use: the cache hardly raises the
** peak. The class that has been idle for longest gives its blocks back first.
**
** The system is called without the lock. When it has no memory, all kept blocks are given back and
** it is asked once more. Under AddressSanitizer nothing is kept, so that it sees each use after
** free.
**
** Sources: P. Wilson, M. Johnstone, M. Neely, D. Boles, "Dynamic Storage Allocation: A Survey and
** Critical Review", 1995 (segregated fits); http://jemalloc.net/jemalloc.3.html, "Size classes". */
#ifndef LOCUS_MEMORY_H
#define LOCUS_MEMORY_H

#include "core/error.h"

/* The error of a caller that asked for that many bytes and got none. */
int locus_fail_memory(locus_context *cx, int64_t bytes);

/* NULL when there is no memory. The bytes are not cleared. */
void *locus_memory_alloc(int64_t bytes);
/* `bytes` as given to locus_memory_alloc; NULL is fine. */
void locus_memory_free(void *block, int64_t bytes);
/* Resizes a block, which is not NULL. It may move; its first bytes are kept. NULL if there is no
** memory: then the block is unchanged. Large blocks move without a copy if the system can do
** that. */
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
** the first call in a process sets it. An error if the text is not a size. */
int locus_memory_begin(const char *text, locus_context *cx);
/* The smaller of 1 GB and an eighth of locus_group_memory(root). */
int64_t locus_memory_usual_limit(const char *root);
void locus_memory_set_cache_limit(int64_t bytes);
/* Allocations that would raise the live bytes above this fail. */
void locus_memory_set_limit(int64_t bytes);
/* Gives all kept blocks back to the system; returns their bytes. */
int64_t locus_memory_trim(void);

/* For the specs: the k-th allocation that follows fails (1 is the next), alone or with all after
** it; 0 switches it off. Returns the number of allocations refused since the last call. */
int64_t locus_memory_fail(int64_t k, bool persistent);
/* Whether an allocation must fail because of that; for code that allocates elsewhere. */
bool locus_memory_must_fail(void);

#endif
