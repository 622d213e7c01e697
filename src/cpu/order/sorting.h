/* SPDX-License-Identifier: MIT */
/* The state of a sort, and the order of a row's pairs: a stable LSD radix sort of (rank, position)
** packed in 64 bits, with an MSD step for ranks that do not fit.
**
** An element's rank is an unsigned integer that compares as the element does: the sign bit of an
** integer is flipped, and a float is its magnitude above or below the rank of zero, NaN last
** (order/rank.inc). A pair has the rank's bits above and the position below, so one integer is
** moved in place of a key and a payload:
**
**   rank     0 0 0 1 0 1 1 0 ...... 1 0 1 1     `shift` highest bits are equal in the row: dropped
**                  \____ kept ____/ \_ rest _/
**   pair           |  64 - place bits  | position, `place` bits |
**
** A survey first finds which bits differ at all, and whether the row ascends or descends already.
** radix_sort then takes digits of 8 bits from the lowest, and skips bits in which no ranks differ.
** Pairs whose kept bits agree form runs; sort_ties sorts each run by the bits that follow, the
** same way, until the rank has no bits left.
**
** Invariant: no two pairs are equal, because positions differ, and equal ranks are in the order of
** their positions. So any sort of pairs, even one that is not stable, sorts the elements stably.
**
** Sources: D. Knuth, The Art of Computer Programming, volume 3, 1998, section 5.2.5 (sorting by
** distribution); P. McIlroy, K. Bostic, M. D. McIlroy, "Engineering Radix Sort", Computing Systems
** 6 (1993); M. Herf, "Radix Tricks", http://stereopsis.com/radix.html (floats as integers). */
#ifndef LOCUS_SORTING_H
#define LOCUS_SORTING_H

#include "cpu/block/panel.h"
#include "cpu/order/pairs.h"
#include "cpu/order/ranks.h"

#define TEMPLATE "cpu/order/pick.inc"
#define WIDTHS_OF_NUMBERS
#include "cpu/block/each_width.h"

typedef void pick_rows(char *out, int64_t out_apart, const char *in, int64_t in_apart,
                       const uint64_t *pairs, int64_t step, uint64_t positions, int64_t rows,
                       int64_t n);
static pick_rows *const picks[] = {
    [1] = pick_rows_1, [2] = pick_rows_2, [4] = pick_rows_4, [8] = pick_rows_8};

typedef struct sorting {
  const locus_sort_job *job;
  locus_grid rows;
  panel in, values, index;
  rank_run *rank;
  pick_rows *pick;
  int64_t most; /* rows of a group at most */
  bool is_short, by_vectors, counted;
  int place;          /* bits of a position */
  uint64_t positions; /* the lowest `place` bits */
  pairs row;
  char *spare;      /* instead of these, as long as the row, where vectors sort values */
  uint32_t *counts; /* or these tables, where elements are counted */
  int64_t tables;
  uint64_t *ranks;              /* of a BLOCK of a row, or of a group of short rows */
  uint64_t (*columns)[COLUMNS]; /* pairs of a group of short rows */
} sorting;

typedef struct outline {
  uint64_t differ;      /* the bits in which ranks differ */
  bool rising, falling; /* ranks never fall, always do */
} outline;

/* Blocks overlap by one element, so that each pair of neighbours is seen. */
static int survey(const sorting *s, const char *elements, outline *o, locus_context *cx)
{
  const uint64_t *ranks = s->ranks;
  const int64_t n = s->in.n;
  uint64_t first = 0;

  *o = (outline){0, true, true};
  for (int64_t at = 0, seen = 0; seen < n; at = seen - 1) {
    const int64_t count = least(BLOCK, n - at);
    uint64_t differ = 0, falls = 0, holds = 0;
    LOCUS_TRY(locus_poll(cx));
    s->rank(s->ranks, elements + at * s->in.item, count, s->job->descending);
    if (at == 0) first = ranks[0];
    for (int64_t i = 0; i < count; i++) differ |= ranks[i] ^ first;
    for (int64_t i = 1; o->rising && i < count; i++) falls |= ranks[i] < ranks[i - 1];
    for (int64_t i = 1; o->falling && i < count; i++) holds |= ranks[i] >= ranks[i - 1];
    o->differ |= differ;
    o->rising &= !falls;
    o->falling &= !holds;
    seen = at + count;
  }
  return 0;
}

