/* SPDX-License-Identifier: MIT */
/* Comparing an int64 with a double as the numbers they are. */
#ifndef LOCUS_EXACT_H
#define LOCUS_EXACT_H

/* Rounding to double keeps the order: it hides a difference only where a rounds to b. */
#define EXACT(a, operator, b)                      \
  ((double)(a) != (b) ? (double)(a) operator (b)   \
   : (b) < 0x1p63     ? (a) operator (int64_t)(b)  \
                      : 0 operator 1)

#endif
