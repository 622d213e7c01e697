/* SPDX-License-Identifier: MIT */
/* Ten has the bits of five, so the table holds those of powers of five and of their inverses. */
#include "core/number/powers.h"

#include <pthread.h>

#include "core/number/big.h"

static power_of_ten powers[MOST_POWER - LEAST_POWER + 1];
const power_of_ten *_Atomic locus_powers;

/* The first 128 bits of a number that is not 0. */
static power_of_ten first_bits(big x)
{
  big_times_power_of_2(&x, 128 + __builtin_clzll(x.limb[x.limbs - 1]));
  return (power_of_ten){x.limb[x.limbs - 1], x.limb[x.limbs - 2]};
}

/* x -= y, which is not greater. */
static void subtract(big *x, const big *y)
{
  uint64_t borrow = 0;

  for (int i = 0; i < x->limbs; i++) {
    const uint64_t less = i < y->limbs ? y->limb[i] : 0, old = x->limb[i];
    x->limb[i] = old - less - borrow;
    borrow = borrow ? old <= less : old < less;
  }
  while (x->limbs > 0 && x->limb[x->limbs - 1] == 0) x->limbs--;
}

/* The first 128 bits of 1 / x, rounded up, by long division; x is no power of two. */
static power_of_ten first_bits_of_inverse(const big *x)
{
  unsigned __int128 quotient = 0;
  big rest;

  big_set(&rest, 1);
  big_times_power_of_2(&rest, 64 * x->limbs - __builtin_clzll(x->limb[x->limbs - 1]) - 1);
  for (int bit = 0; bit < 128; bit++) {
    big_times(&rest, 2, 0);
    quotient *= 2;
    if (big_compare(&rest, x) < 0) continue;
    subtract(&rest, x);
    quotient++;
  }
  quotient++;
  return (power_of_ten){(uint64_t)(quotient >> 64), (uint64_t)quotient};
}

static void make_powers(void)
{
  big five;

  big_set(&five, 1);
  for (int power = 0; power <= -LEAST_POWER; power++, big_times(&five, 5, 0)) {
    if (power <= MOST_POWER) powers[power - LEAST_POWER] = first_bits(five);
    if (power > 0) powers[-power - LEAST_POWER] = first_bits_of_inverse(&five);
  }
  atomic_store_explicit(&locus_powers, powers, memory_order_release);
}

const power_of_ten *locus_make_powers(void)
{
  static pthread_once_t made = PTHREAD_ONCE_INIT;
  pthread_once(&made, make_powers);
  return powers;
}
