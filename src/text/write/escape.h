/* SPDX-License-Identifier: MIT */
/* Strings of JSON. */
#ifndef LOCUS_TEXT_ESCAPE_H
#define LOCUS_TEXT_ESCAPE_H

#include <stdint.h>

/* What becomes of bytes that are no UTF-8, which JSON is. */
typedef enum json_bytes {
  BYTES_FAIL,
  BYTES_REPLACED, /* by U+FFFD */
  BYTES_KEPT,
} json_bytes;

/* A string takes at most so many bytes for each of its own, and two more. */
enum { ESCAPED_BYTES = 6 };

/* Writes the bytes as a string of JSON, between quotes; answers the end, or NULL if they are no
** UTF-8 and that fails. */
char *locus_put_json_string(char *to, const char *bytes, int64_t length, json_bytes invalid);

#endif
