/* SPDX-License-Identifier: MIT */
/* Rows as lines of fields, which read back the same. */
#ifndef LOCUS_TEXT_WRITE_CSV_H
#define LOCUS_TEXT_WRITE_CSV_H

#include "text/write/writer.h"

/* Prepares a writer; an error when a column has no such format. */
int locus_csv_begin(text_writer *writer, locus_context *cx);
/* Adds the names to the text, or fails and leaves the text as it was. */
int locus_csv_names(text_writer *writer, locus_context *cx);

#endif
