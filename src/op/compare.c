/* SPDX-License-Identifier: MIT */
/* Comparisons, exact between any two dtypes; two at once, for between; equal and allclose, which
** search for a false one. */
#include <inttypes.h>

#include "op/ground/elementwise.h"

static int rank_of(const locus_value *value)
{
  return !value->tensor ? 0 : value->tensor->shape.ndim == 0 ? 1 : 2;
}

/* Whether the value is rounded to the other's dtype: a scalar or 0-d tensor beside a float or
** complex tensor of higher rank is. */
static bool gives_way(const locus_value *value, const locus_value *other)
{
  return rank_of(value) < rank_of(other) && locus_dtype_kind(other->tensor->dtype) >= LOCUS_FLOAT;
}

/* A dtype that holds the scalar exactly: the other side's where it can, so that one loop does. */
static locus_dtype exact_dtype(const locus_value *scalar, const locus_value *other)
{
  int64_t integer;

  if (scalar->scalar == LOCUS_SCALAR_COMPLEX) return LOCUS_c128;
  if (!locus_value_integral(scalar, &integer)) return LOCUS_f64;
  if (!other->tensor) return LOCUS_i64;
  locus_range range = locus_dtype_range(other->tensor->dtype);
  return integer >= range.low && integer <= range.high ? other->tensor->dtype : LOCUS_i64;
}

static int make_operand(locus_operand *operand, const locus_value *value, const locus_value *other,
                        const locus_shape *shape, locus_context *cx)
{
  locus_value scalar = *value;

  if (gives_way(value, other)) {
    const locus_value both[] = {*value, *other};
    if (value->tensor) LOCUS_TRY(locus_read_at(value->tensor, 0, &scalar, cx));
    return locus_operand_value(operand, &scalar, locus_promote(both, 2, cx), shape, cx);
  }
  locus_dtype dtype = value->tensor ? value->tensor->dtype : exact_dtype(value, other);
  return locus_operand_value(operand, value, dtype, shape, cx);
}

static bool is_complex(const locus_value *value)
{
  if (!value->tensor) return value->scalar == LOCUS_SCALAR_COMPLEX;
  return locus_dtype_kind(value->tensor->dtype) == LOCUS_COMPLEX;
}

static int refuse_complex(locus_context *cx)
{
  return locus_fail(cx, "complex values have no order; only eq and ne compare them");
}

static int run(locus_compare op, const locus_value *a, const locus_value *b,
               const locus_tensor *out, locus_context *cx)
{
  LOCUS_JOB(compare, job, grid);

  job.op = op;
  locus_operand_tensor(&job.out, out, &out->shape);
  LOCUS_TRY(make_operand(&job.a, a, b, &out->shape, cx));
  LOCUS_TRY(make_operand(&job.b, b, a, &out->shape, cx));
  locus_grid_arrange(&job.grid, &out->shape, (locus_operand *[]){&job.out, &job.a, &job.b}, 3);
  return locus_device_runners(locus_tensor_device(out), cx)->compare(&job, cx);
}

int locus_apply_compare(locus_compare op, const locus_value *a, const locus_value *b,
                        locus_tensor *out, locus_context *cx)
{
  const locus_value values[] = {*a, *b};
  locus_result result = {0};
  locus_device device;
  locus_shape shape;
  int kind;

  LOCUS_TRY(locus_shared_kind(values, 2, &kind, cx));
  if (op != LOCUS_COMPARE_eq && op != LOCUS_COMPARE_ne && (is_complex(a) || is_complex(b)))
    return refuse_complex(cx);
  LOCUS_TRY(locus_broadcast_values(values, 2, &shape, &device, cx));
  LOCUS_TRY(locus_result_apart(out, "out", a, true, cx));
  LOCUS_TRY(locus_result_apart(out, "out", b, true, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_b8, &shape, device, cx));
  return locus_result_end(&result, run(op, a, b, result.made, cx));
}

int locus_find_stray(const locus_value *ids, int64_t names, int64_t *position, locus_value *id,
                     locus_context *cx)
{
  const locus_tensor *tensor = ids->tensor;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .low = 1, .high = names};

  job.position = position;
  locus_operand_tensor(&job.in, tensor, &tensor->shape);
  locus_grid_collapse(&job.grid, &tensor->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(tensor), cx)->find(&job, cx));
  return *position < 0 ? 0 : locus_read_found(tensor, *position, ids->name, &job, id, cx);
}

/* An error at the first id outside 1 .. behind - 1; 0: no check. */
static int check_ids(const locus_value *ids, uint32_t behind, locus_context *cx)
{
  char number[LOCUS_VALUE_TEXT];
  int64_t position;
  locus_value bad;

  if (behind == 0 || !ids->tensor) return 0;
  LOCUS_TRY(locus_find_stray(ids, (int64_t)behind - 1, &position, &bad, cx));
  if (position < 0) return 0;
  return locus_fail(cx, "id %" PRId64 " is %s, but the names are 1 to %" PRIu32, position + 1,
                    locus_value_text(&bad, number), behind - 1);
}

static int run_ids(locus_compare op, const locus_value ids[2], const uint32_t behind[2],
                   const locus_tensor *out, locus_context *cx)
{
  LOCUS_JOB(compare, job, grid);

  job.op = op;
  locus_operand_tensor(&job.out, out, &out->shape);
  for (int i = 0; i < 2; i++) {
    job.behind[i] = behind[i];
    LOCUS_TRY(locus_operand_value(i ? &job.b : &job.a, &ids[i], LOCUS_i32, &out->shape, cx));
  }
  locus_grid_arrange(&job.grid, &out->shape, (locus_operand *[]){&job.out, &job.a, &job.b}, 3);
  if (!locus_device_runners(locus_tensor_device(out), cx)->compare(&job, cx)) return 0;
  if (cx->error.code != LOCUS_BAD_CALL) return -1;
  for (int i = 0; i < 2; i++) LOCUS_TRY(check_ids(&ids[i], behind[i], cx));
  return locus_fail_changed(cx, "ids");
}

