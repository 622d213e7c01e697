/* SPDX-License-Identifier: MIT */
/* src/text/number and core/number/decimal.h beside the C library: the first byte chooses what is
** read or written, the others are a text, or the bits of a number. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "text/number/parse.h"

static const float_format *const formats[] = {&FORMAT_f64, &FORMAT_f32, &FORMAT_f16, &FORMAT_bf16};

/* -- Numbers of a format ----------------------------------------------------------------------- */

static int width(const float_format *format)
{
  return format == &FORMAT_f64 ? 64 : format == &FORMAT_f32 ? 32 : 16;
}

static int exponent_width(const float_format *format)
{
  return width(format) - format->bits;
}

static double value_of(uint64_t bits, const float_format *format)
{
  const int fraction = format->bits - 1;
  const uint64_t low = bits & ((UINT64_C(1) << fraction) - 1);
  const int exponent = (int)(bits >> fraction & ((1u << exponent_width(format)) - 1));
  const double sign = bits >> (width(format) - 1) & 1 ? -1 : 1;

  if (exponent == format->exponents) return low ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp((double)low, format->least);
  return sign * ldexp((double)(low | UINT64_C(1) << fraction), format->least + exponent - 1);
}

/* The nearest one of the format, of a double that lies on the right side of every halfway point. */
static double rounded(double value, const float_format *format)
{
  int exponent;

  if (value == 0 || !isfinite(value) || format == &FORMAT_f64) return value;
  frexp(value, &exponent);
  const int last =
      exponent - format->bits > format->least ? exponent - format->bits : format->least;
  const double near = ldexp(nearbyint(ldexp(value, -last)), last);
  const double beyond = ldexp(1, format->least + format->exponents - 2 + format->bits);
  return fabs(near) >= beyond ? copysign(INFINITY, value) : near;
}

/* strtod towards zero, its last bit set where anything is left over: then rounding once more, to
** fewer bits, is rounding once. */
static double to_odd(const char *text)
{
  fesetround(FE_DOWNWARD);
  const double low = strtod(text, NULL);
  fesetround(FE_UPWARD);
  const double high = strtod(text, NULL);
  fesetround(FE_TONEAREST);
  uint64_t bits;
  memcpy(&bits, &low, 8);
  return low == high || bits & 1 ? low : high;
}

static double expected_float(const char *text, const float_format *format)
{
  return format == &FORMAT_f64 ? strtod(text, NULL) : rounded(to_odd(text), format);
}

/* -- Reading ----------------------------------------------------------------------------------- */

static const char *digits_behind(const char *text)
{
  return text + strspn(text, "0123456789");
}

/* Whether the text is a number as number.h has it, with a point for its separator. */
static bool is_float(const char *text)
{
  if (*text == '-' || *text == '+') text++;
  if (!strcasecmp(text, "nan") || !strcasecmp(text, "inf") || !strcasecmp(text, "infinity"))
    return true;
  const char *at = digits_behind(text);
  ptrdiff_t digits = at - text;
  if (*at == '.') {
    const char *fraction = at + 1;
    at = digits_behind(fraction);
    digits += at - fraction;
  }
  if (digits == 0) return false;
  if (*at != 'e' && *at != 'E') return *at == 0;
  at++;
  if (*at == '-' || *at == '+') at++;
  return *at != 0 && *digits_behind(at) == 0;
}

static bool is_integer(const char *text, int64_t *value)
{
  const bool negative = *text == '-';
  __int128 sum = 0;

  if (*text == '-' || *text == '+') text++;
  if (*text == 0 || *digits_behind(text) != 0) return false;
  for (; *text && sum <= INT64_MAX; text++) sum = 10 * sum + (*text - '0');
  if (negative) sum = -sum;
  *value = (int64_t)sum;
  return *value == sum && *text == 0;
}

static void check_integer(const char *bytes, size_t size)
{
  char *copy = fuzz_copy(bytes, size, READ_BEFORE);
  int64_t value = 0, expected = 0;
  const bool known = is_integer(bytes, &expected) && strlen(bytes) == size;
  const bool read = locus_parse_i64(copy, copy + size, &value);

  if (read != known || (read && value != expected))
    fuzz_fail("\"%s\": %d %lld and not %d %lld", bytes, read, (long long)value, known,
              (long long)expected);
  fuzz_free(copy, READ_BEFORE);
}

