/* SPDX-License-Identifier: MIT */
/* Rows by several threads, each of which reads a piece of the text in the buffer. */
#ifndef LOCUS_TEXT_SHARE_H
#define LOCUS_TEXT_SHARE_H

#include "text/read/record.h"

/* Whether there is so much text that others should help, and nothing that one thread must see to:
** guesses that can still be taken back, or a record that a piece could not read. */
bool locus_reader_may_share(const text_reader *reader);
/* Whether text that came in pieces should wait for the next one, so that threads share more of it.
** Text does not wait if it may hold the last rows that are to be read: so no frame waits for text
** that comes behind it. */
bool locus_reader_may_wait(const text_reader *reader);
/* Reads rows, and more of the source meanwhile. All strings must have been added. What is no row
** is left for one thread; `alone` says up to where. A failed call can be repeated. */
int locus_reader_share(text_reader *reader, locus_context *cx);

#endif
