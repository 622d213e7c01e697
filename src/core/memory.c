/* SPDX-License-Identifier: MIT */
/* Counting and failing around aligned_alloc and mmap. All state is atomic: several Lua states share
** it. */
#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20, LARGE = 4 << 20 };

static atomic_int_fast64_t live, allocated;
static atomic_int_fast64_t countdown; /* allocations until the failing one; 0: off */
static atomic_int_fast64_t hits;
static atomic_bool fail_on; /* keep failing after the first */

static bool must_fail(void)
{
  if (atomic_load_explicit(&countdown, memory_order_relaxed) == 0) return false;
  int_fast64_t left = atomic_fetch_sub(&countdown, 1);
  if (left > 1) return false;
  atomic_store(&countdown, atomic_load(&fail_on) ? 1 : 0);
  atomic_fetch_add(&hits, 1);
  return true;
}

#ifdef __SANITIZE_ADDRESS__ /* which watches over the C library's blocks alone */
#define FROM_KERNEL(bytes) false
#else
#define FROM_KERNEL(bytes) ((bytes) >= LARGE)
#endif

static size_t rounded(int64_t bytes, size_t unit)
{
  return bytes ? ((size_t)bytes + unit - 1) / unit * unit : unit;
}

/* Large blocks come from the kernel, in huge pages where it has them, and go back to it at once:
** the C library would keep their pieces. */
static void *map_block(int64_t bytes)
{
  size_t size = rounded(bytes, HUGE_PAGE), wide = size + HUGE_PAGE;
  char *start = mmap(NULL, wide, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  char *block = start + (-(uintptr_t)start & (HUGE_PAGE - 1));
  if (block > start) munmap(start, (size_t)(block - start));
  if (block + size < start + wide) munmap(block + size, (size_t)(start + wide - (block + size)));
#ifdef MADV_HUGEPAGE
  madvise(block, size, MADV_HUGEPAGE);
#endif
  return block;
}

void *locus_memory_alloc(int64_t bytes)
{
  if (bytes > PTRDIFF_MAX - 2 * HUGE_PAGE || must_fail()) return NULL;
  void *block = FROM_KERNEL(bytes) ? map_block(bytes)
                                   : aligned_alloc(ALIGNMENT, rounded(bytes, ALIGNMENT));
  if (!block) return NULL;
  atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&allocated, bytes, memory_order_relaxed);
  return block;
}

void locus_memory_free(void *block, int64_t bytes)
{
  if (!block) return;
  atomic_fetch_sub_explicit(&live, bytes, memory_order_relaxed);
  if (FROM_KERNEL(bytes)) munmap(block, rounded(bytes, HUGE_PAGE));
  else free(block);
}

int64_t locus_memory_live(void)
{
  return atomic_load_explicit(&live, memory_order_relaxed);
}

int64_t locus_memory_allocated(void)
{
  return atomic_load_explicit(&allocated, memory_order_relaxed);
}

void locus_memory_fail(int64_t k, bool persistent)
{
  atomic_store(&fail_on, persistent);
  atomic_store(&hits, 0);
  atomic_store(&countdown, k);
}

int64_t locus_memory_hits(void)
{
  return atomic_load(&hits);
}
