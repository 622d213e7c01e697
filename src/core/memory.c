/* SPDX-License-Identifier: MIT */
/* The caching allocator: size classes, free lists, one lock. memory.h has the method, its picture,
** its invariants and its sources. */
#ifdef __linux__
#define _GNU_SOURCE /* mremap */
#endif
#include "core/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/size_class.h"
#include "core/system/group.h"
#include "core/system/pages.h"

enum { MIDDLE = SIZE_CLASS_PAGED, LARGE = 4 << 20, HUGE_PAGE = 2 << 20 };
enum { MOST_USUAL = 1 << 30, SLACK = 32 << 20, OUTGROWN = 1 << 15 };

#ifdef __SANITIZE_ADDRESS__ /* sees only the C library's blocks: none is mapped or kept */
enum { WATCHED = 1 };
#else
enum { WATCHED = 0 };
#endif

/* The kept blocks, linked through their first bytes. */
static struct {
  void **first;
  int64_t used; /* the time of the last allocation or release */
} classes[SIZE_CLASSES];

static int64_t now;              /* allocations and releases so far */
static int64_t in_use, most_use; /* bytes of live blocks; the most there were */
static locus_memory_counts counts = {.limit = INT64_MAX, .cache_limit = -1};
static _Atomic int64_t live, allocated; /* to be read without the lock */

static struct {
  int64_t countdown; /* allocations until the failing one; 0: off */
  int64_t hits;
  bool persistent;
} failing;

static atomic_bool locked;

/* Spins, at half the price of a mutex. A long wait sleeps: the holder may not be running. */
static void lock(void)
{
  const struct timespec moment = {0, 1000};

  for (int tries = 1; atomic_exchange_explicit(&locked, true, memory_order_acquire); tries++)
    if (tries % 64 == 0) nanosleep(&moment, NULL);
}

static void unlock(void)
{
  atomic_store_explicit(&locked, false, memory_order_release);
}

/* -- The system -------------------------------------------------------------------------------- */

/* The bytes of a large block's mapping: whole huge pages where these are hardly more. The rest of a
** block lies in small pages, which are slower. */
static size_t mapped_bytes(int class)
{
  const int64_t bytes = size_class_bytes(class);
  const int64_t whole = (bytes + HUGE_PAGE - 1) & -(int64_t)HUGE_PAGE;
  return (size_t)(whole - bytes <= bytes / 16 ? whole : bytes);
}

/* Large blocks come from the kernel, since the C library would keep their pieces, and those in the
** middle share huge pages. */
static void *obtain(int class, int64_t bytes)
{
  size_t size = (size_t)(!WATCHED ? size_class_bytes(class) : bytes ? bytes : 1);
  void *block;

  if (!WATCHED && size >= LARGE) return locus_pages_map((int64_t)mapped_bytes(class));
  if (!WATCHED && size >= MIDDLE) return locus_pages_take((int64_t)size);
  return posix_memalign(&block, SIZE_CLASS_UNIT, size) == 0 ? block : NULL;
}

static void give_back(int class, void *block)
{
  size_t size = (size_t)size_class_bytes(class);
  if (!WATCHED && size >= LARGE) munmap(block, mapped_bytes(class));
  else if (!WATCHED && size >= MIDDLE) locus_pages_give_back(block, (int64_t)size);
  else free(block);
}

/* -- The state. Under the lock. ---------------------------------------------------------------- */

static bool must_fail(void)
{
  if (failing.countdown == 0 || --failing.countdown > 0) return false;
  failing.countdown = failing.persistent;
  failing.hits++;
  return true;
}

static void count_in(int class, int64_t bytes)
{
  in_use += size_class_bytes(class);
  if (in_use > most_use) most_use = in_use;
  counts.live += bytes;
  if (counts.live > counts.peak) counts.peak = counts.live;
  counts.allocated += bytes;
  atomic_store_explicit(&live, counts.live, memory_order_relaxed);
  atomic_store_explicit(&allocated, counts.allocated, memory_order_relaxed);
}

