/* SPDX-License-Identifier: MIT */
/* Values of each kind (core/kind.h) from text and back, as the readers of columns have them. */
#ifndef LOCUS_TEXT_MEANING_H
#define LOCUS_TEXT_MEANING_H

#include <stdint.h>

/* Reads the bytes from `text` up to `end`, which must all belong to the value: NULL, or the error,
** "is not a time". `pattern` is for times and dates, or NULL. */
const char *locus_parse_meaning(int kind, const char *pattern, const char *text, const char *end,
                                int64_t *value);
/* Writes to `out`, which has room for TIME_BYTES, and returns the number of bytes. */
int locus_format_meaning(int kind, char *out, int64_t value);

#endif
