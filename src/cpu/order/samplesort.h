/* SPDX-License-Identifier: MIT */
/* Sorting one long row by all threads: a samplesort. A sorted sample of the row's ranks gives
** splitters, which cut the order into buckets of about equal size. The row is cut into pieces; each
** one counts its elements by bucket, and moves them there, behind those of earlier pieces. Then
** each bucket is sorted as a row of its own, by what sorts a row on one thread:
**
**   row       | piece 0      | piece 1      | piece 2      |   each thread takes pieces
**                 \  \_______________  \_______   \______
**   buckets   | 0 1 2 | 0 1 2 |        | 0 1 2 |           begins[bucket], then piece by piece
**                 sorted alone, each by a thread, and written where it lies
**
** Invariant: the move is stable, so that elements of one rank keep their order, and a bucket that
** is one rank wide is sorted once it is there. A sort without positions moves the elements
** themselves to their places among the values, and zeros, NaN and truths, whose ranks do not tell
** their bits, get such buckets. A sort with positions moves pairs. So the answer is the one that
** there is, whatever the splitters and the number of threads. Memory is that of one thread: numbers
** of buckets lie where the pairs will be sorted.
**
** Splitters are round numbers (order/splitters.h), so that the ranks of a bucket agree in their
** highest bits, and fewer passes are left.
**
** Sources: W. Frazer, A. McKellar, "Samplesort: A Sampling Approach to Minimal Storage Tree
** Sorting", Journal of the ACM 17 (1970); P. Sanders, S. Winkel, "Super Scalar Sample Sort", ESA
** 2004. */
#ifndef LOCUS_SAMPLESORT_H
#define LOCUS_SAMPLESORT_H

#include "core/parallel.h"
#include "cpu/order/keys.h"
#include "cpu/order/splitters.h"

enum {
  BUCKET = 8192, /* elements of one, where the row is not too long */
  LEAST_BUCKETS = 8,
  MOST_PIECES = 256,
};

#define TEMPLATE "cpu/order/samplesort.inc"
#define WIDTHS_OF_NUMBERS
#include "cpu/block/each_width.h"

typedef void send_run(char *to, const char *from, const uint8_t *bucket, int64_t n,
                      int64_t *restrict places);
static send_run *const sends[] = {[1] = send_1, [2] = send_2, [4] = send_4, [8] = send_8};

/* A part of a bucket that one thread finishes; only those of one rank have several. */
typedef struct share {
  int bucket;
  int64_t begin, end;
} share;

/* A piece of the row. */
typedef struct stretch {
  outline outline;
  int64_t places[MOST_BUCKETS]; /* of its elements: at first how many a bucket has */
} stretch;

typedef struct samplesort {
  const sorting *s; /* with the workspace of one thread */
  const char *elements;
  char *values;
  int64_t *index;
  outline whole;
  stretch *stretch;
  int64_t pieces, size; /* of a piece */
  int most;             /* buckets at most */
  splitters splitters;
  int64_t shares;
  share share[3 * MOST_BUCKETS];
} samplesort;

static inline int64_t piece_end(const samplesort *o, int64_t piece)
{
  return least(o->s->in.n, (piece + 1) * o->size);
}

/* -- Looking at the row ------------------------------------------------------------------------ */

/* Pieces overlap by one element, as blocks do. */
static int survey_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const samplesort *o = given;
  sorting own = *o->s;
  uint64_t ranks[BLOCK];

  own.ranks = ranks;
  for (int64_t k = begin; k < end; k++) {
    const int64_t at = k * o->size;
    own.in.n = least(o->s->in.n, piece_end(o, k) + 1) - at;
    LOCUS_TRY(survey(&own, o->elements + at * own.in.item, &o->stretch[k].outline, cx));
  }
  return 0;
}

static int survey_row(samplesort *o, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(survey_pieces, o, o->pieces, 1, cx));
  o->whole = (outline){0, true, true};
  for (int64_t k = 0; k < o->pieces; k++) {
    o->whole.differ |= o->stretch[k].outline.differ;
    o->whole.rising &= o->stretch[k].outline.rising;
    o->whole.falling &= o->stretch[k].outline.falling;
  }
  return 0;
}

