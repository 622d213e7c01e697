/* SPDX-License-Identifier: MIT */
/* The kinds of results: which ops keep a kind, and which make another one. docs/tensor.md has the
** table. */
#ifndef LOCUS_OP_KINDS_H
#define LOCUS_OP_KINDS_H

#include "core/jobs.h"
#include "op/ground/value.h"

/* The kind of a tensor or scalar. */
static inline int locus_value_kind(const locus_value *value)
{
  return value->tensor ? value->tensor->kind : value->kind;
}

/* The kind of a sum of values of that kind, and of one with the other sign: durations stay such. */
static inline int locus_sum_kind(int kind)
{
  return locus_kind_is_span(kind) ? kind : LOCUS_KIND_none;
}

/* The kind of a op b. An error if their units differ, or times are added. */
int locus_binary_kind(locus_binary op, const locus_value values[2], int *kind, locus_context *cx);

/* An error unless a tensor of the kind of `to` holds to + value. */
int locus_check_added_kind(const locus_value *to, const locus_value *value, locus_context *cx);

/* The kind that the values share; plain numbers go with all. An error if two have different
** ones. */
int locus_shared_kind(const locus_value *values, int count, int *kind, locus_context *cx);

#endif
