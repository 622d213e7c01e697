/* SPDX-License-Identifier: MIT */
/* Sorting a row for its values alone: ranks are moved without positions, and become elements again.
** Equal ranks cannot be told apart, so that nothing has to be stable. */
#ifndef LOCUS_KEYS_H
#define LOCUS_KEYS_H

#include <stdatomic.h>

#include "core/parallel.h"
#include "cpu/order/sorting.h"
#include "cpu/order/words.h"

enum { MANY_RANKS = 1 << 16 }; /* as many as two bytes have; more are not worth counting */

/* Sorts n ranks, equal except in the bits of `mask`, by counting each of them; `spare` has room for
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

/* The sorted ranks of a row: all of them, or their lowest 32 bits, above which they agree. */
typedef struct ordered_ranks {
  const uint64_t *ranks; /* or NULL, and */
  const uint32_t *words;
  uint64_t upper;
} ordered_ranks;

/* Sorts the ranks of a row, which differ only in their lowest `width` bits, at most 32. */
static int order_words(sorting *s, const char *elements, int width, ordered_ranks *o,
                       locus_context *cx)
{
  const int64_t n = s->in.n;
  words w = {(uint32_t *)s->row.now, (uint32_t *)s->row.spare};

  for (int64_t at = 0; at < n; at += BLOCK) {
    const int64_t count = least(BLOCK, n - at);
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->ranks, elements + at * s->in.item, count, s->job->descending);
    for (int64_t i = 0; i < count; i++) w.now[at + i] = (uint32_t)s->ranks[i];
  }
  o->upper = s->ranks[0] >> 32 << 32;
  LOCUS_TRY(sort_words(&w, n, width, cx));
  o->words = w.now;
  return 0;
}

/* Sorts the ranks of a row, which differ in the bits of `differ`. */
static int order_ranks(sorting *s, const char *elements, uint64_t differ, ordered_ranks *o,
                       locus_context *cx)
{
  const int width = 64 - __builtin_clzll(differ);
  const uint64_t mask = UINT64_MAX >> (64 - width);
  const int64_t n = s->in.n;
  const bool counted = mask < MANY_RANKS && (int64_t)mask < n;

  *o = (ordered_ranks){0};
  if (!counted && width <= 32 && n > FEW && n <= MOST_WORDS)
    return order_words(s, elements, width, o, cx);
  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->row.now + at, elements + at * s->in.item, least(BLOCK, n - at), s->job->descending);
  }
  if (counted) LOCUS_TRY(count_ranks(&s->row, n, mask, cx));
  else LOCUS_TRY(sort_pairs(&s->row, n, differ, cx));
  o->ranks = s->row.now;
  return 0;
}

/* The first of the sorted values whose rank is not less than one. */
static int64_t first_from(const sorting *s, const char *values, uint64_t rank)
{
  int64_t low = 0, high = s->in.n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    uint64_t here;
    s->rank(&here, values + middle * s->in.item, 1, s->job->descending);
    if (here < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

typedef struct telling {
  const sorting *s;
  const char *elements;
  atomic_bool *told;
} telling;

static int ranks_tell_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const telling *t = given;
  const sorting *s = t->s;
  _Alignas(8) char again[BLOCK * 8];
  uint64_t ranks[BLOCK];

  for (int64_t at = begin; at < end; at += BLOCK) {
    const int64_t count = least(BLOCK, end - at);
    const char *run = t->elements + at * s->in.item;
    LOCUS_TRY(locus_poll(cx));
    if (!atomic_load_explicit(t->told, memory_order_relaxed)) return 0;
    s->rank(ranks, run, count, s->job->descending);
    unrank_runs[s->job->in.dtype](again, ranks, count, s->job->descending);
    if (memcmp(again, run, (size_t)(count * s->in.item)) != 0)
      atomic_store_explicit(t->told, false, memory_order_relaxed);
  }
  return 0;
}

/* *told: whether the ranks of a row tell its elements, bit for bit. */
static int ranks_tell(const sorting *s, const char *elements, bool *told, locus_context *cx)
{
  atomic_bool all = true;
  const telling t = {s, elements, &all};

  LOCUS_TRY(locus_parallel(ranks_tell_part, &t, s->in.n, GRAIN, cx));
  *told = atomic_load(&all);
  return 0;
}

/* Writes the elements of one rank, which may differ in their bits, in the order of the input, to
** their places among the values. Other threads may have written to the elements since, so the room
** is checked. */
static int bring_equals(const sorting *s, const char *elements, uint64_t rank, int64_t place,
                        char *values, locus_context *cx)
{
  uint64_t near[BLOCK + 1];
  const int64_t n = s->in.n, item = s->in.item;

  for (int64_t at = 0, count; at < n; at += BLOCK) {
    const int64_t run = least(BLOCK, n - at);
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->ranks, elements + at * item, run, s->job->descending);
    count = 0;
    for (int64_t i = 0; i < run; i++) {
      near[count] = (uint64_t)i;
      count += s->ranks[i] == rank;
    }
    count = least(count, n - place);
    s->pick(values + place * item, 0, elements + at * item, 0, near, 1, UINT64_MAX, 1, count);
    place += count;
  }
  return 0;
}

/* Restores the bits that ranks lose: signs of zeros, payloads of NaN, bytes of truths. */
static int write_alike(const sorting *s, const char *elements, char *values, locus_context *cx)
{
  const uint64_t alike[] = {0, UINT64_MAX}; /* zero, NaN and true, of any dtype */
  bool told = locus_dtype_kind(s->job->in.dtype) == LOCUS_INTEGER;

  for (int i = 0; !told && i < 2; i++) {
    uint64_t rank, here;
    s->rank(&rank, &alike[i], 1, s->job->descending);
    const int64_t place = first_from(s, values, rank);
    if (place == s->in.n) continue;
    s->rank(&here, values + place * s->in.item, 1, s->job->descending);
    if (here != rank) continue;
    LOCUS_TRY(ranks_tell(s, elements, &told, cx));
    if (!told) LOCUS_TRY(bring_equals(s, elements, rank, place, values, cx));
  }
  return 0;
}

static int write_ranks(const sorting *s, const ordered_ranks *o, const char *elements, char *values,
                       locus_context *cx)
{
  for (int64_t at = 0; at < s->in.n; at += BLOCK) {
    const int64_t count = least(BLOCK, s->in.n - at);
    LOCUS_TRY(locus_poll(cx));
    for (int64_t i = 0; !o->ranks && i < count; i++) s->ranks[i] = o->upper | o->words[at + i];
    unrank_runs[s->job->in.dtype](values + at * s->in.item, o->ranks ? o->ranks + at : s->ranks,
                                  count, s->job->descending);
  }
  return write_alike(s, elements, values, cx);
}

/* Sorts a row whose ranks differ in the bits of `differ` to `values`; that may be the row itself if
** it has no elements of one rank but of other bits. */
static int sort_values(sorting *s, const char *elements, uint64_t differ, char *values,
                       locus_context *cx)
{
  ordered_ranks ranks;

  LOCUS_TRY(order_ranks(s, elements, differ, &ranks, cx));
  return write_ranks(s, &ranks, elements, values, cx);
}

#endif