static void count_out(int class, int64_t bytes)
{
  in_use -= size_class_bytes(class);
  counts.live -= bytes;
  atomic_store_explicit(&live, counts.live, memory_order_relaxed);
}

static void *take(int class)
{
  void **block = classes[class].first;

  if (!block) return NULL;
  classes[class].first = *block;
  counts.cached -= size_class_bytes(class);
  return block;
}

static void put(int class, void **block)
{
  *block = classes[class].first;
  classes[class].first = block;
  counts.cached += size_class_bytes(class);
}

/* The bytes that may be kept while `used` are in use. Together they are hardly more than were ever
** in use at once, so keeping blocks barely raises the peak. */
static int64_t room(int64_t used)
{
  int64_t most = most_use / 4 + SLACK + (used < most_use ? most_use - used : 0);
  return most < counts.cache_limit ? most : counts.cache_limit;
}

/* The class with blocks that has not been used for longest. */
static int idle_class(void)
{
  int idle = -1;

  for (int class = 0; class < SIZE_CLASSES; class ++) {
    if (!classes[class].first) continue;
    if (idle < 0 || classes[class].used < classes[idle].used) idle = class;
  }
  return idle;
}

/* -- Allocating and freeing -------------------------------------------------------------------- */

/* Gives kept blocks back until at most `limit` bytes are left; returns the bytes given back. */
static int64_t shrink(int64_t limit)
{
  for (int64_t given = 0;;) {
    lock();
    int class = counts.cached > limit ? idle_class() : -1;
    void *block = class < 0 ? NULL : take(class);
    unlock();
    if (!block) return given;
    give_back(class, block);
    given += size_class_bytes(class);
  }
}

int64_t locus_memory_trim(void)
{
  return shrink(0);
}

/* If the system has no memory, kept blocks are given back and the system is asked again. */
static void *obtain_counted(int class, int64_t bytes)
{
  void *block = obtain(class, bytes);

  if (!block && locus_memory_trim() > 0) block = obtain(class, bytes);
  if (!block) return NULL;
  lock();
  count_in(class, bytes);
  unlock();
  return block;
}

void *locus_memory_alloc(int64_t bytes)
{
  if (bytes > SIZE_CLASS_MOST) return NULL;
  int class = size_class_of(bytes);
  lock();
  bool fail = must_fail() || bytes > counts.limit - counts.live;
  void *block = fail ? NULL : take(class);
  if (block) count_in(class, bytes);
  counts.hits += block != NULL;
  counts.misses += !block && !fail;
  classes[class].used = ++now;
  int64_t limit = room(in_use + size_class_bytes(class));
  unlock();
  if (block || fail) return block;
  shrink(limit);
  return obtain_counted(class, bytes);
}

/* Blocks of fewer bytes than `most` may be kept. */
static void release(void *block, int64_t bytes, int64_t most)
{
  int class = size_class_of(bytes);
  lock();
  count_out(class, bytes);
  int64_t limit = room(in_use);
  bool keep = !WATCHED && bytes < most && size_class_bytes(class) <= limit;
  if (keep) put(class, block);
  bool full = counts.cached > limit;
  classes[class].used = ++now;
  unlock();
  if (!keep) give_back(class, block);
  else if (full) shrink(limit);
}

void locus_memory_free(void *block, int64_t bytes)
{
  if (block) release(block, bytes, INT64_MAX);
}

/* Whether the kernel can move pages from a block of the one class to one of the other. */
static bool movable(int from, int to)
{
#ifdef MREMAP_MAYMOVE
  return !WATCHED && size_class_bytes(from) >= LARGE && size_class_bytes(to) >= LARGE;
#else
  (void)from, (void)to;
  return false;
#endif
}

