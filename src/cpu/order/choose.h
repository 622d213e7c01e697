/* SPDX-License-Identifier: MIT */
/* Selection by buckets: the k-th least key, for one or many k at once, without sorting all keys.
**
** Keys are unsigned integers, the ranks of elements (order/rank.h). One pass finds the least and
** the greatest key. A second counts keys in 2^bits buckets of equal width, a power of two, so that
** a bucket is found by a subtraction and a shift. A prefix sum of the counts says in which bucket
** each asked place falls. A third pass collects the keys of those buckets alone, and each bucket is
** searched in the same way:
**
**   counts   |  7 | 12 |  3 |  9 |  1 |       asked places: 10 and 25
**   places   0    7    19   22   31   32      10 falls in bucket 1, as its place 3
**                   ^^        ^^              25 falls in bucket 3, as its place 3
**                   collected and searched the keys of other buckets are never moved
**
** Invariant: `below` keys of the whole row are less than every key at hand, so place p of the row
** is place p - below here. A bucket's range is 2^bits times narrower than that of all, so at most
** 64 / FEW_BITS levels are needed for any data; at shift 0 a bucket holds equal keys and is done. n
** keys take O(n) time for each level, whatever their order: there is no bad pivot.
**
** Up to FEW keys are sorted by insertion. Keys are collected without a branch: each is stored, and
** the cursor moves on where its bucket is asked for.
**
** Source: T. Alabi, J. Blanchard, B. Gordon, R. Steinbach, "Fast k-Selection Algorithms for
** Graphics Processing Units", ACM Journal of Experimental Algorithmics 17 (2012): bucketSelect and
** radixSelect. */
#ifndef LOCUS_CHOOSE_H
#define LOCUS_CHOOSE_H

#include "cpu/block/block.h"
#include "cpu/order/insertion.h"

enum {
  FEW_BITS = 8,
  MANY_BITS = 11,
  MANY = 1024, /* this many keys have 2^MANY_BITS buckets */
};

/* A wanted place, and the key found there. Asks are in the order of their places. */
typedef struct ask {
  int64_t place, tie; /* how many of the keys before it are equal to it */
  uint64_t key;
  int64_t position;  /* in the segment */
  int64_t met, next; /* of the first ask for a key: elements met that have it, asks answered */
} ask;

typedef struct buckets {
  uint64_t least;
  int shift, bits; /* 2^bits of them, each of 2^shift keys */
} buckets;

/* The finest ones. */
static inline buckets buckets_between(uint64_t low, uint64_t high, int bits)
{
  const int used = low == high ? 0 : 64 - __builtin_clzll(high - low);
  return (buckets){low, used > bits ? used - bits : 0, bits};
}

static inline uint64_t bucket_of(buckets b, uint64_t key)
{
  return (key - b.least) >> b.shift;
}

/* The same of any key: those that lie in no bucket have one behind the last. */
static inline uint64_t bucket_of_any(buckets b, uint64_t key)
{
  const uint64_t k = bucket_of(b, key), past = (uint64_t)1 << b.bits;
  return k < past ? k : past;
}

static inline void widen(const uint64_t *restrict keys, int64_t n, uint64_t *low, uint64_t *high)
{
  uint64_t least_key = *low, greatest = *high;
  for (int64_t i = 0; i < n; i++) {
    least_key = keys[i] < least_key ? keys[i] : least_key;
    greatest = keys[i] > greatest ? keys[i] : greatest;
  }
  *low = least_key;
  *high = greatest;
}

static inline void count_keys(const uint64_t *restrict keys, int64_t n, buckets b,
                              int64_t *restrict counts)
{
  for (int64_t i = 0; i < n; i++) counts[bucket_of_any(b, keys[i])]++;
}

