/* SPDX-License-Identifier: MIT */
/* Columns as lines of fields, in a text that grows. Each value is written so that it reads back the
** same. */
#ifndef LOCUS_TEXT_WRITE_H
#define LOCUS_TEXT_WRITE_H

#include "text/write/writer.h"

/* Prepares a writer; an error when a column has no such format. */
int locus_writer_begin(text_writer *writer, locus_context *cx);
void locus_writer_end(text_writer *writer); /* frees the text */

/* Each function adds to the text, or fails and leaves the text as it was. */
int locus_write_names(text_writer *writer, locus_context *cx);
/* Writes at most `rows` rows from row `first`; stops after the row that makes a piece full. */
enum { PIECE_BYTES = 1 << 18 };
int locus_write_rows(text_writer *writer, int64_t first, int64_t rows, int64_t *written,
                     locus_context *cx);

#endif
