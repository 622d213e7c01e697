/* SPDX-License-Identifier: MIT */
/* Records of text into columns: one pass over a buffer by a program, which names the type of each
** field. */
#ifndef LOCUS_TEXT_READER_H
#define LOCUS_TEXT_READER_H

#include "text/read/buffer.h"

/* Frees all but the reader itself, which locus_reader_begin has begun. */
void locus_reader_free(text_reader *reader);
/* Without a program; the columns of the last one are released. */
void locus_reader_clear(text_reader *reader);

/* Reads the complete records in the buffer. TEXT_READ: fill it again. */
text_state locus_reader_run(text_reader *reader, text_record *record, locus_context *cx);
/* Reads the next record without a program, for `each`: TEXT_FULL when there was one. */
text_state locus_reader_header(text_reader *reader, text_record *record, locus_context *cx);
/* Passes over a line: TEXT_FULL when there was one. */
text_state locus_reader_skip(text_reader *reader);
/* The columns have exactly the rows that have been read. */
int locus_reader_fit(text_reader *reader, locus_context *cx);

#endif
