/* SPDX-License-Identifier: MIT */
/* Sorting ranks that differ in their lowest 32 bits alone: half the memory to move, few digits. */
#ifndef LOCUS_ORDER_WORDS_H
#define LOCUS_ORDER_WORDS_H

#include "cpu/order/pairs.h"

enum {
  WORD_BITS = 11, /* of a digit at most */
  NEAR_BITS = 8,  /* of one among few words, whose counters would cost more */
  FEW_WORDS = 16 * 1024,
  MOST_WORDS = INT32_MAX / 2, /* that counters of 32 bits count */
};

typedef struct words {
  uint32_t *now, *spare;
} words;

static inline uint32_t word_digit(uint32_t word, int at, int bits)
{
  return word >> at & ((1u << bits) - 1);
}

static void count_words(const uint32_t *restrict w, int64_t n, int at, int bits,
                        uint32_t *restrict counts)
{
  for (int64_t i = 0; i < n; i++) counts[word_digit(w[i], at, bits)]++;
}

/* Moves words to the places of their digits at bit `at`, and counts the next digits, if counts is
** not NULL. The line after a place is prefetched well before it is written. */
static ALWAYS_INLINE void distribute_words(uint32_t *restrict to, const uint32_t *restrict from,
                                           int64_t n, int at, int bits, uint32_t *restrict places,
                                           uint32_t *restrict counts)
{
  for (int64_t i = 0; i < n; i++) {
    const uint32_t word = from[i];
    uint32_t *place = to + places[word_digit(word, at, bits)]++;
    *place = word;
    __builtin_prefetch(place + 16, 1);
    if (counts) counts[word_digit(word, at + bits, bits)]++;
  }
}

/* Sorts up to MOST_WORDS words by their lowest `width` bits, digit by digit from the lowest. */
static int sort_words(words *w, int64_t n, int width, locus_context *cx)
{
  const int most = n < FEW_WORDS ? NEAR_BITS : WORD_BITS, passes = (width + most - 1) / most;
  const int bits = (width + passes - 1) / passes;
  uint32_t counts[2][1 << WORD_BITS] = {{0}};

  for (int64_t i = 0; i < n; i += STRETCH) {
    LOCUS_TRY(locus_poll(cx));
    count_words(w->now + i, least(STRETCH, n - i), 0, bits, counts[0]);
  }
  for (int pass = 0; pass < passes; pass++) {
    uint32_t *places = counts[pass % 2], *next = counts[(pass + 1) % 2], place = 0;
    const int at = pass * bits;
    for (int v = 0; v < 1 << bits; v++) {
      const uint32_t count = places[v];
      places[v] = place;
      place += count;
    }
    memset(next, 0, sizeof *counts);
    for (int64_t i = 0; i < n; i += STRETCH) {
      LOCUS_TRY(locus_poll(cx));
      const int64_t count = least(STRETCH, n - i);
      if (pass + 1 < passes) distribute_words(w->spare, w->now + i, count, at, bits, places, next);
      else distribute_words(w->spare, w->now + i, count, at, bits, places, NULL);
    }
    *w = (words){w->spare, w->now};
  }
  return 0;
}

#endif
