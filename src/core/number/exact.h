/* SPDX-License-Identifier: MIT */
/* Comparing an int64 with a double as the numbers they are. */
#ifndef LOCUS_EXACT_H
#define LOCUS_EXACT_H

/* Rounding to double keeps the order: it hides a difference only where a rounds to b. */
/* clang-format off */
#define EXACT(a, relation, b)                      \
  ((double)(a) != (b) ? (double)(a) relation (b)   \
   : (b) < 0x1p63     ? (a) relation (int64_t)(b)  \
                      : 0 relation 1)
/* clang-format on */

#endif
