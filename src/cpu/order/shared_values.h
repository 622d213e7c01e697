/* SPDX-License-Identifier: MIT */
/* Sorting one long row for its values alone by all threads, by vectors. It is a samplesort whose
** buckets are made by the partitions of the quicksort. Compared with one thread, the only extra
** work is to gather buckets from pieces. The row is cut into pieces. A sorted sample of the keys
** gives splitters. Each thread cuts pieces at these, then gathers buckets, then sorts them:
**
**   values   | piece 0 | piece 1 | piece 2 |        keys
**   spare    | 2 1 0   | 2 1 0   | 2 1 0   |        each piece by bucket
**   values   | bucket 0 | bucket 1 | bucket 2 |     gathered, sorted, elements again
**
** Equal keys cannot be told apart, and zeros and NaN get their bits at the end, so that the answer
** is the one that there is, whatever the splitters and the number of threads. Memory is that of one
** thread. */
#ifndef LOCUS_SHARED_VALUES_H
#define LOCUS_SHARED_VALUES_H

#include "core/parallel.h"
#include "cpu/order/values.h"

enum {
  MOST_KEY_BUCKETS = 128,
  KEY_BUCKETS = 8,  /* and pieces, for each thread */
  KEY_SAMPLES = 16, /* for each bucket */
  MOST_KEY_PIECES = 256,
};

#if PARTITIONS
typedef struct key_piece {
  key_outline outline;
  key_bucket bucket[MOST_KEY_BUCKETS];
} key_piece;

typedef struct shared_values {
  const sorting *s; /* with the workspace of one thread */
  const char *elements;
  char *values;
  key_outline whole;
  int64_t pieces, size; /* of a piece */
  int buckets;
  int64_t splitters[MOST_KEY_BUCKETS];
  int64_t begin[MOST_KEY_BUCKETS + 1]; /* of a bucket */
  key_piece *piece;
} shared_values;

static inline int64_t key_piece_length(const shared_values *v, int64_t k)
{
  return least(v->s->in.n, (k + 1) * v->size) - k * v->size;
}

static int make_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shared_values *v = given;
  sorting own = *v->s;

  for (int64_t k = begin; k < end; k++) {
    const int64_t at = k * v->size * own.in.item;
    own.in.n = key_piece_length(v, k);
    LOCUS_TRY(make_row_of_keys(&own, v->elements + at, v->values + at, &v->piece[k].outline, cx));
  }
  return 0;
}

static inline int64_t key_at(const shared_values *v, int64_t i)
{
  return v->s->in.item == 4 ? ((const key_4 *)v->values)[i] : ((const key_8 *)v->values)[i];
}

static void join_outlines(shared_values *v)
{
  v->whole = v->piece[0].outline;
  for (int64_t k = 1; k < v->pieces; k++) {
    const key_outline *o = &v->piece[k].outline;
    const int64_t last = key_at(v, k * v->size - 1), first = key_at(v, k * v->size);
    v->whole.low = least(v->whole.low, o->low);
    if (o->high > v->whole.high) v->whole.high = o->high;
    v->whole.rising &= o->rising && last <= first;
    v->whole.falling &= o->falling && last > first;
  }
}

static int write_ordered_values(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shared_values *v = given;
  return write_ordered(v->s, v->elements, v->values, NULL, v->whole.falling, begin * v->size,
                       least(v->s->in.n, end * v->size), cx);
}

/* One key of each stretch of the row, at a random place of it. */
static int choose_key_splitters(shared_values *v, locus_context *cx)
{
  key_8 sample[MOST_KEY_BUCKETS * KEY_SAMPLES], spare[MOST_KEY_BUCKETS * KEY_SAMPLES];
  const int64_t m = v->buckets * KEY_SAMPLES, each = v->s->in.n / m;
  uint32_t random = 1;

  for (int64_t i = 0; i < m; i++) {
    random = random * 1664525 + 1013904223;
    sample[i] = key_at(v, i * each + (int64_t)((double)each * random * 0x1p-32));
  }
  LOCUS_TRY(ISA(sort_keys_8)(sample, spare, m, v->whole.low, v->whole.high, cx));
  for (int k = 1; k < v->buckets; k++) v->splitters[k - 1] = sample[k * KEY_SAMPLES];
  return 0;
}

