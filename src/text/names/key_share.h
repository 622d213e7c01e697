/* SPDX-License-Identifier: MIT */
/* Keys by number, by several threads at once, with the numbers that one thread would give. */
#ifndef LOCUS_TEXT_KEY_SHARE_H
#define LOCUS_TEXT_KEY_SHARE_H

#include "core/tensor.h"
#include "text/names/key_table.h"
#include "text/names/keys.h"

/* Whether there are enough rows for several threads. */
bool locus_keys_may_share(const locus_key_table *t, int64_t rows);

/* Numbers the rows that begin at *row, which is not the first one, and moves *row on. It stops
** before the end if the table becomes too large for this. ids[i] = the number of row i. firsts,
** unless it is NULL, gets the first row of each new number, counted from 1. Where ids is NULL, keys
** are put into the table without numbers. */
int locus_keys_share(locus_key_table *t, const key_source *source, int64_t *row, int32_t *ids,
                     locus_tensor *firsts, locus_context *cx);

#endif
