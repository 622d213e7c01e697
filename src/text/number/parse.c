/* SPDX-License-Identifier: MIT */
/* Decimal to binary by the method of Eisel and Lemire: the first 19 digits, as one number, times a
** power of ten of 128 bits. That is always enough for 19 digits (Mushtak and Lemire 2023). If more
** follow, and they matter, whole numbers of any length decide. */
#include "core/number/big.h"
#include "core/number/digits.h"
#include "core/number/powers.h"
#include "text/number/parse.h"

enum {
  FIRST_DIGITS = 19, /* any number of this many digits fits in 64 bits */
  MOST_DIGITS = 800, /* of all that can lie halfway between two float64; 767 would do */
  FAR = 1000000,     /* with an exponent this large every number is 0 or infinity */
};

typedef struct decimal {
  uint64_t digits;  /* the first of those that are significant */
  int64_t exponent; /* of ten, for the last of these */
  bool more;        /* not only zeros follow */
  char letter;      /* in front of an exponent, the small one */
} decimal;

/* The number of 1 to FIRST_DIGITS digits; false where not all bytes are digits. */
static inline bool take_number(const char *text, const char *end, uint64_t *number)
{
  const size_t first = ((size_t)(end - text) - 1) % 8 + 1;
  uint64_t bytes = load_bytes(text, first);

  if (!are_digits(bytes)) return false;
  *number = number_of_digits(bytes);
  for (text += first; text < end; text += 8) {
    bytes = load_bytes(text, 8);
    if (!are_digits(bytes)) return false;
    *number = *number * 100000000 + number_of_digits(bytes);
  }
  return true;
}

bool locus_parse_i64(const char *text, const char *end, int64_t *value)
{
  const bool negative = text < end && *text == '-';
  uint64_t sum;

  text += text < end && (*text == '-' || *text == '+');
  while (end - text > FIRST_DIGITS && *text == '0') text++;
  if (text == end || end - text > FIRST_DIGITS || !take_number(text, end, &sum)) return false;
  *value = (int64_t)(negative ? 0 - sum : sum);
  return sum <= (uint64_t)INT64_MAX + negative;
}

/* -- From text to its first digits ------------------------------------------------------------- */

static bool is_word(const char *at, const char *end, const char *word)
{
  for (; at < end && *word; at++, word++)
    if ((*at | 0x20) != *word) return false;
  return at == end && !*word;
}

/* Takes the digits at `at`. Each adds `places` to the exponent, and one more if there is no room
** for the digit. */
static const char *take_digits(const char *at, const char *end, int places, decimal *d)
{
  for (; at < end; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9) break;
    if (d->digits < 1000000000000000000u) {
      d->digits = d->digits * 10 + digit;
      d->exponent += places;
    } else {
      d->more |= digit != 0;
      d->exponent += places + 1;
    }
  }
  return at;
}

/* From behind the letter to the end; false if that is no exponent. */
static bool take_exponent(const char *at, const char *end, decimal *d)
{
  const bool negative = at < end && *at == '-';
  int64_t exponent = 0;

  at += at < end && (*at == '-' || *at == '+');
  if (at == end) return false;
  for (; at < end; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9) return false;
    if (exponent < FAR) exponent = exponent * 10 + digit;
  }
  d->exponent += negative ? -exponent : exponent;
  return true;
}

static bool take_decimal(const char *at, const char *end, char point, decimal *d)
{
  const char *const whole = at;
  *d = (decimal){.letter = d->letter};
  at = take_digits(at, end, 0, d);
  const char *const fraction = at + (at < end && *at == point);
  const int64_t whole_digits = at - whole;

  if (fraction > at) at = take_digits(fraction, end, -1, d);
  if (whole_digits == 0 && at <= fraction) return false;
  if (at == end) return true;
  return (*at | 0x20) == d->letter && take_exponent(at + 1, end, d);
}

/* The place of the first byte that is `sought`, 8 if there is none. */
static inline size_t find_byte(uint64_t bytes, char sought)
{
  const uint64_t found = zero_bytes(bytes ^ EACH_BYTE((uint8_t)sought));
  return found ? (size_t)__builtin_ctzll(found) / 8 : 8;
}

