/* SPDX-License-Identifier: MIT */
/* Records that are JSON objects: one on each line, or the elements of one array. */
#ifndef LOCUS_TEXT_JSON_RECORD_H
#define LOCUS_TEXT_JSON_RECORD_H

#include "text/json/program.h"
#include "text/read/record.h"

/* Reads rows, beginning with the record at `at` of the reader, until the columns have `until` of
** them or a line is passed over. Returns the outcome of the first record that is no row; it is not
** consumed. */
text_outcome locus_read_json_rows(text_reader *reader, int64_t until, text_record *record,
                                  locus_context *cx);
/* Whether the line at `at` has nothing but white space. */
bool locus_is_json_passed_over(const text_reader *reader, const char *at, const char *end);

#endif
