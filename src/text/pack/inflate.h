/* SPDX-License-Identifier: MIT */
/* Decompression of gzip, zstd, xz, bzip2 and lz4, and of bare deflate, member after member, by
** libraries of the system. */
#ifndef LOCUS_TEXT_INFLATE_H
#define LOCUS_TEXT_INFLATE_H

#include "core/error.h"

typedef struct text_inflater text_inflater;

/* The kind of compression: members, or one bare stream of deflate. */
typedef enum text_compression {
  TEXT_PLAIN,
  TEXT_GZIP,
  TEXT_ZSTD,
  TEXT_XZ,
  TEXT_BZIP2,
  TEXT_LZ4,
  TEXT_DEFLATE,
} text_compression;

/* The kind that bytes begin with. `undecided`: more bytes, if any come, may decide it. Bytes that
** end within the mark of a kind are of that kind, unless they may well be text. */
enum { TEXT_MARK = 10 }; /* bytes that decide */
text_compression locus_compression_of(const char *bytes, int64_t count, bool ended,
                                      bool *undecided);
const char *locus_compression_name(text_compression compression);

int locus_inflater_new(text_inflater **made, text_compression compression, locus_context *cx);
void locus_inflater_free(text_inflater *inflater); /* NULL is fine */

/* Takes compressed bytes from *from, at most *left of them, and writes at most `room` bytes. *from
** and *left move on, and *written is the number of bytes that came out: fewer than `room` if the
** compressed bytes are used up, or if a stream of deflate has ended. A file may hold several
** members. */
int locus_inflate(text_inflater *inflater, const char **from, int64_t *left, char *to, int64_t room,
                  int64_t *written, locus_context *cx);
/* Whether the bytes so far end where compressed data may end. */
bool locus_inflater_done(const text_inflater *inflater);
/* Fails, because the compressed bytes end too early. */
int locus_inflater_cut(const text_inflater *inflater, locus_context *cx);

#endif
