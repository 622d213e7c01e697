/* SPDX-License-Identifier: MIT */
/* Quotes about fields. Each function takes the field from `field` to `end` and answers its new end.
** At `field` there is room for twice its bytes and two more. */
#ifndef LOCUS_TEXT_QUOTE_H
#define LOCUS_TEXT_QUOTE_H

#include "text/write/writer.h"

/* Puts quotes about the field. */
char *locus_put_quotes(const text_writer *writer, char *field, char *end);
/* The same where the field needs them. */
char *locus_quote_field(const text_writer *writer, char *field, char *end);

#endif
