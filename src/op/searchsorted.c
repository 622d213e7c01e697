/* SPDX-License-Identifier: MIT */
/* searchsorted: the checks in PyTorch's order, then one job. A descending sequence is an ascending
** one read backwards, with the sides swapped and the answers counted from the end. */
#include <inttypes.h>

#include "op/op.h"

static int64_t row_length(const locus_search *s)
{
  const locus_shape *shape = &s->sorted_sequence.tensor->shape;
  return shape->ndim ? shape->size[shape->ndim - 1] : 1;
}

/* Every entry of the sorter must be a position in its row. An index has checked that already. */
static int check_sorter(const locus_search *s, locus_context *cx)
{
  const locus_tensor *sorter = s->sorter.tensor, *sequence = s->sorted_sequence.tensor;
  char want[LOCUS_SHAPE_TEXT], got[LOCUS_SHAPE_TEXT], where[LOCUS_POSITION_TEXT];
  char text[LOCUS_VALUE_TEXT];
  int64_t position;

  if (!sorter) return 0;
  if (!locus_shape_equal(&sorter->shape, &sequence->shape) ||
      (sorter->dtype != LOCUS_i64 && sorter->dtype != LOCUS_i32))
    return locus_fail(cx, "'%s' must be int64 or int32 of size %s, got %s of size %s",
                      s->sorter.name, locus_shape_text(&sequence->shape, want),
                      locus_dtype_name(sorter->dtype), locus_shape_text(&sorter->shape, got));
  if (sorter->numel == 0 || s->index) return 0;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .position = &position, .low = s->base};
  job.high = s->base + row_length(s) - 1;
  locus_operand_tensor(&job.in, sorter, &sorter->shape);
  locus_grid_collapse(&job.grid, &sorter->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(sorter), cx)->find(&job, cx));
  if (position < 0) return 0;
  locus_value entry;
  LOCUS_TRY(locus_read_found(sorter, position, s->sorter.name, &job, &entry, cx));
  return locus_fail(cx, "'%s' holds %s%s, outside %" PRId64 "..%" PRId64, s->sorter.name,
                    locus_value_text(&entry, text),
                    locus_position_text(&sorter->shape, position, s->base, where), job.low,
                    job.high);
}

/* A sequence of one dimension serves values of any shape; each row of another one serves the
** values at the same place. */
static int check_shapes(const locus_search *s, locus_context *cx)
{
  const locus_shape *rows = &s->sorted_sequence.tensor->shape;
  const locus_shape *values = locus_value_shape(&s->values);
  char a[LOCUS_SHAPE_TEXT], b[LOCUS_SHAPE_TEXT];

  if (values->ndim == 0 && rows->ndim != 1)
    return locus_fail(cx, "'%s' without dimensions needs a '%s' of one dimension, got %s",
                      s->values.name, s->sorted_sequence.name, locus_shape_text(rows, a));
  if (rows->ndim == 0)
    return locus_fail(cx, "'%s' must have a dimension, got a 0-d tensor", s->sorted_sequence.name);
  bool fit = rows->ndim == 1 || rows->ndim == values->ndim;
  for (int d = 0; fit && d < rows->ndim - 1; d++) fit = rows->size[d] == values->size[d];
  if (fit) return 0;
  return locus_fail(cx,
                    "'%s' of size %s must agree with '%s' of size %s in all sizes except the last",
                    s->values.name, locus_shape_text(values, a), s->sorted_sequence.name,
                    locus_shape_text(rows, b));
}

static int check_real(const locus_value *value, locus_context *cx)
{
  locus_dtype dtype = value->tensor ? value->tensor->dtype : locus_promote(value, 1, cx);
  if (locus_dtype_kind(dtype) != LOCUS_COMPLEX) return 0;
  return locus_fail(cx, "'%s' is %s, and complex numbers have no order", value->name,
                    locus_dtype_name(dtype));
}

static locus_dtype out_dtype(const locus_search *s)
{
  return s->out_int32 ? LOCUS_i32 : LOCUS_i64;
}

static int check_out(const locus_search *s, const locus_tensor *out, const char *name,
                     locus_context *cx)
{
  LOCUS_TRY(locus_result_check(out, name, out_dtype(s),
                               locus_tensor_device(s->sorted_sequence.tensor), cx));
  LOCUS_TRY(locus_result_apart(out, name, &s->sorted_sequence, false, cx));
  LOCUS_TRY(locus_result_apart(out, name, &s->values, false, cx));
  return locus_result_apart(out, name, &s->sorter, false, cx);
}

