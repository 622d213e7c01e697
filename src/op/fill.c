/* SPDX-License-Identifier: MIT */
/* Elements that are missing, filled from those before them, or behind. */
#include <inttypes.h>

#include "op/fold.h"

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
