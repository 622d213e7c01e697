/* SPDX-License-Identifier: MIT */
/* Rows by several threads. Each reads a piece of the text in the buffer. */
#ifndef LOCUS_TEXT_SHARE_H
#define LOCUS_TEXT_SHARE_H

#include "text/read/record.h"

/* Whether there is enough text for several threads, and nothing that needs one thread: guesses that
** may still be taken back, or a record that a piece could not read. */
bool locus_reader_may_share(const text_reader *reader);
/* Whether text that came in pieces should wait for the next one, so that threads share more of it.
** Text that may hold the last rows to read does not wait, so no frame waits for text behind it. */
bool locus_reader_may_wait(const text_reader *reader);
/* Reads rows, and meanwhile more of the source. All strings must have been added. Records that are
** no rows are left to one thread; `alone` says up to where. A failed call can be repeated. */
int locus_reader_share(text_reader *reader, locus_context *cx);

#endif
