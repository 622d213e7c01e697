/* SPDX-License-Identifier: MIT */
/* Counting how often each value occurs. */
#include <inttypes.h>

#include "op/op.h"

static int check_input(const locus_value *input, locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  char text[LOCUS_SHAPE_TEXT];

  if (locus_dtype_kind(in->dtype) != LOCUS_INTEGER) {
    return locus_fail(cx, "'%s' must be of an integer dtype, got %s", input->name,
                      locus_dtype_name(in->dtype));
  }
  if (in->shape.ndim == 1) return 0;
  return locus_fail(cx, "'%s' must be 1-D, got size %s", input->name,
                    locus_shape_text(&in->shape, text));
}

static int check_weights(const locus_value *weights, const locus_value *input, locus_context *cx)
{
  const locus_tensor *tensor = weights->tensor;
  char want[LOCUS_SHAPE_TEXT], got[LOCUS_SHAPE_TEXT];

  if (!tensor) return 0;
  if (locus_dtype_kind(tensor->dtype) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' must be real, got %s", weights->name,
                      locus_dtype_name(tensor->dtype));
  }
  LOCUS_TRY(locus_check_device(weights, input, cx));
  if (locus_shape_equal(&tensor->shape, &input->tensor->shape)) return 0;
  return locus_fail(cx, "'%s' must be of size %s, like '%s', got %s", weights->name,
                    locus_shape_text(&input->tensor->shape, want), input->name,
                    locus_shape_text(&tensor->shape, got));
}

/* No value lies below the first that is counted. */
static int check_values(const locus_value *input, int64_t base, locus_context *cx)
{
  int64_t position;
  const locus_tensor *in = input->tensor;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .low = base, .high = INT64_MAX};
  char number[LOCUS_VALUE_TEXT], where[LOCUS_POSITION_TEXT];
  locus_value bad;

  job.position = &position;
  locus_operand_tensor(&job.in, in, &in->shape);
  locus_grid_collapse(&job.grid, &in->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(in), cx)->find(&job, cx));
  if (position < 0) return 0;
  LOCUS_TRY(locus_read_at(in, position, &bad, cx));
  return locus_fail(cx, "'%s' must hold numbers from %" PRId64 " on%s, got %s%s", input->name,
                    base, base ? " (from 0 with base = 0)" : "", locus_value_text(&bad, number),
                    locus_position_text(&in->shape, position, 1, where));
}

/* How many values there are to count, from base to the greatest. */
static int count_values(const locus_value *input, int64_t base, int64_t *count, locus_context *cx)
{
  const locus_reduction max = {LOCUS_REDUCE_max, .input = *input, .dtype = LOCUS_DTYPES};
  locus_answer greatest;
  locus_value value;

  *count = 0;
  if (input->tensor->numel == 0) return 0;
  LOCUS_TRY(locus_reduce_whole(&max, &greatest, cx));
  locus_value_load(&value, greatest.dtype, &greatest.element);
  if (__builtin_add_overflow(value.element.i64, 1 - base, count)) *count = INT64_MAX;
  return 0;
}

static int run_bincount(const locus_value *input, const locus_value *weights,
                        const locus_tensor *out, int64_t base, locus_context *cx)
{
  const locus_shape *shape = &input->tensor->shape;
  const locus_value zero = {.name = "input", .scalar = LOCUS_SCALAR_INT64};
  locus_bincount_job job = {.out = out->data, .base = base, .has_weights = weights->tensor};
  locus_operand *operands[] = {&job.in, &job.weights};

  LOCUS_TRY(locus_copy(out, &zero, cx));
  locus_operand_tensor(&job.in, input->tensor, shape);
  if (job.has_weights) locus_operand_tensor(&job.weights, weights->tensor, shape);
  locus_grid_collapse(&job.grid, shape, operands, job.has_weights ? 2 : 1);
  return locus_device_runners(locus_tensor_device(out), cx)->bincount(&job, cx);
}

int locus_bincount(const locus_value *input, const locus_value *weights, int64_t minlength,
                   locus_tensor *out, int64_t base, locus_context *cx)
{
  locus_shape shape = {.ndim = 1};
  locus_dtype dtype = weights->tensor ? LOCUS_f64 : LOCUS_i64;
  locus_result result = {0};

  LOCUS_TRY(check_input(input, cx));
  LOCUS_TRY(check_weights(weights, input, cx));
  if (minlength < 0)
    return locus_fail(cx, "'minlength' must not be negative, got %" PRId64, minlength);
  LOCUS_TRY(check_values(input, base, cx));
  LOCUS_TRY(count_values(input, base, &shape.size[0], cx));
  if (shape.size[0] < minlength) shape.size[0] = minlength;
  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, &shape,
                               locus_tensor_device(input->tensor), cx));
  return locus_result_end(&result, run_bincount(input, weights, result.made, base, cx));
}
