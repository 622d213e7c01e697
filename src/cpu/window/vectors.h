/* SPDX-License-Identifier: MIT */
/* Vectors of the windows that lie side by side, in the compiler's own words: every instruction set
** has them, in as many registers as it needs. They are macros, since a set without such registers
** has no way to pass them to a function. */
#ifndef LOCUS_WINDOW_VECTORS_H
#define LOCUS_WINDOW_VECTORS_H

#include <string.h>

enum { LANES = 8 };

#define GET(vector, from) memcpy(&(vector), (from), sizeof(vector))
#define PUT(to, vector) memcpy((to), &(vector), sizeof(vector))

/* x where the lanes of `mask` are all ones, else a. */
#define CHOOSE(mask, x, a) \
  ((__typeof__(x))(((mask) & (__typeof__(mask))(x)) | (~(mask) & (__typeof__(mask))(a))))

/* What a + b has lost as `sum` (Knuth); of numbers, too. */
#define LOST_BY(a, b, sum) (((a) - ((sum) - ((sum) - (a)))) + ((b) - ((sum) - (a))))

#endif
