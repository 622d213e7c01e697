/* SPDX-License-Identifier: MIT */
#include "text/number/decimals.h"

#include <stdio.h>
#include <string.h>

#include "text/number/parse.h"

enum {
  WORDS = DECIMAL_BYTES / 4,
  STEP = 1000000000, /* nine digits at a time */
  STEP_DIGITS = 9,
  TEXT = READ_BEFORE + 100, /* a sign, 78 digits, an exponent */
  EXACT_SCALE = 22,         /* the largest power of ten that a float64 holds */
  BETWEEN_POLLS = 4096
};

static const int64_t EXACT = 1LL << 53; /* each whole number up to here is a float64 */

static bool is_present(const text_decimals *d, int64_t i)
{
  return !d->present || d->present[i];
}

/* The number in 32 bytes, the lowest word first. */
static void read_words(const text_decimals *d, int64_t i, uint32_t *words)
{
  const char *from = d->bytes + i * d->width;
  memset(words, from[d->width - 1] < 0 ? 0xFF : 0, DECIMAL_BYTES);
  memcpy(words, from, (size_t)d->width);
}

static bool read_i64(const text_decimals *d, int64_t i, int64_t *value)
{
  uint32_t words[WORDS];

  read_words(d, i, words);
  memcpy(value, words, sizeof *value);
  for (int k = 2; k < WORDS; k++)
    if (words[k] != (*value < 0 ? UINT32_MAX : 0)) return false;
  return true;
}

int locus_decimals_i64(const text_decimals *decimals, int64_t *out, int64_t *past,
                       locus_context *cx)
{
  for (*past = 0; *past < decimals->count; ++*past) {
    if (*past % BETWEEN_POLLS == 0) LOCUS_TRY(locus_poll(cx));
    out[*past] = 0;
    if (is_present(decimals, *past) && !read_i64(decimals, *past, out + *past)) return 0;
  }
  *past = -1;
  return 0;
}

/* The digits of a magnitude, which becomes 0, up to `end`; where they begin. */
static char *put_digits(uint32_t *words, char *end)
{
  bool more = true;

  while (more) {
    uint64_t rest = 0;
    more = false;
    for (int k = WORDS - 1; k >= 0; k--) {
      rest = rest << 32 | words[k];
      words[k] = (uint32_t)(rest / STEP);
      more = more || words[k];
      rest %= STEP;
    }
    for (int digit = 0; digit < STEP_DIGITS; digit++, rest /= 10) *--end = (char)('0' + rest % 10);
  }
  return end;
}

/* The nearest float, by way of its text. */
static double spelled(const text_decimals *d, int64_t i)
{
  char text[TEXT];
  uint32_t words[WORDS];
  uint64_t carry = 1, bits;
  double value;

  read_words(d, i, words);
  const bool negative = words[WORDS - 1] >> 31;
  for (int k = 0; k < WORDS && negative; k++, carry >>= 32) {
    carry += (uint32_t)~words[k];
    words[k] = (uint32_t)carry;
  }
  char *digits_end = text + TEXT - 16;
  char *begin = put_digits(words, digits_end);
  if (negative) *--begin = '-';
  const int more = snprintf(digits_end, 16, "e%d", -d->scale);
  locus_parse_float(begin, digits_end + more, '.', &FORMAT_f64, &bits);
  memcpy(&value, &bits, sizeof value);
  return value;
}

int locus_decimals_f64(const text_decimals *decimals, double *out, locus_context *cx)
{
  const int scale = decimals->scale, size = scale < 0 ? -scale : scale;
  double power = 1;
  int64_t whole;

  for (int k = 0; k < size && k < EXACT_SCALE; k++) power *= 10;
  for (int64_t i = 0; i < decimals->count; i++) {
    if (i % BETWEEN_POLLS == 0) LOCUS_TRY(locus_poll(cx));
    const bool fits = is_present(decimals, i) && read_i64(decimals, i, &whole);
    if (!is_present(decimals, i)) out[i] = 0;
    else if (!fits || size > EXACT_SCALE || whole > EXACT || whole < -EXACT)
      out[i] = spelled(decimals, i);
    else out[i] = scale < 0 ? (double)whole * power : (double)whole / power;
  }
  return 0;
}
