/* SPDX-License-Identifier: MIT */
/* cat and stack: each value is copied into its part of the result, after all of them have been
** checked. */
#include <stdio.h>

#include "op/ground/elementwise.h"

enum { POLL_EVERY = 4096 }; /* values */

/* The joined values, and the part of the result that each fills. */
typedef struct joint {
  const locus_value *values;
  int count, dim;
  locus_dtype dtype;
  locus_shape shape;
} joint;

/* A 1-D value without elements is left out. */
static bool left_out(const locus_value *value)
{
  const locus_shape *shape = locus_value_shape(value);
  return shape->ndim == 1 && shape->size[0] == 0;
}

/* The first value that is not left out, or else the first. */
static const locus_value *first_of(const locus_value *values, int count)
{
  for (int i = 0; i < count; i++)
    if (!left_out(&values[i])) return &values[i];
  return values;
}

int locus_cat_ndim(const locus_value *values, int count)
{
  return count ? locus_value_shape(first_of(values, count))->ndim : 0;
}

static int check_dtypes(joint *j, const locus_tensor *out, locus_context *cx)
{
  locus_element element;

  j->dtype = locus_promote(j->values, j->count, cx);
  for (int i = 0; i < j->count; i++) {
    const locus_value *value = &j->values[i];
    if (i % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    LOCUS_TRY(locus_result_apart(out, "out", value, false, cx));
    LOCUS_TRY(locus_check_fits(value, j->dtype, cx));
    if (!value->tensor) LOCUS_TRY(locus_value_store(value, j->dtype, &element, cx));
  }
  return 0;
}

static int misfit(const locus_value *value, const locus_value *first, const char *rule,
                  locus_context *cx)
{
  char a[LOCUS_SHAPE_TEXT], b[LOCUS_SHAPE_TEXT];
  return locus_fail(cx, "'%s' of size %s does not fit '%s' of size %s: %s", value->name,
                    locus_shape_text(locus_value_shape(value), a), first->name,
                    locus_shape_text(locus_value_shape(first), b), rule);
}

/* Takes the sizes of the first value; the others may differ from it along `dim` alone. */
static int join_shapes(joint *j, locus_context *cx)
{
  const locus_value *first = first_of(j->values, j->count);
  int64_t *total = &j->shape.size[j->dim];
  char rule[40];

  j->shape = *locus_value_shape(first);
  if (j->shape.ndim == 0)
    return locus_fail(cx, "'%s' is 0-d and cannot be joined; write stack", first->name);
  snprintf(rule, sizeof rule, "only dimension %d may differ", j->dim + 1);
  *total = 0;
  for (int i = 0; i < j->count; i++) {
    const locus_shape *shape = locus_value_shape(&j->values[i]);
    if (left_out(&j->values[i])) continue;
    bool fits = shape->ndim == j->shape.ndim;
    for (int d = 0; fits && d < shape->ndim; d++)
      fits = d == j->dim || shape->size[d] == j->shape.size[d];
    if (!fits) return misfit(&j->values[i], first, rule, cx);
    if (__builtin_add_overflow(*total, shape->size[j->dim], total))
      return locus_fail(cx, "the sizes along dimension %d add up to more than 2^63", j->dim + 1);
  }
  return 0;
}

/* All values have the size of the first; the result has one more dimension. */
static int stack_shapes(joint *j, locus_context *cx)
{
  const locus_shape *first = locus_value_shape(j->values);

  for (int i = 0; i < j->count; i++) {
    if (!locus_shape_equal(locus_value_shape(&j->values[i]), first))
      return misfit(&j->values[i], j->values, "all sizes must be equal", cx);
  }
  if (first->ndim == LOCUS_MAX_DIMS)
    return locus_fail(cx, "the result has more than %d dimensions", LOCUS_MAX_DIMS);
  j->shape.ndim = first->ndim + 1;
  for (int d = 0; d < first->ndim; d++) j->shape.size[d + (d >= j->dim)] = first->size[d];
  j->shape.size[j->dim] = j->count;
  return 0;
}

/* Copies every value into its part: for stack a position along the dimension, else a span. */
static int fill(const joint *j, const locus_tensor *whole, bool stack, locus_context *cx)
{
  int64_t at = 0;

  for (int i = 0; i < j->count; i++) {
    locus_tensor part = *whole;
    if (i % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    if (!stack && left_out(&j->values[i])) continue;
    locus_span span = {at, stack ? 1 : locus_value_shape(&j->values[i])->size[j->dim], 1};
    if (stack) locus_take_one(&part, j->dim, at);
    else locus_take_span(&part, j->dim, span);
    LOCUS_TRY(locus_copy(&part, &j->values[i], cx));
    at += span.count;
  }
  return 0;
}

static int join(const locus_value *values, int count, int dim, bool stack, locus_tensor *out,
                locus_context *cx)
{
  joint j = {.values = values, .count = count, .dim = dim};
  locus_device device;
  locus_result result = {0};
  int kind;

  if (count == 0) return locus_fail(cx, "'tensors' is empty");
  LOCUS_TRY(stack ? stack_shapes(&j, cx) : join_shapes(&j, cx));
  LOCUS_TRY(check_dtypes(&j, out, cx));
  LOCUS_TRY(locus_shared_device(values, count, &device, cx));
  LOCUS_TRY(locus_shared_kind(values, count, &kind, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", j.dtype, &j.shape, device, cx));
  result.kind = kind;
  return locus_result_end(&result, fill(&j, result.made, stack, cx));
}

int locus_cat(const locus_value *values, int count, int dim, locus_tensor *out, locus_context *cx)
{
  return join(values, count, dim, false, out, cx);
}

int locus_stack(const locus_value *values, int count, int dim, locus_tensor *out, locus_context *cx)
{
  return join(values, count, dim, true, out, cx);
}