int locus_compare_ids(locus_compare op, const locus_value ids[2], const uint32_t behind[2],
                      locus_tensor *out, locus_context *cx)
{
  locus_result result = {0};
  locus_device device;
  locus_shape shape;

  for (int i = 0; i < 2; i++)
    if (ids[i].tensor && ids[i].tensor->dtype != LOCUS_i32)
      return locus_fail(cx, "'%s' must be int32, got %s", ids[i].name,
                        locus_dtype_name(ids[i].tensor->dtype));
  LOCUS_TRY(locus_broadcast_values(ids, 2, &shape, &device, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_b8, &shape, device, cx));
  return locus_result_end(&result, run_ids(op, ids, behind, result.made, cx));
}

static int run_between(const locus_compare op[2], const locus_value *input,
                       const locus_value *const bounds[2], const locus_tensor *out,
                       locus_context *cx)
{
  LOCUS_JOB(between, job, grid);
  locus_operand *operands[] = {&job.out, &job.x[0], &job.bound[0], &job.x[1], &job.bound[1]};

  locus_operand_tensor(&job.out, out, &out->shape);
  for (int i = 0; i < 2; i++) {
    job.op[i] = op[i];
    LOCUS_TRY(make_operand(&job.x[i], input, bounds[i], &out->shape, cx));
    LOCUS_TRY(make_operand(&job.bound[i], bounds[i], input, &out->shape, cx));
  }
  locus_grid_arrange(&job.grid, &out->shape, operands, 5);
  return locus_device_runners(locus_tensor_device(out), cx)->between(&job, cx);
}

int locus_between(const locus_compare op[2], const locus_value *input, const locus_value *low,
                  const locus_value *high, locus_tensor *out, locus_context *cx)
{
  const locus_value *const bounds[] = {low, high};
  const locus_value values[] = {*input, *low, *high};
  locus_result result = {0};
  locus_device device;
  locus_shape shape;
  int kind;

  LOCUS_TRY(locus_shared_kind(values, 3, &kind, cx));
  for (int i = 0; i < 3; i++)
    if (is_complex(&values[i])) return refuse_complex(cx);
  LOCUS_TRY(locus_broadcast_values(values, 3, &shape, &device, cx));
  for (int i = 0; i < 3; i++) LOCUS_TRY(locus_result_apart(out, "out", &values[i], true, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_b8, &shape, device, cx));
  return locus_result_end(&result, run_between(op, input, bounds, result.made, cx));
}

/* Whether every element of a bool tensor is true. */
static int all_true(const locus_tensor *tensor, bool *answer, locus_context *cx)
{
  int64_t position;
  locus_find_job job = {.what = LOCUS_FIND_ZERO, .position = &position};

  locus_operand_tensor(&job.in, tensor, &tensor->shape);
  locus_grid_collapse(&job.grid, &tensor->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(tensor), cx)->find(&job, cx));
  *answer = position < 0;
  return 0;
}

int locus_equal(const locus_value *a, const locus_value *b, bool *answer, locus_context *cx)
{
  locus_tensor same = {0};

  *answer = false;
  if (!locus_shape_equal(locus_value_shape(a), locus_value_shape(b))) return 0;
  LOCUS_TRY(locus_apply_compare(LOCUS_COMPARE_eq, a, b, &same, cx));
  int status = all_true(&same, answer, cx);
  locus_tensor_release(&same);
  return status;
}

static int check_tolerance(const char *name, double tolerance, locus_context *cx)
{
  locus_value value = {.scalar = LOCUS_SCALAR_NUMBER, .element.f64 = tolerance};
  char text[LOCUS_VALUE_TEXT];

  if (tolerance >= 0) return 0;
  return locus_fail(cx, "'%s' must not be negative, got %s", name, locus_value_text(&value, text));
}

static int run_close(locus_close_job *job, const locus_value *a, const locus_value *b,
                     const locus_tensor *out, locus_context *cx)
{
  locus_operand_tensor(&job->out, out, &out->shape);
  LOCUS_TRY(make_operand(&job->a, a, b, &out->shape, cx));
  LOCUS_TRY(make_operand(&job->b, b, a, &out->shape, cx));
  locus_grid_arrange(&job->grid, &out->shape, (locus_operand *[]){&job->out, &job->a, &job->b}, 3);
  return locus_device_runners(locus_tensor_device(out), cx)->close(job, cx);
}

int locus_allclose(const locus_value *a, const locus_value *b, double relative, double absolute,
                   bool equal_nan, bool *answer, locus_context *cx)
{
  const locus_value values[] = {*a, *b};
  locus_close_job job = {.relative = relative, .absolute = absolute, .equal_nan = equal_nan};
  locus_tensor near = {0};
  locus_device device;
  locus_shape shape;

  int kind;

  LOCUS_TRY(check_tolerance("rtol", relative, cx));
  LOCUS_TRY(check_tolerance("atol", absolute, cx));
  LOCUS_TRY(locus_shared_kind(values, 2, &kind, cx));
  LOCUS_TRY(locus_broadcast_values(values, 2, &shape, &device, cx));
  LOCUS_TRY(locus_tensor_new(&near, LOCUS_b8, &shape, device, cx));
  int status = run_close(&job, a, b, &near, cx);
  if (status == 0) status = all_true(&near, answer, cx);
  locus_tensor_release(&near);
  return status;
}
