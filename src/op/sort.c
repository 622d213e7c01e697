/* SPDX-License-Identifier: MIT */
/* Sorting along a dimension, in the one order. */
#include "op/op.h"

/* The job over rows along `dim`. Either result, values or positions, may be absent. */
static int run_sort(const locus_tensor *input, int dim, bool descending, const locus_tensor *values,
                    const locus_tensor *index, int64_t base, locus_context *cx)
{
  const locus_shape *shape = &input->shape;
  locus_shape rows;
  LOCUS_JOB(sort, job, rows);

  job.n = shape->size[dim];
  job.descending = descending;
  job.base = base;
  job.has_values = values != NULL;
  job.has_index = index != NULL;
  locus_shape_copy(&rows, shape);
  locus_operand_tensor(&job.in, input, shape);
  locus_operand_tensor(&job.values, values, shape);
  locus_operand_tensor(&job.index, index, shape);
  job.in_step = job.in.stride[dim];
  job.values_step = job.values.stride[dim];
  job.index_step = job.index.stride[dim];
  rows.size[dim] = 1;
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.in, &job.values, &job.index}, 3);
  return locus_device_runners(locus_tensor_device(input), cx)->sort(&job, cx);
}

/* A single element is in order. */
static int take_single(const locus_value *input, const locus_tensor *values,
                       const locus_tensor *index, int64_t base, locus_context *cx)
{
  const locus_value first = {.name = "base", .scalar = LOCUS_SCALAR_INT64, .element.i64 = base};

  if (values) LOCUS_TRY(locus_copy(values, input, cx));
  return index ? locus_copy(index, &first, cx) : 0;
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
  pair[0].kind = locus_value_kind(input);
  const locus_tensor *sorted = pair[0].made, *from = pair[1].made;
  const int status = locus_value_shape(input)->ndim == 0
                         ? take_single(input, sorted, from, base, cx)
                         : run_sort(input->tensor, dim, descending, sorted, from, base, cx);
  return locus_result_end_pair(pair, status);
}