static int sort_ties(sorting *s, const char *elements, pairs p, int64_t n, int shift,
                     locus_context *cx);

/* Sorts pairs whose ranks agree in their highest `shift` bits by the bits that follow. */
static int sort_tie(sorting *s, const char *elements, pairs p, int64_t n, int shift,
                    locus_context *cx)
{
  uint64_t *const home = p.now, differ = 0;
  _Alignas(8) char picked[BLOCK * 8];

  for (int64_t at = 0, count; at < n; at += count) {
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, n - at);
    s->pick(picked, 0, elements, 0, p.now + at, 1, s->positions, 1, count);
    s->rank(s->ranks, picked, count, s->job->descending);
    join_ranks(p.now + at, s->ranks, count, shift, s->positions);
    for (int64_t i = at; i < at + count; i++) differ |= p.now[i] ^ p.now[0];
  }
  LOCUS_TRY(sort_pairs(&p, n, differ & ~s->positions, cx));
  LOCUS_TRY(move_pairs(home, p.now, n, cx));
  if (p.now != home) p = (pairs){p.spare, p.now};
  return shift < s->place ? sort_ties(s, elements, p, n, shift, cx) : 0;
}

/* Sorts pairs that agree in all bits of the rank that they hold (those after its highest `shift`)
** by the bits for which there was no room. */
static int sort_ties(sorting *s, const char *elements, pairs p, int64_t n, int shift,
                     locus_context *cx)
{
  for (int64_t begin = 0, i = 1; i <= n; i++) {
    if (i % STRETCH == 0) LOCUS_TRY(locus_poll(cx));
    if (i < n && (p.now[i] ^ p.now[begin]) <= s->positions) continue;
    if (i - begin > 1) {
      LOCUS_TRY(sort_tie(s, elements, (pairs){p.now + begin, p.spare + begin}, i - begin,
                         shift + 64 - s->place, cx));
    }
    begin = i;
  }
  return 0;
}

/* Puts the pairs of a row in order. */
static int order_pairs(sorting *s, const char *elements, uint64_t differ, locus_context *cx)
{
  const int64_t n = s->in.n;
  const int shift = __builtin_clzll(differ);

  for (int64_t at = 0, count; at < n; at += count) {
    uint64_t *const p = s->row.now + at;
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, n - at);
    s->rank(s->ranks, elements + at * s->in.item, count, s->job->descending);
    for (int64_t i = 0; i < count; i++) p[i] = (uint64_t)(at + i);
    join_ranks(p, s->ranks, count, shift, s->positions);
  }
  differ <<= shift;
  LOCUS_TRY(sort_pairs(&s->row, n, differ & ~s->positions, cx));
  return differ & s->positions ? sort_ties(s, elements, s->row, n, shift, cx) : 0;
}

/* Writes the answers of n pairs in order; values or index may be NULL. */
static int write_pairs(const sorting *s, const char *elements, const uint64_t *p, int64_t n,
                       char *values, int64_t *index, locus_context *cx)
{
  for (int64_t at = 0, count; at < n; at += count) {
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, n - at);
    if (values)
      s->pick(values + at * s->in.item, 0, elements, 0, p + at, 1, s->positions, 1, count);
    for (int64_t i = 0; index && i < count; i++)
      index[at + i] = (int64_t)(p[at + i] & s->positions) + s->job->base;
  }
  return 0;
}

/* The same for places begin .. end - 1 of a row that is in order, or in the reverse order. */
static int write_ordered(const sorting *s, const char *elements, char *values, int64_t *index,
                         bool reverse, int64_t begin, int64_t end, locus_context *cx)
{
  const int64_t item = s->in.item, step = reverse ? -1 : 1;

  for (int64_t at = begin, count; at < end; at += count) {
    const int64_t from = reverse ? s->in.n - 1 - at : at;
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, end - at);
    if (values) gather_run(values + at * item, elements + from * item, step, count, item);
    for (int64_t i = 0; index && i < count; i++) index[at + i] = from + i * step + s->job->base;
  }
  return 0;
}

#endif
