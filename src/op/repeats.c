/* SPDX-License-Identifier: MIT */
/* Repeated slices along a dimension. */
#include <inttypes.h>

#include "op/op.h"

static int check(const locus_value *input, const locus_value *ends, int dim, locus_context *cx)
{
  const locus_tensor *in = input->tensor, *places = ends->tensor;

  if (in->shape.ndim == 0 || !locus_tensor_contiguous(in))
    return locus_fail(cx, "'%s' must have dimensions and be contiguous", input->name);
  if (places->dtype != LOCUS_i64 || places->shape.ndim != 1 || !locus_tensor_contiguous(places))
    return locus_fail(cx, "'%s' must be int64, 1-D and contiguous", ends->name);
  if (places->numel != in->shape.size[dim])
    return locus_fail(cx, "'%s' must be of size %" PRId64 ", got %" PRId64, ends->name,
                      in->shape.size[dim], places->numel);
  return locus_check_device(ends, input, cx);
}

/* The number of slices in the result. */
static int count_places(const locus_value *ends, int64_t *total, locus_context *cx)
{
  const locus_tensor *places = ends->tensor;
  locus_value last = {.element.i64 = 0};

  if (places->numel > 0) LOCUS_TRY(locus_read_at(places, places->numel - 1, &last, cx));
  *total = last.element.i64;
  return *total < 0 ? locus_fail(cx, "'%s' must not end with %" PRId64, ends->name, *total) : 0;
}

static int run(const locus_tensor *in, const locus_tensor *ends, int dim, const locus_tensor *out,
               locus_context *cx)
{
  locus_repeats_job job = {.outer = 1, .n = ends->numel, .total = out->shape.size[dim]};

  if (out->numel == 0) return 0;
  job.bytes = locus_dtype_size(in->dtype);
  for (int d = 0; d < dim; d++) job.outer *= in->shape.size[d];
  for (int d = dim + 1; d < in->shape.ndim; d++) job.bytes *= in->shape.size[d];
  job.ends = (const int64_t *)ends->data;
  job.in = in->data;
  job.out = out->data;
  return locus_device_runners(locus_tensor_device(out), cx)->repeats(&job, cx);
}

int locus_repeats(const locus_value *input, const locus_value *ends, int dim, locus_tensor *out,
                  locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_shape shape = in->shape;
  locus_result result = {0};

  LOCUS_TRY(check(input, ends, dim, cx));
  LOCUS_TRY(count_places(ends, &shape.size[dim], cx));
  LOCUS_TRY(
      locus_result_begin(&result, out, "out", in->dtype, &shape, locus_tensor_device(in), cx));
  result.kind = in->kind;
  return locus_result_end(&result, run(in, ends->tensor, dim, result.made, cx));
}
