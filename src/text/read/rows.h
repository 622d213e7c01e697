/* SPDX-License-Identifier: MIT */
/* Rows of complete records, for a reader or for each of the threads that share its text. */
#ifndef LOCUS_TEXT_ROWS_H
#define LOCUS_TEXT_ROWS_H

#include "text/read/record.h"

/* Whether the line at `at` is no record. */
bool locus_reader_passes_over(const text_reader *reader);
void locus_reader_pass_line(text_reader *reader);
/* Reads rows, beginning with the record at `at`, until the columns have `until` rows or a line is
** passed over. Returns the outcome of the first record that is no row; it is not consumed. */
text_outcome locus_reader_rows(text_reader *reader, int64_t until, text_record *record,
                               locus_context *cx);
/* The bytes of its source's text in front of that place in the buffer. */
int64_t locus_reader_taken(const text_reader *reader, const char *upto);
/* Makes room in every column for that many rows, and for the rows to be expected from the length of
** these in the text, which ends at `upto`. */
int locus_reader_grow(text_reader *reader, int64_t rows, const char *upto, locus_context *cx);
/* Adds the strings of the last rows, which still lie in the buffer. */
int locus_reader_add_strings(text_reader *reader, locus_context *cx);
/* Counts the last record, which is a row, for all guesses; returns whether a guess has failed. */
bool locus_reader_note_guesses(text_reader *reader);

#endif
