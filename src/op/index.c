/* SPDX-License-Identifier: MIT */
/* t[...]: numbers and ranges make a view, at once; index tensors and masks then read or write
** through it, in one gather or scatter. */
#include "op/index.h"

#include <string.h>

#include "op/ground/pick.h"

/* The shape that the columns broadcast to. */
static int broadcast_columns(const locus_plan *p, locus_shape *shape, locus_context *cx)
{
  char a[LOCUS_SHAPE_TEXT], b[LOCUS_SHAPE_TEXT];

  shape->ndim = 0;
  for (int k = 0; k < p->columns; k++) {
    const locus_shape *own = &p->column[k].positions.shape;
    locus_shape before = *shape;
    if (locus_shape_broadcast(shape, own)) {
      return locus_fail(cx, "index tensors of size %s and %s do not broadcast together",
                        locus_shape_text(&before, a), locus_shape_text(own, b));
    }
  }
  return 0;
}

/* Spreads one column over the result, where the columns' own dimensions begin at `front`. */
static void lay_column(locus_index *index, const locus_plan_column *c, const locus_tensor *view,
                       const locus_shape *wide, int front)
{
  locus_operand at;

  locus_operand_tensor(&at, &c->positions, wide);
  index->at.data = at.data;
  index->at.dtype = at.dtype;
  memcpy(index->at.stride + front, at.stride, (size_t)wide->ndim * sizeof at.stride[0]);
  index->size = view->shape.size[c->dim];
  index->step = view->stride[c->dim];
}

static void clear_strides(locus_operand *operand, int ndim)
{
  memset(operand->stride, 0, (size_t)ndim * sizeof operand->stride[0]);
}

/* The shape of the result, and array and columns spread over it. The columns' dimensions take the
** place of the indexed ones when those are neighbours, else they come in front. */
static int lay_out(const locus_plan *p, locus_index_job *job, locus_shape *shape, locus_context *cx)
{
  const locus_tensor *view = &p->view;
  int first = p->column[0].dim, last = p->column[p->columns - 1].dim, to = 0, k = 0;
  int front = last - first == p->columns - 1 ? first : 0;
  locus_shape wide;

  LOCUS_TRY(broadcast_columns(p, &wide, cx));
  shape->ndim = view->shape.ndim - p->columns + wide.ndim;
  if (shape->ndim > LOCUS_MAX_DIMS)
    return locus_fail(cx, "the result has more than %d dimensions", LOCUS_MAX_DIMS);
  clear_strides(&job->array, shape->ndim);
  for (int c = 0; c < p->columns; c++) clear_strides(&job->index[c].at, shape->ndim);
  job->array.data = view->data;
  job->array.dtype = view->dtype;
  job->indices = p->columns;
  job->base = p->base;
  job->forward = p->forward;
  job->op = LOCUS_BINARIES;
  memcpy(shape->size + front, wide.size, (size_t)wide.ndim * sizeof wide.size[0]);
  for (int d = 0; d < view->shape.ndim; d++) {
    if (k < p->columns && p->column[k].dim == d) {
      lay_column(&job->index[k], &p->column[k], view, &wide, front);
      k++;
    } else {
      int place = to++;
      if (place >= front) place += wide.ndim;
      shape->size[place] = view->shape.size[d];
      job->array.stride[place] = view->stride[d];
    }
  }
  return 0;
}

static void collapse(locus_index_job *job, const locus_shape *shape)
{
  locus_operand *operands[LOCUS_MAX_DIMS + 2] = {&job->elements, &job->array};

  for (int k = 0; k < job->indices; k++) operands[k + 2] = &job->index[k].at;
  locus_grid_collapse(&job->grid, shape, operands, job->indices + 2);
}

static const locus_runners *runners_of(const locus_plan *p, locus_context *cx)
{
  return locus_device_runners(locus_tensor_device(&p->view), cx);
}

/* Whether the picks amount to one mask of the view's own size. */
static bool masks_all(const locus_plan *p)
{
  const locus_tensor *mask = p->entry[0].tensor;
  return p->entries == 1 && mask->dtype == LOCUS_b8 && mask->shape.ndim > 0 &&
         mask->shape.ndim == p->view.shape.ndim;
}

/* -- Reading ----------------------------------------------------------------------------------- */

int locus_index_element(const locus_tensor *input, const locus_pick *picks, int count,
                        locus_element *element, bool *found, locus_context *cx)
{
  locus_plan p;

  *found = count > 0 && count == input->shape.ndim;
  for (int i = 0; i < count; i++) *found &= picks[i].what == LOCUS_PICK_ONE;
  if (!*found) return 0;
  LOCUS_TRY(locus_plan_make(&p, input, picks, count, 1, cx));
  return locus_device_fetch(locus_tensor_device(input), element, p.view.data,
                            locus_dtype_size(input->dtype), cx);
}

static int gather(locus_plan *p, locus_tensor *out, locus_context *cx)
{
  locus_tensor made = {0};
  LOCUS_JOB(index, job, grid);
  locus_shape shape;

  LOCUS_TRY(locus_plan_load(p, cx));
  LOCUS_TRY(lay_out(p, &job, &shape, cx));
  LOCUS_TRY(locus_tensor_new(&made, p->view.dtype, &shape, locus_tensor_device(&p->view), cx));
  locus_operand_tensor(&job.elements, &made, &shape);
  collapse(&job, &shape);
  if (runners_of(p, cx)->gather(&job, cx)) {
    locus_tensor_release(&made);
    return -1;
  }
  locus_tensor_set_kind(&made, p->view.kind);
  locus_tensor_move(out, &made);
  return 0;
}

