/* SPDX-License-Identifier: MIT */
/* A block of keys in the tables of key_table.h. */
#ifndef LOCUS_TEXT_KEY_BLOCKS_H
#define LOCUS_TEXT_KEY_BLOCKS_H

#include "text/names/key_table.h"
#include "text/names/keys.h"

/* Finds the slot where the search for each key begins, and prefetches the slots of all. */
static inline void locus_keys_prepare(const locus_key_table *t, const uint64_t *keys, int n,
                                      uint64_t *places)
{
  for (int i = 0; i < n; i++) places[i] = locus_key_place(t, keys[i]);
  if (t->bits <= NEAR_BITS) return;
  for (int i = 0; i < n; i++) __builtin_prefetch(&t->slots[places[i]]);
}

/* A new number; firsts, unless it is NULL, gets its row. */
static inline int32_t locus_key_number(locus_key_table *t, int64_t row, int64_t *firsts)
{
  if (firsts) firsts[t->count] = row;
  return ++t->count;
}

/* ids[i] = the number of keys[i], a new one where it has none; `row` is that of the first key. A
** key may have left the range of the table since, where others write to the elements: its place is
** behind the range. */
static inline void locus_keys_add_direct(locus_key_table *t, const uint64_t *keys, int n,
                                         int32_t *ids, int64_t row, int64_t *firsts)
{
  int32_t *const direct = t->direct;
  const uint64_t low = t->low, range = t->range;

  for (int i = 0; i < n; i++) {
    const uint64_t own = LOCUS_ONCE(keys[i]) - low, at = own < range ? own : range;
    int32_t id = direct[at];
    if (!id) direct[at] = id = locus_key_number(t, row + i, firsts);
    ids[i] = id;
  }
}

/* The same of a table of slots, which has room for all. */
static inline void locus_keys_add(locus_key_table *t, const uint64_t *keys, int n, int32_t *ids,
                                  int64_t row, int64_t *firsts)
{
  uint64_t places[KEY_BLOCK];

  locus_keys_prepare(t, keys, n, places);
  for (int i = 0; i < n; i++) {
    locus_key_slot *const s = locus_key_find(t, keys[i], places[i]);
    if (!s->id) *s = (locus_key_slot){keys[i], locus_key_number(t, row + i, firsts)};
    ids[i] = s->id;
  }
}

/* Collects the keys, among n, that may be in the table, and their places; returns their count. */
static inline int locus_keys_pass(const locus_key_table *t, const uint64_t *keys, int n,
                                  int32_t *passed, uint64_t *places)
{
  const int shift = 64 - t->bits - FILTER_BITS;
  uint64_t bits[KEY_BLOCK];
  int count = 0;

  for (int i = 0; i < n; i++) bits[i] = locus_key_hash(t, keys[i]) >> shift;
  for (int i = 0; i < n; i++) {
    passed[count] = i;
    places[count] = bits[i] >> FILTER_BITS;
    count += (int)(t->filter[bits[i] / 64] >> bits[i] % 64 & 1);
  }
  return count;
}

static inline void locus_keys_find_filtered(const locus_key_table *t, const uint64_t *keys, int n,
                                            int32_t *ids)
{
  int32_t passed[KEY_BLOCK];
  uint64_t places[KEY_BLOCK];
  const int count = locus_keys_pass(t, keys, n, passed, places);

  memset(ids, 0, (size_t)n * sizeof *ids);
  for (int i = 0; t->bits > NEAR_BITS && i < count; i++) __builtin_prefetch(&t->slots[places[i]]);
  for (int i = 0; i < count; i++)
    ids[passed[i]] = locus_key_find(t, keys[passed[i]], places[i])->id;
}

/* ids[i] = the number of keys[i], 0 where it has none; whether there is one of these. */
static inline bool locus_keys_find(const locus_key_table *t, const uint64_t *keys, int n,
                                   int32_t *ids)
{
  uint64_t places[KEY_BLOCK];
  int32_t sum = 0;

  if (t->filter) {
    locus_keys_find_filtered(t, keys, n, ids);
    return true;
  }
  if (t->direct) {
    for (int i = 0; i < n; i++) {
      const uint64_t at = keys[i] - t->low;
      ids[i] = at < t->range ? t->direct[at] : 0;
      sum |= ids[i] - 1;
    }
    return sum < 0;
  }
  locus_keys_prepare(t, keys, n, places);
  for (int i = 0; i < n; i++) {
    ids[i] = locus_key_find(t, keys[i], places[i])->id;
    sum |= ids[i] - 1;
  }
  return sum < 0;
}

/* Whether each key has a number, if there is a range; the answer is exact. */
static inline void locus_keys_are_known(const locus_key_table *t, const uint64_t *keys, int n,
                                        bool *there)
{
  const bool *const known = t->known;
  const uint64_t low = t->low, range = t->range;

  for (int i = 0; i < n; i++) {
    const uint64_t at = keys[i] - low;
    there[i] = known[at < range ? at : range];
  }
}

#endif
