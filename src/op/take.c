/* SPDX-License-Identifier: MIT */
/* take: elements by their positions; the position before the first one gives a value. */
#include "op/take.h"

int locus_take_check(const locus_value *input, const locus_value *positions, locus_context *cx)
{
  const locus_dtype dtype = positions->tensor->dtype;
  char text[LOCUS_SHAPE_TEXT];

  if (input->tensor->shape.ndim != 1) {
    return locus_fail(cx, "'%s' must be 1-D, got size %s", input->name,
                      locus_shape_text(&input->tensor->shape, text));
  }
  if (dtype != LOCUS_i64 && dtype != LOCUS_i32) {
    return locus_fail(cx, "'%s' must be int64 or int32, got %s", positions->name,
                      locus_dtype_name(dtype));
  }
  return locus_check_device(positions, input, cx);
}

int locus_take_check_positions(const locus_value *input, const locus_value *positions,
                               bool has_missing, int64_t base, locus_context *cx)
{
  const locus_tensor *at = positions->tensor;
  const int64_t n = input->tensor->shape.size[0];
  char where[LOCUS_POSITION_TEXT];
  int64_t position;
  locus_value bad;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .position = &position};

  job.low = base - has_missing;
  job.high = base + n - 1;
  locus_operand_tensor(&job.in, at, &at->shape);
  locus_grid_collapse(&job.grid, &at->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(at), cx)->find(&job, cx));
  if (position < 0) return 0;
  LOCUS_TRY(locus_read_found(at, position, positions->name, &job, &bad, cx));
  locus_position_text(&at->shape, position, base, where);
  if (bad.element.i64 == base - 1) {
    return locus_fail(cx, "position %d%s means nothing found, and 'missing' is not given",
                      (int)bad.element.i64, where);
  }
  return locus_fail_position("position ", bad.element.i64, where, n, 0, base, cx);
}

int locus_take_read_missing(const locus_value *missing, locus_dtype dtype, locus_element *element,
                            locus_context *cx)
{
  locus_value scalar = *missing;
  char text[LOCUS_SHAPE_TEXT];

  if (missing->tensor && missing->tensor->shape.ndim > 0) {
    return locus_fail(cx, "'%s' must be a number or a 0-d tensor, got size %s", missing->name,
                      locus_shape_text(&missing->tensor->shape, text));
  }
  if (missing->tensor) LOCUS_TRY(locus_read_at(missing->tensor, 0, &scalar, cx));
  return locus_value_store(&scalar, dtype, element, cx);
}

static int run(const locus_tensor *out, const locus_tensor *input, const locus_tensor *positions,
               locus_index_job *job, locus_context *cx)
{
  locus_index *index = &job->index[0];

  locus_operand_tensor(&job->elements, out, &out->shape);
  locus_operand_tensor(&index->at, positions, &out->shape);
  for (int d = 0; d < out->shape.ndim; d++) job->array.stride[d] = 0;
  job->array.data = input->data;
  job->array.dtype = input->dtype;
  index->size = input->shape.size[0];
  index->step = input->stride[0];
  locus_grid_collapse(&job->grid, &out->shape,
                      (locus_operand *[]){&job->elements, &job->array, &index->at}, 3);
  return locus_device_runners(locus_tensor_device(out), cx)->gather(job, cx);
}

int locus_take(const locus_value *input, const locus_value *positions, const locus_value *missing,
               locus_tensor *out, int64_t base, locus_context *cx)
{
  locus_result result = {0};
  LOCUS_JOB(index, job, grid);

  job.indices = 1;
  job.base = base;
  job.op = LOCUS_BINARIES;
  job.has_missing = missing != NULL;
  job.forward = true;
  LOCUS_TRY(locus_take_check(input, positions, cx));
  if (missing) LOCUS_TRY(locus_take_read_missing(missing, input->tensor->dtype, &job.missing, cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_apart(out, "out", positions, false, cx));
  LOCUS_TRY(locus_take_check_positions(input, positions, missing != NULL, base, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", input->tensor->dtype, &positions->tensor->shape,
                               locus_tensor_device(input->tensor), cx));
  result.kind = input->tensor->kind;
  return locus_result_end(&result, run(result.made, input->tensor, positions->tensor, &job, cx));
}
