/* SPDX-License-Identifier: MIT */
/* Along one dimension by position: an index tensor of the result's own shape, or a row of positions
** that name whole slices. Elements are read, written, or combined with the old ones. */
#include <math.h>

#include "op/index.h"
#include "op/ground/pick.h"

/* A tensor and the positions along one of its dimensions, spread over the points that are read or
** written; both without a reference, and of at least one dimension. */
typedef struct along {
  locus_tensor array, index;
  bool forward;
} along;

static void add_dimension(locus_tensor *bare)
{
  if (bare->shape.ndim > 0) return;
  bare->shape.ndim = 1;
  bare->shape.size[0] = 1;
  bare->stride[0] = 1;
}

/* A row of positions, each standing for the slice there. */
static int spread(along *a, const char *name, int dim, locus_context *cx)
{
  locus_tensor *index = &a->index;
  const int64_t n = index->shape.size[0], step = index->stride[0];
  char text[LOCUS_SHAPE_TEXT];

  if (index->shape.ndim != 1) {
    return locus_fail(cx, "'%s' must be 1-D, got size %s", name,
                      locus_shape_text(&index->shape, text));
  }
  index->shape = a->array.shape;
  index->shape.size[dim] = n;
  for (int d = 0; d < index->shape.ndim; d++) index->stride[d] = d == dim ? step : 0;
  index->numel = n;
  for (int d = 0; d < index->shape.ndim; d++)
    if (d != dim) index->numel *= index->shape.size[d];
  return 0;
}

/* An error unless `points` lie within `shape`, that of `name`, in every dimension except `dim`. */
static int check_within(const along *a, const locus_shape *shape, const char *name, int dim,
                        locus_context *cx)
{
  const locus_shape *points = &a->index.shape;
  char text[LOCUS_SHAPE_TEXT], own[LOCUS_SHAPE_TEXT];

  if (points->ndim != shape->ndim) {
    return locus_fail(cx,
                      "'index' and '%s' must have the same number of dimensions, got sizes %s "
                      "and %s",
                      name, locus_shape_text(points, text), locus_shape_text(shape, own));
  }
  for (int d = 0; d < points->ndim; d++) {
    if (d == dim || points->size[d] <= shape->size[d]) continue;
    return locus_fail(cx, "'index' of size %s is larger than '%s' of size %s in dimension %d",
                      locus_shape_text(points, text), name, locus_shape_text(shape, own), d + 1);
  }
  return 0;
}

static int begin(along *a, const locus_value *input, int dim, const locus_value *index, bool slices,
                 int64_t base, locus_context *cx)
{
  const locus_dtype dtype = index->tensor->dtype;

  a->array = *input->tensor;
  a->index = *index->tensor;
  if (dtype != LOCUS_i64 && dtype != LOCUS_i32) {
    return locus_fail(cx, "'%s' must be int64 or int32, got %s; write :long()", index->name,
                      locus_dtype_name(dtype));
  }
  LOCUS_TRY(locus_check_device(index, input, cx));
  add_dimension(&a->array);
  add_dimension(&a->index);
  if (slices) LOCUS_TRY(spread(a, index->name, dim, cx));
  else if (a->index.numel > 0) LOCUS_TRY(check_within(a, &a->array.shape, input->name, dim, cx));
  return locus_check_indices(index->tensor, a->array.shape.size[dim], dim, base, &a->forward, cx);
}

/* The array and its index; the elements lie over the points. */
static void lay_out(const along *a, int dim, locus_index_job *job)
{
  locus_index *index = &job->index[0];

  job->array.data = a->array.data;
  job->array.dtype = a->array.dtype;
  for (int d = 0; d < a->array.shape.ndim; d++)
    job->array.stride[d] = d == dim ? 0 : a->array.stride[d];
  locus_operand_tensor(&index->at, &a->index, &a->index.shape);
  index->size = a->array.shape.size[dim];
  index->step = a->array.stride[dim];
}

static void collapse(const along *a, locus_index_job *job)
{
  locus_grid_collapse(&job->grid, &a->index.shape,
                      (locus_operand *[]){&job->elements, &job->array, &job->index[0].at}, 3);
}

/* -- Reading ----------------------------------------------------------------------------------- */

static int run_gather(const along *a, int dim, int64_t base, const locus_tensor *out,
                      locus_context *cx)
{
  LOCUS_JOB(index, job, grid);

  job.indices = 1;
  job.base = base;
  job.forward = a->forward;
  job.op = LOCUS_BINARIES;
  if (out->numel == 0) return 0;
  lay_out(a, dim, &job);
  locus_operand_tensor(&job.elements, out, &a->index.shape);
  collapse(a, &job);
  return locus_device_runners(locus_tensor_device(out), cx)->gather(&job, cx);
}

