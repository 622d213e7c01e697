/* SPDX-License-Identifier: MIT */
/* Running sums along a dimension. */
#include "op/op.h"

int locus_cumsum(const locus_value *input, int dim, locus_tensor *out, locus_context *cx)
{
  locus_dtype dtype = input->tensor ? input->tensor->dtype : locus_promote(input, 1, cx);
  locus_device device = locus_value_device(input, cx);
  locus_dtype sum_dtype = locus_dtype_kind(dtype) <= LOCUS_INTEGER ? LOCUS_i64 : dtype;
  locus_shape rows = *locus_value_shape(input);
  locus_cumsum_job job = {.n = 1};
  locus_result result = {0};

  LOCUS_TRY(locus_operand_value(&job.in, input, dtype, &rows, cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", sum_dtype, &rows, device, cx));
  locus_operand_tensor(&job.out, result.made, &rows);
  if (rows.ndim > 0) {
    job.n = rows.size[dim];
    job.in_step = job.in.stride[dim];
    job.out_step = job.out.stride[dim];
    rows.size[dim] = 1;
  }
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.in, &job.out}, 2);
  return locus_result_end(&result, locus_device_runners(device, cx)->cumsum(&job, cx));
}
