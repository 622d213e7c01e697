/* SPDX-License-Identifier: MIT */
/* Powers of ten to 128 bits. */
#ifndef LOCUS_POWERS_H
#define LOCUS_POWERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/ieee.h"

enum { LEAST_POWER = -342, MOST_POWER = 324, LAST_EXACT_POWER = 55 };

/* The first 128 bits of 10^power, the first of them set. For power >= 0 they are truncated, and so
** exact up to LAST_EXACT_POWER; for negative powers they are rounded up. */
typedef struct power_of_ten {
  uint64_t high, low;
} power_of_ten;

/* All of them, beginning with LEAST_POWER; NULL until they have been made. */
extern const power_of_ten *_Atomic locus_powers;
const power_of_ten *locus_make_powers(void);

static inline power_of_ten ten_to(int power)
{
  const power_of_ten *made = atomic_load_explicit(&locus_powers, memory_order_acquire);
  if (!made) made = locus_make_powers();
  return made[power - LEAST_POWER];
}

#endif
