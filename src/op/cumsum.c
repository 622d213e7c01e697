/* SPDX-License-Identifier: MIT */
/* Running sums along a dimension. */
#include "op/op.h"

/* A scalar is read as `dtype`. */
static int run_cumsum(const locus_value *summands, locus_dtype dtype, int dim,
                      const locus_tensor *out, locus_context *cx)
{
  locus_shape rows = out->shape;
  locus_cumsum_job job = {.n = 1};

  LOCUS_TRY(locus_operand_value(&job.in, summands, dtype, &rows, cx));
  locus_operand_tensor(&job.out, out, &rows);
  if (rows.ndim > 0) {
    job.n = rows.size[dim];
    job.in_step = job.in.stride[dim];
    job.out_step = job.out.stride[dim];
    rows.size[dim] = 1;
  }
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.in, &job.out}, 2);
  return locus_device_runners(locus_tensor_device(out), cx)->cumsum(&job, cx);
}

int locus_cumsum(const locus_value *input, int dim, locus_dtype dtype, locus_tensor *out,
                 locus_context *cx)
{
  locus_dtype own = input->tensor ? input->tensor->dtype : locus_promote(input, 1, cx);
  locus_dtype sum_dtype = locus_dtype_kind(own) <= LOCUS_INTEGER ? LOCUS_i64 : own;
  locus_tensor copy = {0};
  locus_result result = {0};
  locus_value summands;

  if (dtype != LOCUS_DTYPES) sum_dtype = dtype;
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_summands(input, dtype, &summands, &copy, cx));
  int status = locus_result_begin(&result, out, "out", sum_dtype, locus_value_shape(input),
                                  locus_value_device(input, cx), cx);
  if (status == 0) status = run_cumsum(&summands, own, dim, result.made, cx);
  locus_tensor_release(&copy);
  return locus_result_end(&result, status);
}
