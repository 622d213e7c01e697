/* SPDX-License-Identifier: MIT */
/* Copying and converting: everything is checked before anything is written. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "op/op.h"

/* Whether `to` cannot hold some value of dtype `from`. */
static bool may_not_fit(locus_dtype from, locus_dtype to)
{
  locus_kind kind = locus_dtype_kind(from);

  if (locus_dtype_kind(to) == LOCUS_FLOAT) return kind == LOCUS_COMPLEX;
  if (locus_dtype_kind(to) != LOCUS_INTEGER) return false;
  if (kind == LOCUS_FLOAT || kind == LOCUS_COMPLEX) return true;
  locus_range have = locus_dtype_range(from), want = locus_dtype_range(to);
  return have.low < want.low || have.high > want.high;
}

const char *locus_position_text(const locus_shape *shape, int64_t flat, int64_t base,
                                char text[LOCUS_POSITION_TEXT])
{
  int64_t index[LOCUS_MAX_DIMS];
  int used = 0;

  for (int d = shape->ndim - 1; d >= 0; d--) {
    index[d] = flat % shape->size[d];
    flat /= shape->size[d];
  }
  text[0] = '\0';
  for (int d = 0; d < shape->ndim && used < LOCUS_POSITION_TEXT - 28; d++)
    used += sprintf(text + used, "%s%" PRId64, d ? "," : " at [", index[d] + base);
  if (used) strcpy(text + used, "]");
  return text;
}

int locus_read_at(const locus_tensor *tensor, int64_t flat, locus_value *value, locus_context *cx)
{
  const int64_t item = locus_dtype_size(tensor->dtype);
  locus_element element;
  int64_t offset = 0;

  for (int d = tensor->shape.ndim - 1; d >= 0; d--) {
    offset += flat % tensor->shape.size[d] * tensor->stride[d];
    flat /= tensor->shape.size[d];
  }
  LOCUS_TRY(locus_device_fetch(locus_tensor_device(tensor), &element, tensor->data + offset * item,
                               item, cx));
  locus_value_load(value, tensor->dtype, &element);
  return 0;
}

/* The runner checks its own copy of the element once more. */
int locus_read_found(const locus_tensor *tensor, int64_t flat, const char *name,
                     const locus_find_job *job, locus_value *value, locus_context *cx)
{
  const locus_shape one = {.ndim = 0};
  char elements[128];
  int64_t found = -1;
  locus_find_job again = {.what = job->what, .low = job->low, .high = job->high};

  LOCUS_TRY(locus_read_at(tensor, flat, value, cx));
  again.position = &found;
  again.in.value = value->element;
  again.in.dtype = value->scalar == LOCUS_SCALAR_NUMBER    ? LOCUS_f64
                   : value->scalar == LOCUS_SCALAR_COMPLEX ? LOCUS_c128
                                                           : LOCUS_i64;
  locus_grid_collapse(&again.grid, &one, (locus_operand *[]){&again.in}, 1);
  LOCUS_TRY(locus_device_runners(LOCUS_CPU, cx)->find(&again, cx));
  if (found == 0) return 0;
  snprintf(elements, sizeof elements, "elements of '%s'", name);
  return locus_fail_changed(cx, elements);
}

static int misfit(const locus_value *value, const locus_find_job *job, int64_t position,
                  locus_dtype dtype, locus_context *cx)
{
  char number[LOCUS_VALUE_TEXT], where[LOCUS_POSITION_TEXT];
  locus_value element = *value;

  LOCUS_TRY(locus_read_found(value->tensor, position, value->name, job, &element, cx));
  return locus_fail(
      cx, "'%s' holds %s%s, which %s cannot hold", value->name, locus_value_text(&element, number),
      locus_position_text(&value->tensor->shape, position, 1, where), locus_dtype_name(dtype));
}

int locus_check_fits(const locus_value *value, locus_dtype dtype, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;
  int64_t position;

  if (!tensor || !may_not_fit(tensor->dtype, dtype)) return 0;
  locus_range range = locus_dtype_range(dtype);
  locus_find_job job = {.low = range.low, .high = range.high, .position = &position};
  job.what = locus_dtype_kind(dtype) == LOCUS_INTEGER ? LOCUS_FIND_OUTSIDE : LOCUS_FIND_COMPLEX;
  locus_operand_tensor(&job.in, tensor, &tensor->shape);
  locus_grid_collapse(&job.grid, &tensor->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(tensor), cx)->find(&job, cx));
  return position < 0 ? 0 : misfit(value, &job, position, dtype, cx);
}

/* Only the range of a scalar is checked. */
int locus_copy_elements(const locus_tensor *to, const locus_value *from, locus_context *cx)
{
  LOCUS_JOB(copy, job, grid);

  locus_operand_tensor(&job.out, to, &to->shape);
  LOCUS_TRY(locus_operand_value(&job.in, from, to->dtype, &to->shape, cx));
  locus_grid_arrange(&job.grid, &to->shape, (locus_operand *[]){&job.out, &job.in}, 2);
  return locus_device_runners(locus_tensor_device(to), cx)->copy(&job, cx);
}

