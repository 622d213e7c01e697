/* SPDX-License-Identifier: MIT */
/* Many new keys of a range: bits say which have come. */
#ifndef LOCUS_TEXT_KEY_BITS_H
#define LOCUS_TEXT_KEY_BITS_H

#include "core/tensor.h"
#include "text/names/key_table.h"
#include "text/names/keys.h"

/* The most rows of a round over a range, of which each thread keeps a bit for each key; 0 if that
** is too wide. */
int64_t locus_key_bits_most(const locus_key_table *t);

/* Numbers `count` rows from `begin` on, for a table of a range: ids[i] = the number of row
** begin + i; NULL: nobody asks. firsts, unless it is NULL, gets the first row of each new number,
** counted from 1. */
int locus_key_bits_number(locus_key_table *t, const key_source *source, int64_t begin,
                          int64_t count, int32_t *ids, locus_tensor *firsts, locus_context *cx);

#endif
