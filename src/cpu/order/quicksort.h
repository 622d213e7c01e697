/* SPDX-License-Identifier: MIT */
/* Sorting signed integers by vectors, where the instruction set partitions them (PARTITIONS). */
#ifndef LOCUS_QUICKSORT_H
#define LOCUS_QUICKSORT_H

#include "cpu/isa/isa.h"

typedef int32_t key_4;
typedef int64_t key_8;

/* Sorts n keys, each of low .. high, where they lie. `spare` has room for n, and is written to.
** -1 when interrupted: then the keys are in any order, and some may be in `spare`. */
int ISA(sort_keys_4)(key_4 *keys, key_4 *spare, int64_t n, key_4 low, key_4 high,
                     locus_context *cx);
int ISA(sort_keys_8)(key_8 *keys, key_8 *spare, int64_t n, key_8 low, key_8 high,
                     locus_context *cx);

/* Where the keys of a bucket lie in `spare`, and how many they are. */
typedef struct key_bucket {
  int64_t at, n;
} key_bucket;

/* Moves n keys to `spare`, sorted by bucket: bucket k has those not less than splitters[k - 1], but
** less than splitters[k]. Splitters ascend. There are 2, 8, 32 or 128 buckets. `keys` is written
** to. */
int ISA(part_keys_4)(key_4 *keys, key_4 *spare, int64_t n, const int64_t *splitters, int buckets,
                     key_bucket *to, locus_context *cx);
int ISA(part_keys_8)(key_8 *keys, key_8 *spare, int64_t n, const int64_t *splitters, int buckets,
                     key_bucket *to, locus_context *cx);

#endif
