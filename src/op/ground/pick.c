/* SPDX-License-Identifier: MIT */
/* Evaluates picks. Only masks and index tensors are read; every index in them is checked. */
#include "op/ground/pick.h"

#include <string.h>

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

static int check_device(const locus_tensor *tensor, const locus_tensor *view, locus_context *cx)
{
  const locus_device got = locus_tensor_device(tensor), want = locus_tensor_device(view);

  if (got == want) return 0;
  return locus_fail(cx, "the %s is on %s, but 'input' is on %s",
                    tensor->dtype == LOCUS_b8 ? "mask" : "index tensor", locus_device_name(got),
                    locus_device_name(want));
}

/* Notes the tensor for later; *dim moves past the dimensions that it indexes. A mask without
** dimensions indexes a new one of size 1. */
static int take_tensor(locus_plan *p, const locus_tensor *tensor, int *dim, int source,
                       locus_context *cx)
{
  bool mask = tensor->dtype == LOCUS_b8;

  LOCUS_TRY(check_device(tensor, &p->view, cx));
  if (mask && tensor->shape.ndim == 0) LOCUS_TRY(locus_take_dim(&p->view, *dim, cx));
  else if (mask) LOCUS_TRY(check_mask(tensor, &p->view, *dim, cx));
  p->entry[p->entries++] = (locus_plan_entry){tensor, *dim, source};
  *dim += mask && tensor->shape.ndim > 1 ? tensor->shape.ndim : 1;
  return 0;
}

static int take_pick(locus_plan *p, const locus_pick *pick, int *dim, int source, locus_context *cx)
{
  int64_t index, size = *dim < p->view.shape.ndim ? p->view.shape.size[*dim] : 0;
  locus_span span;

  switch (pick->what) {
  case LOCUS_PICK_ALL: ++*dim; break;
  case LOCUS_PICK_ONE:
    if (!locus_position(pick->first, size, p->base, &index))
      return locus_fail_position("", pick->first, "", size, source, p->base, cx);
    locus_take_one(&p->view, *dim, index);
    break;
  case LOCUS_PICK_RANGE:
    LOCUS_TRY(
        locus_range_span(pick->first, pick->last, pick->step, size, source, p->base, &span, cx));
    locus_take_span(&p->view, (*dim)++, span);
    break;
  case LOCUS_PICK_TENSOR: return take_tensor(p, pick->tensor, dim, source, cx);
  }
  return 0;
}

/* The number of the caller's dimensions that a pick indexes. */
static int reach(const locus_pick *pick)
{
  bool mask = pick->what == LOCUS_PICK_TENSOR && pick->tensor->dtype == LOCUS_b8;
  return mask ? pick->tensor->shape.ndim : 1;
}

int locus_plan_make(locus_plan *p, const locus_tensor *input, const locus_pick *picks, int count,
                    int64_t base, locus_context *cx)
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
  p->base = base;
  p->entries = p->columns = 0;
  p->forward = true;
  for (int i = 0; i < count; i++) {
    LOCUS_TRY(take_pick(p, &picks[i], &dim, source, cx));
    source += reach(&picks[i]);
  }
  return 0;
}

void locus_plan_forget(locus_plan *p)
{
  for (int k = 0; k < p->columns; k++) locus_tensor_release(&p->column[k].positions);
  p->columns = 0;
}

/* A mask becomes the columns of its nonzero. */
static int load_mask(locus_plan *p, const locus_plan_entry *e, locus_context *cx)
{
  const locus_value mask = {.name = "mask", .tensor = e->tensor};
  locus_tensor rows = {0};

  LOCUS_TRY(locus_nonzero(&mask, &rows, true, p->base, cx));
  for (int d = 0; d < rows.shape.size[1]; d++) {
    locus_plan_column *c = &p->column[p->columns++];
    locus_tensor_alias(&c->positions, &rows);
    c->dim = e->dim + d;
    locus_take_one(&c->positions, 1, d);
  }
  locus_tensor_release(&rows);
  return 0;
}

/* The flat position of the first element that is not in -size..-1 or base..size - 1 + base, or
** -1. Mostly none is negative, which one test shows. */
static int find_outside(const locus_tensor *positions, int64_t size, int64_t base, int64_t *found,
                        bool *forward, locus_context *cx)
{
  int64_t zero = -1;
  locus_find_job job = {
      .what = LOCUS_FIND_OUTSIDE, .low = base, .high = size - 1 + base, .position = found};

  locus_operand_tensor(&job.in, positions, &positions->shape);
  locus_grid_collapse(&job.grid, &positions->shape, (locus_operand *[]){&job.in}, 1);
  const locus_runners *runners = locus_device_runners(locus_tensor_device(positions), cx);
  LOCUS_TRY(runners->find(&job, cx));
  *forward = *found < 0;
  if (*forward) return 0;
  job.low = -size;
  LOCUS_TRY(runners->find(&job, cx));
  if (base == 0) return 0;
  job.what = LOCUS_FIND_ZERO;
  job.position = &zero;
  LOCUS_TRY(runners->find(&job, cx));
  if (zero >= 0 && (*found < 0 || zero < *found)) *found = zero;
  return 0;
}

int locus_check_indices(const locus_tensor *positions, int64_t size, int dim, int64_t base,
                        bool *forward, locus_context *cx)
{
  char where[LOCUS_POSITION_TEXT];
  int64_t found, place;
  locus_value bad;

  LOCUS_TRY(find_outside(positions, size, base, &found, forward, cx));
  if (found < 0) return 0;
  LOCUS_TRY(locus_read_at(positions, found, &bad, cx));
  if (locus_position(bad.element.i64, size, base, &place))
    return locus_fail_changed(cx, "positions");
  locus_position_text(&positions->shape, found, base, where);
  return locus_fail_position("index ", bad.element.i64, where, size, dim, base, cx);
}

static int load_positions(locus_plan *p, const locus_plan_entry *e, locus_context *cx)
{
  const int64_t size = p->view.shape.size[e->dim];
  bool forward;

  LOCUS_TRY(locus_check_indices(e->tensor, size, e->source, p->base, &forward, cx));
  p->forward &= forward;
  locus_plan_column *c = &p->column[p->columns++];
  locus_tensor_alias(&c->positions, e->tensor);
  c->dim = e->dim;
  return 0;
}

int locus_plan_load(locus_plan *p, locus_context *cx)
{
  for (int i = 0; i < p->entries; i++) {
    const locus_plan_entry *e = &p->entry[i];
    LOCUS_TRY(e->tensor->dtype == LOCUS_b8 ? load_mask(p, e, cx) : load_positions(p, e, cx));
  }
  return 0;
}
