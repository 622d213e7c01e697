/* SPDX-License-Identifier: MIT */
/* Whole numbers of up to 3072 bits. They decide the roundings that 128 bits leave open. */
#ifndef LOCUS_BIG_H
#define LOCUS_BIG_H

#include <stdint.h>
#include <string.h>

#include "core/inline.h"

enum { BIG_LIMBS = 48 };

/* The least limb first. Only the first `limbs` limbs count, and the last of them is not 0. */
typedef struct big {
  int limbs;
  uint64_t limb[BIG_LIMBS];
} big;

LOCUS_INLINE void big_set(big *x, uint64_t value)
{
  x->limb[0] = value;
  x->limbs = value != 0;
}

/* x = x * factor + more */
LOCUS_INLINE void big_times(big *x, uint64_t factor, uint64_t more)
{
  for (int i = 0; i < x->limbs; i++) {
    const unsigned __int128 product = (unsigned __int128)x->limb[i] * factor + more;
    x->limb[i] = (uint64_t)product;
    more = (uint64_t)(product >> 64);
  }
  if (more) x->limb[x->limbs++] = more;
}

/* x = x * 5^power */
LOCUS_INLINE void big_times_power_of_5(big *x, int64_t power)
{
  for (; power >= 27; power -= 27) big_times(x, 7450580596923828125u, 0); /* 5^27 */
  uint64_t rest = 1;
  for (; power > 0; power--) rest *= 5;
  big_times(x, rest, 0);
}

/* x = x * 2^power */
LOCUS_INLINE void big_times_power_of_2(big *x, int64_t power)
{
  const int limbs = (int)(power / 64);

  if (x->limbs == 0) return;
  big_times(x, (uint64_t)1 << power % 64, 0);
  memmove(x->limb + limbs, x->limb, (size_t)x->limbs * sizeof *x->limb);
  memset(x->limb, 0, (size_t)limbs * sizeof *x->limb);
  x->limbs += limbs;
}

/* Less than 0, 0 or more, as x is less than y, equal or greater. */
LOCUS_INLINE int big_compare(const big *x, const big *y)
{
  if (x->limbs != y->limbs) return x->limbs - y->limbs;
  for (int i = x->limbs - 1; i >= 0; i--)
    if (x->limb[i] != y->limb[i]) return x->limb[i] < y->limb[i] ? -1 : 1;
  return 0;
}

#endif
