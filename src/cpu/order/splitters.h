/* SPDX-License-Identifier: MIT */
/* Splitters of a samplesort (order/samplesort.h): ranks that cut the order into buckets of about
** equal size, and the bucket of a rank.
**
** They come from a sorted sample. Each one is the roundest number between two neighbours of the
** place where it is wanted, so that the ranks of a bucket mostly agree in their highest bits. The
** bits behind those that the whole row has in common number cells. A table has the first bucket of
** each cell. Where splitters lie within a cell they are bisected, without a branch:
**
**   cells     |  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  |
**   buckets   0           1           2  3  4     5                 reach: 1, as cell 4 has 2, 3, 4
**
** A rank that is met again and again in the sample has a bucket of its own. */
#ifndef LOCUS_SPLITTERS_H
#define LOCUS_SPLITTERS_H

#include "cpu/order/sorting.h"

enum {
  MOST_BUCKETS = 256, /* whose numbers are bytes */
  SAMPLES = 16,       /* of a bucket */
  CELL_BITS = 16,     /* at most */
  ALIKE = 4,
};

typedef struct splitters {
  int buckets;
  uint64_t low[MOST_BUCKETS], high[2 * MOST_BUCKETS]; /* the ranks of a bucket; UINT64_MAX behind */
  int shift;      /* highest bits that all ranks have in common: */
  uint64_t upper; /* these; behind them are those that number cells */
  int cell_bits, reach;
  uint8_t cells[1 << CELL_BITS];
} splitters;

/* Adds a bucket that begins with a rank not less than those of the others. The last one, if it
** begins with it, too, has this rank alone. */
static void split(splitters *p, uint64_t rank)
{
  const uint64_t last = p->low[p->buckets - 1];

  if (rank > last) p->low[p->buckets++] = rank;
  else if (rank == last && rank < UINT64_MAX) p->low[p->buckets++] = rank + 1;
}

/* The number above `low`, if there is any, and up to `high` with the most zeros at its end. */
static uint64_t roundest(uint64_t low, uint64_t high)
{
  return low == high ? high : high & ~((UINT64_MAX >> 1) >> __builtin_clzll(low ^ high));
}

static uint64_t cell_of(const splitters *p, uint64_t rank)
{
  return rank << p->shift >> (64 - p->cell_bits);
}

/* The first bucket of each cell, and how far behind it another one of that cell may be. */
static void lay_cells(splitters *p, int64_t n)
{
  int most = 0;

  p->cell_bits = (int)least(CELL_BITS, 64 - __builtin_clzll((uint64_t)n));
  for (int64_t cell = 0, k = 0; cell < (int64_t)1 << p->cell_bits; cell++) {
    const uint64_t first = p->upper | (uint64_t)cell << (64 - p->cell_bits) >> p->shift;
    const uint64_t last = first | UINT64_MAX >> p->shift >> p->cell_bits;
    while (p->high[k] < first) k++;
    p->cells[cell] = (uint8_t)k;
    int64_t end = k;
    while (p->high[end] < last) end++;
    if (end - k > most) most = (int)(end - k);
  }
  p->reach = most ? 1 << (31 - __builtin_clz((unsigned)most)) : 0;
}

/* The ranks of elements of the row, one at some place of each of m stretches. */
static void draw(const sorting *s, const char *elements, uint64_t *ranks, int64_t m)
{
  const int64_t count = s->in.n / m;
  uint64_t random = 1;

  for (int64_t i = 0; i < m; i++) {
    random = random * 6364136223846793005 + 1442695040888963407; /* of Knuth's MMIX */
    const int64_t at = count * i + (int64_t)((random >> 33) % (uint64_t)count);
    s->rank(ranks + i, elements + at * s->in.item, 1, s->job->descending);
  }
}

/* Ranks whose elements may differ in their bits, of zeros, of NaN and of truths, each twice. */
static int pick_alike(const sorting *s, uint64_t *picked)
{
  const uint64_t alike[] = {0, UINT64_MAX};

  if (locus_dtype_kind(s->job->in.dtype) == LOCUS_INTEGER) return 0;
  for (int i = 0; i < ALIKE; i++) {
    s->rank(picked + i, &alike[i / 2], 1, s->job->descending);
  }
  return ALIKE;
}

/* Chooses splitters for `most` buckets at most. With `apart` elements that ranks do not tell apart
** have buckets of their own. Ranks of the row differ in the bits of `differ`. */
static int choose_splitters(splitters *p, const sorting *s, const char *elements, uint64_t differ,
                            int most, bool apart, locus_context *cx)
{
  uint64_t ranks[MOST_BUCKETS * SAMPLES], spare[MOST_BUCKETS * SAMPLES], picked[MOST_BUCKETS];
  int used = apart ? pick_alike(s, picked) : 0;
  const int wanted = most - 1 - used;
  const int64_t m = least(s->in.n, (wanted + 1) * SAMPLES);
  pairs sample = {ranks, spare};

  draw(s, elements, ranks, m);
  p->shift = __builtin_clzll(differ);
  p->upper = p->shift ? ranks[0] >> (64 - p->shift) << (64 - p->shift) : 0;
  LOCUS_TRY(sort_pairs(&sample, m, UINT64_MAX, cx));
  for (int i = 1; i <= wanted; i++) {
    const int64_t at = i * m / (wanted + 1), near = least(at, SAMPLES / 4);
    picked[used++] = roundest(sample.now[at - near], sample.now[least(m - 1, at + SAMPLES / 4)]);
  }
  insertion_sort(picked, used);
  p->buckets = 1;
  p->low[0] = 0;
  for (int i = 0; i < used; i++) split(p, picked[i]);
  for (int k = 0; k + 1 < p->buckets; k++) p->high[k] = p->low[k + 1] - 1;
  for (int k = p->buckets - 1; k < 2 * MOST_BUCKETS; k++) p->high[k] = UINT64_MAX;
  lay_cells(p, s->in.n);
  return 0;
}

/* A rank's bucket is the one of its cell, or, by bisection, one that is behind it by less than
** twice the reach. */
static ALWAYS_INLINE void find_within(const splitters *p, const uint64_t *restrict ranks, int64_t n,
                                      uint8_t *restrict bucket, const uint32_t reach)
{
  for (int64_t i = 0; i < n; i++) {
    uint32_t k = p->cells[cell_of(p, ranks[i])];
    for (uint32_t step = reach; step > 0; step /= 2)
      k += (uint32_t)(ranks[i] > p->high[k + step - 1]) * step;
    bucket[i] = (uint8_t)k;
  }
}

/* The buckets of n ranks. */
static void find_buckets(const splitters *p, const uint64_t *ranks, int64_t n, uint8_t *bucket)
{
  switch (p->reach) {
  case 0: find_within(p, ranks, n, bucket, 0); break;
  case 1: find_within(p, ranks, n, bucket, 1); break;
  case 2: find_within(p, ranks, n, bucket, 2); break;
  default: find_within(p, ranks, n, bucket, (uint32_t)p->reach);
  }
}

#endif