int locus_along_get(const locus_value *input, int dim, const locus_value *index, bool slices,
                    int64_t base, locus_tensor *out, locus_context *cx)
{
  locus_result result = {0};
  along a;

  LOCUS_TRY(begin(&a, input, dim, index, slices, base, cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_apart(out, "out", index, false, cx));
  const locus_shape *shape = slices ? &a.index.shape : &index->tensor->shape;
  if (slices && input->tensor->shape.ndim == 0) {
    if (a.index.numel != 1)
      return locus_fail(cx, "'%s' of a 0-d tensor must be of size 1", index->name);
    shape = &input->tensor->shape;
  }
  LOCUS_TRY(locus_result_begin(&result, out, "out", input->tensor->dtype, shape,
                               locus_tensor_device(input->tensor), cx));
  result.kind = input->tensor->kind;
  return locus_result_end(&result, run_gather(&a, dim, base, result.made, cx));
}

/* -- Writing ----------------------------------------------------------------------------------- */

/* The sum, product or extreme of no elements. */
static int begin_with(const locus_index_job *job, locus_element *start, locus_context *cx)
{
  const bool greatest = job->op == LOCUS_BINARY_maximum;
  const bool whole = locus_dtype_kind(job->array.dtype) <= LOCUS_INTEGER;
  const locus_range range = locus_dtype_range(job->array.dtype);
  locus_value value = {.name = "start", .scalar = LOCUS_SCALAR_INT64};

  if (job->op == LOCUS_BINARY_add || job->op == LOCUS_BINARY_mul) {
    value.element.i64 = job->op == LOCUS_BINARY_mul;
  } else if (whole) {
    value.element.i64 = greatest ? range.low : range.high;
  } else {
    value.scalar = LOCUS_SCALAR_NUMBER;
    value.element.f64 = greatest ? -INFINITY : INFINITY;
  }
  return locus_value_store(&value, job->array.dtype, start, cx);
}

/* The part of src that lies over the points; slices are as large as these. If there are no points,
** a src without elements may have any size. */
static int cut(const along *a, locus_tensor *src, const char *name, bool slices, locus_context *cx)
{
  const locus_shape *points = &a->index.shape;
  char text[LOCUS_SHAPE_TEXT], own[LOCUS_SHAPE_TEXT];

  if (a->index.numel == 0 && (!slices || src->numel == 0)) return 0;
  if (slices && !locus_shape_equal(&src->shape, points)) {
    return locus_fail(cx, "'%s' must be of size %s, got %s", name, locus_shape_text(points, text),
                      locus_shape_text(&src->shape, own));
  }
  LOCUS_TRY(check_within(a, &src->shape, name, -1, cx));
  src->shape = *points;
  src->numel = a->index.numel;
  return 0;
}

/* A src that lies apart from the array. */
static int run_scatter(const along *a, const locus_along *put, const locus_value *src,
                       locus_context *cx)
{
  LOCUS_JOB(index, job, grid);

  job.indices = 1;
  job.base = put->base;
  job.forward = a->forward;
  job.op = put->op;
  job.afresh = put->afresh;
  job.counts = put->counts ? (int64_t *)put->counts->data : NULL;
  lay_out(a, put->dim, &job);
  if (job.afresh) LOCUS_TRY(begin_with(&job, &job.start, cx));
  LOCUS_TRY(locus_operand_value(&job.elements, src, job.array.dtype, &a->index.shape, cx));
  collapse(a, &job);
  return locus_device_runners(locus_tensor_device(&a->array), cx)->scatter(&job, cx);
}

/* Positions that share bytes with the array would change while they are read. */
static int scatter_apart(along *a, const locus_along *put, const locus_value *src,
                         locus_context *cx)
{
  const locus_value index = {.name = put->index.name, .tensor = &a->index};
  const locus_device device = locus_tensor_device(&a->index);
  locus_tensor copy = {0};
  along apart = *a;

  if (!locus_overlap(&a->array, put->index.tensor)) return run_scatter(a, put, src, cx);
  LOCUS_TRY(locus_move_to(&index, a->index.dtype, device, &copy, cx));
  apart.index = copy;
  int status = run_scatter(&apart, put, src, cx);
  locus_tensor_release(&copy);
  return status;
}

static int check_order(const locus_along *put, locus_context *cx)
{
  const locus_dtype dtype = put->input.tensor->dtype;
  const bool ordered = put->op == LOCUS_BINARY_minimum || put->op == LOCUS_BINARY_maximum;

  if (!ordered || locus_dtype_kind(dtype) != LOCUS_COMPLEX) return 0;
  return locus_fail(cx, "'%s' is %s, and complex numbers have no order", put->input.name,
                    locus_dtype_name(dtype));
}

int locus_along_put(const locus_along *put, locus_context *cx)
{
  const locus_tensor *input = put->input.tensor;
  locus_value src = put->src;
  int kind;
  locus_tensor part, copy = {0};
  along a;

  LOCUS_TRY(locus_check_writable(input, put->input.name, cx));
  LOCUS_TRY(check_order(put, cx));
  if (put->op == LOCUS_BINARY_add) LOCUS_TRY(locus_check_added_kind(&put->input, &put->src, cx));
  else LOCUS_TRY(locus_shared_kind((const locus_value[]){put->input, put->src}, 2, &kind, cx));
  LOCUS_TRY(begin(&a, &put->input, put->dim, &put->index, put->slices, put->base, cx));
  LOCUS_TRY(locus_check_places(input, cx));
  if (src.tensor && src.tensor->shape.ndim > 0) {
    part = *src.tensor;
    LOCUS_TRY(cut(&a, &part, src.name, put->slices, cx));
    src.tensor = &part;
  }
  if (a.index.numel == 0) return 0;
  LOCUS_TRY(locus_detach(input, &src, &copy, cx));
  int status = scatter_apart(&a, put, &src, cx);
  locus_tensor_release(&copy);
  return status;
}