static const char *out_name(locus_tensor *const outs[2], int side)
{
  if (!outs[0] || !outs[1]) return "out";
  return side == 0 ? "out[1]" : "out[2]";
}

static int check_outs(const locus_search *s, locus_tensor *const outs[2], locus_context *cx)
{
  for (int side = 0; side < 2; side++)
    if (outs[side]) LOCUS_TRY(check_out(s, outs[side], out_name(outs, side), cx));
  if (!outs[0] || !outs[1]) return 0;
  const locus_value left = {.name = "out[1]", .tensor = outs[0]};
  return locus_result_apart(outs[1], "out[2]", &left, false, cx);
}

static int check(const locus_search *s, locus_tensor *const outs[2], locus_context *cx)
{
  if (!locus_value_anywhere(&s->values))
    LOCUS_TRY(locus_check_device(&s->values, &s->sorted_sequence, cx));
  LOCUS_TRY(locus_check_device(&s->sorter, &s->sorted_sequence, cx));
  LOCUS_TRY(check_sorter(s, cx));
  LOCUS_TRY(check_shapes(s, cx));
  LOCUS_TRY(check_outs(s, outs, cx));
  if (s->out_int32 && row_length(s) > INT32_MAX - s->base) {
    return locus_fail(
        cx, "'out_int32' holds positions up to 2^31 - 1, too few for %" PRId64 " elements",
        row_length(s));
  }
  LOCUS_TRY(check_real(&s->sorted_sequence, cx));
  return check_real(&s->values, cx);
}

/* The rows of a tensor, if there is one, as an operand over `shape`, whose last dimensions stay in
** one row. */
static void operand_rows(locus_operand *operand, int64_t *step, const locus_tensor *tensor,
                         const locus_shape *shape)
{
  *step = 0;
  if (!tensor) {
    locus_operand_tensor(operand, NULL, shape);
    return;
  }
  int last = tensor->shape.ndim - 1;

  operand->data = tensor->data;
  operand->dtype = tensor->dtype;
  for (int d = 0; d < shape->ndim; d++) operand->stride[d] = d < last ? tensor->stride[d] : 0;
  *step = tensor->stride[last];
}

static void reverse(locus_operand *operand, int64_t *step, int64_t n)
{
  if (n > 0) operand->data += (n - 1) * *step * locus_dtype_size(operand->dtype);
  *step = -*step;
}

/* The sequence and its sorter over `shape`. In descending order the sorter, or without one the
** sequence, is read backwards. */
static void place_sequence(locus_search_job *job, const locus_search *s, const locus_shape *shape)
{
  operand_rows(&job->sequence, &job->sequence_step, s->sorted_sequence.tensor, shape);
  operand_rows(&job->sorter, &job->sorter_step, s->sorter.tensor, shape);
  if (s->descending && s->sorter.tensor) reverse(&job->sorter, &job->sorter_step, job->n);
  else if (s->descending) reverse(&job->sequence, &job->sequence_step, job->n);
}

/* Makes the index, or without one only computes the bytes of a row. */
static int run_index(const locus_search *s, const locus_tensor *index, int64_t *bytes,
                     locus_context *cx)
{
  const locus_tensor *sequence = s->sorted_sequence.tensor;
  LOCUS_JOB(search, job, grid);
  locus_shape rows = sequence->shape;
  int64_t step;

  job.n = row_length(s);
  job.base = s->base;
  job.index_bytes = bytes;
  job.along = 1;
  rows.ndim--;
  place_sequence(&job, s, &rows);
  operand_rows(&job.index, &step, index, &rows);
  locus_grid_collapse(&job.grid, &rows, (locus_operand *[]){&job.sequence, &job.sorter, &job.index},
                      3);
  job.row_dims = job.grid.ndim;
  return locus_device_runners(locus_tensor_device(sequence), cx)->search_index(&job, cx);
}

static int index_shape(const locus_search *s, locus_shape *shape, locus_context *cx)
{
  *shape = s->sorted_sequence.tensor->shape;
  return run_index(s, NULL, &shape->size[shape->ndim - 1], cx);
}

/* The element at a flat position, through the sorter. */
static int read_sorted(const locus_search *s, int64_t position, locus_value *value,
                       locus_context *cx)
{
  locus_value k;

  if (s->sorter.tensor) {
    LOCUS_TRY(locus_read_at(s->sorter.tensor, position, &k, cx));
    int64_t place = k.element.i64 - s->base;
    if (place < 0 || place >= row_length(s)) return locus_fail_changed(cx, "positions");
    position += place - position % row_length(s);
  }
  return locus_read_at(s->sorted_sequence.tensor, position, value, cx);
}

