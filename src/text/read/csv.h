/* SPDX-License-Identifier: MIT */
/* Records of fields between separators. */
#ifndef LOCUS_TEXT_CSV_H
#define LOCUS_TEXT_CSV_H

#include "text/read/record.h"

/* The record at `at`, complete up to `end`, which is behind a line feed. */
text_outcome locus_read_csv_record(text_reader *reader, const char *at, const char *end,
                                   text_record *record, locus_context *cx);
/* Reads rows, beginning with the record at `at` of the reader, until the columns have `until` of
** them or a line is passed over. Returns the outcome of the first record that is no row; it is not
** consumed. */
text_outcome locus_read_csv_rows(text_reader *reader, int64_t until, text_record *record,
                                 locus_context *cx);

#endif
