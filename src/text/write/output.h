/* SPDX-License-Identifier: MIT */
/* How the elements of a column are written. */
#ifndef LOCUS_TEXT_OUTPUT_H
#define LOCUS_TEXT_OUTPUT_H

#include "text/write/writer.h"

/* Chooses `put` and what goes with it; an error when the column has no such format. */
int locus_output_begin(const text_writer *writer, text_output *column, locus_context *cx);

#endif
