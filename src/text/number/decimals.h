/* SPDX-License-Identifier: MIT */
/* Decimals as columns of other libraries hold them: whole numbers of 4, 8, 16 or 32 bytes, in two's
** complement, that count units of 10^-scale. */
#ifndef LOCUS_TEXT_DECIMALS_H
#define LOCUS_TEXT_DECIMALS_H

#include "core/error.h"

enum { DECIMAL_BYTES = 32 }; /* of the longest */

typedef struct text_decimals {
  const uint8_t *present; /* 0: a null, which becomes 0; NULL: there is none */
  const char *bytes;
  int64_t count;
  int width, scale;
} text_decimals;

/* The whole numbers, whatever the scale, of int64. *past is the place of the first one beyond it,
** and nothing behind it is written; -1 if there is none. */
int locus_decimals_i64(const text_decimals *decimals, int64_t *out, int64_t *past,
                       locus_context *cx);

/* The nearest floats, halfway the even ones. */
int locus_decimals_f64(const text_decimals *decimals, double *out, locus_context *cx);

#endif
