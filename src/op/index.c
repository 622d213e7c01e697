/* SPDX-License-Identifier: MIT */
/* t[...]: numbers and ranges make a view, at once; index tensors and masks then read or write
** through it. Every index is checked before an element is touched. */
#include <string.h>

#include "op/op.h"

/* An index tensor or mask, the first dimension of the view it speaks of, and which dimension of
** the caller's tensor that is. */
typedef struct entry {
  const locus_tensor *tensor;
  int dim, source;
} entry;

/* The int64 or int32 positions along one dimension of the view; it holds a reference. */
typedef struct column {
  locus_tensor positions;
  int dim;
} column;

/* What the picks mean. Columns are there once load_columns has been called; forget drops them. */
typedef struct plan {
  locus_tensor view; /* bare: numbers and ranges are done */
  int entries, columns;
  entry entry[LOCUS_MAX_DIMS];
  column column[LOCUS_MAX_DIMS];
} plan;

static int check_mask(const locus_tensor *mask, const locus_tensor *view, int dim,
                      locus_context *cx)
{
  char have[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];
  locus_shape part = {.ndim = mask->shape.ndim};

  memcpy(part.size, view->shape.size + dim, (size_t)part.ndim * sizeof part.size[0]);
  if (locus_shape_equal(&part, &mask->shape)) return 0;
  return locus_fail(cx, "a mask of size %s does not match the size %s it stands for",
                    locus_shape_text(&mask->shape, have), locus_shape_text(&part, want));
}

/* Notes the tensor for later; *dim moves past the dimensions it speaks of. A mask without
** dimensions speaks of a new one of size 1. */
static int take_tensor(plan *p, const locus_tensor *tensor, int *dim, int source,
                       locus_context *cx)
{
  bool mask = tensor->dtype == LOCUS_b8;

  if (mask && tensor->shape.ndim == 0) LOCUS_TRY(locus_take_dim(&p->view, *dim, cx));
  else if (mask) LOCUS_TRY(check_mask(tensor, &p->view, *dim, cx));
  p->entry[p->entries++] = (entry){tensor, *dim, source};
  *dim += mask && tensor->shape.ndim > 1 ? tensor->shape.ndim : 1;
  return 0;
}

static int take_pick(plan *p, const locus_pick *pick, int *dim, int source, locus_context *cx)
{
  int64_t index, size = p->view.shape.size[*dim];
  locus_span span;

  switch (pick->what) {
  case LOCUS_PICK_ALL: ++*dim; break;
  case LOCUS_PICK_ONE:
    if (!locus_position(pick->first, size, &index))
      return locus_fail_position("", pick->first, "", size, source, cx);
    locus_take_one(&p->view, *dim, index);
    break;
  case LOCUS_PICK_RANGE:
    LOCUS_TRY(locus_range_span(pick->first, pick->last, pick->step, size, source, &span, cx));
    locus_take_span(&p->view, (*dim)++, span);
    break;
  case LOCUS_PICK_TENSOR: return take_tensor(p, pick->tensor, dim, source, cx);
  }
  return 0;
}

/* How many of the caller's dimensions a pick speaks of. */
static int reach(const locus_pick *pick)
{
  bool mask = pick->what == LOCUS_PICK_TENSOR && pick->tensor->dtype == LOCUS_b8;
  return mask ? pick->tensor->shape.ndim : 1;
}

static int make_plan(plan *p, const locus_tensor *input, const locus_pick *picks, int count,
                     locus_context *cx)
{
  int dim = 0, source = 0, needed = 0;

  for (int i = 0; i < count; i++) needed += reach(&picks[i]);
  if (needed > input->shape.ndim) {
    char text[LOCUS_SHAPE_TEXT];
    return locus_fail(cx, "%d dimension%s indexed in a tensor of size %s%s", needed,
                      needed == 1 ? " is" : "s are", locus_shape_text(&input->shape, text),
                      input->shape.ndim ? "; ranges are written t[{ {1, 3} }]" : "");
  }
  p->view = *input;
  p->entries = p->columns = 0;
  for (int i = 0; i < count; i++) {
    LOCUS_TRY(take_pick(p, &picks[i], &dim, source, cx));
    source += reach(&picks[i]);
  }
  return 0;
}

/* -- Index tensors ------------------------------------------------------------------------------ */

static void forget(plan *p)
{
  for (int k = 0; k < p->columns; k++) locus_tensor_release(&p->column[k].positions);
  p->columns = 0;
}

/* A mask stands for the columns of its nonzero. */
static int load_mask(plan *p, const entry *e, locus_context *cx)
{
  const locus_value mask = {.name = "mask", .tensor = e->tensor};
  locus_tensor rows = {0};

  LOCUS_TRY(locus_nonzero(&mask, &rows, true, 1, cx));
  for (int d = 0; d < rows.shape.size[1]; d++) {
    column *c = &p->column[p->columns++];
    locus_tensor_alias(&c->positions, &rows);
    c->dim = e->dim + d;
    locus_take_one(&c->positions, 1, d);
  }
  locus_tensor_release(&rows);
  return 0;
}

