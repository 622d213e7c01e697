/* SPDX-License-Identifier: MIT */
/* Sorting along a dimension, in the one order. */
#include "op/op.h"

/* The job over rows along `dim`; the made values and positions may be absent. */
static int run_sort(const locus_value *input, locus_dtype dtype, int dim, bool descending,
                    const locus_tensor *values, const locus_tensor *index, int64_t base,
                    locus_context *cx)
{
  locus_device device = input->tensor ? locus_tensor_device(input->tensor) : LOCUS_CPU;
  const locus_shape *shape = locus_value_shape(input);
  locus_shape rows;
  locus_sort_job job;

  locus_shape_copy(&rows, shape);
  job.n = 1;
  job.in_step = job.values_step = job.index_step = 0;
  job.descending = descending;
  job.base = base;
  job.has_values = values != NULL;
  job.has_index = index != NULL;
  LOCUS_TRY(locus_operand_value(&job.in, input, dtype, shape, cx));
  locus_operand_tensor(&job.values, values, shape);
  locus_operand_tensor(&job.index, index, shape);
  if (rows.ndim > 0) {
    job.n = rows.size[dim];
    job.in_step = job.in.stride[dim];
    job.values_step = job.values.stride[dim];
    job.index_step = job.index.stride[dim];
    rows.size[dim] = 1;
  }
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.in, &job.values, &job.index}, 3);
  return locus_device_runners(device, cx)->sort(&job, cx);
}

int locus_sort(const locus_value *input, int dim, bool descending, locus_tensor *values,
               locus_tensor *index, int64_t base, locus_context *cx)
{
  locus_dtype dtype = input->tensor ? input->tensor->dtype : locus_promote(input, 1, cx);
  locus_result pair[2];

  if (locus_dtype_kind(dtype) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' is %s, and complex numbers have no order", input->name,
                      locus_dtype_name(dtype));
  }
  LOCUS_TRY(locus_result_begin_pair(pair, (locus_tensor *[]){values, index},
                                    (locus_dtype[]){dtype, LOCUS_i64}, locus_value_shape(input),
                                    input, cx));
  return locus_result_end_pair(pair, run_sort(input, dtype, dim, descending, pair[0].made,
                                              pair[1].made, base, cx));
}
