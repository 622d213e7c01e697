/* SPDX-License-Identifier: MIT */
/* The size classes of blocks of memory; memory.h has their picture. */
#ifndef LOCUS_SIZE_CLASS_H
#define LOCUS_SIZE_CLASS_H

#include <stdint.h>

enum {
  SIZE_CLASS_UNIT = 64,
  SIZE_CLASS_PAGE = 4096,
  SIZE_CLASS_PAGED = 16 << 10, /* bytes above which blocks are whole pages */
  SIZE_CLASS_COARSE = 28,      /* classes up to there */
  SIZE_CLASSES = 776,
};
#define SIZE_CLASS_MOST (INT64_MAX / 2) /* bytes, as far as SIZE_CLASSES reach */

/* Steps that double with every power of two: the class of the block whose last step is `last`,
** counted from 0, where the first 2 * each steps have a class each and then each power of two has
** `each`, which is 2 to the power of `bits`. */
static inline int size_class_of_step(uint64_t last, int bits)
{
  const int power = 63 - bits - __builtin_clzll(last | 1u << bits);
  return (power << bits) + (int)(last >> power);
}

static inline int64_t size_class_steps(int class, int bits)
{
  const int each = 1 << bits, power = class < 2 * each ? 0 : class / each - 1;
  return (int64_t)(class - each * power + 1) << power;
}

/* The first classes are of units, four to each power of two, then 16 of pages. The first four pages
** are blocks of units. */
static inline int size_class_of(int64_t bytes)
{
  const uint64_t last = bytes > 0 ? (uint64_t)bytes - 1 : 0;
  if (last < SIZE_CLASS_PAGED) return size_class_of_step(last / SIZE_CLASS_UNIT, 2);
  return SIZE_CLASS_COARSE - SIZE_CLASS_PAGED / SIZE_CLASS_PAGE +
         size_class_of_step(last / SIZE_CLASS_PAGE, 4);
}

static inline int64_t size_class_bytes(int class)
{
  if (class < SIZE_CLASS_COARSE) return size_class_steps(class, 2) * SIZE_CLASS_UNIT;
  return size_class_steps(class - SIZE_CLASS_COARSE + SIZE_CLASS_PAGED / SIZE_CLASS_PAGE, 4) *
         SIZE_CLASS_PAGE;
}

#endif