/* The flat position of the first element that is not in -size..-1 or 1..size, or -1. */
static int find_outside(const locus_tensor *positions, int64_t size, int64_t *found,
                        locus_context *cx)
{
  int64_t zero = -1;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .low = -size, .high = size, .position = found};

  locus_operand_tensor(&job.in, positions, &positions->shape);
  locus_grid_collapse(&job.grid, &positions->shape, (locus_operand *[]){&job.in}, 1);
  const locus_runners *runners = locus_device_runners(locus_tensor_device(positions));
  LOCUS_TRY(runners->find(&job, cx));
  job.what = LOCUS_FIND_ZERO;
  job.position = &zero;
  LOCUS_TRY(runners->find(&job, cx));
  if (zero >= 0 && (*found < 0 || zero < *found)) *found = zero;
  return 0;
}

static int load_positions(plan *p, const entry *e, locus_context *cx)
{
  int64_t size = p->view.shape.size[e->dim], found;
  char where[LOCUS_POSITION_TEXT];
  locus_value bad;

  LOCUS_TRY(find_outside(e->tensor, size, &found, cx));
  if (found >= 0) {
    LOCUS_TRY(locus_read_at(e->tensor, found, &bad, cx));
    locus_position_text(&e->tensor->shape, found, 1, where);
    return locus_fail_position("index ", bad.element.i64, where, size, e->source, cx);
  }
  column *c = &p->column[p->columns++];
  locus_tensor_alias(&c->positions, e->tensor);
  c->dim = e->dim;
  return 0;
}

/* Whatever is already loaded when this fails is for the caller to forget. */
static int load_columns(plan *p, locus_context *cx)
{
  for (int i = 0; i < p->entries; i++) {
    const entry *e = &p->entry[i];
    LOCUS_TRY(e->tensor->dtype == LOCUS_b8 ? load_mask(p, e, cx) : load_positions(p, e, cx));
  }
  return 0;
}

/* The shape that the columns broadcast to. */
static int broadcast_columns(const plan *p, locus_shape *shape, locus_context *cx)
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

