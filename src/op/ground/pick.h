/* SPDX-License-Identifier: MIT */
/* The picks of t[{...}], evaluated: the view of numbers and ranges, and the positions of index
** tensors and masks. */
#ifndef LOCUS_PICK_H
#define LOCUS_PICK_H

#include "op/op.h"

/* An index tensor or mask, the first dimension of the view that it indexes, and the number of that
** dimension in the caller's tensor. */
typedef struct locus_plan_entry {
  const locus_tensor *tensor;
  int dim, source;
} locus_plan_entry;

/* The int64 or int32 positions along one dimension of the view; it holds a reference. */
typedef struct locus_plan_column {
  locus_tensor positions;
  int dim;
} locus_plan_column;

typedef struct locus_plan {
  locus_tensor view; /* bare */
  int64_t base;      /* of the positions, */
  bool forward;      /* none of them negative */
  int entries, columns;
  locus_plan_entry entry[LOCUS_MAX_DIMS];
  locus_plan_column column[LOCUS_MAX_DIMS];
} locus_plan;

/* Makes the view and the entries; there are no columns yet. */
int locus_plan_make(locus_plan *p, const locus_tensor *input, const locus_pick *picks, int count,
                    int64_t base, locus_context *cx);

/* Makes the columns, every position checked. The plan must be released even if this fails. */
int locus_plan_load(locus_plan *p, locus_context *cx);
void locus_plan_forget(locus_plan *p);

/* An error unless all positions are those of a dimension, `dim` for messages, of that size; whether
** none is negative. */
int locus_check_indices(const locus_tensor *positions, int64_t size, int dim, int64_t base,
                        bool *forward, locus_context *cx);

#endif