/* Like take_decimal for 1 to 8 bytes without an exponent: digits, with or without a point. */
static inline bool take_short(const char *text, size_t count, char point, decimal *d)
{
  uint64_t bytes = load_bytes(text, count);
  const size_t place = find_byte(bytes, point);

  if (place < 8) { /* the digits before the point move over it */
    const uint64_t before = ((uint64_t)1 << 8 * place) - 1;
    bytes = (bytes & ~before & ~(before << 8 | 255)) | (bytes & before) << 8 | '0';
    d->exponent = (int64_t)place - 7;
  }
  d->digits = number_of_digits(bytes);
  return are_digits(bytes) && (place == 8 || count > 1);
}

/* The same for more bytes: digits on both sides of a point among the first 8, at most FIRST_DIGITS
** in all. */
static inline bool take_long(const char *text, size_t count, char point, decimal *d)
{
  const size_t whole = find_byte(load_bytes(text, 8), point), places = count - whole - 1;
  const char *const fraction = text + whole + 1;
  uint64_t digits;

  if (whole == 0 || whole == 8 || count > FIRST_DIGITS + 1) return false;
  if (!take_number(text, text + whole, &digits)) return false;
  if (!take_number(fraction, fraction + places, &d->digits)) return false;
  d->digits += digits * locus_tens[places];
  d->exponent = -(int64_t)places;
  return true;
}

/* Whether it is one of those, as nearly all are. */
static inline bool take_usual(const char *text, size_t count, char point, decimal *d)
{
  if (count > 8) return take_long(text, count, point, d);
  return count > 0 && take_short(text, count, point, d);
}

/* -- From digits to bits ----------------------------------------------------------------------- */

/* Whether digits * 10^power is exactly its first 128 bits. Asked if no bit is set behind those that
** the format keeps and the one to round by. */
static bool is_exact(uint64_t digits, int64_t power)
{
  uint64_t five = 1;

  if (power < -27 || power > 27) return false; /* 5^27 is the last of 64 bits */
  for (int64_t i = power; i < 0; i++) five *= 5;
  return digits % five == 0;
}

static uint64_t infinity_of(const float_format *f)
{
  return (uint64_t)f->exponents << (f->bits - 1);
}

/* The number of the format that is nearest to digits * 10^power. */
static uint64_t nearest(uint64_t digits, int64_t power, const float_format *f)
{
  if (digits == 0 || power < LEAST_POWER) return 0;
  if (power > MOST_POWER) return infinity_of(f);

  const power_of_ten ten = ten_to((int)power);
  const int shift = __builtin_clzll(digits);
  const uint64_t shifted = digits << shift, open = UINT64_MAX >> (f->bits + 2);
  unsigned __int128 product = (unsigned __int128)shifted * ten.high;
  if (((uint64_t)(product >> 64) & open) == open)
    product += (unsigned __int128)shifted * ten.low >> 64;

  const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
  const int top = (int)(high >> 63), log2_of_power = (int)((217706 * power) >> 16);
  int64_t field = log2_of_power + 63 + top - shift + 2 - f->bits - f->least;
  int64_t dropped = 63 - f->bits + top;
  if (field <= 0) {
    dropped += 1 - field;
    field = 0;
  }
  if (dropped > 64) return 0;

  uint64_t kept = dropped < 64 ? high >> dropped : 0;
  const uint64_t rest = high << (64 - dropped), half = (uint64_t)1 << 63;
  const bool tie = rest == half && low <= 1 && is_exact(digits, power);
  kept += tie ? kept & 1 : rest >= half;
  if (field > 0) kept += (uint64_t)(field - 1) << (f->bits - 1); /* and the leading bit's one */
  return kept < infinity_of(f) ? kept : infinity_of(f);
}

/* All digits of the text, up to MOST_DIGITS of those that are significant; d gets the exponent of
** the last one, and whether more follow. */
static void all_digits(const char *at, const char *end, decimal *d, big *digits)
{
  int count = 0;

  big_set(digits, 0);
  d->more = false;
  for (; at < end && (*at | 0x20) != d->letter; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9 || (count == 0 && digit == 0)) continue; /* a sign, or the point */
    if (count < MOST_DIGITS) big_times(digits, 10, digit);
    else d->more |= digit != 0;
    if (count >= FIRST_DIGITS && count < MOST_DIGITS) d->exponent--;
    count++;
  }
}