static int part_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shared_values *v = given;
  const int64_t item = v->s->in.item;

  for (int64_t k = begin; k < end; k++) {
    const int64_t at = k * v->size * item, n = key_piece_length(v, k);
    void *keys = v->values + at, *spare = v->s->spare + at;
    LOCUS_TRY(
        item == 4
            ? ISA(part_keys_4)(keys, spare, n, v->splitters, v->buckets, v->piece[k].bucket, cx)
            : ISA(part_keys_8)(keys, spare, n, v->splitters, v->buckets, v->piece[k].bucket, cx));
  }
  return 0;
}

static void place_buckets(shared_values *v)
{
  int64_t place = 0;

  for (int b = 0; b < v->buckets; b++) {
    v->begin[b] = place;
    for (int64_t k = 0; k < v->pieces; k++) place += v->piece[k].bucket[b].n;
  }
  v->begin[v->buckets] = place;
}

static int gather_buckets(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shared_values *v = given;
  const int64_t item = v->s->in.item;

  for (int64_t b = begin; b < end; b++) {
    char *to = v->values + v->begin[b] * item;
    for (int64_t k = 0; k < v->pieces; k++) {
      const key_bucket *part = &v->piece[k].bucket[b];
      const char *from = v->s->spare + (k * v->size + part->at) * item;
      for (int64_t at = 0; at < part->n; at += STRETCH) {
        LOCUS_TRY(locus_poll(cx));
        memcpy(to + at * item, from + at * item, (size_t)(least(STRETCH, part->n - at) * item));
      }
      to += part->n * item;
    }
  }
  return 0;
}

static int sort_buckets(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shared_values *v = given;
  const int64_t item = v->s->in.item;

  for (int64_t b = begin; b < end; b++) {
    const int64_t at = v->begin[b], n = v->begin[b + 1] - at;
    key_outline o = v->whole;
    if (n == 0) continue;
    if (b > 0 && v->splitters[b - 1] > o.low) o.low = v->splitters[b - 1];
    if (b + 1 < v->buckets && v->splitters[b] <= o.high) o.high = v->splitters[b] - 1;
    LOCUS_TRY(sort_keys(v->values + at * item, v->s->spare + at * item, n, item, &o, cx));
    LOCUS_TRY(unmake_row_of_keys(v->s, v->values + at * item, n, cx));
  }
  return 0;
}

/* Sorts the row at `elements`. */
static int sort_shared_values(shared_values *v, const char *elements, char *values,
                              locus_context *cx)
{
  v->elements = elements;
  v->values = values;
  LOCUS_TRY(locus_parallel(make_pieces, v, v->pieces, 1, cx));
  join_outlines(v);
  if (v->whole.rising || v->whole.falling)
    return locus_parallel(write_ordered_values, v, v->pieces, 1, cx);
  LOCUS_TRY(choose_key_splitters(v, cx));
  LOCUS_TRY(locus_parallel(part_pieces, v, v->pieces, 1, cx));
  place_buckets(v);
  LOCUS_TRY(locus_parallel(gather_buckets, v, v->buckets, 1, cx));
  LOCUS_TRY(locus_parallel(sort_buckets, v, v->buckets, 1, cx));
  return write_alike(v->s, elements, values, cx);
}

static int64_t shared_values_bytes(int64_t threads)
{
  return (int64_t)sizeof(shared_values) +
         least(KEY_BUCKETS * threads, MOST_KEY_PIECES) * (int64_t)sizeof(key_piece);
}

/* How rows of a sort are cut for that many threads. */
static void begin_shared_values(shared_values *v, const sorting *s, int64_t threads)
{
  const int64_t n = s->in.n, pieces = least(KEY_BUCKETS * threads, MOST_KEY_PIECES);

  v->s = s;
  v->piece = (key_piece *)(v + 1);
  v->size = (n - 1) / pieces / 64 * 64 + 64;
  v->pieces = (n - 1) / v->size + 1;
  v->buckets = 2;
  while (v->buckets < KEY_BUCKETS * threads && v->buckets * 4 <= MOST_KEY_BUCKETS &&
         v->buckets * 4 * KEY_SAMPLES <= n)
    v->buckets *= 4;
}
#endif

#endif
