/* SPDX-License-Identifier: MIT */
/* nonzero, nonzero_static, masked_select: a mask job reads the input into bits and counts; a
** second job emits from the bits. */
#include "core/memory.h"
#include "op/op.h"

/* The bits of a mask job, and where they came from. */
typedef struct found {
  const locus_runners *runners;
  locus_device device;
  int64_t words, numel, count;
  void *bits;
} found;

static int find_nonzero(found *f, const locus_tensor *tensor, const locus_shape *shape,
                        locus_context *cx)
{
  locus_mask_job job = {.count = &f->count};

  LOCUS_TRY(locus_shape_numel(shape, tensor->dtype, &f->numel, cx));
  locus_operand_tensor(&job.in, tensor, shape);
  locus_grid_collapse(&job.grid, shape, (locus_operand *[]){&job.in}, 1);
  f->device = locus_tensor_device(tensor);
  f->runners = locus_device_runners(f->device);
  f->words = (f->numel + 63) / 64;
  LOCUS_TRY(locus_device_alloc(f->device, f->words * 8, &f->bits, cx));
  job.bits = f->bits;
  if (f->runners->mask(&job, cx) == 0) return 0;
  locus_device_free(f->device, f->bits, f->words * 8);
  return -1;
}

static void forget(found *f)
{
  locus_device_free(f->device, f->bits, f->words * 8);
}

static int emit(const found *f, const locus_shape *shape, const locus_tensor *out, int64_t limit,
                int64_t base, locus_context *cx)
{
  locus_nonzero_job job = {
      .shape = *shape,
      .numel = f->numel,
      .bits = f->bits,
      .out = (int64_t *)out->data,
      .row_stride = out->stride[0],
      .dim_stride = out->stride[1],
      .limit = limit,
      .base = base,
  };
  return f->runners->nonzero(&job, cx);
}

int locus_nonzero(const locus_value *input, locus_tensor *out, bool as_columns, int64_t base,
                  locus_context *cx)
{
  locus_shape shape = input->tensor->shape;
  locus_result result = {0};
  found f;

  if (as_columns && shape.ndim == 0) {
    shape.ndim = 1;
    shape.size[0] = 1;
  }
  LOCUS_TRY(locus_result_check(out, "out", LOCUS_i64, locus_tensor_device(input->tensor), cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(find_nonzero(&f, input->tensor, &shape, cx));
  int64_t columns[] = {1, f.count > 0 ? f.count : 1};
  locus_shape rows = {.ndim = 2, .size = {f.count, shape.ndim}};
  int status = locus_result_resize(&result, out, "out", LOCUS_i64, &rows, columns, f.device, cx);
  if (status == 0) status = emit(&f, &shape, &result.made, f.count, base, cx);
  forget(&f);
  return locus_result_end(&result, status);
}

int locus_nonzero_static(const locus_value *input, int64_t size, int64_t fill_value,
                         locus_tensor *out, int64_t base, locus_context *cx)
{
  const locus_shape *shape = &input->tensor->shape;
  locus_shape rows = {.ndim = 2, .size = {size, shape->ndim}};
  locus_value fill = {.name = "fill_value", .scalar = LOCUS_SCALAR_INT64};
  locus_result result = {0};
  found f;

  fill.element.i64 = fill_value;
  if (size < 0) return locus_fail(cx, "'size' must not be negative, got %lld", (long long)size);
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_begin(&result, out, "out", LOCUS_i64, &rows,
                               locus_tensor_device(input->tensor), cx));
  if (find_nonzero(&f, input->tensor, shape, cx)) return locus_result_end(&result, -1);
  int status = locus_copy(&result.made, &fill, cx);
  if (status == 0) status = emit(&f, shape, &result.made, size, base, cx);
  forget(&f);
  return locus_result_end(&result, status);
}

int locus_masked_select(const locus_value *input, const locus_value *mask, locus_tensor *out,
                        locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_shape shape = in->shape;
  locus_result result = {0};
  char a[LOCUS_SHAPE_TEXT], b[LOCUS_SHAPE_TEXT];
  found f;

  if (mask->tensor->dtype != LOCUS_b8) {
    return locus_fail(cx, "'mask' must be bool, got %s; write mask:ne(0)",
                      locus_dtype_name(mask->tensor->dtype));
  }
  if (locus_shape_broadcast(&shape, &mask->tensor->shape)) {
    return locus_fail(cx, "'mask' of size %s does not broadcast with 'input' of size %s",
                      locus_shape_text(&mask->tensor->shape, a), locus_shape_text(&in->shape, b));
  }
  LOCUS_TRY(locus_result_check(out, "out", in->dtype, locus_tensor_device(in), cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_apart(out, "out", mask, false, cx));
  LOCUS_TRY(find_nonzero(&f, mask->tensor, &shape, cx));
  locus_shape chosen = {.ndim = 1, .size = {f.count}};
  int status = locus_result_resize(&result, out, "out", in->dtype, &chosen, NULL, f.device, cx);
  if (status == 0) {
    locus_select_job job = {.bits = f.bits, .out = result.made.data};
    job.out_step = result.made.stride[0];
    locus_operand_tensor(&job.in, in, &shape);
    locus_grid_collapse(&job.grid, &shape, (locus_operand *[]){&job.in}, 1);
    status = f.runners->masked_select(&job, cx);
  }
  forget(&f);
  return locus_result_end(&result, status);
}
