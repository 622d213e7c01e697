/* SPDX-License-Identifier: MIT */
/* Columns as rows of text, in a text that grows. Each value is written so that it reads back the
** same. csv.h and json.h say what a row is, and prepare a writer. */
#ifndef LOCUS_TEXT_WRITE_H
#define LOCUS_TEXT_WRITE_H

#include "text/write/writer.h"

void locus_writer_end(text_writer *writer); /* frees the text */

/* Makes room for `bytes` bytes more. */
int locus_writer_reserve(text_writer *writer, int64_t bytes, locus_context *cx);

/* Adds at most `rows` rows from row `first` to the text, on this thread. It stops after the row
** that makes the text `bytes` bytes long, and before a row that cannot be written. Such a row is an
** error if it is the first one. */
enum { PIECE_BYTES = 1 << 18 }; /* of a text that is long enough to be handed on */
int locus_write_rows(text_writer *writer, int64_t first, int64_t rows, int64_t bytes,
                     int64_t *written, locus_context *cx);

#endif
