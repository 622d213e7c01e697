/* SPDX-License-Identifier: MIT */
/* Strings as columns of other libraries lay them out, and their numbers in a dictionary. */
#ifndef LOCUS_TEXT_STRINGS_H
#define LOCUS_TEXT_STRINGS_H

#include "text/names/dictionary.h"

/* Strings one behind the other; or padded to one width by zeros, which do not count; or views: each
** of 16 bytes, the length, and then up to 12 bytes of text, or its first four, which buffer it lies
** in, and where.
** Source: https://arrow.apache.org/docs/format/Columnar.html, "Variable-size Binary View Layout" */
typedef struct text_strings {
  const uint8_t *present; /* 0: a null, which counts as empty; NULL: there is none */
  int64_t count;
  const int32_t *offsets;      /* count + 1, into `bytes`; or NULL, and */
  const int64_t *wide_offsets; /* the same; or NULL, and */
  const int32_t *views;        /* 4 * count; or NULL, and */
  int64_t width;               /* of each string in `bytes`, with its padding */
  const char *bytes;
  const char *const *buffers; /* of views */
  const int64_t *lengths;     /* of `buffers`, or only that of `bytes` */
  int64_t buffer_count;
} text_strings;

/* ids[i] = the number of string i, which is added when it is new. An error if one does not lie
** within its buffer. Strings added before a failure stay, and a repeated call finds them. */
int locus_dictionary_add_strings(text_dictionary *dictionary, const text_strings *strings,
                                 int32_t *ids, locus_context *cx);

/* Turns code points of 32 bits into UTF-8, in place: `count` rows of `width` code points each are
** then strings padded by zeros to 4 * width bytes. *wrong is the first row that holds a number that
** is no character, which stays as it was, and so do those behind it; -1 if there is none. */
int locus_utf8_of_codes(uint32_t *codes, int64_t count, int64_t width, int64_t *wrong,
                        locus_context *cx);

/* Whether the bytes are UTF-8: without surrogates, and nothing in more bytes than it needs. */
bool locus_is_utf8(const char *bytes, int64_t length);
/* The bytes of the first character of at least one byte. Where there is none, *whole is false, and
** the answer counts the bytes for which one replacement stands: a character cut short, or one byte.
** Source: https://www.unicode.org/versions/latest/core-spec/chapter-3/, table 3-8 */
int locus_utf8_character(const char *bytes, int64_t length, bool *whole);

#endif
