/* SPDX-License-Identifier: MIT */
/* Lines whose fields lie between literal texts. */
#ifndef LOCUS_TEXT_LOG_H
#define LOCUS_TEXT_LOG_H

#include "text/read/record.h"

/* Rows from the record at `at` of the reader on, up to `until` of them in the columns or up to a
** line that is passed over; or what becomes of the first record that is none: it stays there. */
text_outcome locus_read_log_rows(text_reader *reader, int64_t until, text_record *record,
                                 locus_context *cx);

#endif