static int write_ordered_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const samplesort *o = given;

  return write_ordered(o->s, o->elements, o->values, o->index, o->whole.falling, begin * o->size,
                       piece_end(o, end - 1), cx);
}

/* -- Moving elements to their buckets ---------------------------------------------------------- */

static uint8_t *bucket_numbers(const samplesort *o)
{
  return (uint8_t *)o->s->row.spare;
}

static int count_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const samplesort *o = given;
  const sorting *s = o->s;
  uint64_t ranks[BLOCK];
  uint8_t bucket[BLOCK];

  for (int64_t k = begin; k < end; k++) {
    int64_t *counts = o->stretch[k].places;
    memset(counts, 0, sizeof o->stretch[k].places);
    for (int64_t at = k * o->size; at < piece_end(o, k); at += BLOCK) {
      const int64_t count = least(BLOCK, piece_end(o, k) - at);
      LOCUS_TRY(locus_poll(cx));
      s->rank(ranks, o->elements + at * s->in.item, count, s->job->descending);
      find_buckets(&o->splitters, ranks, count, bucket);
      for (int64_t i = 0; i < count; i++) counts[bucket[i]]++;
      memcpy(bucket_numbers(o) + at, bucket, (size_t)count);
    }
  }
  return 0;
}

/* Whether a bucket is one rank wide. */
static bool is_alike(const samplesort *o, int k)
{
  return o->splitters.low[k] == o->splitters.high[k];
}

/* Where the elements of each piece go, and who finishes what. */
static void plan_buckets(samplesort *o)
{
  const int64_t longest = o->s->in.n / o->splitters.buckets + 1;
  int64_t place = 0;

  o->shares = 0;
  for (int k = 0; k < o->splitters.buckets; k++) {
    int64_t at = place;
    for (int64_t p = 0; p < o->pieces; p++) {
      const int64_t count = o->stretch[p].places[k];
      o->stretch[p].places[k] = place;
      place += count;
    }
    const bool alike = is_alike(o, k);
    for (int64_t end; at < place && (o->index || !alike); at = end) {
      end = alike ? least(place, at + longest) : place;
      o->share[o->shares++] = (share){k, at, end};
    }
  }
}

/* The highest bits that the ranks of a bucket have in common. */
static int bucket_shift(const samplesort *o, int k)
{
  const int own = __builtin_clzll((o->splitters.low[k] ^ o->splitters.high[k]) | 1);

  return own > o->splitters.shift ? own : o->splitters.shift;
}

static int send_pairs(const samplesort *o, int64_t k, const uint8_t *shift, locus_context *cx)
{
  const sorting *s = o->s;
  const uint8_t *bucket = bucket_numbers(o);
  const int64_t end = piece_end(o, k);
  uint64_t ranks[BLOCK], *restrict to = s->row.now;
  int64_t places[MOST_BUCKETS];

  memcpy(places, o->stretch[k].places, sizeof places);
  for (int64_t at = k * o->size; at < end; at += BLOCK) {
    const int64_t count = least(BLOCK, end - at);
    LOCUS_TRY(locus_poll(cx));
    s->rank(ranks, o->elements + at * s->in.item, count, s->job->descending);
    for (int64_t i = 0; i < count; i++) {
      const uint8_t b = bucket[at + i];
      uint64_t *place = to + places[b]++;
      *place = (ranks[i] << shift[b] & ~s->positions) | (uint64_t)(at + i);
      __builtin_prefetch(place + 8, 1);
    }
  }
  return 0;
}

static int send_values(const samplesort *o, int64_t k, locus_context *cx)
{
  const int64_t item = o->s->in.item, end = piece_end(o, k);
  int64_t places[MOST_BUCKETS];

  memcpy(places, o->stretch[k].places, sizeof places);
  for (int64_t at = k * o->size; at < end; at += STRETCH) {
    LOCUS_TRY(locus_poll(cx));
    sends[item](o->values, o->elements + at * item, bucket_numbers(o) + at,
                least(STRETCH, end - at), places);
  }
  return 0;
}

static int send_pieces(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const samplesort *o = given;
  uint8_t shift[MOST_BUCKETS];

  for (int k = 0; k < o->splitters.buckets; k++) shift[k] = (uint8_t)bucket_shift(o, k);
  for (int64_t k = begin; k < end; k++)
    LOCUS_TRY(o->index ? send_pairs(o, k, shift, cx) : send_values(o, k, cx));
  return 0;
}

