/* SPDX-License-Identifier: MIT */
/* Running sums, products and extremes along a dimension; missing elements that take the last one
** that is there, or the next. */
#include <inttypes.h>

#include "op/fold.h"

/* Runs the job along `dim`; a scalar is read as `own`. */
static int run_scan(locus_scan_job *job, const locus_value *input, locus_dtype own, int dim,
                    const locus_tensor *out, const locus_tensor *index, locus_context *cx)
{
  locus_shape rows = out->shape;
  locus_operand *operands[3] = {&job->in, &job->out, &job->index};
  int64_t *steps[3] = {&job->in_step, &job->out_step, &job->index_step};
  const int count = index ? 3 : 2;

  LOCUS_TRY(locus_operand_value(&job->in, input, own, &rows, cx));
  locus_operand_tensor(&job->out, out, &rows);
  if (index) locus_operand_tensor(&job->index, index, &rows);
  job->n = rows.ndim > 0 ? rows.size[dim] : 1;
  for (int i = 0; i < count && rows.ndim > 0; i++) *steps[i] = operands[i]->stride[dim];
  if (rows.ndim > 0) rows.size[dim] = 1;
  locus_grid_collapse(&job->rows, &rows, operands, count);
  return locus_device_runners(locus_tensor_device(out), cx)->scan(job, cx);
}

static locus_dtype dtype_of(const locus_value *input, const locus_context *cx)
{
  return input->tensor ? input->tensor->dtype : locus_promote(input, 1, cx);
}

int locus_scan_sums(locus_scan op, const locus_value *input, int dim, locus_dtype dtype,
                    locus_tensor *out, bool in_place, locus_context *cx)
{
  const char *name = in_place ? input->name : "out";
  const locus_dtype own = dtype_of(input, cx);
  locus_dtype sum_dtype = locus_dtype_kind(own) <= LOCUS_INTEGER ? LOCUS_i64 : own;
  locus_scan_job job = {.op = op};
  locus_tensor copy = {0};
  locus_result result = {0};
  locus_value summands;

  if (dtype != LOCUS_DTYPES) sum_dtype = dtype;
  LOCUS_TRY(locus_result_apart(out, name, input, in_place, cx));
  LOCUS_TRY(locus_summands(input, dtype, &summands, &copy, cx));
  int status = locus_result_begin(&result, out, name, sum_dtype, locus_value_shape(input),
                                  locus_value_device(input, cx), cx);
  if (status == 0) status = run_scan(&job, &summands, own, dim, result.made, NULL, cx);
  locus_tensor_release(&copy);
  if (op == LOCUS_SCAN_sum) result.kind = locus_sum_kind(locus_value_kind(input));
  return locus_result_end(&result, status);
}

static int scan_elements(locus_scan_job *job, const locus_value *input, int dim, locus_tensor *out,
                         locus_tensor *index, locus_context *cx)
{
  const locus_dtype own = input->tensor->dtype;
  locus_result pair[2];

  LOCUS_TRY(locus_result_begin_pair(pair, (locus_tensor *[]){out, index},
                                    (locus_dtype[]){own, LOCUS_i64}, locus_value_shape(input),
                                    input, cx));
  pair[0].kind = input->tensor->kind;
  return locus_result_end_pair(pair,
                               run_scan(job, input, own, dim, pair[0].made, pair[1].made, cx));
}

/* A scalar becomes a tensor, whose elements lie somewhere. */
int locus_scan_elements(locus_scan op, const locus_value *input, int dim, int64_t base,
                        locus_tensor *out, locus_tensor *index, locus_context *cx)
{
  const locus_dtype own = dtype_of(input, cx);
  locus_scan_job job = {.op = op, .base = base};
  locus_value elements = *input;
  locus_tensor copy = {0};

  if (locus_dtype_kind(own) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' is %s, and complex numbers have no order", input->name,
                      locus_dtype_name(own));
  }
  if (!input->tensor) {
    elements.tensor = &copy;
    LOCUS_TRY(locus_move_to(input, own, locus_value_device(input, cx), &copy, cx));
  }
  int status = scan_elements(&job, &elements, dim, out, index, cx);
  locus_tensor_release(&copy);
  return status;
}

/* -- Missing elements -------------------------------------------------------------------------- */

static int check_filling(const locus_filling *f, locus_context *cx)
{
  const locus_dtype dtype = f->input.tensor->dtype;

  if (f->has_limit && f->limit < 0)
    return locus_fail(cx, "'limit' must not be negative, got %" PRId64, f->limit);
  if (!f->has_missing) return 0;
  if (locus_dtype_kind(dtype) != LOCUS_INTEGER) {
    return locus_fail(cx, "'missing' is a value of integers, and '%s' is %s, where %s",
                      f->input.name, locus_dtype_name(dtype),
                      dtype == LOCUS_b8 ? "nothing is missing" : "NaN is missing");
  }
  const locus_range range = locus_dtype_range(dtype);
  if (f->missing >= range.low && f->missing <= range.high) return 0;
  return locus_fail(cx, "'missing' must be a value of %s, got %" PRId64, locus_dtype_name(dtype),
                    f->missing);
}

static int run_fill(const locus_filling *f, const locus_tensor *out, locus_context *cx)
{
  const locus_tensor *input = f->input.tensor;
  const int64_t farthest = (int64_t)1 << 61;
  locus_shape rows;
  LOCUS_JOB(fill, job, rows);

  job.backward = f->backward;
  job.has_missing = f->has_missing;
  job.missing = f->missing;
  job.limit = f->has_limit && f->limit < farthest ? f->limit : farthest;
  locus_shape_copy(&rows, &input->shape);
  locus_operand_tensor(&job.in, input, &input->shape);
  locus_operand_tensor(&job.out, out, &input->shape);
  job.n = rows.ndim > 0 ? rows.size[f->dim] : 1;
  job.in_step = rows.ndim > 0 ? job.in.stride[f->dim] : 0;
  job.out_step = rows.ndim > 0 ? job.out.stride[f->dim] : 0;
  if (f->ids.tensor) {
    job.has_groups = true;
    job.groups = f->groups;
    locus_operand_tensor(&job.ids, f->ids.tensor, &input->shape);
    job.ids_step = job.ids.stride[0];
    job.ids.stride[0] = 0;
    job.order = f->order.tensor ? (const int64_t *)f->order.tensor->data : NULL;
  }
  if (rows.ndim > 0) rows.size[f->dim] = 1;
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.in, &job.out}, 2);
  return locus_device_runners(locus_tensor_device(input), cx)->fill(&job, cx);
}

int locus_fill_gaps(const locus_filling *f, locus_tensor *out, bool in_place, locus_context *cx)
{
  const locus_tensor *input = f->input.tensor;
  const char *name = in_place ? f->input.name : "out";
  locus_result result = {0};

  LOCUS_TRY(check_filling(f, cx));
  LOCUS_TRY(locus_result_apart(out, name, &f->input, true, cx));
  if (f->ids.tensor) LOCUS_TRY(locus_result_apart(out, name, &f->ids, false, cx));
  LOCUS_TRY(locus_result_begin(&result, out, name, input->dtype, &input->shape,
                               locus_tensor_device(input), cx));
  result.kind = locus_value_kind(&f->input);
  return locus_result_end(&result, run_fill(f, result.made, cx));
}
