/* SPDX-License-Identifier: MIT */
/* Counting sort: a long row of elements of one or two bytes, sorted for its values alone. There
** are at most 65536 ranks. Each piece of the row counts its elements by rank, in a table of its
** own. The sums say at which place each rank begins. Then pieces of the answer are written, each
** from the rank that its first place falls in:
**
**   row       | piece 0  | piece 1  | piece 2  |     a table of counts each
**   begins    rank 0: 0    rank 1: 5    rank 2: 5    rank 3: 9 ...
**   values    | 0 0 0 0 0 2 | 2 2 2 3 3 3 3 |        pieces of the answer
**
** A table of a piece is no work that one thread would not have, so pieces are as many as
** threads, and longer than tables. Source: D. Knuth, The Art of Computer Programming, volume 3,
** 1998, section 5.2 (algorithm D). */
#ifndef LOCUS_COUNTED_H
#define LOCUS_COUNTED_H

#include "core/parallel.h"
#include "cpu/order/keys.h"

enum { WORTH_A_TABLE = 4 }; /* elements of a piece for each rank */

typedef struct counted_row {
  const sorting *s; /* with its tables */
  const char *elements;
  char *values;
  int64_t pieces, size; /* of a piece */
} counted_row;

static inline int64_t ranks_of(const sorting *s)
{
  return (int64_t)1 << 8 * s->in.item;
}

/* Whether rows are counted: there are more elements than ranks, and counters of 32 bits suffice. */
static bool is_counted(const sorting *s)
{
  const int64_t n = s->in.n;

  return !s->job->has_index && s->in.item <= 2 && n >= ranks_of(s) && n <= UINT32_MAX;
}

/* The tables of a row that so many threads share. */
static int64_t tables_for(const sorting *s, int64_t threads)
{
  const int64_t worth = s->in.n / (WORTH_A_TABLE * ranks_of(s));

  return worth < 1 ? 1 : least(worth, threads);
}

static int64_t table_bytes(const sorting *s)
{
  return s->tables * ranks_of(s) * (int64_t)sizeof *s->counts;
}

static int count_pieces_of_row(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const counted_row *row = given;
  const sorting *s = row->s;
  const uint64_t mask = (uint64_t)ranks_of(s) - 1;
  uint64_t ranks[BLOCK];

  for (int64_t k = begin; k < end; k++) {
    uint32_t *restrict counts = s->counts + k * ranks_of(s);
    const int64_t stop = least(s->in.n, (k + 1) * row->size);
    memset(counts, 0, (size_t)ranks_of(s) * sizeof *counts);
    for (int64_t at = k * row->size; at < stop; at += BLOCK) {
      const int64_t count = least(BLOCK, stop - at);
      LOCUS_TRY(locus_poll(cx));
      s->rank(ranks, row->elements + at * s->in.item, count, s->job->descending);
      for (int64_t i = 0; i < count; i++) counts[ranks[i] & mask]++;
    }
  }
  return 0;
}

/* Makes of the first table the place at which each rank begins. */
static void add_tables(const counted_row *row)
{
  const int64_t m = ranks_of(row->s);
  uint32_t *counts = row->s->counts, place = 0;

  for (int64_t k = 1; k < row->pieces; k++)
    for (int64_t v = 0; v < m; v++) counts[v] += counts[k * m + v];
  for (int64_t v = 0; v < m; v++) {
    const uint32_t count = counts[v];
    counts[v] = place;
    place += count;
  }
}

/* The rank at that place: the last one that begins there or before. */
static int64_t rank_at(const sorting *s, int64_t place)
{
  int64_t low = 0, high = ranks_of(s);

  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (s->counts[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
}

static int write_counted(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const counted_row *row = given;
  const sorting *s = row->s;
  const int64_t first = begin * row->size, stop = least(s->in.n, end * row->size);
  const int64_t last = ranks_of(s) - 1;
  uint64_t ranks[BLOCK];
  int64_t rank = rank_at(s, first);

  for (int64_t at = first, count; at < stop; at += count) {
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, stop - at);
    for (int64_t i = 0; i < count;) {
      while (rank < last && s->counts[rank + 1] <= at + i) rank++;
      const int64_t upto = rank < last ? least(count, s->counts[rank + 1] - at) : count;
      for (; i < upto; i++) ranks[i] = (uint64_t)rank;
    }
    unrank_runs[s->job->in.dtype](row->values + at * s->in.item, ranks, count, s->job->descending);
  }
  return 0;
}

static int sort_counted(const sorting *s, const char *elements, char *values, locus_context *cx)
{
  const int64_t size = (s->in.n - 1) / s->tables + 1;
  const counted_row row = {s, elements, values, (s->in.n - 1) / size + 1, size};

  LOCUS_TRY(locus_parallel(count_pieces_of_row, &row, row.pieces, 1, cx));
  add_tables(&row);
  LOCUS_TRY(locus_parallel(write_counted, &row, row.pieces, 1, cx));
  return write_alike(s, elements, values, cx);
}

#endif
