/* SPDX-License-Identifier: MIT */
/* Sorting a few unsigned integers. */
#ifndef LOCUS_INSERTION_H
#define LOCUS_INSERTION_H

#include "cpu/block/kernel.h"

enum { FEW = 40 }; /* the most integers that are sorted by insertion */

static void insertion_sort(uint64_t *p, int64_t n)
{
  for (int64_t i = 1; i < n; i++) {
    const uint64_t pair = p[i];
    int64_t j = i;
    for (; j > 0 && p[j - 1] > pair; j--) p[j] = p[j - 1];
    p[j] = pair;
  }
}

#endif