int locus_index_get(const locus_tensor *input, const locus_pick *picks, int count,
                    locus_tensor *out, locus_context *cx)
{
  locus_plan p;

  LOCUS_TRY(locus_plan_make(&p, input, picks, count, 1, cx));
  if (p.entries == 0) {
    locus_tensor_alias(out, &p.view);
    return 0;
  }
  if (masks_all(&p)) {
    const locus_value source = {.name = "input", .tensor = &p.view};
    const locus_value mask = {.name = "mask", .tensor = p.entry[0].tensor};
    return locus_masked_select(&source, &mask, out, cx);
  }
  int status = gather(&p, out, cx);
  locus_plan_forget(&p);
  return status;
}

/* -- Writing ----------------------------------------------------------------------------------- */

int locus_check_places(const locus_tensor *view, locus_context *cx)
{
  if (!locus_overlap_self(view)) return 0;
  return locus_fail(cx, "the tensor has elements that share memory; write to its contiguous()");
}

int locus_detach(const locus_tensor *view, locus_value *value, locus_tensor *copy,
                 locus_context *cx)
{
  const locus_device device = locus_tensor_device(view);
  const locus_tensor *tensor = value->tensor;

  if (!tensor) return 0;
  if (tensor->dtype == view->dtype && locus_tensor_device(tensor) == device &&
      !locus_overlap(view, tensor))
    return 0;
  LOCUS_TRY(locus_move_to(value, view->dtype, device, copy, cx));
  value->tensor = copy;
  return 0;
}

/* Index tensors that share bytes with the view would change while they are read. */
static int detach_columns(locus_plan *p, locus_context *cx)
{
  for (int k = 0; k < p->columns; k++) {
    locus_tensor *positions = &p->column[k].positions, copy = {0};
    if (!locus_overlap(&p->view, positions)) continue;
    LOCUS_TRY(locus_clone(positions, &copy, cx));
    locus_tensor_move(positions, &copy);
  }
  return 0;
}

static int scatter(locus_plan *p, const locus_value *value, bool adds, locus_context *cx)
{
  char have[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];
  locus_shape shape, both;
  LOCUS_JOB(index, job, grid);

  LOCUS_TRY(locus_plan_load(p, cx));
  LOCUS_TRY(detach_columns(p, cx));
  LOCUS_TRY(lay_out(p, &job, &shape, cx));
  both = shape;
  if (locus_shape_broadcast(&both, locus_value_shape(value)) || !locus_shape_equal(&both, &shape)) {
    return locus_fail(cx, "'%s' of size %s does not broadcast to %s", value->name,
                      locus_shape_text(locus_value_shape(value), have),
                      locus_shape_text(&shape, want));
  }
  LOCUS_TRY(locus_operand_value(&job.elements, value, p->view.dtype, &shape, cx));
  collapse(&job, &shape);
  if (adds) job.op = LOCUS_BINARY_add;
  return runners_of(p, cx)->scatter(&job, cx);
}

/* One number where the mask is true. The view represents `out` without a reference: masked_fill
** writes into it and leaves it as it is. */
static int fill_masked(locus_plan *p, const locus_value *value, locus_context *cx)
{
  const locus_value input = {.name = "input", .tensor = &p->view};
  locus_value mask = {.name = "mask", .tensor = p->entry[0].tensor};
  locus_tensor copy = {0};

  if (locus_overlap(&p->view, mask.tensor)) {
    LOCUS_TRY(locus_clone(mask.tensor, &copy, cx));
    mask.tensor = &copy;
  }
  int status = locus_masked_fill(&input, &mask, value, &p->view, cx);
  locus_tensor_release(&copy);
  return status;
}

static int put(locus_plan *p, const locus_value *value, bool adds, locus_context *cx)
{
  locus_value source = *value;
  locus_tensor copy = {0};

  if (p->entries == 0) return locus_copy(&p->view, value, cx);
  LOCUS_TRY(locus_detach(&p->view, &source, &copy, cx));
  int status = adds || !masks_all(p) ? scatter(p, &source, adds, cx)
               : locus_value_shape(&source)->ndim == 0
                   ? fill_masked(p, &source, cx)
                   : locus_masked_put(&p->view, p->entry[0].tensor, &source, cx);
  locus_plan_forget(p);
  locus_tensor_release(&copy);
  return status;
}

int locus_index_put(const locus_tensor *to, const locus_pick *picks, int count, int64_t base,
                    const locus_value *value, bool adds, locus_context *cx)
{
  const locus_value input = {.name = "input", .tensor = to};
  locus_value source = *value;
  locus_tensor bare;
  locus_plan p;
  int kind;

  LOCUS_TRY(locus_plan_make(&p, to, picks, count, base, cx));
  LOCUS_TRY(locus_check_writable(to, "input", cx));
  LOCUS_TRY(locus_check_places(to, cx));
  if (adds) LOCUS_TRY(locus_check_added_kind(&input, value, cx));
  else LOCUS_TRY(locus_shared_kind((const locus_value[]){input, *value}, 2, &kind, cx));
  if (value->tensor) { /* leading sizes of 1 are ignored */
    bare = *value->tensor;
    while (bare.shape.ndim > 0 && bare.shape.size[0] == 1) locus_take_one(&bare, 0, 0);
    source.tensor = &bare;
  }
  return put(&p, &source, adds, cx);
}
