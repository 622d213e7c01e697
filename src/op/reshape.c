/* SPDX-License-Identifier: MIT */
/* view, reshape, flatten, contiguous, clone: the same elements in the same order under other sizes,
** as a view when the strides allow it. */
#include <inttypes.h>

#include "op/op.h"

/* Replaces the one -1 among the sizes by the size that makes the number of elements right. */
static int infer(const locus_tensor *input, const locus_shape *given, locus_shape *shape,
                 locus_context *cx)
{
  char want[LOCUS_SHAPE_TEXT], have[LOCUS_SHAPE_TEXT];
  int64_t known = 1;
  int open = -1;

  *shape = *given;
  for (int d = 0; d < given->ndim; d++) {
    if (given->size[d] >= 0) continue;
    if (open >= 0) return locus_fail(cx, "'shape' has more than one -1");
    open = d;
    shape->size[d] = 1;
  }
  LOCUS_TRY(locus_shape_numel(shape, input->dtype, &known, cx));
  if (open >= 0 && known == 0 && input->numel == 0) {
    return locus_fail(cx, "'shape' %s leaves its -1 open: any size has 0 elements",
                      locus_shape_text(given, want));
  }
  if (open < 0 ? known == input->numel : known > 0 && input->numel % known == 0) {
    if (open >= 0) shape->size[open] = input->numel / known;
    return 0;
  }
  return locus_fail(cx, "'shape' %s does not hold the %" PRId64 " elements of size %s",
                    locus_shape_text(given, want), input->numel,
                    locus_shape_text(&input->shape, have));
}

/* Finds strides for the shape; false when there are none. The dimensions of `input` are taken from
** the last one back, in runs that can be merged; each run is divided among dimensions of the
** shape. */
static bool find_strides(const locus_tensor *input, const locus_shape *shape, int64_t *stride)
{
  int k = input->shape.ndim - 1, d = shape->ndim - 1;

  locus_shape_strides(shape, stride);
  if (input->numel == 0) return true;
  while (k >= 0) {
    int64_t step = input->stride[k], run = input->shape.size[k], dealt = 1;
    if (run == 1) {
      k--;
      continue;
    }
    for (k--; k >= 0; k--) {
      if (input->shape.size[k] == 1) continue;
      if (input->stride[k] != run * step) break;
      run *= input->shape.size[k];
    }
    for (; d >= 0 && dealt < run; d--) {
      stride[d] = dealt * step;
      dealt *= shape->size[d];
    }
    if (dealt != run) return false;
  }
  return true;
}

/* The view, or 1 if there is none; `shape` has no -1. */
static int make_view(const locus_tensor *input, const locus_shape *shape, locus_tensor *view)
{
  locus_tensor bare = *input;

  bare.shape = *shape;
  if (!find_strides(input, shape, bare.stride)) return 1;
  locus_tensor_alias(view, &bare);
  return 0;
}

int locus_view(const locus_tensor *input, const locus_shape *sizes, locus_tensor *view,
               locus_context *cx)
{
  char want[LOCUS_SHAPE_TEXT], have[LOCUS_SHAPE_TEXT];
  locus_shape shape;

  LOCUS_TRY(infer(input, sizes, &shape, cx));
  if (make_view(input, &shape, view) == 0) return 0;
  return locus_fail(cx,
                    "the strides of 'input', of size %s, allow no view of size %s; write "
                    "reshape",
                    locus_shape_text(&input->shape, have), locus_shape_text(&shape, want));
}

int locus_clone(const locus_tensor *input, locus_tensor *out, locus_context *cx)
{
  const locus_value value = {.name = "input", .tensor = input};
  return locus_convert(&value, input->dtype, out, cx);
}

int locus_contiguous(const locus_tensor *input, locus_tensor *out, locus_context *cx)
{
  if (!locus_tensor_contiguous(input)) return locus_clone(input, out, cx);
  locus_tensor_alias(out, input);
  return 0;
}

int locus_own(const locus_tensor *input, locus_tensor *out, locus_context *cx)
{
  if (input->storage->foreign) return locus_clone(input, out, cx);
  locus_tensor_alias(out, input);
  return 0;
}

int locus_reshape(const locus_tensor *input, const locus_shape *sizes, locus_tensor *out,
                  locus_context *cx)
{
  locus_shape shape;

  LOCUS_TRY(infer(input, sizes, &shape, cx));
  if (make_view(input, &shape, out) == 0) return 0;
  LOCUS_TRY(locus_clone(input, out, cx));
  out->shape = shape;
  locus_shape_strides(&shape, out->stride);
  return 0;
}

int locus_flatten(const locus_tensor *input, int start, int end, locus_tensor *out,
                  locus_context *cx)
{
  const locus_shape *from = &input->shape;
  locus_shape shape = {.ndim = start + 1};

  if (end < start) {
    return locus_fail(cx, "'end_dim' must not come before 'start_dim', got %d and %d", end + 1,
                      start + 1);
  }
  for (int d = 0; d < start; d++) shape.size[d] = from->size[d];
  shape.size[start] = 1;
  for (int d = start; d <= end && d < from->ndim; d++) {
    if (__builtin_mul_overflow(shape.size[start], from->size[d], &shape.size[start]))
      return locus_fail(cx, "the flattened size is past 2^63");
  }
  for (int d = end + 1; d < from->ndim; d++) shape.size[shape.ndim++] = from->size[d];
  return locus_reshape(input, &shape, out, cx);
}
