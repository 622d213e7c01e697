/* SPDX-License-Identifier: MIT */
/* Several columns by one list of positions: all results are made, then one job fills them. */
#include "op/columns.h"

#include "core/memory.h"
#include "op/ground/pick.h"
#include "op/take.h"

static int64_t bytes_of(int count)
{
  return count * (int64_t)sizeof(locus_column);
}

/* The columns of a job, in order, with `missing` as an element. */
static locus_column *new_columns(int count, locus_context *cx)
{
  locus_column *columns = locus_memory_alloc(bytes_of(count));

  if (!columns) locus_fail_memory(cx, bytes_of(count));
  return columns;
}

/* Results without elements; none if one cannot be made. */
static int make_results(const locus_gathered *columns, int count, const locus_shape *shape,
                        locus_column *to, locus_context *cx)
{
  for (int k = 0; k < count; k++) {
    const locus_tensor *input = columns[k].input.tensor;
    locus_tensor *out = columns[k].out;
    if (locus_tensor_new(out, input->dtype, shape, locus_tensor_device(input), cx)) {
      while (k-- > 0) locus_tensor_release(columns[k].out);
      return -1;
    }
    locus_tensor_set_kind(out, input->kind);
    to[k].dtype = input->dtype;
    to[k].data = input->data;
    to[k].step = input->stride[0];
    to[k].out = out->data;
  }
  return 0;
}

static int gather(const locus_gathered *columns, int count, const locus_tensor *positions,
                  locus_columns_job *job, locus_column *to, locus_context *cx)
{
  const locus_tensor *first = columns->input.tensor;

  LOCUS_TRY(make_results(columns, count, &positions->shape, to, cx));
  job->count = count;
  job->n = positions->numel;
  job->column = to;
  locus_operand_tensor(&job->index.at, positions, &positions->shape);
  job->index.size = first->shape.size[0];
  if (locus_device_runners(locus_tensor_device(first), cx)->gather_columns(job, cx) == 0) return 0;
  for (int k = 0; k < count; k++) locus_tensor_release(columns[k].out);
  return -1;
}

/* An error unless positions are 1-D, as the columns, which have one size. */
static int check_sizes(const locus_gathered *columns, int count, const locus_tensor *positions,
                       locus_context *cx)
{
  const locus_shape *first = &columns->input.tensor->shape, *own;
  char a[LOCUS_SHAPE_TEXT], b[LOCUS_SHAPE_TEXT];

  if (positions->shape.ndim != 1) {
    return locus_fail(cx, "positions of several columns must be 1-D, got size %s",
                      locus_shape_text(&positions->shape, a));
  }
  for (int k = 0; k < count; k++) {
    own = &columns[k].input.tensor->shape;
    if (own->ndim == 1 && own->size[0] == first->size[0]) continue;
    return locus_fail(cx, "the columns must be 1-D and of one size, got sizes %s and %s",
                      locus_shape_text(first, a), locus_shape_text(own, b));
  }
  return 0;
}

int locus_index_columns(const locus_gathered *columns, int count, const locus_tensor *positions,
                        locus_context *cx)
{
  const locus_pick pick = {.what = LOCUS_PICK_TENSOR, .tensor = positions};
  locus_columns_job job = {.base = 1};
  locus_plan plan;

  for (int k = 0; k < count; k++)
    LOCUS_TRY(locus_plan_make(&plan, columns[k].input.tensor, &pick, 1, 1, cx));
  LOCUS_TRY(check_sizes(columns, count, positions, cx));
  LOCUS_TRY(
      locus_check_indices(positions, columns->input.tensor->shape.size[0], 0, 1, &job.forward, cx));
  locus_column *to = new_columns(count, cx);
  if (!to) return -1;
  for (int k = 0; k < count; k++) to[k].has_missing = false;
  const int status = gather(columns, count, positions, &job, to, cx);
  locus_memory_free(to, bytes_of(count));
  return status;
}

/* Reads what the columns miss. Positions may be base - 1 only if all have such a value: else the
** first column without one names the error. */
static int read_missing(const locus_gathered *columns, int count, const locus_value *positions,
                        int64_t base, locus_column *to, locus_context *cx)
{
  bool all = true;

  for (int k = 0; k < count; k++) {
    const locus_gathered *own = &columns[k];
    to[k].has_missing = own->has_missing;
    all &= own->has_missing;
    if (own->has_missing)
      LOCUS_TRY(
          locus_take_read_missing(&own->missing, own->input.tensor->dtype, &to[k].missing, cx));
  }
  return locus_take_check_positions(&columns->input, positions, all, base, cx);
}

int locus_take_columns(const locus_gathered *columns, int count, const locus_value *positions,
                       int64_t base, locus_context *cx)
{
  locus_columns_job job = {.base = base, .forward = true};

  for (int k = 0; k < count; k++) LOCUS_TRY(locus_take_check(&columns[k].input, positions, cx));
  LOCUS_TRY(check_sizes(columns, count, positions->tensor, cx));
  locus_column *to = new_columns(count, cx);
  if (!to) return -1;
  int status = read_missing(columns, count, positions, base, to, cx);
  if (status == 0) status = gather(columns, count, positions->tensor, &job, to, cx);
  locus_memory_free(to, bytes_of(count));
  return status;
}
