/* SPDX-License-Identifier: MIT */
/* The buffer of a reader: text from its source, up to the end of the last complete line. */
#ifndef LOCUS_TEXT_BUFFER_H
#define LOCUS_TEXT_BUFFER_H

#include "text/read/record.h"

/* A buffer for a reader whose fields are all 0 except the dialect. */
int locus_reader_begin(text_reader *reader, locus_context *cx);
/* Frees that buffer, and the others that it came to need. */
void locus_reader_end(text_reader *reader);

/* Begins again with its source, which the caller puts at its beginning. */
void locus_reader_rewind(text_reader *reader);
/* The same for a source whose rows follow those that have been read, all of them. */
void locus_reader_go_on(text_reader *reader);

/* More text: TEXT_READ, or TEXT_WANTS, TEXT_ENDED, TEXT_ERROR. */
text_state locus_reader_fill(text_reader *reader, locus_context *cx);
/* Reads up to `most` bytes ahead, while other threads read the buffer. If that fails, the next fill
** reports it. */
void locus_reader_read_ahead(text_reader *reader, int64_t most);
/* The columns are to begin without rows, at the record that comes next. */
void locus_reader_restart(text_reader *reader);

/* The place to which fields of this record may be copied; NULL without memory. */
char *locus_reader_scratch(text_reader *reader, locus_context *cx);

#endif