static void check_float(const char *bytes, size_t size, bool comma, const float_format *format)
{
  char *copy = fuzz_copy(bytes, size, READ_BEFORE), *c_text = strdup(bytes);
  uint64_t bits = 0;
  bool swapped = false; /* a point, where a comma is wanted */

  for (char *at = c_text; comma && *at; at++) {
    swapped |= *at == '.';
    if (*at == ',') *at = '.';
  }
  const bool known = !swapped && strlen(bytes) == size && is_float(c_text);
  if (locus_parse_float(copy, copy + size, comma ? ',' : '.', format, &bits) != known)
    fuzz_fail("\"%s\" is%s read, format of %d bits", bytes, known ? " not" : "", format->bits);
  if (known) {
    const double value = value_of(bits, format), expected = expected_float(c_text, format);
    const bool same = value == expected && !signbit(value) == !signbit(expected);
    if (!same && !(isnan(value) && isnan(expected)))
      fuzz_fail("\"%s\" is %a and not %a, format of %d bits", bytes, value, expected, format->bits);
  }
  free(c_text);
  fuzz_free(copy, READ_BEFORE);
}

/* -- Writing ----------------------------------------------------------------------------------- */

static void check_read_back(const char *text, int length, uint64_t bits, const float_format *format)
{
  char *copy = fuzz_copy(text, (size_t)length, READ_BEFORE);
  uint64_t back;

  if (!locus_parse_float(copy, copy + length, '.', format, &back))
    fuzz_fail("%.*s is no number", length, text);
  const bool nan = isnan(value_of(bits, format)) && isnan(value_of(back, format));
  if (back != bits && !nan) fuzz_fail("%.*s reads back as another number", length, text);
  fuzz_free(copy, READ_BEFORE);
}

/* The digits of a number, without leading and closing zeros, and its sign. */
static int digits_of(const char *text, char *digits)
{
  int count = 0;

  for (; *text && *text != 'e'; text++)
    if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) digits[count++] = *text;
  while (count > 0 && digits[count - 1] == '0') count--;
  digits[count] = 0;
  return count;
}

/* No number of fewer digits reads back, and no other one of as many is nearer. */
static void check_shortest(const char *text, double value, const float_format *format)
{
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD};
  char digits[64], other[64], fewer[64];
  const int count = digits_of(text, digits);

  for (int mode = 0; mode < 3 && count > 1; mode++) {
    fesetround(modes[mode]);
    snprintf(fewer, sizeof fewer, "%.*e", count - 2, value);
    fesetround(FE_TONEAREST);
    if (expected_float(fewer, format) == value) fuzz_fail("%s is longer than %s", text, fewer);
  }
  snprintf(fewer, sizeof fewer, "%.*e", count - 1, value);
  digits_of(fewer, other);
  if (expected_float(fewer, format) == value && strcmp(digits, other))
    fuzz_fail("%s is not as near as %s", text, fewer);
}

static void check_format(uint64_t bits, const float_format *format)
{
  char text[NUMBER_BYTES + 1];

  if (width(format) < 64) bits &= (UINT64_C(1) << width(format)) - 1;
  const int length = locus_format_float(text, bits, format);
  if (length < 1 || length >= NUMBER_BYTES) fuzz_fail("%d bytes", length);
  text[length] = 0;
  check_read_back(text, length, bits, format);
  const double value = value_of(bits, format);
  if (isfinite(value) && value != 0) check_shortest(text, value, format);
}

static void check_format_integer(int64_t value)
{
  char text[NUMBER_BYTES + 1], expected[32];

  text[locus_format_i64(text, value)] = 0;
  snprintf(expected, sizeof expected, "%lld", (long long)value);
  if (strcmp(text, expected)) fuzz_fail("%s and not %s", text, expected);
}

static void check_places(double value, int places)
{
  static const char *const directives[] = {"%.*f", "%.*e", "%.*g"};
  char text[3][FIXED_BYTES + 1], expected[FIXED_BYTES];

  text[0][locus_format_fixed(text[0], value, places)] = 0;
  text[1][locus_format_scientific(text[1], value, places)] = 0;
  text[2][locus_format_general(text[2], value, places)] = 0;
  for (int mode = 0; mode < 3; mode++) {
    snprintf(expected, sizeof expected, directives[mode], places, value);
    if (strcmp(text[mode], expected) && !isnan(value))
      fuzz_fail("%s and not %s", text[mode], expected);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { MOST = 1000 };
  fuzz_input input = {data, data + size};
  const unsigned what = fuzz_byte(&input);
  const float_format *format = formats[what >> 3 & 3];
  const size_t left = (size_t)(input.end - input.at);

  if (left > MOST) return 0;
  char *text = malloc(left + 1);
  if (left) memcpy(text, input.at, left);
  text[left] = 0;
  switch (what & 7) {
  case 0: check_integer(text, left); break;
  case 1: check_format(fuzz_word(&input), format); break;
  case 2: check_format_integer((int64_t)fuzz_word(&input)); break;
  case 3: {
    const int places = (int)(fuzz_byte(&input) % (MOST_PLACES + 1));
    check_places(value_of(fuzz_word(&input), &FORMAT_f64), places);
    break;
  }
  default: check_float(text, left, what & 1, format); break;
  }
  free(text);
  return 0;
}
