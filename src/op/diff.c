/* SPDX-License-Identifier: MIT */
/* diff: differences of neighbours along a dimension. The first ones are taken from the values in
** place, those before and after the input included, so that nothing is joined first. */
#include <inttypes.h>

#include "op/ground/elementwise.h"

enum { BEFORE, INPUT, AFTER, PARTS };

typedef struct differences {
  locus_dtype dtype;
  locus_device device;
  int dim;
  locus_tensor own[PARTS];  /* parts that had to be converted, or made of a scalar */
  locus_tensor part[PARTS]; /* bare views; without positions where a part is not there */
} differences;

/* out = later - earlier, for `count` positions along the dimension, from the given ones. */
static int subtract(const differences *d, const locus_tensor *later, int64_t later_first,
                    const locus_tensor *earlier, int64_t earlier_first, const locus_tensor *out,
                    int64_t out_first, int64_t count, locus_context *cx)
{
  locus_tensor a = *later, b = *earlier, to = *out;
  const locus_value left = {.name = "input", .tensor = &a}, right = {.name = "input", .tensor = &b};
  const bool flags = d->dtype == LOCUS_b8;
  const locus_binary op = flags ? LOCUS_BINARY_bxor : LOCUS_BINARY_sub;

  if (count <= 0 || out->numel == 0) return 0;
  locus_take_span(&a, d->dim, (locus_span){later_first, count, 1});
  locus_take_span(&b, d->dim, (locus_span){earlier_first, count, 1});
  locus_take_span(&to, d->dim, (locus_span){out_first, count, 1});
  return locus_apply_binary(op, &left, &right, &to, false, cx);
}

/* The differences within the parts, and between them. */
static int first_pass(const differences *d, const locus_tensor *out, locus_context *cx)
{
  const locus_tensor *before = NULL;
  int64_t at = 0;

  for (int k = 0; k < PARTS; k++) {
    const locus_tensor *part = &d->part[k];
    const int64_t size = part->shape.size[d->dim];
    if (size == 0) continue;
    if (before) {
      const int64_t last = before->shape.size[d->dim] - 1;
      LOCUS_TRY(subtract(d, part, 0, before, last, out, at++, 1, cx));
    }
    LOCUS_TRY(subtract(d, part, 1, part, 0, out, at, size - 1, cx));
    at += size - 1;
    before = part;
  }
  return 0;
}

/* `passes` of them, the last one into `out`; the others into tensors that are as many positions
** longer as passes are left. */
static int run_passes(const differences *d, int64_t passes, const locus_tensor *out,
                      locus_context *cx)
{
  locus_tensor from = {0}, to = {0};
  locus_shape shape = out->shape;
  int status = 0;

  for (int64_t left = passes - 1; left >= 0 && status == 0; left--) {
    shape.size[d->dim] = out->shape.size[d->dim] + left;
    if (left > 0) status = locus_tensor_new(&to, d->dtype, &shape, d->device, cx);
    const locus_tensor *target = left > 0 ? &to : out;
    if (status == 0 && left == passes - 1) status = first_pass(d, target, cx);
    else if (status == 0)
      status = subtract(d, &from, 1, &from, 0, target, 0, shape.size[d->dim], cx);
    locus_tensor_release(&from);
    locus_tensor_move(&from, &to);
  }
  locus_tensor_release(&from);
  return status;
}

/* Gives a 0-d part the size of the input, and one position along the dimension. */
static void spread(locus_tensor *part, const locus_shape *input, int dim)
{
  locus_shape_copy(&part->shape, input);
  part->shape.size[dim] = 1;
  part->numel = 1;
  for (int d = 0; d < input->ndim; d++) {
    part->stride[d] = 0;
    part->numel *= part->shape.size[d];
  }
}

