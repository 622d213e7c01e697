/* SPDX-License-Identifier: MIT */
/* Sorting pairs: a rank's bits, as many as there is room for, and below them the rank's position,
** in one integer. No two pairs are equal, so every sort of them is stable. */
#ifndef LOCUS_PAIRS_H
#define LOCUS_PAIRS_H

#include "cpu/order/insertion.h"

enum {
  COLUMNS = 16,        /* rows that the network sorts at once */
  RADIX = 256,         /* a digit has 8 bits */
  STRETCH = 64 * 1024, /* pairs between two polls */
};

typedef struct pairs {
  uint64_t *now, *spare; /* as long as each other; a sort may change them about */
} pairs;

/* Joins ranks, without their highest `shift` bits, to the positions that pairs hold. */
static void join_ranks(uint64_t *restrict to, const uint64_t *restrict ranks, int64_t n, int shift,
                       uint64_t positions)
{
  for (int64_t i = 0; i < n; i++) to[i] = (ranks[i] << shift & ~positions) | (to[i] & positions);
}

static int move_pairs(uint64_t *to, const uint64_t *from, int64_t n, locus_context *cx)
{
  for (int64_t i = 0; to != from && i < n; i += STRETCH) {
    LOCUS_TRY(locus_poll(cx));
    memcpy(to + i, from + i, (size_t)least(STRETCH, n - i) * sizeof *to);
  }
  return 0;
}

static inline uint64_t digit(uint64_t pair, int at)
{
  return pair >> at & (RADIX - 1);
}

/* Adds to counts[v] the number of pairs whose digit at bit `at` is v. */
static void count_digits(const uint64_t *restrict p, int64_t n, int at, int64_t *restrict counts)
{
  for (int64_t i = 0; i < n; i++) counts[digit(p[i], at)]++;
}

static void counts_to_places(int64_t *counts)
{
  int64_t place = 0;
  for (int v = 0; v < RADIX; v++) {
    int64_t count = counts[v];
    counts[v] = place;
    place += count;
  }
}

/* Moves pairs to the places of their digits at bit `at`, and counts their digits for the next pass.
** The line after a place is prefetched well before it is written. */
static void distribute(uint64_t *restrict to, const uint64_t *restrict from, int64_t n, int at,
                       int64_t *restrict places, int next, int64_t *restrict counts)
{
  for (int64_t i = 0; i < n; i++) {
    const uint64_t pair = from[i];
    uint64_t *place = to + places[digit(pair, at)]++;
    *place = pair;
    __builtin_prefetch(place + 8, 1);
    counts[digit(pair, next)]++;
  }
}

/* Sorts by the bits of `differ`, the only ones in which pairs differ, digit by digit from the
** lowest. */
static int radix_sort(pairs *p, int64_t n, uint64_t differ, locus_context *cx)
{
  int64_t counts[2][RADIX] = {{0}};

  for (int64_t i = 0; i < n; i += STRETCH) {
    LOCUS_TRY(locus_poll(cx));
    count_digits(p->now + i, least(STRETCH, n - i), __builtin_ctzll(differ), counts[0]);
  }
  for (int pass = 0; differ; pass ^= 1) {
    const int at = __builtin_ctzll(differ);
    differ &= ~((uint64_t)(RADIX - 1) << at);
    const int next = differ ? __builtin_ctzll(differ) : at;
    counts_to_places(counts[pass]);
    memset(counts[!pass], 0, sizeof *counts);
    for (int64_t i = 0; i < n; i += STRETCH) {
      LOCUS_TRY(locus_poll(cx));
      distribute(p->spare, p->now + i, least(STRETCH, n - i), at, counts[pass], next,
                 counts[!pass]);
    }
    *p = (pairs){p->spare, p->now};
  }
  return 0;
}

/* The same, but the pairs stay in place. */
static int sort_run(pairs p, int64_t n, uint64_t differ, locus_context *cx)
{
  uint64_t *const home = p.now;

  if (n <= FEW) {
    insertion_sort(p.now, n);
    return 0;
  }
  LOCUS_TRY(radix_sort(&p, n, differ, cx));
  return move_pairs(home, p.now, n, cx);
}

/* Sorts pairs that differ in the bits of `differ`, none of them a bit of a position. It sorts by
** those from `first` on, after which few pairs still agree, and then by the others. */
static int sort_pairs_from(pairs *p, int64_t n, uint64_t differ, int first, locus_context *cx)
{
  const uint64_t upper = differ >> first << first, lower = differ ^ upper;

  if (n <= FEW) {
    insertion_sort(p->now, n);
    return 0;
  }
  if (!upper) return lower ? radix_sort(p, n, lower, cx) : 0;
  LOCUS_TRY(radix_sort(p, n, upper, cx));
  for (int64_t begin = 0, i = 1; lower && i <= n; i++) {
    if (i % STRETCH == 0) LOCUS_TRY(locus_poll(cx));
    if (i < n && p->now[i] >> first == p->now[begin] >> first) continue;
    if (i - begin > 1)
      LOCUS_TRY(sort_run((pairs){p->now + begin, p->spare + begin}, i - begin, lower, cx));
    begin = i;
  }
  return 0;
}

static int sort_pairs(pairs *p, int64_t n, uint64_t differ, locus_context *cx)
{
  return sort_pairs_from(p, n, differ, 32, cx);
}

/* The lower ones to a, the others to b. */
static inline void exchange(uint64_t *restrict a, uint64_t *restrict b, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    int64_t x = (int64_t)a[i], y = (int64_t)b[i];
    a[i] = (uint64_t)(x < y ? x : y);
    b[i] = (uint64_t)(x < y ? y : x);
  }
}

/* Sorts each of COLUMNS columns of n pairs, compared as signed integers, by Batcher's merge
** exchange, a sorting network (Knuth, The Art of Computer Programming, volume 3, 1998, algorithm
** 5.2.2M): the data does not decide which pairs are compared. */
static void network_sort(uint64_t (*rows)[COLUMNS], int64_t n)
{
  int64_t top = 1;

  while (2 * top < n) top *= 2;
  for (int64_t p = top; p > 0; p /= 2) {
    int64_t begin = 0, distance = p;
    for (int64_t q = top;; q /= 2) {
      for (int64_t i = begin; i < n - distance; i += 2 * p)
        exchange(rows[i], rows[i + distance], least(p, n - distance - i) * COLUMNS);
      if (q == p) break;
      distance = q - p;
      begin = p;
    }
  }
}

#endif
