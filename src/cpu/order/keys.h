/* SPDX-License-Identifier: MIT */
/* Sorting a row for its values alone: ranks are moved without positions, and become elements again.
** Equal ranks cannot be told apart, so that nothing has to be stable. */
#ifndef LOCUS_KEYS_H
#define LOCUS_KEYS_H

#include "cpu/order/sorting.h"

enum { MANY_RANKS = 1 << 16 }; /* as many as two bytes have; more are not worth counting */

/* Sorts n ranks, equal but for the bits of `mask`, by counting each of them; `spare` has room for
** a count of each. */
static int count_ranks(const pairs *p, int64_t n, uint64_t mask, locus_context *cx)
{
  int64_t *restrict counts = (int64_t *)p->spare;
  uint64_t *ranks = p->now, rank = ranks[0] & ~mask;

  memset(counts, 0, (mask + 1) * sizeof *counts);
  for (int64_t i = 0; i < n; i++) {
    if (i % STRETCH == 0) LOCUS_TRY(locus_poll(cx));
    counts[ranks[i] & mask]++;
  }
  for (uint64_t v = 0; v <= mask; v++, rank++) {
    for (int64_t i = 0; i < counts[v]; i++) *ranks++ = rank;
  }
  return 0;
}

/* Sorts the ranks of a row, which differ in the bits of `differ`. */
static int order_ranks(sorting *s, const char *elements, uint64_t differ, locus_context *cx)
{
  const uint64_t mask = UINT64_MAX >> __builtin_clzll(differ);
  const int64_t n = s->in.n;

  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->row.now + at, elements + at * s->in.item, least(BLOCK, n - at),
            s->job->descending);
  }
  if (mask < MANY_RANKS && (int64_t)mask < n) return count_ranks(&s->row, n, mask, cx);
  return sort_pairs(&s->row, n, differ, cx);
}

/* The first of n sorted ranks that is not less than one. */
static int64_t first_from(const uint64_t *ranks, int64_t n, uint64_t rank)
{
  int64_t low = 0;

  while (low < n) {
    const int64_t middle = low + (n - low) / 2;
    if (ranks[middle] < rank) low = middle + 1;
    else n = middle;
  }
  return low;
}

/* Writes the elements of one rank, which differ in their bits, in the order in which they came. */
static int bring_equals(const sorting *s, const char *elements, uint64_t rank, char *values,
                        locus_context *cx)
{
  uint64_t near[BLOCK + 1];
  const int64_t n = s->in.n, item = s->in.item;
  int64_t place = first_from(s->row.now, n, rank);

  if (place == n || s->row.now[place] != rank) return 0;
  for (int64_t at = 0, count; at < n; at += BLOCK) {
    const int64_t run = least(BLOCK, n - at);
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->ranks, elements + at * item, run, s->job->descending);
    count = 0;
    for (int64_t i = 0; i < run; i++) {
      near[count] = (uint64_t)i;
      count += s->ranks[i] == rank;
    }
    s->pick(values + place * item, 0, elements + at * item, 0, near, 1, UINT64_MAX, 1, count);
    place += count;
  }
  return 0;
}

/* Writes the values of a row, whose sorted ranks tell all elements but zeros, NaN and truths. */
static int write_ranks(const sorting *s, const char *elements, char *values, locus_context *cx)
{
  const locus_dtype dtype = s->job->in.dtype;
  const uint64_t alike[] = {0, UINT64_MAX}; /* zero, and what is NaN or true, of any dtype */
  uint64_t rank;

  for (int64_t at = 0; at < s->in.n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    unrank_runs[dtype](values + at * s->in.item, s->row.now + at, least(BLOCK, s->in.n - at),
                       s->job->descending);
  }
  for (int i = 0; i < 2 && locus_dtype_kind(dtype) != LOCUS_INTEGER; i++) {
    s->rank(&rank, &alike[i], 1, s->job->descending);
    LOCUS_TRY(bring_equals(s, elements, rank, values, cx));
  }
  return 0;
}

#endif
