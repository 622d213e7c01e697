/* SPDX-License-Identifier: MIT */
/* Binary to decimal with a given number of digits. The number times a power of ten of 128 bits has
** them as its whole part, as in Adams, "Ryu revisited: printf floating point conversion". If the
** bits behind them lie so close to a half that the error of the power may decide, all digits are
** written. */
#include "core/number/decimal.h"
#include "core/number/digits.h"
#include "core/number/powers.h"

typedef unsigned __int128 wide;

enum {
  FEW_DIGITS = 17, /* the whole part of these fits in 60 bits */
};

/* floor(log2(10^power)), floor(log10(2^power)) */
static int bits_of_ten(int power)
{
  return (power * 1741647) >> 19;
}

static int tens_of_two(int power)
{
  return (power * 1262611) >> 22;
}

/* x * 10^power to the nearest whole number; false if the bits do not decide it. The significand's
** first bit is set, and the whole number is below 2^60. */
static bool scale(binary_parts x, int power, uint64_t *number)
{
  if (power < LEAST_POWER || power > MOST_POWER) return false;
  const power_of_ten ten = ten_to(power);
  const int shift = -1 - x.exponent - bits_of_ten(power); /* of the product's first 64 bits */
  const wide low = (wide)ten.low * x.significand;
  const wide product = (wide)ten.high * x.significand + (uint64_t)(low >> 64);
  const wide rest = product & (((wide)1 << (64 + shift)) - 1), half = (wide)1 << (63 + shift);

  /* The error of `ten`, cut off or rounded up, is less than 2 units of `product`. */
  if (rest + 2 >= half && rest <= half + 2) return false;
  *number = (uint64_t)(product >> (64 + shift)) + (rest > half);
  return true;
}

/* The first `count` digits of x, which is not 0, rounded; returns the power of ten of the first of
** them. */
static int exact_digits(char *out, binary_parts x, int count)
{
  char all[ALL_DIGITS];
  int power, digits = locus_all_digits(all, x, &power);
  const int first = power + digits - 1;

  if (digits < count) memset(all + digits, '0', (size_t)(count - digits));
  else if (digits > count) digits = locus_round_digits(all, digits, count);
  memcpy(out, all, (size_t)count);
  return first + (digits > count);
}

static int first_digits(char *out, binary_parts x, int count)
{
  const int zeros = __builtin_clzll(x.significand);
  const binary_parts full = {x.significand << zeros, x.exponent - zeros};
  uint64_t number;

  if (count > FEW_DIGITS) return exact_digits(out, x, count);
  for (int first = tens_of_two(full.exponent + 63);; first++) {
    if (!scale(full, count - 1 - first, &number)) return exact_digits(out, x, count);
    if (number > locus_tens[count]) continue;       /* there is one digit more than thought */
    const bool nines = number == locus_tens[count]; /* or as good as they */
    put_digits(out, nines ? locus_tens[count - 1] : number, count);
    return first + nines;
  }
}

/* The same of any finite number. */
static int digits_of(char *out, double value, int count)
{
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  const binary_parts x = locus_binary_parts(bits);
  if (x.significand) return first_digits(out, x, count);
  memset(out, '0', (size_t)count);
  return 0;
}

static bool is_finite(double value, uint64_t *bits)
{
  memcpy(bits, &value, sizeof *bits);
  return (*bits >> 52 & 2047) != 2047;
}

static char *put_exponent(char *out, int exponent)
{
  const int places = exponent > -100 && exponent < 100 ? 2 : 3;

  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  put_digits(out, (uint64_t)(exponent < 0 ? -exponent : exponent), places);
  return out + places;
}

/* 1.25e+03 */
static char *put_scientific(char *out, const char *digits, int count, int exponent)
{
  *out++ = *digits;
  if (count > 1) *out++ = '.';
  memcpy(out, digits + 1, (size_t)count - 1);
  return put_exponent(out + count - 1, exponent);
}

/* 1250, 12.5, 0.00125 */
static char *put_plain(char *out, const char *digits, int count, int exponent)
{
  if (exponent < 0) {
    memset(out, '0', (size_t)(1 - exponent));
    out[1] = '.';
    memcpy(out + 1 - exponent, digits, (size_t)count);
    return out + 1 - exponent + count;
  }
  const int before = exponent + 1, some = count < before ? count : before;
  memcpy(out, digits, (size_t)some);
  memset(out + some, '0', (size_t)(before - some));
  if (count <= before) return out + before;
  out[before] = '.';
  memcpy(out + before + 1, digits + before, (size_t)(count - before));
  return out + count + 1;
}

int locus_format_scientific(char *out, double value, int places)
{
  char digits[MOST_PLACES + 1];
  const char *const begin = out;
  uint64_t bits;

  if (!is_finite(value, &bits)) return locus_format_float(out, bits, &FORMAT_f64);
  const int exponent = digits_of(digits, value, places + 1);
  if (bits >> 63) *out++ = '-';
  return (int)(put_scientific(out, digits, places + 1, exponent) - begin);
}

int locus_format_general(char *out, double value, int most)
{
  char digits[MOST_PLACES + 1];
  const char *const begin = out;
  int count = most > 0 ? most : 1;
  uint64_t bits;

  if (!is_finite(value, &bits)) return locus_format_float(out, bits, &FORMAT_f64);
  const int exponent = digits_of(digits, value, count);
  const bool plain = exponent >= -4 && exponent < count;
  while (count > 1 && digits[count - 1] == '0') count--;
  if (bits >> 63) *out++ = '-';
  out = (plain ? put_plain : put_scientific)(out, digits, count, exponent);
  return (int)(out - begin);
}
