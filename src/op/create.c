/* SPDX-License-Identifier: MIT */
/* New tensors: filled with one value, or with an arithmetic progression. */
#include <inttypes.h>
#include <math.h>

#include "op/op.h"

int locus_full(const locus_shape *shape, const locus_value *fill, locus_dtype dtype,
               locus_device device, locus_tensor *out, locus_context *cx)
{
  locus_result result = {0};

  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, shape, device, cx));
  if (fill) result.kind = fill->kind;
  return locus_result_end(&result, fill ? locus_copy(result.made, fill, cx) : 0);
}

static int run_ramp(locus_ramp_job *job, locus_dtype dtype, locus_device device, locus_tensor *out,
                    locus_context *cx)
{
  locus_shape shape = {.ndim = 1, .size = {job->n}};
  locus_result result = {0};

  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, &shape, device, cx));
  locus_operand_tensor(&job->out, result.made, &shape);
  return locus_result_end(&result, locus_device_runners(device, cx)->ramp(job, cx));
}

static int check_ramp_dtype(locus_dtype dtype, locus_context *cx)
{
  locus_kind kind = locus_dtype_kind(dtype);
  if (kind == LOCUS_INTEGER || kind == LOCUS_FLOAT) return 0;
  return locus_fail(cx, "'dtype' must be an integer or a float dtype, got %s",
                    locus_dtype_name(dtype));
}

/* The scalar as a finite double that equals it. */
static int read_finite(const locus_value *value, double *number, locus_context *cx)
{
  char text[LOCUS_VALUE_TEXT];
  int64_t back;

  if (value->scalar == LOCUS_SCALAR_NUMBER) {
    *number = value->element.f64;
    if (isfinite(*number)) return 0;
    return locus_fail(cx, "'%s' must be finite, got %s", value->name,
                      locus_value_text(value, text));
  }
  locus_value near = {.scalar = LOCUS_SCALAR_NUMBER, .element.f64 = (double)value->element.i64};
  *number = near.element.f64;
  if (locus_value_integral(&near, &back) && back == value->element.i64) return 0;
  return locus_fail(cx, "'%s' is %s, which float64 cannot hold", value->name,
                    locus_value_text(value, text));
}

static int too_many(locus_context *cx)
{
  return locus_fail(cx, "'end' is more than 2^63 steps from 'start'");
}

static int wrong_direction(const locus_value *start, const locus_value *end,
                           const locus_value *step, locus_context *cx)
{
  char from[LOCUS_VALUE_TEXT], to[LOCUS_VALUE_TEXT], by[LOCUS_VALUE_TEXT];
  return locus_fail(cx, "'step' is %s, which does not lead from 'start' = %s to 'end' = %s",
                    locus_value_text(step, by), locus_value_text(start, from),
                    locus_value_text(end, to));
}

/* The number of first, first + by, ... before `last`, or not after it. */
static int count_whole(int64_t first, int64_t last, int64_t by, bool end_included, int64_t *n,
                       locus_context *cx)
{
  uint64_t size = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
  uint64_t distance = by > 0 ? (uint64_t)last - (uint64_t)first : (uint64_t)first - (uint64_t)last;

  if (distance / size >= INT64_MAX) return too_many(cx);
  *n = (int64_t)(distance / size + (end_included || distance % size != 0));
  return 0;
}

static int count_real(double start, double end, double step, bool end_included, int64_t *n,
                      locus_context *cx)
{
  double steps = (end - start) / step;

  if (!isfinite(end - start)) steps = end / step - start / step;
  steps = end_included ? floor(steps) + 1 : ceil(steps);
  if (!(steps < 0x1p63)) return too_many(cx);
  *n = (int64_t)steps;
  return 0;
}

