/* SPDX-License-Identifier: MIT */
/* Sorting keys by vectors: quicksort.h for the instruction sets that partition. */
#include "cpu/order/quicksort.h"

#if PARTITIONS
enum {
  STRETCH = 64 * 1024, /* keys between two polls */
  FEW_KEYS = 4096,     /* fewer have a sample of one register */
  MANY_KEYS = 1 << 18, /* from here on one of 16 */
  FEW_COUNTS = 64,     /* the least span that is counted; shorter ones partition fast */
  MANY_COUNTS = 1 << 16,
};

#define FN(name) CAT(CAT(name, _), WIDTH)
#define WIDTH 4
#define BEFORE before_i32
#include "cpu/order/quicksort.inc"
#undef WIDTH
#undef BEFORE
#define WIDTH 8
#define BEFORE before_i64
#include "cpu/order/quicksort.inc"
#endif
