/* SPDX-License-Identifier: MIT */
/* Binary to decimal with a given number of places, or with all digits. There are three cases: the
** number is whole, significand * 10^places fits in 128 bits, or all digits are written and
** rounded. */
#include "core/number/big.h"
#include "core/number/decimal.h"
#include "core/number/digits.h"

enum {
  STRIDE = 19,     /* digits that fit in 64 bits */
  FEW_PLACES = 20, /* of a significand that fit in 128 bits */
};
static const uint64_t TEN_TO_STRIDE = 10000000000000000000u;

typedef unsigned __int128 wide;

/* Writes the number with at least that many digits; returns how many. */
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

/* x /= TEN_TO_STRIDE; returns the remainder. */
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

/* Writes a number, which is 0 afterwards. */
static int put_big(char *out, big *x)
{
  uint64_t part[BIG_LIMBS];
  int parts = 0, digits = 0;

  do part[parts++] = split(x);
  while (x->limbs > 0);
  while (parts-- > 0) digits += put_wide(out + digits, part[parts], digits ? STRIDE : 1);
  return digits;
}

int locus_all_digits(char *out, binary_parts b, int *power)
{
  big x;

  big_set(&x, b.significand);
  if (b.exponent < 0) big_times_power_of_5(&x, -b.exponent);
  else big_times_power_of_2(&x, b.exponent);
  *power = b.exponent < 0 ? b.exponent : 0;
  return put_big(out, &x);
}

/* Whether the digits that follow the kept ones are more than half of the last of them, or half if
** that makes it even. */
static bool rounds_up(const char *digits, int count, int keep)
{
  if (digits[keep] != '5') return digits[keep] > '5';
  for (int i = keep + 1; i < count; i++)
    if (digits[i] != '0') return true;
  return keep > 0 && (digits[keep - 1] - '0') % 2 == 1;
}

int locus_round_digits(char *digits, int count, int keep)
{
  if (!rounds_up(digits, count, keep)) return keep;
  for (int i = keep; i-- > 0; digits[i] = '0')
    if (digits[i] < '9') return digits[i]++, keep;
  digits[0] = '1';
  memset(digits + 1, '0', (size_t)keep);
  return keep + 1;
}

/* significand * 10^places / 2^shift, rounded to a whole number, halves to the even one. */
static wide scale(uint64_t significand, int places, int shift)
{
  wide scaled = (wide)significand * locus_tens[places < STRIDE ? places : STRIDE];

  if (places > STRIDE) scaled *= 10; /* FEW_PLACES */
  if (shift >= 128) return 0;        /* it has at most 120 bits */
  const wide whole = scaled >> shift, rest = scaled << (128 - shift), half = (wide)1 << 127;
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

/* A number with a fraction, in units of 10^-places, with at least one digit before the point. */
static int put_fraction(char *out, binary_parts b, int places)
{
  char all[ALL_DIGITS];
  int power;

  if (places <= FEW_PLACES)
    return put_wide(out, scale(b.significand, places, -b.exponent), places + 1);
  int count = locus_all_digits(all, b, &power), more = power + places; /* zeros to add */
  if (more < 0) {
    count = count + more < 0 ? 0 : locus_round_digits(all, count, count + more);
    more = 0;
  }
  const int least = places + 1, zeros = count + more < least ? least - count - more : 0;
  memset(out, '0', (size_t)(zeros + count + more));
  memcpy(out + zeros, all, (size_t)count);
  return zeros + count + more;
}

/* Likewise a whole number. */
static int put_whole(char *out, binary_parts b, int places)
{
  char all[ALL_DIGITS];
  int power;
  const int count = locus_all_digits(all, b, &power);

  memcpy(out, all, (size_t)count);
  memset(out + count, '0', (size_t)places);
  return count + places;
}

int locus_format_fixed(char *out, double value, int places)
{
  const char *const begin = out;
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  if ((bits >> 52 & 2047) == 2047) return locus_format_float(out, bits, &FORMAT_f64);
  const binary_parts b = locus_binary_parts(bits);

  if (bits >> 63) *out++ = '-';
  out += b.exponent < 0 ? put_fraction(out, b, places) : put_whole(out, b, places);
  if (places > 0) {
    memmove(out - places + 1, out - places, (size_t)places);
    out[-places] = '.';
    out++;
  }
  return (int)(out - begin);
}
