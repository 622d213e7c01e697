/* SPDX-License-Identifier: MIT */
/* Keys of rows by number, by the calling thread. */
#ifndef LOCUS_TEXT_KEY_ROWS_H
#define LOCUS_TEXT_KEY_ROWS_H

#include "core/tensor.h"
#include "text/names/key_table.h"
#include "text/names/keys.h"

enum { KEY_BLOCKS_PER_POLL = 256 };

/* Makes room in a table, and in firsts unless it is NULL, for that many new numbers: `row` of
** `rows` have been added. */
int locus_keys_reserve(locus_key_table *t, int64_t more, int64_t row, int64_t rows,
                       locus_tensor *firsts, locus_context *cx);

/* The error of digits that have strayed among n rows from `row` on. */
int locus_keys_fail_stray(const key_source *source, int64_t row, int n, locus_context *cx);

/* Numbers the rows from *row to `end`, and moves *row there. ids[i] = the number of row i; NULL:
** nobody asks. firsts, unless it is NULL, gets the first row of each new number, counted from 1. */
int locus_keys_number(locus_key_table *t, const key_source *source, int64_t *row, int64_t end,
                      int32_t *ids, locus_tensor *firsts, locus_context *cx);

#endif
