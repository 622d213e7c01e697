/* SPDX-License-Identifier: MIT */
/* tile: a tensor side by side with itself, in one copy between two views that have a dimension for
** each repetition. */
#include "op/op.h"

/* The two views in the making: bare copies of tensors, whose dimensions are given anew. */
typedef struct spread {
  locus_tensor to, from;
} spread;

static void spread_begin(spread *s, const locus_tensor *to, const locus_tensor *from)
{
  s->to = *to;
  s->from = *from;
  s->from.numel = to->numel;
  s->to.shape.ndim = s->from.shape.ndim = 0;
}

/* Adds an inner dimension, unless it is of size 1. */
static int spread_add(spread *s, int64_t size, int64_t to_step, int64_t from_step,
                      locus_context *cx)
{
  const int d = s->to.shape.ndim;

  if (size == 1) return 0;
  if (d == LOCUS_MAX_DIMS) return locus_fail(cx, "repeats along more than %d dimensions", d);
  s->to.shape.size[d] = s->from.shape.size[d] = size;
  s->to.stride[d] = to_step;
  s->from.stride[d] = from_step;
  s->to.shape.ndim = s->from.shape.ndim = d + 1;
  return 0;
}

static int spread_copy(const spread *s, locus_context *cx)
{
  const locus_value from = {.name = "input", .tensor = &s->from};
  return locus_copy_elements(&s->to, &from, cx);
}

/* The size of the result: that of the input with 1 in front, times the repeats with 1 in front. */
static int tiled_shape(const locus_shape *in, const locus_shape *dims, locus_shape *shape,
                       locus_context *cx)
{
  shape->ndim = in->ndim > dims->ndim ? in->ndim : dims->ndim;
  for (int d = 0; d < shape->ndim; d++) {
    const int own = d - (shape->ndim - in->ndim), times = d - (shape->ndim - dims->ndim);
    const int64_t size = own < 0 ? 1 : in->size[own], count = times < 0 ? 1 : dims->size[times];
    if (__builtin_mul_overflow(size, count, &shape->size[d]))
      return locus_fail(cx, "the result has more than 2^63 positions along dimension %d", d + 1);
  }
  return 0;
}

static int copy_tiled(const locus_tensor *to, const locus_tensor *from, locus_context *cx)
{
  const int lead = to->shape.ndim - from->shape.ndim;
  spread s;

  if (to->numel == 0) return 0;
  spread_begin(&s, to, from);
  for (int d = 0; d < to->shape.ndim; d++) {
    const int64_t size = d < lead ? 1 : from->shape.size[d - lead], step = to->stride[d];
    LOCUS_TRY(spread_add(&s, to->shape.size[d] / size, step * size, 0, cx));
    LOCUS_TRY(spread_add(&s, size, step, d < lead ? 0 : from->stride[d - lead], cx));
  }
  return spread_copy(&s, cx);
}

int locus_tile(const locus_value *input, const locus_shape *dims, locus_tensor *out,
               locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_shape shape;
  locus_result result = {0};

  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(tiled_shape(&in->shape, dims, &shape, cx));
  LOCUS_TRY(
      locus_result_begin(&result, out, "out", in->dtype, &shape, locus_tensor_device(in), cx));
  result.kind = in->kind;
  return locus_result_end(&result, copy_tiled(result.made, in, cx));
}
