/* SPDX-License-Identifier: MIT */
/* Windows that move along the rows of a tensor on the CPU. */
#include "core/device.h"
#include "op/fold.h"

static int check_row(const locus_value *value, int64_t n, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;

  if (tensor->dtype == LOCUS_i64 && locus_tensor_contiguous(tensor) && tensor->numel == n &&
      locus_tensor_device(tensor) == LOCUS_CPU)
    return 0;
  return locus_fail(cx, "'%s' must be int64 and contiguous, and of the right size", value->name);
}

/* Whether it is int64, or else float64. */
static int check_numbers(const locus_value *value, int ndim, bool *whole, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;

  *whole = tensor->dtype == LOCUS_i64;
  if ((*whole || tensor->dtype == LOCUS_f64) && tensor->shape.ndim == ndim &&
      locus_tensor_contiguous(tensor) && locus_tensor_device(tensor) == LOCUS_CPU)
    return 0;
  return locus_fail(cx, "'%s' must be int64 or float64, %d-D and contiguous", value->name, ndim);
}

int locus_windows(locus_window_job *job, const locus_value *input, const locus_value *begins,
                  const locus_value *ends, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_result result = {0};

  LOCUS_TRY(check_numbers(input, 2, &job->whole, cx));
  job->rows = in->shape.size[0];
  job->n = in->shape.size[1];
  if (begins) LOCUS_TRY(check_row(begins, job->n, cx));
  if (ends) LOCUS_TRY(check_row(ends, job->n, cx));
  const locus_dtype dtype = locus_window_whole(job->how, job->whole) ? LOCUS_i64 : LOCUS_f64;
  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, &in->shape, LOCUS_CPU, cx));
  job->in = in->data;
  job->out = result.made->data;
  job->begins = begins ? (const int64_t *)begins->tensor->data : NULL;
  job->ends = ends ? (const int64_t *)ends->tensor->data : NULL;
  return locus_result_end(&result, locus_device_runners(LOCUS_CPU, cx)->window(job, cx));
}

static int check_ids(const locus_value *ids, const locus_value *input, locus_context *cx)
{
  const locus_tensor *of = ids->tensor;

  if (of->dtype == LOCUS_i32 && of->shape.ndim == 1 && locus_tensor_contiguous(of) &&
      locus_tensor_device(of) == LOCUS_CPU && (!input || input->tensor->numel == of->numel))
    return 0;
  return locus_fail(cx, "'%s' must be int32, 1-D and contiguous", ids->name);
}

int locus_run_groups(locus_running_job *job, const locus_value *ids, const locus_value *input,
                     locus_tensor *out, locus_context *cx)
{
  const locus_tensor *of = ids->tensor;
  locus_result result = {0};

  job->whole = true;
  if (input) LOCUS_TRY(check_numbers(input, 1, &job->whole, cx));
  LOCUS_TRY(check_ids(ids, input, cx));
  const bool numbers = job->how == LOCUS_RUNNING_SUM || job->how == LOCUS_RUNNING_BEFORE ||
                       job->how == LOCUS_RUNNING_AFTER;
  const bool whole = job->whole || !numbers;
  LOCUS_TRY(locus_result_begin(&result, out, "out", whole ? LOCUS_i64 : LOCUS_f64, &of->shape,
                               LOCUS_CPU, cx));
  job->n = of->numel;
  job->ids = (const int32_t *)of->data;
  job->in = input ? input->tensor->data : NULL;
  job->out = result.made->data;
  return locus_result_end(&result, locus_device_runners(LOCUS_CPU, cx)->running(job, cx));
}

int locus_ewm(locus_ewm_job *job, const locus_value *input, const locus_value *ids,
              locus_tensor *out, locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_result result = {0};
  bool whole;

  LOCUS_TRY(check_numbers(input, ids ? 1 : 3, &whole, cx));
  if (whole) return locus_fail(cx, "'%s' must be float64", input->name);
  if (ids) LOCUS_TRY(check_ids(ids, input, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_f64, &in->shape, LOCUS_CPU, cx));
  job->outer = ids ? 1 : in->shape.size[0];
  job->n = in->shape.size[ids ? 0 : 1];
  job->inner = ids ? 1 : in->shape.size[2];
  job->ids = ids ? (const int32_t *)ids->tensor->data : NULL;
  job->in = (const double *)in->data;
  job->out = (double *)result.made->data;
  return locus_result_end(&result, locus_device_runners(LOCUS_CPU, cx)->ewm(job, cx));
}

int locus_window_bounds(locus_window_bounds_job *job, const locus_value *places,
                        const locus_value *offsets, locus_tensor *begins, locus_tensor *ends,
                        locus_context *cx)
{
  const locus_tensor *in = places->tensor;
  locus_result result[2];

  LOCUS_TRY(check_numbers(places, 1, &job->whole, cx));
  job->n = in->shape.size[0];
  job->places = in->data;
  if (offsets) {
    job->segments = offsets->tensor->numel - 1;
    LOCUS_TRY(check_row(offsets, job->segments + 1, cx));
    job->offsets = (const int64_t *)offsets->tensor->data;
  }
  LOCUS_TRY(locus_result_begin_pair(result, (locus_tensor *[]){begins, ends},
                                    (locus_dtype[]){LOCUS_i64, LOCUS_i64}, &in->shape, places, cx));
  job->begins = (int64_t *)result[0].made->data;
  job->ends = (int64_t *)result[1].made->data;
  return locus_result_end_pair(result, locus_device_runners(LOCUS_CPU, cx)->window_bounds(job, cx));
}
