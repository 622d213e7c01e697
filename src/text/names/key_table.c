/* SPDX-License-Identifier: MIT */
/* The rare operations of a table of keys. */
#include "text/names/key_table.h"

#include <string.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"

enum { FIRST_BITS = 10, MOST_STEPS = 2 };
/* The work of one thread: slots of a table, places of a range. */
enum { SLOTS_ALONE = 1 << 13, PLACES_ALONE = 1 << 16 };

static int64_t slots_bytes(int bits)
{
  return ((int64_t)1 << bits) * (int64_t)sizeof(locus_key_slot);
}

static int64_t direct_bytes(uint64_t range)
{
  return ((int64_t)range + 1) * (int64_t)sizeof(int32_t);
}

static int64_t filter_bytes(int bits)
{
  return ((int64_t)1 << (bits + FILTER_BITS)) / 8;
}

/* Cleared by this thread alone, which writes to the new table first: it would wait for each line
** that another core has just cleared. */
static void *cleared(int64_t bytes, locus_context *cx)
{
  void *block = locus_memory_alloc(bytes);

  if (block) memset(block, 0, (size_t)bytes);
  else locus_fail_memory(cx, bytes);
  return block;
}

void locus_key_table_end(locus_key_table *t)
{
  locus_memory_free(t->filter, filter_bytes(t->bits));
  locus_memory_free(t->known, (int64_t)t->range + 1);
  locus_memory_free(t->slots, slots_bytes(t->bits));
  locus_memory_free(t->direct, direct_bytes(t->range));
}

int locus_key_table_begin(locus_key_table *t, locus_context *cx)
{
  t->bits = FIRST_BITS;
  t->keys = locus_hash_keys();
  t->slots = cleared(slots_bytes(t->bits), cx);
  return t->slots ? 0 : -1;
}

int locus_key_table_direct(locus_key_table *t, locus_context *cx)
{
  t->direct = cleared(direct_bytes(t->range), cx);
  return t->direct ? 0 : -1;
}

/* The slots of the old table are mostly in the order of their hashes, and so is the walk through
** the new one. */
int locus_key_table_grow(locus_key_table *t, int64_t row, int64_t rows, locus_context *cx)
{
  const int steps = t->count >= row / 2 ? MOST_STEPS : 1;
  locus_key_table wider = *t;

  wider.bits++;
  for (int i = 1; i < steps && locus_key_room(&wider) < rows - row; i++) wider.bits++;
  wider.slots = cleared(slots_bytes(wider.bits), cx);
  if (!wider.slots) return -1;
  for (int64_t i = 0; i < (int64_t)1 << t->bits; i++) {
    const locus_key_slot s = t->slots[i];
    if (s.id) *locus_key_find(&wider, s.key, locus_key_place(&wider, s.key)) = s;
  }
  locus_memory_free(t->slots, slots_bytes(t->bits));
  *t = wider;
  return 0;
}

typedef struct key_walk {
  const locus_key_table *table;
  uint64_t *filter;
  bool shared;
} key_walk;

static int filter_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_walk *walk = job;
  const locus_key_table *t = walk->table;
  const int shift = 64 - t->bits - FILTER_BITS;

  for (int64_t i = begin; i < end; i++) {
    if (!t->slots[i].id) continue;
    const uint64_t bit = locus_key_hash(t, t->slots[i].key) >> shift, one = (uint64_t)1 << bit % 64;
    if (walk->shared) __atomic_fetch_or(&walk->filter[bit / 64], one, __ATOMIC_RELAXED);
    else walk->filter[bit / 64] |= one;
  }
  return locus_poll(cx);
}

int locus_key_table_filter(locus_key_table *t, locus_context *cx)
{
  if (!t->slots) return 0;
  t->filter = cleared(filter_bytes(t->bits), cx);
  if (!t->filter) return -1;
  const bool shared = locus_small_pieces() || (int64_t)1 << t->bits > SLOTS_ALONE;
  const key_walk walk = {t, t->filter, locus_cpu_threads() > 1 && shared};
  return locus_parallel(filter_part, &walk, (int64_t)1 << t->bits, SLOTS_ALONE, cx);
}

static int known_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_key_table *t = job;

  for (int64_t at = begin; at < end; at++) t->known[at] = t->direct[at] != 0;
  return locus_poll(cx);
}

int locus_key_table_known(locus_key_table *t, locus_context *cx)
{
  t->known = locus_memory_alloc((int64_t)t->range + 1);
  if (!t->known) return locus_fail_memory(cx, (int64_t)t->range + 1);
  t->known[t->range] = false;
  return locus_parallel(known_part, t, (int64_t)t->range, PLACES_ALONE, cx);
}

bool locus_key_table_stray(const locus_key_table *t, uint64_t names, uint64_t *key, int32_t *id)
{
  const uint64_t last = t->direct ? t->range : (uint64_t)1 << t->bits;

  for (uint64_t i = 0; i < last; i++) {
    *key = t->direct ? t->low + i : t->slots[i].key;
    *id = t->direct ? t->direct[i] : t->slots[i].id;
    if (*id && *key - 1 >= names) return true;
    /* The places 1 .. names need no check. */
    if (t->direct && *key - 1 < names) i += names - *key;
  }
  return false;
}