/* Finds the bucket of each ask. There are `below` keys before the first bucket. Each ask gets the
** least key of its bucket, and as its tie its place within the bucket. `asked` marks these buckets,
** and never the one behind the last; counts become the places at which their keys are to be
** collected. Returns the number of those keys; -1 if an ask falls in no bucket. */
static int64_t plan_buckets(buckets b, int64_t below, ask *asks, int64_t m, int64_t *counts,
                            uint8_t *asked)
{
  int64_t collected = 0, i = 0;

  for (int64_t k = 0; k < (int64_t)1 << b.bits; k++) {
    const int64_t count = counts[k], first = i;
    for (; i < m && asks[i].place < below + count; i++) {
      asks[i].key = b.least + ((uint64_t)k << b.shift);
      asks[i].tie = asks[i].place - below;
    }
    asked[k] = i > first;
    counts[k] = collected;
    if (i > first) collected += count;
    below += count;
  }
  asked[(int64_t)1 << b.bits] = 0;
  return i == m ? collected : -1;
}

/* Moves up to BLOCK keys of the asked buckets to their places. Where `positions` is not NULL, those
** of the keys, of which `first` is the first, go beside them. There are `room` places: keys that
** another thread has changed since they were counted may have none. */
static void collect_keys(const uint64_t *restrict keys, int64_t n, buckets b, const uint8_t *asked,
                         int64_t *restrict places, int64_t room, uint64_t *restrict to,
                         int64_t first, uint64_t *restrict positions)
{
  int64_t near[BLOCK + 1], count = 0;

  for (int64_t i = 0; i < n; i++) {
    near[count] = i;
    count += asked[bucket_of_any(b, keys[i])];
  }
  for (int64_t i = 0; i < count; i++) {
    const uint64_t key = keys[near[i]];
    const int64_t place = places[bucket_of(b, key)]++;
    if (place >= room) continue;
    to[place] = key;
    if (positions) positions[place] = (uint64_t)(first + near[i]);
  }
}

static void answer_sorted(ask *asks, int64_t m, int64_t below, const uint64_t *keys)
{
  for (int64_t i = 0; i < m; i++) {
    const int64_t at = asks[i].place - below;
    int64_t first = at;
    while (first > 0 && keys[first - 1] == keys[at]) first--;
    asks[i].key = keys[at];
    asks[i].tie = at - first;
  }
}

static int choose(uint64_t *keys, int64_t n, int64_t below, ask *asks, int64_t m, uint64_t *spare,
                  locus_context *cx);

/* Searches the collected buckets that hold more than a single key. They lie one behind the other;
** the keys of bucket k end at ends[k]. */
static int choose_collected(uint64_t *keys, buckets b, const int64_t *ends, ask *asks, int64_t m,
                            uint64_t *spare, locus_context *cx)
{
  int64_t begin = 0;

  for (int64_t i = 0, j; b.shift > 0 && i < m; i = j) {
    const int64_t end = ends[bucket_of(b, asks[i].key)];
    for (j = i + 1; j < m && asks[j].key == asks[i].key; j++) continue;
    LOCUS_TRY(
        choose(keys + begin, end - begin, asks[i].place - asks[i].tie, asks + i, j - i, spare, cx));
    begin = end;
  }
  return 0;
}

/* Answers the asks whose places are among those of n keys, before which there are `below` others.
** The keys are overwritten; `spare` has room for n keys. */
static int choose(uint64_t *keys, int64_t n, int64_t below, ask *asks, int64_t m, uint64_t *spare,
                  locus_context *cx)
{
  int64_t counts[(1 << MANY_BITS) + 1];
  uint8_t asked[(1 << MANY_BITS) + 1];
  uint64_t low = UINT64_MAX, high = 0;

  if (n <= FEW) {
    insertion_sort(keys, n);
    answer_sorted(asks, m, below, keys);
    return 0;
  }
  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    widen(keys + at, least(BLOCK, n - at), &low, &high);
  }
  const buckets b = buckets_between(low, high, n < MANY ? FEW_BITS : MANY_BITS);
  memset(counts, 0, sizeof *counts << b.bits);
  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    count_keys(keys + at, least(BLOCK, n - at), b, counts);
  }
  const int64_t room = plan_buckets(b, below, asks, m, counts, asked);
  for (int64_t at = 0; b.shift > 0 && at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    collect_keys(keys + at, least(BLOCK, n - at), b, asked, counts, room, spare, at, NULL);
  }
  return choose_collected(spare, b, counts, asks, m, keys, cx);
}

#endif
