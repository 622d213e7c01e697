/* SPDX-License-Identifier: MIT */
/* gzip and deflate, by the system's zlib, which is loaded at the first compressed bytes. */
#ifndef LOCUS_TEXT_INFLATE_H
#define LOCUS_TEXT_INFLATE_H

#include "core/error.h"

typedef struct text_inflater text_inflater;

/* The kind of compression: members of gzip, or one bare stream of deflate. */
typedef enum text_compression { TEXT_GZIP, TEXT_DEFLATE } text_compression;

int locus_inflater_new(text_inflater **made, text_compression compression, locus_context *cx);
void locus_inflater_free(text_inflater *inflater); /* NULL is fine */

/* Takes compressed bytes from *from, at most *left of them, and writes at most `room` bytes. *from
** and *left move on, and *written is the number of bytes that came out: fewer than `room` if the
** compressed bytes are used up, or if a stream of deflate has ended. A file may hold several
** members of gzip. */
int locus_inflate(text_inflater *inflater, const char **from, int64_t *left, char *to, int64_t room,
                  int64_t *written, locus_context *cx);
/* Whether the bytes so far end where compressed data may end. */
bool locus_inflater_done(const text_inflater *inflater);
/* Fails, because the compressed bytes end too early. */
int locus_inflater_cut(const text_inflater *inflater, locus_context *cx);

#endif
