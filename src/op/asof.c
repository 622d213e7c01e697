/* SPDX-License-Identifier: MIT */
/* As-of by groups. The limits come from a search, so no dtype matters here. */
#include <inttypes.h>

#include "op/op.h"

int locus_unsorted(const locus_value *input, int64_t *position, locus_context *cx)
{
  const locus_tensor *tensor = input->tensor;
  locus_unsorted_job job = {.n = tensor->numel, .position = position};
  const locus_shape one = {.ndim = 0};

  job.sequence.data = tensor->data;
  job.sequence.dtype = tensor->dtype;
  job.sequence_step = tensor->stride[0];
  locus_operand_tensor(&job.sorter, NULL, &one);
  locus_grid_collapse(&job.rows, &one, (locus_operand *[]){&job.sequence, &job.sorter}, 2);
  return locus_device_runners(locus_tensor_device(tensor), cx)->unsorted(&job, cx);
}

/* One dimension in one piece. */
static int check(const locus_value *value, locus_dtype dtype, const locus_value *beside,
                 locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;

  if (tensor->dtype != dtype || tensor->shape.ndim != 1 || !locus_tensor_contiguous(tensor)) {
    return locus_fail(cx, "'%s' must be %s, 1-D and contiguous", value->name,
                      locus_dtype_name(dtype));
  }
  return locus_check_device(value, beside, cx);
}

static int check_range(const locus_value *value, int64_t low, int64_t high, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;
  int64_t position;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .low = low, .high = high};

  job.position = &position;
  locus_operand_tensor(&job.in, tensor, &tensor->shape);
  locus_grid_collapse(&job.grid, &tensor->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(tensor), cx)->find(&job, cx));
  if (position < 0) return 0;
  return locus_fail(cx, "'%s' must hold %" PRId64 "..%" PRId64, value->name, low, high);
}

static int check_all(const locus_asof *asof, locus_context *cx)
{
  const int64_t m = asof->limits.tensor->numel;

  LOCUS_TRY(check(&asof->limits, LOCUS_i64, &asof->limits, cx));
  LOCUS_TRY(check(&asof->of_rows, LOCUS_i32, &asof->limits, cx));
  LOCUS_TRY(check(&asof->of_values, LOCUS_i32, &asof->limits, cx));
  if (asof->of_values.tensor->numel != m)
    return locus_fail(cx, "'%s' must be of size %" PRId64, asof->of_values.name, m);
  LOCUS_TRY(check_range(&asof->limits, 0, asof->of_rows.tensor->numel, cx));
  LOCUS_TRY(check_range(&asof->of_rows, 1, asof->groups, cx));
  return check_range(&asof->of_values, 0, asof->groups, cx);
}

int locus_asof_rows(const locus_asof *asof, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *limits = asof->limits.tensor;
  locus_asof_job job = {.groups = asof->groups, .forward = asof->forward, .base = asof->base};
  const locus_device device = locus_tensor_device(limits);
  locus_result result = {0};

  LOCUS_TRY(check_all(asof, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_i64, &limits->shape, device, cx));
  job.n = asof->of_rows.tensor->numel;
  job.m = limits->numel;
  job.limits = (const int64_t *)limits->data;
  job.of_rows = (const int32_t *)asof->of_rows.tensor->data;
  job.of_values = (const int32_t *)asof->of_values.tensor->data;
  job.out = (int64_t *)result.made->data;
  return locus_result_end(&result, locus_device_runners(device, cx)->asof(&job, cx));
}

static int check_nearest(const locus_nearest *nearest, locus_context *cx)
{
  const locus_tensor *values = nearest->values.tensor;
  const locus_dtype dtype = values->dtype == LOCUS_i64 ? LOCUS_i64 : LOCUS_f64;
  const locus_value *const rows[] = {&nearest->before, &nearest->after};

  LOCUS_TRY(check(&nearest->values, dtype, &nearest->values, cx));
  LOCUS_TRY(check(&nearest->sequence, dtype, &nearest->values, cx));
  for (int i = 0; i < 2; i++) {
    if (!rows[i]->tensor) continue;
    LOCUS_TRY(check(rows[i], LOCUS_i64, &nearest->values, cx));
    if (rows[i]->tensor->numel != values->numel)
      return locus_fail(cx, "'%s' must be of size %" PRId64, rows[i]->name, values->numel);
    LOCUS_TRY(check_range(rows[i], -1, nearest->sequence.tensor->numel, cx));
  }
  return 0;
}

/* The tolerance between int64 and between doubles. */
static void read_tolerance(const locus_value *tolerance, locus_nearest_job *job)
{
  int64_t whole;

  if (tolerance->scalar == LOCUS_SCALAR_NUMBER) {
    job->most_f64 = tolerance->element.f64;
    job->most_i64 = job->most_f64 < 0x1p64 ? (uint64_t)job->most_f64 : UINT64_MAX;
  } else if (locus_value_integral(tolerance, &whole)) {
    job->most_f64 = (double)whole;
    job->most_i64 = (uint64_t)whole;
  }
}

int locus_nearest_rows(const locus_nearest *nearest, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *values = nearest->values.tensor, *sequence = nearest->sequence.tensor;
  const locus_tensor *before = nearest->before.tensor, *after = nearest->after.tensor;
  locus_nearest_job job = {.exact = values->dtype == LOCUS_i64, .base = nearest->base};
  const locus_device device = locus_tensor_device(values);
  locus_result result = {0};

  LOCUS_TRY(check_nearest(nearest, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_i64, &values->shape, device, cx));
  read_tolerance(&nearest->tolerance, &job);
  job.n = sequence->numel;
  job.m = values->numel;
  job.sequence = sequence->data;
  job.values = values->data;
  job.before = before ? (const int64_t *)before->data : NULL;
  job.after = after ? (const int64_t *)after->data : NULL;
  job.out = (int64_t *)result.made->data;
  return locus_result_end(&result, locus_device_runners(device, cx)->nearest(&job, cx));
}
