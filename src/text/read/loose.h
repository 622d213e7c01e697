/* SPDX-License-Identifier: MIT */
/* The same with blanks about fields or between them, and quotes that a backslash escapes. */
#ifndef LOCUS_TEXT_LOOSE_H
#define LOCUS_TEXT_LOOSE_H

#include "text/read/record.h"

/* The record at `at`, complete up to `end`, which is behind a line feed. */
text_outcome locus_read_loose_record(text_reader *reader, const char *at, const char *end,
                                     text_record *record, locus_context *cx);
/* Reads rows, beginning with the record at `at` of the reader, until the columns have `until` of
** them or a line is passed over. Returns the outcome of the first record that is no row; it is not
** consumed. */
text_outcome locus_read_loose_rows(text_reader *reader, int64_t until, text_record *record,
                                   locus_context *cx);

/* Like locus_is_comment and locus_is_passed_over, if blanks do not count; no field between blanks
** is empty. */
bool locus_is_loose_comment(const text_reader *reader, const char *at, const char *end);
bool locus_is_loose_passed_over(const text_reader *reader, const char *at, const char *end);

#endif
