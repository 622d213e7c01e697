/* SPDX-License-Identifier: MIT */
/* Numbers from text, and text of numbers: exact in both directions, whatever the locale. */
#ifndef LOCUS_TEXT_NUMBER_H
#define LOCUS_TEXT_NUMBER_H

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

/* Of a dtype; NULL: it is none of floats. */
static inline const float_format *locus_float_format(locus_dtype dtype)
{
#define OF_BOOL(id) NULL
#define OF_INTEGER(id) NULL
#define OF_FLOAT(id) &FORMAT_##id
#define OF_COMPLEX(id) NULL
  switch (dtype) {
#define DTYPE(id, type, value, kind, name) case LOCUS_##id: return OF_##kind(id);
#include "core/dtype.def"
  case LOCUS_DTYPES: break;
  }
#undef OF_BOOL
#undef OF_INTEGER
#undef OF_FLOAT
#undef OF_COMPLEX
  return NULL;
}

/* The bytes from `text` up to `end`, which must all belong to it, as a whole number in decimal with
** or without a sign. False: they are none, or beyond int64. READ_BEFORE bytes in front of `text`
** must be readable, whatever they are: of short numbers whole words are read. */
enum { READ_BEFORE = 8 };
bool locus_parse_i64(const char *text, const char *end, int64_t *value);

/* Likewise a decimal fraction, with or without a sign and an exponent; or nan, inf or infinity in
** any case. `point` separates the fraction. *bits is the nearest number of the format, of two the
** one that is even; what is beyond the greatest becomes infinity. READ_BEFORE holds here, too. */
bool locus_parse_float(const char *text, const char *end, char point, const float_format *format,
                       uint64_t *bits);

/* Each writes to `out`, without a closing 0, and answers how many bytes; `out` has room for
** NUMBER_BYTES, or for FIXED_BYTES, of which those behind the answer may be written, too. */
enum { NUMBER_BYTES = 40, FIXED_BYTES = 340, MOST_PLACES = 20 };

int locus_format_i64(char *out, int64_t value);

/* The fewest digits that read back as the same number of the format, and of these the ones nearest
** to it: 0.1, 1.0, 1e+20, nan, -inf. */
int locus_format_float(char *out, uint64_t bits, const float_format *format);

/* With that many digits behind the point, at most MOST_PLACES, rounded from the exact value, halves
** to the even digit. */
int locus_format_fixed(char *out, double value, int places);

#endif
