/* SPDX-License-Identifier: MIT */
/* Rows of complete records, whoever reads them: a reader, or each of the threads that share its
** text. */
#ifndef LOCUS_TEXT_ROWS_H
#define LOCUS_TEXT_ROWS_H

#include "text/read/record.h"

/* Whether the line at `at` is no record. */
bool locus_reader_passes_over(const text_reader *reader);
void locus_reader_pass_line(text_reader *reader);
/* Rows from the record at `at` on, `until` so many are in the columns or up to a line that is
** passed over; or what becomes of the first record that is none: it stays there. */
text_outcome locus_reader_rows(text_reader *reader, int64_t until, text_record *record,
                               locus_context *cx);
/* How much of its source's text lies in front of that place in the buffer. */
int64_t locus_reader_taken(const text_reader *reader, const char *upto);
/* Makes room for so many rows in every column, and for those that are to be expected by the length
** of these in the text, which lie in front of `upto`. */
int locus_reader_grow(text_reader *reader, int64_t rows, const char *upto, locus_context *cx);
/* Adds the strings of the last rows, which lie in the buffer so far. */
int locus_reader_add_strings(text_reader *reader, locus_context *cx);
/* The last record is a row, and counts for all guesses; whether one of them has failed. */
bool locus_reader_note_guesses(text_reader *reader);

#endif
