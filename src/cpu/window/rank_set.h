/* SPDX-License-Identifier: MIT */
/* Quantiles of moving windows. A piece of the row is sorted once, which gives each element a rank;
** the elements of the window are bits, by rank. A cursor knows how many bits are below it, and goes
** from bit to bit. Two neighbouring windows differ in few elements, so that it goes as few steps;
** words without a bit are passed over by words of words. So the time is that of sorting pieces of a
** few windows' length.
** Source: Suomela, Median Filtering is Equivalent to Sorting (2014), for sorting pieces; he links
** the elements of a window in a list where bits are set here. */
#ifndef LOCUS_RANK_SET_H
#define LOCUS_RANK_SET_H

#include "cpu/window/window.h"

enum { SET_LEVELS = 5 }; /* of words of words: 64^5 elements and more */

typedef struct rank_set {
  uint64_t *words[SET_LEVELS]; /* bit b of words[k + 1] says whether word b of words[k] is not 0 */
  int64_t at, below;           /* the cursor, a rank, and how many members are below it */
} rank_set;

static inline int64_t set_words(int64_t n)
{
  int64_t all = 0;

  for (int level = 0; level < SET_LEVELS; level++) {
    n = (n + 63) / 64;
    all += n;
  }
  return all;
}

/* An empty set of ranks below n, in set_words(n) words. */
static inline void set_make(rank_set *set, int64_t n, uint64_t *room)
{
  memset(room, 0, (size_t)set_words(n) * sizeof room[0]);
  for (int level = 0; level < SET_LEVELS; level++) {
    set->words[level] = room;
    n = (n + 63) / 64;
    room += n;
  }
  set->at = set->below = 0;
}

static inline void set_add(rank_set *set, int64_t rank)
{
  set->below += rank < set->at;
  for (int level = 0; level < SET_LEVELS; level++) {
    uint64_t *word = &set->words[level][rank >> 6];
    const bool was_empty = *word == 0;
    *word |= (uint64_t)1 << (rank & 63);
    if (!was_empty) return;
    rank >>= 6;
  }
}

static inline void set_remove(rank_set *set, int64_t rank)
{
  set->below -= rank < set->at;
  for (int level = 0; level < SET_LEVELS; level++) {
    uint64_t *word = &set->words[level][rank >> 6];
    *word &= ~((uint64_t)1 << (rank & 63));
    if (*word) return;
    rank >>= 6;
  }
}

/* The least member that is `rank` or above; there is one. */
static inline int64_t set_next(const rank_set *set, int64_t rank)
{
  uint64_t word = set->words[0][rank >> 6] >> (rank & 63);
  int level = 0;

  if (word) return rank + __builtin_ctzll(word);
  for (rank >>= 6, level = 1;; level++) {
    word = set->words[level][rank >> 6] & ~(uint64_t)1 << (rank & 63);
    if (word) break;
    rank >>= 6;
  }
  rank = (rank & ~(int64_t)63) + __builtin_ctzll(word);
  while (level-- > 0) rank = rank * 64 + __builtin_ctzll(set->words[level][rank]);
  return rank;
}

/* The greatest member below `rank`; there is one. */
static inline int64_t set_before(const rank_set *set, int64_t rank)
{
  uint64_t word = set->words[0][rank >> 6] & (((uint64_t)1 << (rank & 63)) - 1);
  int level = 0;

  if (word) return (rank & ~(int64_t)63) + 63 - __builtin_clzll(word);
  for (rank >>= 6, level = 1;; level++) {
    word = set->words[level][rank >> 6] & (((uint64_t)1 << (rank & 63)) - 1);
    if (word) break;
    rank >>= 6;
  }
  rank = (rank & ~(int64_t)63) + 63 - __builtin_clzll(word);
  while (level-- > 0) rank = rank * 64 + 63 - __builtin_clzll(set->words[level][rank]);
  return rank;
}

/* The rank of member k, counted from 0; there is one. The cursor goes there. */
static inline int64_t set_member(rank_set *set, int64_t k)
{
  while (set->below > k) {
    set->at = set_before(set, set->at);
    set->below--;
  }
  set->at = set_next(set, set->at);
  while (set->below < k) {
    set->at = set_next(set, set->at + 1);
    set->below++;
  }
  return set->at;
}

#endif
