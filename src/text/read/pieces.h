/* SPDX-License-Identifier: MIT */
/* Pieces of the text in a reader's buffer, which threads read side by side: share.c says how. */
#ifndef LOCUS_TEXT_PIECES_H
#define LOCUS_TEXT_PIECES_H

#include "text/read/record.h"

enum { TEXT_PIECE = 1 << 17 }; /* bytes, mostly at the utmost */

typedef struct text_piece {
  text_reader reader; /* of the text from `begin` on, up to its `complete` */
  const char *begin;
  int64_t quotes;    /* in it */
  int64_t row, rows; /* its first one, from 0 on; how many it has at most */
  bool open;         /* it ended within quotes */
  int64_t *numbers;  /* by column, where those of its new strings begin in text_pieces */
} text_piece;

typedef struct text_pieces {
  int64_t bytes; /* of this block */
  int count, used;
  bool quoted;      /* line feeds have been within quotes */
  int32_t *numbers; /* of new strings */
  text_piece piece[];
} text_pieces;

/* Makes as many as the threads can do with, for the reader's program; forgets them. */
int locus_pieces_make(text_reader *reader, locus_context *cx);
void locus_pieces_free(text_reader *reader);
/* Makes the piece ready to read its text, the rows of which begin with that one: there is room for
** them in the reader's columns. */
int locus_piece_begin(const text_reader *reader, text_piece *piece, int64_t row, locus_context *cx);
/* Reads rows up to what is none. */
int locus_piece_read(text_piece *piece, locus_context *cx);

#endif
