/* SPDX-License-Identifier: MIT */
/* Counting how often each value occurs. */
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "op/fold.h"

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
  LOCUS_TRY(locus_read_found(in, position, input->name, &job, &bad, cx));
  return locus_fail(cx, "'%s' must hold numbers of at least %" PRId64 "%s, got %s%s", input->name,
                    base, base ? " (0 with base = 0)" : "", locus_value_text(&bad, number),
                    locus_position_text(&in->shape, position, 1, where));
}

/* The number of counts, from base to the greatest value. */
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

/* Runs the job, whose output, first value and length are set. */
static int run_bincount(const locus_value *input, const locus_value *weights,
                        locus_bincount_job *job, locus_context *cx)
{
  const locus_shape *shape = &input->tensor->shape;
  locus_operand *operands[] = {&job->in, &job->weights};

  job->has_weights = weights->tensor;
  locus_operand_tensor(&job->in, input->tensor, shape);
  if (job->has_weights) locus_operand_tensor(&job->weights, weights->tensor, shape);
  locus_grid_collapse(&job->grid, shape, operands, job->has_weights ? 2 : 1);
  return locus_device_runners(locus_tensor_device(input->tensor), cx)->bincount(job, cx);
}

/* Reads values three times: to check them, to find the greatest, and to count them. */
static int count_into(const locus_value *input, const locus_value *weights, int64_t minlength,
                      locus_tensor *out, int64_t base, locus_context *cx)
{
  const locus_value zero = {.name = "input", .scalar = LOCUS_SCALAR_INT64};
  locus_shape shape = {.ndim = 1};
  locus_dtype dtype = weights->tensor ? LOCUS_f64 : LOCUS_i64;
  locus_result result = {0};

  LOCUS_TRY(check_values(input, base, cx));
  LOCUS_TRY(count_values(input, base, &shape.size[0], cx));
  if (shape.size[0] < minlength) shape.size[0] = minlength;
  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, &shape,
                               locus_tensor_device(input->tensor), cx));
  int status = locus_copy(result.made, &zero, cx);
  if (status == 0) {
    locus_bincount_job job = {.out = result.made->data, .base = base, .bins = shape.size[0]};
    status = run_bincount(input, weights, &job, cx);
  }
  return locus_result_end(&result, status);
}

/* -- In one read: on the host, into counters that grow with the values ------------------------- */

enum { FIRST_BINS = 1 << 10, MOST_BINS = 1 << 20, MANY_BINS = 4, ITEM = sizeof(int64_t) };

/* Makes counters for the greatest number met, at least twice as many as there are. */
static int grow(int64_t **counts, locus_bincount_progress *progress, int64_t base,
                locus_context *cx)
{
  int64_t bins = 2 * progress->bins;

  while ((uint64_t)progress->greatest - (uint64_t)base >= (uint64_t)bins) bins *= 2;
  int64_t *more = locus_memory_alloc(bins * ITEM);
  if (!more) return locus_fail_memory(cx, bins * ITEM);
  memcpy(more, *counts, (size_t)(progress->bins * ITEM));
  memset(more + progress->bins, 0, (size_t)((bins - progress->bins) * ITEM));
  locus_memory_free(*counts, progress->bins * ITEM);
  *counts = more;
  progress->bins = bins;
  return 0;
}

/* Counts as long as no value is below base or asks for many more counters than there are values. */
static int count_on(const locus_value *input, int64_t **counts, locus_bincount_progress *progress,
                    int64_t base, locus_context *cx)
{
  static const locus_value none = {0};
  const int64_t numel = input->tensor->numel;
  const int64_t most = numel < MOST_BINS / MANY_BINS ? FIRST_BINS + MANY_BINS * numel : MOST_BINS;

  for (;;) {
    locus_bincount_job job = {.out = (char *)*counts, .base = base, .progress = progress};
    LOCUS_TRY(run_bincount(input, &none, &job, cx));
    if (progress->seen == numel || progress->least < base ||
        (uint64_t)progress->greatest - (uint64_t)base >= (uint64_t)most)
      return 0;
    LOCUS_TRY(grow(counts, progress, base, cx));
  }
}

static int give_counts(const int64_t *counts, int64_t bins, int64_t minlength, locus_tensor *out,
                       locus_context *cx)
{
  locus_shape shape = {.ndim = 1, .size = {bins}};
  locus_result result = {0};

  while (shape.size[0] > 0 && counts[shape.size[0] - 1] == 0) shape.size[0]--;
  const int64_t found = shape.size[0];
  if (found < minlength) shape.size[0] = minlength;
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_i64, &shape, LOCUS_CPU, cx));
  int64_t *to = (int64_t *)result.made->data;
  if (found > 0) memcpy(to, counts, (size_t)(found * ITEM));
  if (found < minlength) memset(to + found, 0, (size_t)((minlength - found) * ITEM));
  return locus_result_end(&result, 0);
}

/* *done: false where values must be read again. */
static int count_once(const locus_value *input, int64_t minlength, locus_tensor *out, int64_t base,
                      bool *done, locus_context *cx)
{
  locus_bincount_progress progress = {.bins = FIRST_BINS};
  int64_t *counts = locus_memory_alloc(progress.bins * ITEM);

  if (!counts) return locus_fail_memory(cx, progress.bins * ITEM);
  memset(counts, 0, (size_t)(progress.bins * ITEM));
  int status = count_on(input, &counts, &progress, base, cx);
  *done = progress.seen == input->tensor->numel;
  if (status == 0 && *done) status = give_counts(counts, progress.bins, minlength, out, cx);
  locus_memory_free(counts, progress.bins * ITEM);
  return status;
}

int locus_bincount(const locus_value *input, const locus_value *weights, int64_t minlength,
                   locus_tensor *out, int64_t base, locus_context *cx)
{
  bool done = false;

  LOCUS_TRY(check_input(input, cx));
  LOCUS_TRY(check_weights(weights, input, cx));
  if (minlength < 0)
    return locus_fail(cx, "'minlength' must not be negative, got %" PRId64, minlength);
  if (!weights->tensor && locus_tensor_device(input->tensor) == LOCUS_CPU)
    LOCUS_TRY(count_once(input, minlength, out, base, &done, cx));
  return done ? 0 : count_into(input, weights, minlength, out, base, cx);
}
