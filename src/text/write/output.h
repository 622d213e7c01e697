/* SPDX-License-Identifier: MIT */
/* How the elements of a column are written. */
#ifndef LOCUS_TEXT_OUTPUT_H
#define LOCUS_TEXT_OUTPUT_H

#include "text/write/writer.h"

/* Chooses `put` and what goes with it; an error when the column has no such format. */
int locus_output_begin(const text_writer *writer, text_output *column, locus_context *cx);
/* The string of an element of a column of strings. Its number is checked, since users can write
** there. */
int locus_output_string(const text_output *column, const char *element, const char **bytes,
                        int64_t *length, locus_context *cx);

#endif
