/* SPDX-License-Identifier: MIT */
/* Whose each place is, where owners have places side by side. */
#include <inttypes.h>

#include "op/op.h"

/* How many places there are. */
static int count_places(const locus_value *ends, int64_t *total, locus_context *cx)
{
  const locus_tensor *tensor = ends->tensor;
  locus_value last = {.element.i64 = 0};

  if (tensor->dtype != LOCUS_i64 || tensor->shape.ndim != 1 || !locus_tensor_contiguous(tensor))
    return locus_fail(cx, "'%s' must be int64, 1-D and in one piece", ends->name);
  if (tensor->numel > 0) LOCUS_TRY(locus_read_at(tensor, tensor->numel - 1, &last, cx));
  *total = last.element.i64;
  return *total < 0 ? locus_fail(cx, "'%s' must not end with %" PRId64, ends->name, *total) : 0;
}

int locus_owners(const locus_value *ends, int64_t base, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *tensor = ends->tensor;
  const locus_device device = locus_tensor_device(tensor);
  locus_owners_job job = {.n = tensor->numel, .base = base};
  locus_shape shape = {.ndim = 1};
  locus_result result = {0};

  LOCUS_TRY(count_places(ends, &job.total, cx));
  shape.size[0] = job.total;
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_i64, &shape, device, cx));
  job.ends = (const int64_t *)tensor->data;
  job.out = (int64_t *)result.made->data;
  return locus_result_end(&result, locus_device_runners(device, cx)->owners(&job, cx));
}
