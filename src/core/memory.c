/* SPDX-License-Identifier: MIT */
/* Counting and failing around aligned_alloc. All state is atomic: several Lua states share it. */
#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

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

void *locus_memory_alloc(int64_t bytes)
{
  if (bytes > PTRDIFF_MAX - ALIGNMENT || must_fail()) return NULL;
  size_t rounded = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *block = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  if (!block) return NULL;
  atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&allocated, bytes, memory_order_relaxed);
  return block;
}

void locus_memory_free(void *block, int64_t bytes)
{
  if (!block) return;
  atomic_fetch_sub_explicit(&live, bytes, memory_order_relaxed);
  free(block);
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
