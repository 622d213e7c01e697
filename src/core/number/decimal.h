/* SPDX-License-Identifier: MIT */
/* Text of numbers: the same bytes on every system and in every locale. */
#ifndef LOCUS_DECIMAL_H
#define LOCUS_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/dtype.h"

/* A binary format of IEEE 754, or one made like them. */
typedef struct float_format {
  int bits;      /* of the significand, the leading one included */
  int least;     /* the exponent of two of the least number that is not 0 */
  int exponents; /* the exponent field of infinity and NaN, all ones */
} float_format;

static const float_format FORMAT_f64 = {53, -1074, 2047}, FORMAT_f32 = {24, -149, 255},
                          FORMAT_f16 = {11, -24, 31}, FORMAT_bf16 = {8, -133, 255};

/* The float format of a dtype; NULL for other dtypes. */
static inline const float_format *locus_float_format(locus_dtype dtype)
{
#define OF_BOOL(id) NULL
#define OF_INTEGER(id) NULL
#define OF_FLOAT(id) &FORMAT_##id
#define OF_COMPLEX(id) NULL
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, type, value, kind, name) case LOCUS_##id: return OF_##kind(id);
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
#undef OF_BOOL
#undef OF_INTEGER
#undef OF_FLOAT
#undef OF_COMPLEX
  return NULL;
}

/* A finite double as significand * 2^exponent, without its sign. */
typedef struct binary_parts {
  uint64_t significand;
  int exponent;
} binary_parts;

static inline binary_parts locus_binary_parts(uint64_t bits)
{
  const uint64_t fraction = bits & 0xfffffffffffffu, hidden = (uint64_t)1 << 52;
  const int field = (int)(bits >> 52) & 2047;
  return (binary_parts){field ? fraction | hidden : fraction,
                        FORMAT_f64.least + (field ? field - 1 : 0)};
}

/* Each function writes to `out`, without a closing 0, and returns the number of bytes. `out` has
** room for NUMBER_BYTES, or for FIXED_BYTES; bytes behind the text may be written, too. */
enum { NUMBER_BYTES = 40, MOST_PLACES = 99, FIXED_BYTES = 440 };

int locus_format_i64(char *out, int64_t value);

/* The fewest digits that read back as the same number of the format, and among these the nearest to
** it: 0.1, 1.0, 1e+20, nan, -inf. */
int locus_format_float(char *out, uint64_t bits, const float_format *format);

/* The same in the form of messages: a whole number has no point, and below 2^63 all its digits. */
int locus_spell_float(char *out, uint64_t bits, const float_format *format);

/* With that many digits behind the point, at most MOST_PLACES, rounded from the exact value, halves
** to the even digit: 0.0312 of 1 / 32. */
int locus_format_fixed(char *out, double value, int places);

/* Likewise with one digit before the point and an exponent, 3.12e-02; and as C's %g has it, by a
** total number of digits without the zeros at their end: 0.0312. */
int locus_format_scientific(char *out, double value, int places);
int locus_format_general(char *out, double value, int digits);

/* -- Their building blocks
** ----------------------------------------------------------------------- */

/* All digits of significand * 2^exponent, which is not 0: the number is digits * 10^*power. */
enum { ALL_DIGITS = 800 };
int locus_all_digits(char *out, binary_parts x, int *power);

/* Keeps the first `keep` digits, or none, rounded as above. Returns how many there are now: one
** more if 9s became 10. */
int locus_round_digits(char *digits, int count, int keep);

#endif