int locus_convert(const locus_value *in, locus_dtype dtype, locus_tensor *out, locus_context *cx)
{
  locus_result result = {0};
  locus_device device = in->tensor ? locus_tensor_device(in->tensor) : LOCUS_CPU;

  LOCUS_TRY(locus_check_fits(in, dtype, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", dtype, locus_value_shape(in), device, cx));
  result.kind = locus_value_kind(in);
  return locus_result_end(&result, locus_copy_elements(result.made, in, cx));
}

/* Devices keep their own order. Only page-locked bytes of the host may still be copied after the
** call returns. */
static bool must_wait(const locus_tensor *tensor, bool wait)
{
  return locus_tensor_device(tensor) == LOCUS_CPU && (wait || !tensor->storage->pinned);
}

/* Copies the bytes of a tensor in C order to another of its dtype and size. */
static int transfer(const locus_tensor *to, const locus_tensor *from, bool wait, locus_context *cx)
{
  const bool waits = must_wait(to, wait) || must_wait(from, wait);
  return locus_device_transfer(locus_tensor_device(to), to->data, locus_tensor_device(from),
                               from->data, to->numel * locus_dtype_size(to->dtype), waits, cx);
}

static int move(const locus_value *in, locus_dtype dtype, locus_device device, bool wait,
                locus_tensor *out, locus_context *cx)
{
  const locus_tensor *from = in->tensor;
  const locus_device home = from ? locus_tensor_device(from) : LOCUS_CPU;
  locus_tensor converted = {0}, made = {0};
  int status;

  if (home == device) return locus_convert(in, dtype, out, cx);
  if (!from || from->dtype != dtype || !locus_tensor_contiguous(from)) {
    LOCUS_TRY(locus_convert(in, dtype, &converted, cx));
    from = &converted;
  }
  const bool pinned = device == LOCUS_CPU && !wait;
  status = pinned ? locus_tensor_new_pinned(&made, dtype, &from->shape, cx)
                  : locus_tensor_new(&made, dtype, &from->shape, device, cx);
  if (status == 0) status = transfer(&made, from, wait, cx);
  locus_tensor_release(&converted);
  if (status == 0) locus_tensor_set_kind(&made, locus_value_kind(in));
  if (status == 0) locus_tensor_move(out, &made);
  else locus_tensor_release(&made);
  return status;
}

int locus_move_to(const locus_value *in, locus_dtype dtype, locus_device device, locus_tensor *out,
                  locus_context *cx)
{
  return move(in, dtype, device, true, out, cx);
}

int locus_move_unwaited(const locus_value *in, locus_dtype dtype, locus_device device,
                        locus_tensor *out, locus_context *cx)
{
  return move(in, dtype, device, false, out, cx);
}

int locus_pin(const locus_tensor *in, locus_tensor *out, locus_context *cx)
{
  const locus_value source = {.name = "input", .tensor = in};

  if (locus_tensor_device(in) != LOCUS_CPU) {
    return locus_fail(cx, "'input' is on %s, but only memory of the CPU can be page-locked",
                      locus_device_name(locus_tensor_device(in)));
  }
  LOCUS_TRY(locus_tensor_new_pinned(out, in->dtype, &in->shape, cx));
  locus_tensor_set_kind(out, in->kind);
  return locus_copy_elements(out, &source, cx);
}

static int check_copy(const locus_tensor *to, const locus_value *from, locus_context *cx)
{
  locus_shape shape = to->shape;
  char want[LOCUS_SHAPE_TEXT], got[LOCUS_SHAPE_TEXT];

  const locus_value both[] = {{.name = "input", .tensor = to}, *from};
  int kind;

  LOCUS_TRY(locus_check_writable(to, "input", cx));
  LOCUS_TRY(locus_shared_kind(both, 2, &kind, cx));
  if (locus_shape_broadcast(&shape, locus_value_shape(from)) ||
      !locus_shape_equal(&shape, &to->shape)) {
    return locus_fail(cx, "'%s' of size %s does not broadcast to %s", from->name,
                      locus_shape_text(locus_value_shape(from), got),
                      locus_shape_text(&to->shape, want));
  }
  if (locus_overlap_self(to)) {
    return locus_fail(cx, "'input' has elements that share memory; write to its contiguous()");
  }
  return locus_check_fits(from, to->dtype, cx);
}

/* Whether the bytes can go from one device to the other without a change of layout. */
static bool same_bytes(const locus_tensor *to, const locus_tensor *from)
{
  return from->dtype == to->dtype && locus_shape_equal(&to->shape, &from->shape) &&
         locus_tensor_contiguous(to) && locus_tensor_contiguous(from);
}

static int copy(const locus_tensor *to, const locus_value *from, bool wait, locus_context *cx)
{
  const locus_device device = locus_tensor_device(to);
  locus_tensor moved = {0};
  locus_value source = *from;

  LOCUS_TRY(check_copy(to, from, cx));
  const bool apart = from->tensor && locus_tensor_device(from->tensor) != device;
  if (apart && same_bytes(to, from->tensor)) return transfer(to, from->tensor, wait, cx);
  if (apart || (from->tensor && locus_overlap(to, from->tensor))) {
    LOCUS_TRY(move(from, to->dtype, device, wait, &moved, cx));
    source.tensor = &moved;
  }
  int status = locus_copy_elements(to, &source, cx);
  locus_tensor_release(&moved);
  return status;
}

int locus_copy(const locus_tensor *to, const locus_value *from, locus_context *cx)
{
  return copy(to, from, true, cx);
}

int locus_copy_unwaited(const locus_tensor *to, const locus_value *from, locus_context *cx)
{
  return copy(to, from, false, cx);
}
