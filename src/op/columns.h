/* SPDX-License-Identifier: MIT */
/* Several columns by one list of positions. */
#ifndef LOCUS_COLUMNS_H
#define LOCUS_COLUMNS_H

#include "op/op.h"

/* A 1-D tensor and the tensor that gets its elements, which has no storage yet. */
typedef struct locus_gathered {
  locus_value input;
  bool has_missing;
  locus_value missing; /* as in take */
  locus_tensor *out;
} locus_gathered;

/* The elements of each column as locus_index_get gives those of the one column, positions being
** int64 or int32, counted from 1; as locus_take does. They are checked once for all columns. */
int locus_index_columns(const locus_gathered *columns, int count, const locus_tensor *positions,
                        locus_context *cx);
int locus_take_columns(const locus_gathered *columns, int count, const locus_value *positions,
                       int64_t base, locus_context *cx);

#endif