/* Makes part k of a value, in the dtype and on the device of all. */
static int take_part(differences *d, int k, const locus_value *value, const locus_shape *input,
                     locus_context *cx)
{
  static const locus_shape none = {0};
  const locus_tensor *tensor = value->tensor;
  char got[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];

  if (!tensor || (tensor->shape.ndim == 0 && locus_tensor_device(tensor) != d->device)) {
    locus_value scalar = *value;
    if (tensor) LOCUS_TRY(locus_read_at(tensor, 0, &scalar, cx));
    scalar.tensor = NULL;
    LOCUS_TRY(locus_full(&none, &scalar, d->dtype, d->device, &d->own[k], cx));
  } else if (tensor->dtype != d->dtype) {
    LOCUS_TRY(locus_convert(value, d->dtype, &d->own[k], cx));
  }
  d->part[k] = d->own[k].storage ? d->own[k] : *tensor;
  if (d->part[k].shape.ndim == 0) spread(&d->part[k], input, d->dim);
  bool fits = d->part[k].shape.ndim == input->ndim;
  for (int i = 0; fits && i < input->ndim; i++)
    fits = i == d->dim || d->part[k].shape.size[i] == input->size[i];
  if (fits) return 0;
  return locus_fail(cx,
                    "'%s' of size %s does not fit 'input' of size %s: only dimension %d may "
                    "differ",
                    value->name, locus_shape_text(&tensor->shape, got),
                    locus_shape_text(input, want), d->dim + 1);
}

/* Decides dtype and device, and makes the parts; *length is the number of their positions. */
static int take_parts(differences *d, const locus_value *const values[PARTS], int64_t *length,
                      locus_context *cx)
{
  const locus_tensor *input = values[INPUT]->tensor;
  locus_value given[PARTS];
  int count = 0;

  for (int k = 0; k < PARTS; k++)
    if (values[k]) given[count++] = *values[k];
  d->dtype = locus_promote(given, count, cx);
  LOCUS_TRY(locus_shared_device(given, count, &d->device, cx));
  *length = 0;
  for (int k = 0; k < PARTS; k++) {
    if (values[k]) {
      LOCUS_TRY(take_part(d, k, values[k], &input->shape, cx));
    } else {
      d->part[k] = *input;
      locus_take_span(&d->part[k], d->dim, (locus_span){0, 0, 1});
    }
    if (__builtin_add_overflow(*length, d->part[k].shape.size[d->dim], length))
      return locus_fail(cx, "the sizes along dimension %d add up to more than 2^63", d->dim + 1);
  }
  return 0;
}

static int diff(differences *d, const locus_value *const values[PARTS], int64_t n,
                locus_tensor *out, locus_context *cx)
{
  locus_shape shape = values[INPUT]->tensor->shape;
  locus_result result = {0};
  int64_t length;

  for (int k = 0; k < PARTS; k++)
    if (values[k]) LOCUS_TRY(locus_result_apart(out, "out", values[k], false, cx));
  LOCUS_TRY(take_parts(d, values, &length, cx));
  if (n == 0) { /* a copy; before and after do not matter */
    d->dtype = values[INPUT]->tensor->dtype;
    length = shape.size[d->dim];
  }
  shape.size[d->dim] = length > n ? length - n : 0;
  LOCUS_TRY(locus_result_begin(&result, out, "out", d->dtype, &shape, d->device, cx));
  result.kind = n == 0 ? values[INPUT]->tensor->kind : locus_kind_span(values[INPUT]->tensor->kind);
  int status = 0;
  if (result.made->numel > 0)
    status = n > 0 ? run_passes(d, n, result.made, cx)
                   : locus_copy_elements(result.made, values[INPUT], cx);
  return locus_result_end(&result, status);
}

int locus_diff(const locus_value *input, int64_t n, int dim, const locus_value *before,
               const locus_value *after, locus_tensor *out, locus_context *cx)
{
  const locus_value *const values[PARTS] = {before, input, after};
  differences d = {.dim = dim};

  if (input->tensor->shape.ndim == 0)
    return locus_fail(cx, "'input' must have dimensions, got a 0-d tensor");
  if (n < 0) return locus_fail(cx, "'n' must not be negative, got %" PRId64, n);
  int status = diff(&d, values, n, out, cx);
  for (int k = 0; k < PARTS; k++) locus_tensor_release(&d.own[k]);
  return status;
}
