/* SPDX-License-Identifier: MIT */
/* Many new keys at once: rows are sent to partitions of the table, one thread for each. */
#ifndef LOCUS_TEXT_KEY_PARTS_H
#define LOCUS_TEXT_KEY_PARTS_H

#include "core/tensor.h"
#include "text/names/key_table.h"
#include "text/names/keys.h"

/* Memory for the rows of a round; all 0, there is none. */
typedef struct key_parts_memory {
  int64_t rows; /* that there is room for */
  char *block;
} key_parts_memory;

/* The most rows of a round with that many threads, for at most 7 MB each. */
int64_t locus_key_parts_most(int threads);
void locus_key_parts_end(key_parts_memory *memory);

/* Numbers `count` rows from `begin` on, at most locus_key_parts_most of them: ids[i] = the number
** of row begin + i. There is room for as many keys in the table. Where ids is
** NULL, keys are put into the table without numbers. */
int locus_key_parts_number(locus_key_table *t, const key_source *source, int64_t begin,
                           int64_t count, int32_t *ids, locus_tensor *firsts,
                           key_parts_memory *memory, locus_context *cx);

#endif