/* -- Sorting buckets --------------------------------------------------------------------------- */

/* A bucket in its place among the values. */
static int finish_values(sorting *own, const samplesort *o, const share *t, locus_context *cx)
{
  char *values = o->values + t->begin * own->in.item;
  outline bucket;

  own->in.n = t->end - t->begin;
  LOCUS_TRY(survey(own, values, &bucket, cx));
  return bucket.rising ? 0 : sort_values(own, values, bucket.differ, values, cx);
}

/* From this bit on few pairs of a bucket agree. */
static int first_bit(int64_t n)
{
  return n > 1 << 22 ? 32 : n > 1 << 14 ? 40 : n > 1 << 6 ? 48 : 56;
}

/* Sorts pairs of a bucket of several ranks. */
static int order_bucket(sorting *own, const samplesort *o, int64_t n, int shift, locus_context *cx)
{
  uint64_t differ = 0;

  for (int64_t i = 0; i < n; i++) {
    if (i % STRETCH == 0) LOCUS_TRY(locus_poll(cx));
    differ |= own->row.now[i] ^ own->row.now[0];
  }
  differ &= ~own->positions;
  if (differ) LOCUS_TRY(sort_pairs_from(&own->row, n, differ, first_bit(n), cx));
  if (!(o->whole.differ << shift & own->positions)) return 0;
  return sort_ties(own, o->elements, own->row, n, shift, cx);
}

static int finish_pairs(sorting *own, const samplesort *o, const share *t, locus_context *cx)
{
  const int64_t n = t->end - t->begin;
  char *values = o->values ? o->values + t->begin * own->in.item : NULL;

  if (!is_alike(o, t->bucket)) LOCUS_TRY(order_bucket(own, o, n, bucket_shift(o, t->bucket), cx));
  return write_pairs(own, o->elements, own->row.now, n, values, o->index + t->begin, cx);
}

static int finish_shares(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const samplesort *o = given;
  uint64_t ranks[BLOCK];

  for (int64_t k = begin; k < end; k++) {
    const share *t = &o->share[k];
    sorting own = *o->s;
    own.ranks = ranks;
    own.row = (pairs){own.row.now + t->begin, own.row.spare + t->begin};
    LOCUS_TRY(o->index ? finish_pairs(&own, o, t, cx) : finish_values(&own, o, t, cx));
  }
  return 0;
}

/* Sorts the row at `elements`; values or index may be NULL. */
static int samplesort_row(samplesort *o, const char *elements, char *values, int64_t *index,
                          locus_context *cx)
{
  o->elements = elements;
  o->values = values;
  o->index = index;
  LOCUS_TRY(survey_row(o, cx));
  if (o->whole.rising || o->whole.falling)
    return locus_parallel(write_ordered_pieces, o, o->pieces, 1, cx);
  LOCUS_TRY(choose_splitters(&o->splitters, o->s, elements, o->whole.differ, o->most, !index, cx));
  LOCUS_TRY(locus_parallel(count_pieces, o, o->pieces, 1, cx));
  plan_buckets(o);
  LOCUS_TRY(locus_parallel(send_pieces, o, o->pieces, 1, cx));
  return locus_parallel(finish_shares, o, o->shares, 1, cx);
}

static int64_t samplesort_pieces(int64_t threads)
{
  return least(8 * threads, MOST_PIECES);
}

static int64_t samplesort_bytes(int64_t threads)
{
  return (int64_t)sizeof(samplesort) + samplesort_pieces(threads) * (int64_t)sizeof(stretch);
}

/* How rows of a sort are cut for that many threads. */
static void samplesort_begin(samplesort *o, const sorting *s, int64_t threads)
{
  const int64_t pieces = samplesort_pieces(threads);

  o->s = s;
  o->stretch = (stretch *)(o + 1);
  o->size = (s->in.n - 1) / pieces / 64 * 64 + 64;
  o->pieces = (s->in.n - 1) / o->size + 1;
  const int64_t most = s->in.n / BUCKET < 4 * threads ? 4 * threads : s->in.n / BUCKET;
  o->most = (int)least(most < LEAST_BUCKETS ? LEAST_BUCKETS : most, MOST_BUCKETS);
}

#endif
