/* SPDX-License-Identifier: MIT */
/* Binary to decimal with so many places. A number is either whole, or significand * 10^places fits
** in 128 bits. */
#include "text/number/big.h"
#include "text/number/digits.h"
#include "text/number/number.h"

enum { STRIDE = 19 }; /* digits that fit in 64 bits */
static const uint64_t TEN_TO_STRIDE = 10000000000000000000u;

typedef unsigned __int128 wide;

/* Writes the number with at least that many digits; answers how many. */
static int put_wide(char *out, wide number, int least)
{
  if (number >> 64) {
    const uint64_t last = (uint64_t)(number % TEN_TO_STRIDE);
    const int digits = put_wide(out, number / TEN_TO_STRIDE, least - STRIDE);
    put_digits(out + digits, last, STRIDE);
    return digits + STRIDE;
  }
  const int count = count_digits((uint64_t)number), zeros = count < least ? least - count : 0;
  memset(out, '0', (size_t)zeros);
  put_digits(out + zeros, (uint64_t)number, count);
  return zeros + count;
}

/* x /= TEN_TO_STRIDE; answers what is left. */
static uint64_t split(big *x)
{
  uint64_t rest = 0;

  for (int i = x->limbs - 1; i >= 0; i--) {
    const wide part = (wide)rest << 64 | x->limb[i];
    x->limb[i] = (uint64_t)(part / TEN_TO_STRIDE);
    rest = (uint64_t)(part % TEN_TO_STRIDE);
  }
  while (x->limbs > 0 && x->limb[x->limbs - 1] == 0) x->limbs--;
  return rest;
}

/* Likewise significand * 2^exponent, from the end on. */
static int put_whole(char *out, uint64_t significand, int exponent)
{
  uint64_t part[BIG_LIMBS];
  int parts = 0, digits = 0;
  big x;

  big_set(&x, significand);
  big_times_power_of_2(&x, exponent);
  do part[parts++] = split(&x);
  while (x.limbs > 0);
  while (parts-- > 0) digits += put_wide(out + digits, part[parts], digits ? STRIDE : 1);
  return digits;
}

/* significand * 10^places / 2^shift, rounded to a whole number, halves to the even one. */
static wide scale(uint64_t significand, int places, int shift)
{
  wide scaled = (wide)significand * locus_tens[places < STRIDE ? places : STRIDE];

  if (places > STRIDE) scaled *= 10; /* MOST_PLACES */
  if (shift >= 128) return 0; /* it has at most 120 bits */
  const wide whole = scaled >> shift, rest = scaled << (128 - shift), half = (wide)1 << 127;
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

int locus_format_fixed(char *out, double value, int places)
{
  const char *const begin = out;
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  const int field = (int)(bits >> 52) & 2047;
  if (field == 2047) return locus_format_float(out, bits, &FORMAT_f64);
  const uint64_t fraction = bits & 0xfffffffffffffu, hidden = (uint64_t)1 << 52;
  const uint64_t significand = field ? fraction | hidden : fraction;
  const int exponent = FORMAT_f64.least + (field ? field - 1 : 0);

  if (bits >> 63) *out++ = '-';
  if (exponent >= 0) {
    out += put_whole(out, significand, exponent);
    memset(out, '0', (size_t)places);
    out += places;
  } else {
    out += put_wide(out, scale(significand, places, -exponent), places + 1);
  }
  if (places > 0) {
    memmove(out - places + 1, out - places, (size_t)places);
    out[-places] = '.';
    out++;
  }
  return (int)(out - begin);
}
