/* SPDX-License-Identifier: MIT */
/* The positions of set bits, for SPAN elements at a time, as distances from the first of these. */
#ifndef LOCUS_SET_BITS_H
#define LOCUS_SET_BITS_H

#include "cpu/isa/isa.h"

enum { SPAN = 4096 };

/* Writes the distances of the set bits; returns their number. */
static inline int64_t find_set(const uint64_t *bits, int64_t words, uint16_t found[SPAN])
{
  int64_t n = 0;
#pragma GCC unroll 2
  for (int64_t i = 0; i < words; i++) n += emit64(found + n, bits[i], 64 * i);
  return n;
}

#endif