/* Spreads the array and the columns over the shape of the result: the dimensions of the columns
** stand where the first indexed dimension stood when all indexed ones are neighbours, else in
** front. */
static int lay_out(const plan *p, locus_index_job *job, locus_shape *shape, locus_context *cx)
{
  const locus_tensor *view = &p->view;
  int first = p->column[0].dim, last = p->column[p->columns - 1].dim, column = 0;
  locus_shape wide;

  LOCUS_TRY(broadcast_columns(p, &wide, cx));
  int front = last - first == p->columns - 1 ? first : 0;
  if (view->shape.ndim - p->columns + wide.ndim > LOCUS_MAX_DIMS)
    return locus_fail(cx, "the result has more than %d dimensions", LOCUS_MAX_DIMS);
  memset(job, 0, sizeof *job);
  job->array.data = view->data;
  job->array.dtype = view->dtype;
  job->indices = p->columns;
  job->base = 1;
  shape->ndim = view->shape.ndim - p->columns + wide.ndim;
  memcpy(shape->size + front, wide.size, (size_t)wide.ndim * sizeof wide.size[0]);
  for (int d = 0, to = front ? 0 : wide.ndim; d < view->shape.ndim; d++) {
    if (column < p->columns && p->column[column].dim == d) {
      locus_index *index = &job->index[column];
      locus_operand at;
      locus_operand_tensor(&at, &p->column[column++].positions, &wide);
      index->at.data = at.data;
      index->at.dtype = at.dtype;
      memcpy(index->at.stride + front, at.stride, (size_t)wide.ndim * sizeof at.stride[0]);
      index->size = view->shape.size[d];
      index->step = view->stride[d];
    } else {
      if (to == front && front) to += wide.ndim;
      shape->size[to] = view->shape.size[d];
      job->array.stride[to++] = view->stride[d];
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

static const locus_runners *runners_of(const plan *p)
{
  return locus_device_runners(locus_tensor_device(&p->view));
}

/* Whether the picks come down to one mask of the view's own size. */
static bool masks_all(const plan *p)
{
  const locus_tensor *mask = p->entry[0].tensor;
  return p->entries == 1 && mask->dtype == LOCUS_b8 && mask->shape.ndim > 0 &&
         mask->shape.ndim == p->view.shape.ndim;
}

/* -- Reading ------------------------------------------------------------------------------------ */

int locus_index_element(const locus_tensor *input, const locus_pick *picks, int count,
                        const void **element, locus_context *cx)
{
  plan p;

  *element = NULL;
  if (count == 0 || count != input->shape.ndim) return 0;
  for (int i = 0; i < count; i++)
    if (picks[i].what != LOCUS_PICK_ONE) return 0;
  LOCUS_TRY(make_plan(&p, input, picks, count, cx));
  *element = p.view.data;
  return 0;
}

static int gather(plan *p, locus_tensor *out, locus_context *cx)
{
  locus_tensor made = {0};
  locus_index_job job;
  locus_shape shape;

  LOCUS_TRY(load_columns(p, cx));
  LOCUS_TRY(lay_out(p, &job, &shape, cx));
  LOCUS_TRY(locus_tensor_new(&made, p->view.dtype, &shape, locus_tensor_device(&p->view), cx));
  locus_operand_tensor(&job.elements, &made, &shape);
  collapse(&job, &shape);
  if (runners_of(p)->gather(&job, cx)) {
    locus_tensor_release(&made);
    return -1;
  }
  locus_tensor_move(out, &made);
  return 0;
}

int locus_index(const locus_tensor *input, const locus_pick *picks, int count, locus_tensor *out,
                locus_context *cx)
{
  plan p;

  LOCUS_TRY(make_plan(&p, input, picks, count, cx));
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
  forget(&p);
  return status;
}

/* -- Writing ------------------------------------------------------------------------------------ */

/* The value as a scalar or a tensor of the view's dtype that shares no bytes with the view; a copy
** made for that is left in `copy`. */
static int detach(const plan *p, locus_value *value, locus_tensor *copy, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;

  if (!tensor || (tensor->dtype == p->view.dtype && !locus_overlap(&p->view, tensor))) return 0;
  LOCUS_TRY(locus_convert(value, p->view.dtype, copy, cx));
  value->tensor = copy;
  return 0;
}

/* Index tensors that share bytes with the view would change while they are read. */
static int detach_columns(plan *p, locus_context *cx)
{
  for (int k = 0; k < p->columns; k++) {
    locus_tensor *positions = &p->column[k].positions, copy = {0};
    if (!locus_overlap(&p->view, positions)) continue;
    LOCUS_TRY(locus_clone(positions, &copy, cx));
    locus_tensor_move(positions, &copy);
  }
  return 0;
}

static int scatter(plan *p, const locus_value *value, locus_context *cx)
{
  char have[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];
  locus_shape shape, both;
  locus_index_job job;

  LOCUS_TRY(load_columns(p, cx));
  LOCUS_TRY(detach_columns(p, cx));
  LOCUS_TRY(lay_out(p, &job, &shape, cx));
  both = shape;
  if (locus_shape_broadcast(&both, locus_value_shape(value)) ||
      !locus_shape_equal(&both, &shape)) {
    return locus_fail(cx, "'%s' of size %s does not broadcast to %s", value->name,
                      locus_shape_text(locus_value_shape(value), have),
                      locus_shape_text(&shape, want));
  }
  LOCUS_TRY(locus_operand_value(&job.elements, value, p->view.dtype, &shape, cx));
  collapse(&job, &shape);
  return runners_of(p)->scatter(&job, cx);
}

/* One number where the mask says so. The view stands for `out` without a reference: masked_fill
** writes into it and leaves it as it is. */
static int fill_masked(plan *p, const locus_value *value, locus_context *cx)
{
  const locus_value input = {.name = "input", .tensor = &p->view};
  locus_value mask = {.name = "mask", .tensor = p->entry[0].tensor};
  locus_tensor copy = {0};

  LOCUS_TRY(detach(p, &mask, &copy, cx));
  int status = locus_masked_fill(&input, &mask, value, &p->view, cx);
  locus_tensor_release(&copy);
  return status;
}

/* Sizes of 1 in front of what the view has dimensions for say nothing. */
static void drop_leading(locus_tensor *bare, int ndim)
{
  while (bare->shape.ndim > ndim && bare->shape.size[0] == 1) locus_take_one(bare, 0, 0);
}

static int put(plan *p, const locus_value *value, locus_context *cx)
{
  locus_value source = *value;
  locus_tensor copy = {0};

  if (p->entries == 0) return locus_copy(&p->view, value, cx);
  if (locus_overlap_self(&p->view))
    return locus_fail(cx, "the tensor has elements that share memory; write to its contiguous()");
  LOCUS_TRY(detach(p, &source, &copy, cx));
  int status = masks_all(p) && locus_value_shape(&source)->ndim == 0
                   ? fill_masked(p, &source, cx)
                   : scatter(p, &source, cx);
  forget(p);
  locus_tensor_release(&copy);
  return status;
}

int locus_index_put(const locus_tensor *to, const locus_pick *picks, int count,
                    const locus_value *value, locus_context *cx)
{
  locus_value source = *value;
  locus_tensor bare;
  plan p;

  LOCUS_TRY(make_plan(&p, to, picks, count, cx));
  if (value->tensor) {
    bare = *value->tensor;
    drop_leading(&bare, p.view.shape.ndim);
    source.tensor = &bare;
  }
  return put(&p, &source, cx);
}
