/* SPDX-License-Identifier: MIT */
/* The bytes of one entry of a ZIP archive, stored as they are or compressed by deflate. */
#ifndef LOCUS_TEXT_ZIP_H
#define LOCUS_TEXT_ZIP_H

#include <stdio.h>

#include "text/pack/inflate.h"

/* All 0 before it begins. The file is at the entry's next bytes, and its owner moves it only when
** the entry has been read. */
typedef struct text_zip {
  int64_t packed;          /* bytes in the file that have not been read */
  uint32_t crc;            /* of the inflated bytes */
  text_inflater *inflater; /* NULL: stored */
  char *raw;               /* compressed bytes of the file */
  const char *piece;       /* those of them that wait, */
  int64_t held;            /* and their number */
} text_zip;

/* Begins an entry that takes `packed` bytes of the file. A failure leaves it cleared. */
int locus_zip_begin(text_zip *zip, int64_t packed, bool deflated, locus_context *cx);
/* Writes `room` bytes to `to`; *got is smaller only if a stored entry is cut off. Messages continue
** after the entry's name. */
int locus_zip_read(text_zip *zip, FILE *file, char *to, int64_t room, int64_t *got,
                   locus_context *cx);
/* An error unless the whole entry has been read and has that checksum. */
int locus_zip_finish(text_zip *zip, FILE *file, uint32_t crc, locus_context *cx);
/* Frees its memory and makes all its fields 0. */
void locus_zip_free(text_zip *zip);

#endif
