/* SPDX-License-Identifier: MIT */
/* The tables of factorize.h: keys of 64 bits and their numbers. */
#ifndef LOCUS_TEXT_KEY_TABLE_H
#define LOCUS_TEXT_KEY_TABLE_H

#include "core/error.h"
#include "text/names/hash.h"

enum { NEAR_BITS = 14, FAR_BITS = 22, FILTER_BITS = 4, LINE_SLOTS = 4 };

typedef struct locus_key_slot {
  uint64_t key;
  int32_t id; /* 0: empty */
} locus_key_slot;

typedef struct locus_key_table {
  locus_key_slot *slots; /* 2^bits of them; NULL where there is a range */
  int32_t *direct;       /* the number of each key of the range, and one for keys that left it */
  uint64_t low, range;
  int32_t count;
  int bits;
  text_hash_keys keys;
  uint64_t *filter; /* 2^(bits + FILTER_BITS) bits; NULL: none yet */
  bool *known;      /* of `direct`: has it a number? false behind them; NULL: not asked */
} locus_key_table;

/* All 0, it holds nothing. */

/* Makes a table of slots; one of the range that t says. */
int locus_key_table_begin(locus_key_table *t, locus_context *cx);
int locus_key_table_direct(locus_key_table *t, locus_context *cx);

void locus_key_table_end(locus_key_table *t);

/* Doubles a table of slots. While most keys are new it doubles several times at once, as far as the
** rows that are left can fill it: `row` of `rows` have been added. */
int locus_key_table_grow(locus_key_table *t, int64_t row, int64_t rows, locus_context *cx);

/* Makes the filter of all keys, when the table will grow no more. */
int locus_key_table_filter(locus_key_table *t, locus_context *cx);

/* Makes `known`, of a table of a range. */
int locus_key_table_known(locus_key_table *t, locus_context *cx);

/* Whether a key of the table is outside 1 .. names, and its number. */
bool locus_key_table_stray(const locus_key_table *t, uint64_t names, uint64_t *key, int32_t *id);

/* A product in which every bit of the key counts. Its first bits are the key's place. */
static inline uint64_t locus_key_hash(const locus_key_table *t, uint64_t key)
{
  return locus_hash_fold(key ^ t->keys.key[0], t->keys.key[3]);
}

static inline uint64_t locus_key_place(const locus_key_table *t, uint64_t key)
{
  return locus_key_hash(t, key) >> (64 - t->bits);
}

/* The slot of the key, or the empty one where it would go: first within one cache line, which has
** been fetched, then in the lines behind it. */
static inline locus_key_slot *locus_key_find(const locus_key_table *t, uint64_t key, uint64_t at)
{
  const uint64_t last = (((uint64_t)1 << t->bits) - 1) / LINE_SLOTS;

  for (uint64_t line = at / LINE_SLOTS;; line = (line + 1) & last) {
    for (uint64_t k = 0; k < LINE_SLOTS; k++) {
      locus_key_slot *s = &t->slots[line * LINE_SLOTS + (at + k) % LINE_SLOTS];
      if (!s->id || s->key == key) return s;
    }
  }
}

/* How many more keys there may be. At most half of the slots are in use, so that the first one
** mostly decides; 5 of 8 in a table that fills memory. */
static inline int64_t locus_key_room(const locus_key_table *t)
{
  const int64_t eighths = t->bits < FAR_BITS ? 4 : 5;
  return t->direct ? INT64_MAX / 2 : (eighths << (t->bits - 3)) - t->count;
}

#endif
