/* SPDX-License-Identifier: MIT */
/* Binary to decimal with the fewest digits, by the method of Giulietti, "The Schubfach way to
** render doubles". Around a number lie two multiples of a power of ten, and two of ten times that
** power. The answer is the one that rounds to the number. */
#include "core/number/decimal.h"
#include "core/number/digits.h"
#include "core/number/powers.h"

int locus_format_i64(char *out, int64_t value)
{
  const bool negative = value < 0;
  const uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;

  *out = '-';
  return negative + put_number(out + negative, magnitude);
}

/* -- The shortest ------------------------------------------------------------------------------ */

/* digits * 10^power */
typedef struct shortest {
  uint64_t digits;
  int power;
} shortest;

/* The product's high 64 bits of 192; its last bit is set where more was cut off. */
static uint64_t times(power_of_ten ten, uint64_t number)
{
  const unsigned __int128 low = (unsigned __int128)ten.low * number;
  const unsigned __int128 all = (unsigned __int128)ten.high * number + (uint64_t)(low >> 64);
  return (uint64_t)(all >> 64) | ((uint64_t)all > 1);
}

/* Takes significand * 2^exponent, not 0. `even`: a value halfway to a neighbour rounds to this
** number. `uneven`: the neighbour below is half as far away as the one above. */
static shortest shorten(uint64_t significand, int exponent, bool even, bool uneven)
{
  const int power = (exponent * 1262611 - (uneven ? 524031 : 0)) >> 22; /* of 2^exponent */
  const int shift = exponent + ((-power * 1741647) >> 19) + 1;
  power_of_ten ten = ten_to(-power);

  if (-power > LAST_EXACT_POWER) ten.high += ++ten.low == 0; /* rounded up */
  const uint64_t low = times(ten, (4 * significand - 2 + uneven) << shift) + !even;
  const uint64_t here = times(ten, 4 * significand << shift);
  const uint64_t high = times(ten, (4 * significand + 2) << shift) - !even;

  const uint64_t one = here / 4, ten_below = one / 10 * 10;
  if (one >= 10) {
    const bool below = low <= 4 * ten_below, above = 4 * (ten_below + 10) <= high;
    if (below != above) return (shortest){ten_below / 10 + above, power + 1};
  }
  const bool below = low <= 4 * one, above = 4 * (one + 1) <= high;
  if (below != above) return (shortest){one + above, power};
  const uint64_t middle = 4 * one + 2;
  return (shortest){one + (here > middle || (here == middle && one % 2 == 1)), power};
}

/* No zeros at the end of the digits, which are not 0. */
static shortest strip_zeros(shortest x)
{
  for (; x.digits % 100000000 == 0; x.power += 8) x.digits /= 100000000;
  for (; x.digits % 100 == 0; x.power += 2) x.digits /= 100;
  for (; x.digits % 10 == 0; x.power++) x.digits /= 10;
  return x;
}

/* The same for a float64 with a few decimal places, as in most data: no other digits read back as
** the same number if there are at most 15. */
static bool shorten_decimal(uint64_t bits, shortest *x)
{
  double value;

  memcpy(&value, &bits, sizeof value);
  if (!(value < 1e9)) return false;
  x->digits = (uint64_t)(value * 1e6 + 0.5);
  x->power = -6;
  return x->digits > 0 && (double)x->digits / 1e6 == value;
}

/* In plain digits where the point is among them or at most four zeros away, else with an exponent;
** always with a point or an exponent, so that it reads as a float. */
static int put_decimal(char *out, shortest x)
{
  x = strip_zeros(x);
  const int digits = count_digits(x.digits), point = digits + x.power; /* digits before it */

  if (point > 16 || point < -3) {
    put_number(out + 1, x.digits);
    out[0] = out[1];
    out[1] = '.';
    char *at = out + (digits > 1 ? digits + 1 : 1);
    *at++ = 'e';
    *at++ = point > 0 ? '+' : '-';
    const int exponent = point > 0 ? point - 1 : 1 - point, places = exponent < 100 ? 2 : 3;
    put_digits(at, (uint64_t)exponent, places);
    return (int)(at + places - out);
  }
  if (point <= 0) {
    memcpy(out, "0.000", 5);
    put_number(out + 2 - point, x.digits);
    return 2 - point + digits;
  }
  put_number(out, x.digits);
  if (point >= digits) {
    memset(out + digits, '0', (size_t)(point - digits));
    memcpy(out + point, ".0", 2);
    return point + 2;
  }
  memmove(out + point + 1, out + point, 16); /* of 17 digits */
  out[point] = '.';
  return digits + 1;
}

static int put_word(char *out, const char *word)
{
  memcpy(out, word, 3);
  return 3;
}

int locus_format_float(char *out, uint64_t bits, const float_format *f)
{
  const uint64_t hidden = (uint64_t)1 << (f->bits - 1), fraction = bits & (hidden - 1);
  const int field = (int)(bits >> (f->bits - 1)) & f->exponents;
  const bool negative = (bits >> (f->bits - 1)) > (uint64_t)f->exponents;
  shortest x = {0, 0};

  if (field == f->exponents && fraction) return put_word(out, "nan");
  if (negative) *out++ = '-';
  if (field == f->exponents) return negative + put_word(out, "inf");
  if (field == 0 && fraction == 0) return negative + put_word(out, "0.0");
  if (f->bits == FORMAT_f64.bits && shorten_decimal(bits & INT64_MAX, &x))
    return negative + put_decimal(out, x);
  x = shorten(field ? fraction | hidden : fraction, f->least + (field ? field - 1 : 0),
              fraction % 2 == 0, fraction == 0 && field > 1);
  return negative + put_decimal(out, x);
}

int locus_spell_float(char *out, uint64_t bits, const float_format *format)
{
  const int count = locus_format_float(out, bits, format);

  if (count > 2 && out[count - 1] == '0' && out[count - 2] == '.') return count - 2;
  return count;
}