static int unsorted(const locus_search *s, int64_t position, locus_context *cx)
{
  const locus_shape *shape = &s->sorted_sequence.tensor->shape;
  const char *by = s->sorter.tensor ? " in the order of 'sorter'" : "";
  char text[LOCUS_VALUE_TEXT], before[LOCUS_VALUE_TEXT], where[LOCUS_POSITION_TEXT];
  locus_value value, previous;

  LOCUS_TRY(read_sorted(s, position, &value, cx));
  LOCUS_TRY(read_sorted(s, position - 1, &previous, cx));
  if (s->descending ? locus_value_sorted(&value, &previous) : locus_value_sorted(&previous, &value))
    return locus_fail_changed(cx, "elements");
  locus_position_text(shape, position, s->base, where);
  return locus_fail(cx, "'%s' is not %s%s: %s%s follows %s", s->sorted_sequence.name,
                    s->descending ? "descending" : "ascending", by, locus_value_text(&value, text),
                    where, locus_value_text(&previous, before));
}

/* Reads the whole sequence; a row out of order is an error. */
static int check_order(const locus_search *s, locus_context *cx)
{
  const locus_tensor *sequence = s->sorted_sequence.tensor;
  locus_shape rows;
  int64_t position;
  LOCUS_JOB(unsorted, job, rows);

  job.n = row_length(s);
  job.descending = s->descending;
  job.base = s->base;
  job.position = &position;
  locus_shape_copy(&rows, &sequence->shape);
  rows.ndim--;
  operand_rows(&job.sequence, &job.sequence_step, sequence, &rows);
  operand_rows(&job.sorter, &job.sorter_step, s->sorter.tensor, &rows);
  locus_grid_collapse(&job.rows, &rows, (locus_operand *[]){&job.sequence, &job.sorter}, 2);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(sequence), cx)->unsorted(&job, cx));
  return position < 0 ? 0 : unsorted(s, position, cx);
}

/* Beside a float sequence a value without dimensions is rounded to its dtype; else it is exact. */
static int place_values(locus_operand *operand, const locus_search *s, const locus_shape *shape,
                        locus_context *cx)
{
  locus_dtype dtype = s->sorted_sequence.tensor->dtype;
  if (locus_dtype_kind(dtype) != LOCUS_FLOAT)
    dtype = s->values.scalar == LOCUS_SCALAR_NUMBER ? LOCUS_f64 : LOCUS_i64;
  return locus_operand_value(operand, &s->values, dtype, shape, cx);
}

static bool leads_to_rows(const locus_search_job *job, int dim)
{
  return job->sequence.stride[dim] || job->sorter.stride[dim] || job->index.stride[dim];
}

/* The last dimension of the grid must stay in one row; one of size 1 is added where none does. */
static void end_in_row(locus_search_job *job)
{
  locus_grid *grid = &job->grid;
  int last = grid->ndim - 1;

  if (!leads_to_rows(job, last)) return;
  grid->size[++last] = 1;
  grid->ndim++;
  job->sequence.stride[last] = job->sorter.stride[last] = job->index.stride[last] = 0;
  job->values.stride[last] = 0;
  job->left.stride[last] = job->right.stride[last] = 0;
}

static void count_along(locus_search_job *job)
{
  const locus_grid *grid = &job->grid;

  job->along = 1;
  for (job->row_dims = grid->ndim; job->row_dims > 0; job->row_dims--) {
    const int d = job->row_dims - 1;
    if (grid->size[d] > 1 && leads_to_rows(job, d)) return;
    job->along *= grid->size[d];
  }
}

static int run(const locus_search *s, const locus_tensor *const made[2], locus_context *cx)
{
  const locus_shape *shape = locus_value_shape(&s->values);
  LOCUS_JOB(search, job, grid);
  const locus_tensor *left = made[s->descending], *right = made[!s->descending];
  int64_t step;

  job.n = row_length(s);
  job.base = s->base;
  job.from_end = s->descending;
  job.has_left = left != NULL;
  job.has_right = right != NULL;
  place_sequence(&job, s, shape);
  operand_rows(&job.index, &step, s->index, shape);
  LOCUS_TRY(place_values(&job.values, s, shape, cx));
  locus_operand_tensor(&job.left, left, shape);
  locus_operand_tensor(&job.right, right, shape);
  locus_grid_collapse(&job.grid, shape,
                      (locus_operand *[]){&job.sequence, &job.sorter, &job.index, &job.values,
                                          &job.left, &job.right},
                      6);
  end_in_row(&job);
  count_along(&job);
  return locus_device_runners(locus_tensor_device(s->sorted_sequence.tensor), cx)
      ->searchsorted(&job, cx);
}

