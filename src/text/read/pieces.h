/* SPDX-License-Identifier: MIT */
/* Pieces of the text in a reader's buffer, which threads read side by side: share.c says how. */
#ifndef LOCUS_TEXT_PIECES_H
#define LOCUS_TEXT_PIECES_H

#include "text/read/record.h"

enum { TEXT_PIECE = 1 << 17 }; /* bytes, mostly at the utmost */

typedef struct text_piece {
  text_reader reader; /* its text begins at `begin` and ends at its `complete` */
  const char *begin;
  int64_t quotes;    /* in it */
  int64_t row, rows; /* its first row, counted from 0; its greatest number of rows */
  bool open;         /* it ended within quotes */
  int64_t *numbers;  /* for each column, the first of its new strings in text_pieces */
} text_piece;

typedef struct text_pieces {
  int64_t bytes; /* of this block */
  int count, used;
  bool quoted;      /* line feeds have been within quotes */
  int32_t *numbers; /* of new strings */
  text_piece piece[];
} text_pieces;

/* Makes enough pieces for the threads, by the reader's program; frees them. */
int locus_pieces_make(text_reader *reader, locus_context *cx);
void locus_pieces_free(text_reader *reader);
/* Prepares the piece for its text, whose rows begin at that row; the reader's columns have room for
** them. */
int locus_piece_begin(const text_reader *reader, text_piece *piece, int64_t row, locus_context *cx);
/* Reads rows up to the first record that is none. */
int locus_piece_read(text_piece *piece, locus_context *cx);

#endif
