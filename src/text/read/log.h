/* SPDX-License-Identifier: MIT */
/* Lines whose fields lie between literal texts. */
#ifndef LOCUS_TEXT_LOG_H
#define LOCUS_TEXT_LOG_H

#include "text/read/record.h"

/* Reads rows, beginning with the record at `at` of the reader, until the columns have `until` of
** them or a line is passed over. Returns the outcome of the first record that is no row; it is not
** consumed. */
text_outcome locus_read_log_rows(text_reader *reader, int64_t until, text_record *record,
                                 locus_context *cx);

#endif
