/* SPDX-License-Identifier: MIT */
/* Rows as objects of JSON: a line each, or the items of one array. */
#ifndef LOCUS_TEXT_WRITE_JSON_H
#define LOCUS_TEXT_WRITE_JSON_H

#include "text/write/writer.h"

/* Prepares a writer; an error when a column has no such format. */
int locus_json_begin(text_writer *writer, locus_context *cx);
/* Adds the end of the text, behind all rows. */
int locus_json_close(text_writer *writer, locus_context *cx);

#endif
