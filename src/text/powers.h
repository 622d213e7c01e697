/* SPDX-License-Identifier: MIT */
/* Powers of ten to 128 bits. */
#ifndef LOCUS_TEXT_POWERS_H
#define LOCUS_TEXT_POWERS_H

#include <stdint.h>

enum { LEAST_POWER = -342, MOST_POWER = 324, LAST_EXACT_POWER = 55 };

/* The first 128 bits of 10^power, the first of them set: cut off from power 0 on, and so exact up
** to LAST_EXACT_POWER; rounded up below. */
typedef struct power_of_ten {
  uint64_t high, low;
} power_of_ten;

/* All of them, of LEAST_POWER first; they are made at the first call. */
const power_of_ten *locus_powers_of_ten(void);

#endif