static void *move_block(void *block, int from, int to)
{
  if (from == to) return block;
#ifdef MREMAP_MAYMOVE
  void *moved = mremap(block, mapped_bytes(from), mapped_bytes(to), MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? NULL : moved;
#else
  return NULL;
#endif
}

void *locus_memory_resize(void *block, int64_t bytes, int64_t wanted)
{
  if (wanted > SIZE_CLASS_MOST) return NULL;
  const int from = size_class_of(bytes), to = size_class_of(wanted);
  if (movable(from, to)) {
    lock();
    const bool fail = must_fail() || wanted - bytes > counts.limit - counts.live;
    const int64_t limit = room(in_use - size_class_bytes(from) + size_class_bytes(to));
    unlock();
    if (fail) return NULL;
    shrink(limit);
    void *moved = move_block(block, from, to);
    if (!moved && locus_memory_trim() > 0) moved = move_block(block, from, to);
    if (!moved) return NULL;
    lock();
    count_out(from, bytes);
    count_in(to, wanted);
    unlock();
    return moved;
  }
  void *fresh = locus_memory_alloc(wanted);
  if (!fresh) return NULL;
  memcpy(fresh, block, (size_t)(bytes < wanted ? bytes : wanted));
  release(block, bytes, OUTGROWN); /* the blocks that follow are larger */
  return fresh;
}

locus_memory_counts locus_memory_count(void)
{
  lock();
  locus_memory_counts copy = counts;
  copy.reserved = in_use + copy.cached;
  unlock();
  return copy;
}

int locus_fail_memory(locus_context *cx, int64_t bytes)
{
  const locus_memory_counts now_there = locus_memory_count();
  char limit[48] = "";

  if (now_there.limit < INT64_MAX)
    snprintf(limit, sizeof limit, ", limit %" PRId64 " bytes", now_there.limit);
  locus_fail(cx, "out of memory (wanted %" PRId64 " bytes, live %" PRId64 " bytes%s)", bytes,
             now_there.live, limit);
  cx->error.code = LOCUS_OUT_OF_MEMORY;
  return -1;
}

int64_t locus_memory_live(void)
{
  return atomic_load_explicit(&live, memory_order_relaxed);
}

int64_t locus_memory_allocated(void)
{
  return atomic_load_explicit(&allocated, memory_order_relaxed);
}

int64_t locus_memory_usual_limit(const char *root)
{
  const int64_t part = locus_group_memory(root) / 8;
  return part < MOST_USUAL ? part : MOST_USUAL;
}

static void lock_all(void)
{
  lock();
  locus_pages_lock();
}

static void unlock_all(void)
{
  locus_pages_unlock();
  unlock();
}

/* A fork waits for the locks, so that the child finds a consistent state. */
int locus_memory_begin(const char *text, locus_context *cx)
{
  char *end;
  int64_t limit = text ? strtoll(text, &end, 10) : locus_memory_usual_limit("");

  if (text && (end == text || *end || limit < 0)) {
    return locus_fail(cx, "LOCUS_CACHE_LIMIT is \"%.20s\", but must be a whole number of bytes",
                      text);
  }
  lock();
  bool first = counts.cache_limit < 0;
  if (first) counts.cache_limit = WATCHED ? 0 : limit;
  unlock();
  if (first && pthread_atfork(lock_all, unlock_all, unlock_all) != 0)
    locus_memory_set_cache_limit(0);
  return 0;
}

void locus_memory_set_cache_limit(int64_t bytes)
{
  lock();
  counts.cache_limit = WATCHED ? 0 : bytes;
  unlock();
  shrink(bytes);
}

void locus_memory_set_limit(int64_t bytes)
{
  lock();
  counts.limit = bytes;
  unlock();
}

int64_t locus_memory_fail(int64_t k, bool persistent)
{
  lock();
  int64_t hits = failing.hits;
  failing.countdown = k;
  failing.hits = 0;
  failing.persistent = persistent;
  unlock();
  return hits;
}

bool locus_memory_must_fail(void)
{
  lock();
  bool fail = must_fail();
  unlock();
  return fail;
}