/* Both ends of a progression of whole numbers must fit an integer dtype; the others lie between. */
static int check_whole_fits(const locus_ramp_job *job, locus_dtype dtype, locus_context *cx)
{
  locus_range range = locus_dtype_range(dtype);

  if (job->n == 0 || locus_dtype_kind(dtype) != LOCUS_INTEGER) return 0;
  /* the distance may overflow an int64 where the last number does not */
  uint64_t span = (uint64_t)(job->n - 1) * (uint64_t)job->i_step;
  int64_t last = (int64_t)((uint64_t)job->i_start + span);
  if (job->i_start < range.low || job->i_start > range.high) {
    return locus_fail(cx, "'start' is %" PRId64 ", which %s cannot hold", job->i_start,
                      locus_dtype_name(dtype));
  }
  if (last >= range.low && last <= range.high) return 0;
  return locus_fail(cx, "'end' leads to %" PRId64 ", which %s cannot hold", last,
                    locus_dtype_name(dtype));
}

static int check_whole(const locus_value *value, locus_dtype dtype, locus_context *cx)
{
  char text[LOCUS_VALUE_TEXT];
  int64_t integer;

  if (locus_value_integral(value, &integer)) return 0;
  return locus_fail(cx, "'%s' must be a whole number for dtype %s, got %s", value->name,
                    locus_dtype_name(dtype), locus_value_text(value, text));
}

/* Whole start, end and step: exact in int64. */
static int whole_ramp(locus_ramp_job *job, const locus_value *start, const locus_value *end,
                      const locus_value *step, bool end_included, locus_context *cx)
{
  int64_t last = 0;

  job->exact = locus_value_integral(start, &job->i_start) && locus_value_integral(end, &last) &&
               locus_value_integral(step, &job->i_step);
  if (!job->exact) return 0;
  if (job->i_step == 0) return locus_fail(cx, "'step' must not be 0");
  if (job->i_step > 0 ? last < job->i_start : last > job->i_start)
    return wrong_direction(start, end, step, cx);
  return count_whole(job->i_start, last, job->i_step, end_included, &job->n, cx);
}

static int real_ramp(locus_ramp_job *job, const locus_value *start, const locus_value *end,
                     const locus_value *step, bool end_included, locus_context *cx)
{
  LOCUS_TRY(read_finite(start, &job->start, cx));
  LOCUS_TRY(read_finite(end, &job->end, cx));
  LOCUS_TRY(read_finite(step, &job->step, cx));
  if (job->step == 0) return locus_fail(cx, "'step' must not be 0");
  if (job->step > 0 ? job->end < job->start : job->end > job->start)
    return wrong_direction(start, end, step, cx);
  return count_real(job->start, job->end, job->step, end_included, &job->n, cx);
}

int locus_arange(const locus_value *start, const locus_value *end, const locus_value *step,
                 bool end_included, locus_dtype dtype, locus_device device, locus_tensor *out,
                 locus_context *cx)
{
  locus_ramp_job job = {0};

  LOCUS_TRY(check_ramp_dtype(dtype, cx));
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER) {
    LOCUS_TRY(check_whole(start, dtype, cx));
    LOCUS_TRY(check_whole(end, dtype, cx));
    LOCUS_TRY(check_whole(step, dtype, cx));
  }
  LOCUS_TRY(whole_ramp(&job, start, end, step, end_included, cx));
  if (!job.exact) LOCUS_TRY(real_ramp(&job, start, end, step, end_included, cx));
  if (job.exact) LOCUS_TRY(check_whole_fits(&job, dtype, cx));
  return run_ramp(&job, dtype, device, out, cx);
}

int locus_linspace(const locus_value *start, const locus_value *end, int64_t steps,
                   locus_dtype dtype, locus_device device, locus_tensor *out, locus_context *cx)
{
  locus_ramp_job job = {.n = steps, .has_end = steps > 1};
  locus_element unused;

  LOCUS_TRY(check_ramp_dtype(dtype, cx));
  LOCUS_TRY(read_finite(start, &job.start, cx));
  LOCUS_TRY(read_finite(end, &job.end, cx));
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER) {
    LOCUS_TRY(locus_value_store(start, dtype, &unused, cx));
    LOCUS_TRY(locus_value_store(end, dtype, &unused, cx));
  }
  if (steps < 0) return locus_fail(cx, "'steps' must not be negative, got %" PRId64, steps);
  if (steps > 1) {
    double gaps = (double)(steps - 1), span = job.end - job.start;
    job.step = isfinite(span) ? span / gaps : job.end / gaps - job.start / gaps;
  }
  return run_ramp(&job, dtype, device, out, cx);
}
