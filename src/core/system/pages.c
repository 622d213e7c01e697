/* SPDX-License-Identifier: MIT */
/* Mappings of huge pages, and regions of address space that are cut into pieces from their start. A
** region costs nothing until it is touched, and then two megabytes at a time. The end of a region,
** where the next piece does not fit, costs less than that; so regions are few: each is as large as
** all before it, within limits. */
#ifdef __linux__
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#endif
#include "core/system/pages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

enum {
  LEAST_REGION = 32 << 20,
  MOST_REGION = 256 << 20,
  HUGE_PAGE = 2 << 20,
  PAGE = 4096,
  SIZES = 128, /* those of core/memory.c are fewer */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *next, *end; /* the rest of the last region */
static int64_t regions;  /* bytes of all */

/* Pieces that were given back, by their size. They are linked through their first bytes, and keep
** the page of those. */
static struct {
  int64_t bytes;
  void **first;
} given_back[SIZES];

void locus_pages_lock(void)
{
  pthread_mutex_lock(&mutex);
}

void locus_pages_unlock(void)
{
  pthread_mutex_unlock(&mutex);
}

static void ask_for_huge_pages(void *start, int64_t bytes)
{
#ifdef MADV_HUGEPAGE
  madvise(start, (size_t)bytes, MADV_HUGEPAGE);
#else
  (void)start, (void)bytes;
#endif
}

/* The list of that size; NULL when there are too many sizes. */
static void ***list_of(int64_t bytes)
{
  for (int i = 0; i < SIZES; i++) {
    if (given_back[i].bytes == 0) given_back[i].bytes = bytes;
    if (given_back[i].bytes == bytes) return &given_back[i].first;
  }
  return NULL;
}

/* The bytes in front of the first huge page and behind the last byte are given back. */
void *locus_pages_map(int64_t bytes)
{
  const size_t wide = (size_t)bytes + HUGE_PAGE;
  char *start = mmap(NULL, wide, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  char *block = start + (-(uintptr_t)start & (HUGE_PAGE - 1));
  if (block > start) munmap(start, (size_t)(block - start));
  if (block + bytes < start + wide) munmap(block + bytes, (size_t)(start + wide - (block + bytes)));
  ask_for_huge_pages(block, bytes);
  return block;
}

/* If the system lacks the memory, a small one. */
static bool begin_region(void)
{
  const int64_t before = regions < MOST_REGION ? regions : MOST_REGION;
  int64_t bytes = before > LEAST_REGION ? before : LEAST_REGION;
  char *start = locus_pages_map(bytes);

  if (!start && bytes > LEAST_REGION) start = locus_pages_map(bytes = LEAST_REGION);
  if (!start) return false;
  next = start;
  end = start + bytes;
  regions += bytes;
  return true;
}

void *locus_pages_take(int64_t bytes)
{
  locus_pages_lock();
  void ***list = list_of(bytes), **piece = list ? *list : NULL;
  if (piece) {
    *list = *piece;
    ask_for_huge_pages(piece, bytes);
  } else if (bytes <= end - next || begin_region()) {
    piece = (void **)next;
    next += bytes;
  }
  locus_pages_unlock();
  return piece;
}

/* Without the second advice the kernel would later turn the rest into huge pages. */
void locus_pages_give_back(void *piece, int64_t bytes)
{
  madvise((char *)piece + PAGE, (size_t)(bytes - PAGE), MADV_DONTNEED);
#ifdef MADV_NOHUGEPAGE
  madvise(piece, (size_t)bytes, MADV_NOHUGEPAGE);
#endif
  locus_pages_lock();
  void ***list = list_of(bytes);
  if (list) {
    *(void **)piece = *list;
    *list = piece;
  }
  locus_pages_unlock();
}
