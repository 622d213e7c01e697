/* SPDX-License-Identifier: MIT */
/* where, masked_fill: three operands broadcast together, two of them promoted. */
#include "op/ground/elementwise.h"

static int check_condition(const locus_value *condition, const locus_value *x, locus_context *cx)
{
  const locus_tensor *mask = condition->tensor;

  if (mask->dtype == LOCUS_b8) return 0;
  if (x->tensor && x->tensor->dtype == LOCUS_b8) {
    return locus_fail(cx, "'%s' must be bool, got %s; the mask comes first: mask:where(x, y)",
                      condition->name, locus_dtype_name(mask->dtype));
  }
  return locus_fail(cx, "'%s' must be bool, got %s; write %s:ne(0)", condition->name,
                    locus_dtype_name(mask->dtype), condition->name);
}

static int run(const locus_tensor *out, const locus_value *condition, const locus_value *x,
               const locus_value *y, locus_context *cx)
{
  const locus_shape *shape = &out->shape;
  LOCUS_JOB(where, job, grid);

  locus_operand_tensor(&job.out, out, shape);
  LOCUS_TRY(locus_operand_value(&job.condition, condition, LOCUS_b8, shape, cx));
  LOCUS_TRY(locus_operand_value(&job.x, x, out->dtype, shape, cx));
  LOCUS_TRY(locus_operand_value(&job.y, y, out->dtype, shape, cx));
  locus_grid_arrange(&job.grid, shape,
                     (locus_operand *[]){&job.out, &job.condition, &job.x, &job.y}, 4);
  return locus_device_runners(locus_tensor_device(out), cx)->where(&job, cx);
}

/* Takes condition, x and y; a bool fits every dtype. Errors call `out` by that name. The kind is
** that of y alone where `of_input`. */
static int where_as(locus_dtype dtype, const locus_value values[3], locus_tensor *out,
                    const char *name, bool of_input, locus_context *cx)
{
  locus_elementwise e = {.op = "where", .values = values, .count = 3, .dtype = dtype, .out = name};
  locus_result result = {0};

  e.answer = dtype;
  LOCUS_TRY(check_condition(&values[0], &values[1], cx));
  LOCUS_TRY(locus_shared_kind(values + 1, 2, &e.kind, cx));
  if (of_input) e.kind = locus_value_kind(&values[2]);
  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  return locus_result_end(&result, run(result.made, &values[0], &values[1], &values[2], cx));
}

int locus_where(const locus_value values[3], locus_tensor *out, locus_context *cx)
{
  return where_as(locus_promote(values + 1, 2, cx), values, out, "out", false, cx);
}

int locus_masked_fill(const locus_value *input, const locus_value *mask, const locus_value *value,
                      locus_tensor *out, locus_context *cx)
{
  const locus_shape *shape = locus_value_shape(value), *whole = &input->tensor->shape;
  const locus_value values[] = {*mask, *value, *input};
  locus_device device;
  locus_shape both;
  char got[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];

  if (shape->ndim > 0) {
    return locus_fail(cx, "'value' must be a number or a 0-d tensor, got size %s",
                      locus_shape_text(shape, got));
  }
  LOCUS_TRY(locus_broadcast_values((const locus_value[]){*input, *mask}, 2, &both, &device, cx));
  if (out == input->tensor && !locus_shape_equal(&both, whole)) {
    return locus_fail(cx, "'mask' of size %s does not broadcast to size %s",
                      locus_shape_text(&mask->tensor->shape, got), locus_shape_text(whole, want));
  }
  return where_as(input->tensor->dtype, values, out, input->name, true, cx);
}
