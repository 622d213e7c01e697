/* SPDX-License-Identifier: MIT */
/* Records of fields between separators. */
#ifndef LOCUS_TEXT_CSV_H
#define LOCUS_TEXT_CSV_H

#include "text/read/record.h"

/* The record at `at`, complete up to `end`, which is behind a line feed. */
text_outcome locus_read_csv_record(text_reader *reader, const char *at, const char *end,
                                   text_record *record, locus_context *cx);
/* Rows from the record at `at` of the reader on, up to `until` of them in the columns or up to a
** line that is passed over; or what becomes of the first record that is none: it stays there. */
text_outcome locus_read_csv_rows(text_reader *reader, int64_t until, text_record *record,
                                 locus_context *cx);

#endif
