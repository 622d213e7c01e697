/* SPDX-License-Identifier: MIT */
/* Rows by several threads. Each thread writes slices of them, each slice to a text of its own. */
#ifndef LOCUS_TEXT_WRITE_SHARE_H
#define LOCUS_TEXT_WRITE_SHARE_H

#include "text/write/slices.h"

/* The outcome of rows. */
typedef struct text_progress {
  int64_t written; /* how many there are now */
  int pieces;      /* how many pieces of the text can be handed on: locus_writer_take says which */
  bool refused;    /* the file takes no more, */
  int reason;      /* for this reason of errno's, 0 where it gave none */
} text_progress;

/* Writes at most `rows` rows from row `first`, by all threads. They go to the text, or to the file
** if there is one and they are many. `cut`: the text is to be handed on in pieces. A failed call
** can be repeated. */
int locus_write_shared(text_writer *writer, int64_t first, int64_t rows, FILE *file, bool cut,
                       text_progress *done, locus_context *cx);

/* The bytes of the text that are the next piece: whole rows, the fewest that make PIECE_BYTES; or
** all that is left. */
int64_t locus_writer_piece(const text_writer *writer);
/* Takes that many bytes off the front of the text. */
void locus_writer_drop(text_writer *writer, int64_t bytes);

#endif