/* Makes the results, and commits them if everything succeeds. */
static int search(const locus_search *s, locus_tensor *const outs[2], locus_context *cx)
{
  locus_result results[2] = {0};
  const locus_tensor *made[2] = {NULL, NULL};
  int status = 0;

  for (int side = 0; side < 2 && status == 0; side++) {
    if (!outs[side]) continue;
    status = locus_result_begin(&results[side], outs[side], out_name(outs, side), out_dtype(s),
                                locus_value_shape(&s->values),
                                locus_tensor_device(s->sorted_sequence.tensor), cx);
    made[side] = results[side].made;
  }
  if (status == 0) status = run(s, made, cx);
  for (int side = 0; side < 2; side++) locus_result_end(&results[side], status);
  return status;
}

/* Beside a float sequence a tensor without dimensions is rounded to its dtype, too. */
static int search_rounded(const locus_search *given, locus_tensor *const outs[2], locus_context *cx)
{
  locus_search s = *given;
  locus_tensor rounded;

  locus_tensor_clear(&rounded);
  LOCUS_TRY(locus_convert(&s.values, s.sorted_sequence.tensor->dtype, &rounded, cx));
  s.values.tensor = &rounded;
  int status = search(&s, outs, cx);
  locus_tensor_release(&rounded);
  return status;
}

int locus_searchsorted(const locus_search *s, locus_tensor *const outs[2], locus_context *cx)
{
  const locus_tensor *sequence = s->sorted_sequence.tensor, *value = s->values.tensor;

  LOCUS_TRY(check(s, outs, cx));
  if (s->check) LOCUS_TRY(check_order(s, cx));
  if (value && value->shape.ndim == 0 && locus_dtype_kind(sequence->dtype) == LOCUS_FLOAT)
    return search_rounded(s, outs, cx);
  return search(s, outs, cx);
}

int locus_search_index(const locus_search *s, locus_tensor *index, locus_context *cx)
{
  const locus_tensor *sequence = s->sorted_sequence.tensor;
  locus_result result = {0};
  locus_shape shape;
  int64_t bytes;

  if (sequence->shape.ndim == 0)
    return locus_fail(cx, "'%s' must have a dimension, got a 0-d tensor", s->sorted_sequence.name);
  LOCUS_TRY(check_real(&s->sorted_sequence, cx));
  LOCUS_TRY(locus_check_device(&s->sorter, &s->sorted_sequence, cx));
  LOCUS_TRY(check_sorter(s, cx));
  if (s->check) LOCUS_TRY(check_order(s, cx));
  if (s->paged) return 0;
  LOCUS_TRY(index_shape(s, &shape, cx));
  int status = locus_result_begin(&result, index, "index", LOCUS_u8, &shape,
                                  locus_tensor_device(sequence), cx);
  if (status == 0) status = run_index(s, result.made, &bytes, cx);
  return locus_result_end(&result, status);
}

static locus_lookup_job lookup_job(const locus_tensor *sequence, double value, int64_t *count)
{
  return (locus_lookup_job){
      .data = sequence->data,
      .dtype = sequence->dtype,
      .n = sequence->shape.size[0],
      .step = sequence->stride[0],
      .value = value,
      .count = count,
  };
}

double locus_search_number(const locus_tensor *sequence, double value, bool right)
{
  int64_t count = 0;
  locus_lookup_job job = lookup_job(sequence, value, &count);

  job.right = right;
  locus_cpu_runners->lookup(&job, NULL);
  return (double)(count + 1);
}

int locus_search_lookup(const locus_tensor *sequence, const locus_value *value, int64_t base,
                        int64_t *position, bool *found, locus_context *cx)
{
  *found = sequence->shape.ndim == 1 && locus_dtype_kind(sequence->dtype) != LOCUS_COMPLEX &&
           !value->tensor && value->scalar == LOCUS_SCALAR_NUMBER;
  if (!*found) return 0;
  const locus_lookup_job job = lookup_job(sequence, value->element.f64, position);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(sequence), cx)->lookup(&job, cx));
  *position += base;
  return 0;
}
