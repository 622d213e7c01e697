/* SPDX-License-Identifier: MIT */
/* Numbers from text: exact, whatever the locale. core/number/decimal.h converts back. */
#ifndef LOCUS_TEXT_PARSE_H
#define LOCUS_TEXT_PARSE_H

#include "core/number/decimal.h"

/* Reads all bytes from `text` up to `end` as a decimal whole number with or without a sign. False
** if they are none, or beyond int64. READ_BEFORE bytes in front of `text` must be readable, with
** any contents, since short numbers are read by whole words. */
enum { READ_BEFORE = 8 };
bool locus_parse_i64(const char *text, const char *end, int64_t *value);

/* Likewise a decimal fraction, with or without a sign and an exponent; or nan, inf or infinity in
** any case. `point` separates the fraction. *bits is the nearest number of the format, halfway the
** even one; numbers beyond the greatest become infinity. READ_BEFORE holds here, too. */
bool locus_parse_float(const char *text, const char *end, char point, const float_format *format,
                       uint64_t *bits);

/* The same for a decimal as Fortran writes double precision: 1.5D+03, with d or D in front of the
** exponent. */
bool locus_parse_fortran_float(const char *text, const char *end, char point,
                               const float_format *format, uint64_t *bits);

#endif