/* Which of a number of the format, and the next greater one, is nearer to the decimal. */
static uint64_t nearer(uint64_t below, const char *text, const char *end, decimal d,
                       const float_format *f)
{
  const uint64_t hidden = (uint64_t)1 << (f->bits - 1), field = below >> (f->bits - 1);
  const uint64_t significand = (below & (hidden - 1)) | (field ? hidden : 0);
  big digits, halfway;

  all_digits(text, end, &d, &digits);
  const int64_t twos = f->least - 1 + (field ? (int64_t)field - 1 : 0) - d.exponent;
  big_set(&halfway, 2 * significand + 1);
  big_times_power_of_5(d.exponent < 0 ? &halfway : &digits,
                       d.exponent < 0 ? -d.exponent : d.exponent);
  big_times_power_of_2(twos < 0 ? &digits : &halfway, twos < 0 ? -twos : twos);
  const int order = big_compare(&digits, &halfway);
  if (order == 0 && !d.more) return below + (below & 1);
  return below + (order >= 0);
}

/* By one division, of two numbers that the format holds exactly: so it is rounded once. */
static inline bool divide(const decimal *d, const float_format *f, uint64_t *bits)
{
  if (d->exponent > 0) return false;
  if (f->bits == FORMAT_f64.bits && d->digits <= (uint64_t)1 << 53 && d->exponent >= -19) {
    const double quotient = (double)d->digits / (double)locus_tens[-d->exponent];
    memcpy(bits, &quotient, sizeof quotient);
    return true;
  }
  if (f->bits == FORMAT_f32.bits && d->digits <= 1u << 24 && d->exponent >= -10) {
    const float quotient = (float)d->digits / (float)locus_tens[-d->exponent];
    uint32_t half;
    memcpy(&half, &quotient, sizeof quotient);
    *bits = half;
    return true;
  }
  return false;
}

/* The number of any decimal, with or without a sign. */
static bool take_any(const char *number, const char *end, char point, char letter,
                     const float_format *f, uint64_t *bits)
{
  decimal d = {.letter = letter};

  if (!take_decimal(number, end, point, &d)) return false;
  *bits = nearest(d.digits, d.exponent, f);
  if (d.more && nearest(d.digits + 1, d.exponent, f) != *bits)
    *bits = nearer(*bits, number, end, d, f);
  return true;
}

static bool take_word(const char *number, const char *end, const float_format *f, uint64_t *bits)
{
  const bool nan = is_word(number, end, "nan");

  if (!nan && !is_word(number, end, "inf") && !is_word(number, end, "infinity")) return false;
  *bits = infinity_of(f) | (uint64_t)nan << (f->bits - 2);
  return true;
}

static uint64_t sign_of(const float_format *f)
{
  return infinity_of(f) + ((uint64_t)1 << (f->bits - 1));
}

bool locus_parse_fortran_float(const char *text, const char *end, char point, const float_format *f,
                               uint64_t *bits)
{
  const bool negative = text < end && *text == '-';
  const char *const number = text + (text < end && (*text == '-' || *text == '+'));

  if (!take_any(number, end, point, 'd', f, bits)) return false;
  *bits |= (uint64_t)negative * sign_of(f);
  return true;
}

bool locus_parse_float(const char *text, const char *end, char point, const float_format *f,
                       uint64_t *bits)
{
  const bool negative = text < end && *text == '-';
  const char *const number = text + (text < end && (*text == '-' || *text == '+'));
  decimal d = {0};

  if (take_usual(number, (size_t)(end - number), point, &d)) {
    if (!divide(&d, f, bits)) *bits = nearest(d.digits, d.exponent, f);
  } else if (!take_any(number, end, point, 'e', f, bits) && !take_word(number, end, f, bits)) {
    return false;
  }
  *bits |= (uint64_t)negative * sign_of(f);
  return true;
}
