/* SPDX-License-Identifier: MIT */
/* The source of text: a file of the C library, or pieces from the caller. Either may be compressed,
** which its first bytes tell. */
#ifndef LOCUS_TEXT_SOURCE_H
#define LOCUS_TEXT_SOURCE_H

#include <stdio.h>

#include "text/pack/inflate.h"

/* Cleared, with a file or without one. */
typedef struct text_source {
  FILE *file;           /* NULL: pieces */
  const char *piece;    /* bytes that have not been read; they stay in place until they have */
  int64_t left;         /* of them */
  bool last;            /* no piece comes after this one */
  int64_t taken;        /* bytes so far, compressed ones if they are */
  int64_t length;       /* bytes of text that a regular file has from the first one on; else 0 */
  bool begun;           /* the first bytes have told whether it is compressed */
  char head[TEXT_MARK]; /* these bytes, and how many wait */
  int headed, head_at;
  text_inflater *inflater;
  char *raw; /* compressed bytes of a file */
} text_source;

/* Writes up to `room` bytes to `to`. *got is 0 at the end, and when the next piece is
** wanted: then `last` is false. */
int locus_source_read(text_source *source, char *to, int64_t room, int64_t *got, locus_context *cx);
/* Whether reading ahead costs time of ours alone: the file is no pipe, socket or terminal, or a
** piece must be decompressed. */
bool locus_source_is_worth_reading_ahead(const text_source *source);
/* Frees its memory, and begins again at the caller's place in the file or piece. */
void locus_source_reset(text_source *source);

#endif
