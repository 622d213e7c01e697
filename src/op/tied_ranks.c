/* SPDX-License-Identifier: MIT */
/* The ranks of elements that have been sorted. */
#include "op/op.h"

int locus_tied_ranks(const locus_value *sorted, const locus_value *from, locus_tie tie,
                     int64_t base, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *in = sorted->tensor, *positions = from->tensor;
  const locus_device device = locus_tensor_device(in);
  locus_tied_ranks_job job = {.dtype = in->dtype, .tie = tie, .base = base};
  locus_result result = {0};

  if (in->shape.ndim != 2 || !locus_tensor_contiguous(in) ||
      locus_dtype_kind(in->dtype) == LOCUS_COMPLEX)
    return locus_fail(cx, "'%s' must be real, 2-D and contiguous", sorted->name);
  if (positions->dtype != LOCUS_i64 || !locus_shape_equal(&positions->shape, &in->shape) ||
      !locus_tensor_contiguous(positions))
    return locus_fail(cx, "'%s' must be int64, like '%s' and contiguous", from->name, sorted->name);
  LOCUS_TRY(locus_check_device(from, sorted, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", tie == LOCUS_TIE_MEAN ? LOCUS_f64 : LOCUS_i64,
                               &in->shape, device, cx));
  job.rows = in->shape.size[0];
  job.n = in->shape.size[1];
  job.sorted = in->data;
  job.from = (const int64_t *)positions->data;
  job.out = (uint64_t *)result.made->data;
  return locus_result_end(&result, locus_device_runners(device, cx)->tied_ranks(&job, cx));
}
