/* SPDX-License-Identifier: MIT */
/* nonzero, nonzero_static, count_nonzero, masked_select, writing through a mask, and runs: a mask
** job reads the input into bits and counts them; a second job uses the bits. */
#include "core/memory.h"
#include "op/op.h"

/* The bits of a mask job, the number set before each chunk, and their source. */
typedef struct found {
  locus_device device;
  int64_t numel, bytes, count;
  uint64_t *bits;
  int64_t *first;
  uint64_t few[66]; /* of a small tensor on the CPU */
} found;

static void forget(found *f)
{
  if (f->bits != f->few) locus_device_free(f->device, f->bits, f->bytes);
}

/* The sought elements: elements that are nonzero, or those at which runs of equal ones begin. */
typedef enum sought { NONZERO, STARTS } sought;

/* The count is found only on request; without it a device need not be waited for. */
static int find(found *f, sought what, const locus_tensor *tensor, const locus_shape *shape,
                bool counted, locus_context *cx)
{
  LOCUS_JOB(mask, job, grid);
  void *block = f->few;

  LOCUS_TRY(locus_shape_numel(shape, tensor->dtype, &f->numel, cx));
  const int64_t words = (f->numel + 63) / 64, chunks = locus_chunks(f->numel);
  job.count = counted ? &f->count : NULL;
  locus_operand_tensor(&job.in, tensor, shape);
  locus_grid_collapse(&job.grid, shape, (locus_operand *[]){&job.in}, 1);
  f->device = locus_tensor_device(tensor);
  f->bytes = (words + chunks + 1) * 8;
  if (f->device != LOCUS_CPU || f->bytes > (int64_t)sizeof f->few)
    LOCUS_TRY(locus_device_alloc(f->device, f->bytes, &block, cx));
  job.bits = f->bits = block;
  job.first = f->first = (int64_t *)block + words;
  const locus_runners *runners = locus_device_runners(f->device, cx);
  if ((what == STARTS ? runners->starts : runners->mask)(&job, cx) == 0) return 0;
  forget(f);
  return -1;
}

static int emit(const found *f, const locus_shape *shape, const locus_tensor *out, int64_t limit,
                int64_t base, locus_context *cx)
{
  LOCUS_JOB(nonzero, job, shape);

  job.numel = f->numel;
  job.bits = f->bits;
  job.first = f->first;
  job.out = (int64_t *)out->data;
  job.row_stride = out->stride[0];
  job.dim_stride = out->stride[1];
  job.limit = limit;
  job.base = base;
  locus_shape_copy(&job.shape, shape);
  return locus_device_runners(f->device, cx)->nonzero(&job, cx);
}

int locus_nonzero(const locus_value *input, locus_tensor *out, bool as_columns, int64_t base,
                  locus_context *cx)
{
  locus_shape shape, rows;
  locus_result result = {0};
  found f;

  locus_shape_copy(&shape, &input->tensor->shape);
  if (as_columns && shape.ndim == 0) {
    shape.ndim = 1;
    shape.size[0] = 1;
  }
  LOCUS_TRY(locus_result_check(out, "out", LOCUS_i64, locus_tensor_device(input->tensor), cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(find(&f, NONZERO, input->tensor, &shape, true, cx));
  int64_t columns[] = {1, f.count > 0 ? f.count : 1};
  rows.ndim = 2;
  rows.size[0] = f.count;
  rows.size[1] = shape.ndim;
  int status = locus_result_resize(&result, out, "out", LOCUS_i64, &rows, columns, f.device, cx);
  if (status == 0) status = emit(&f, &shape, result.made, f.count, base, cx);
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
  if (find(&f, NONZERO, input->tensor, shape, false, cx)) return locus_result_end(&result, -1);
  int status = locus_copy(result.made, &fill, cx);
  if (status == 0) status = emit(&f, shape, result.made, size, base, cx);
  forget(&f);
  return locus_result_end(&result, status);
}

/* Elements are visited in memory order; those that an expanded view repeats are visited once. */
int locus_count_nonzero(const locus_tensor *input, int64_t *count, locus_context *cx)
{
  locus_count_job job = {.count = count};
  locus_shape shape = input->shape;
  int64_t repeats = 1;

  *count = 0;
  if (input->numel == 0) return 0;
  locus_operand_tensor(&job.in, input, &shape);
  for (int d = 0; d < shape.ndim; d++)
    if (job.in.stride[d] == 0) repeats *= shape.size[d], shape.size[d] = 1;
  locus_grid_arrange(&job.grid, &shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(input), cx)->count_nonzero(&job, cx));
  *count *= repeats;
  return 0;
}

/* -- Selection --------------------------------------------------------------------------------- */

/* Between `array`, seen through the shape that the bits came from, and one element per set bit. */
static locus_select_job selection(const found *f, const locus_tensor *array,
                                  const locus_shape *shape, const locus_tensor *elements)
{
  locus_select_job job = {.bits = f->bits, .first = f->first, .elements = elements->data};

  job.step = elements->stride[0];
  locus_operand_tensor(&job.array, array, shape);
  locus_grid_collapse(&job.grid, shape, (locus_operand *[]){&job.array}, 1);
  return job;
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
  LOCUS_TRY(locus_check_device(mask, input, cx));
  if (locus_shape_broadcast(&shape, &mask->tensor->shape)) {
    return locus_fail(cx, "'mask' of size %s does not broadcast with 'input' of size %s",
                      locus_shape_text(&mask->tensor->shape, a), locus_shape_text(&in->shape, b));
  }
  LOCUS_TRY(locus_result_check(out, "out", in->dtype, locus_tensor_device(in), cx));
  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(locus_result_apart(out, "out", mask, false, cx));
  LOCUS_TRY(find(&f, NONZERO, mask->tensor, &shape, true, cx));
  locus_shape chosen = {.ndim = 1, .size = {f.count}};
  int status = locus_result_resize(&result, out, "out", in->dtype, &chosen, NULL, f.device, cx);
  result.kind = in->kind;
  if (status == 0) {
    const locus_select_job job = selection(&f, in, &shape, result.made);
    status = locus_device_runners(f.device, cx)->masked_select(&job, cx);
  }
  forget(&f);
  return locus_result_end(&result, status);
}

int locus_masked_put(const locus_tensor *to, const locus_tensor *mask, const locus_value *value,
                     locus_context *cx)
{
  const locus_shape *shape = locus_value_shape(value);
  char text[LOCUS_SHAPE_TEXT];
  int status;
  found f;

  LOCUS_TRY(find(&f, NONZERO, mask, &to->shape, true, cx));
  if (shape->ndim == 1 && shape->size[0] == f.count) {
    const locus_select_job job = selection(&f, to, &to->shape, value->tensor);
    status = locus_device_runners(f.device, cx)->masked_scatter(&job, cx);
  } else {
    status = locus_fail(cx, "'%s' of size %s does not broadcast to %lld", value->name,
                        locus_shape_text(shape, text), (long long)f.count);
  }
  forget(&f);
  return status;
}

/* -- Runs -------------------------------------------------------------------------------------- */

/* The results of locus_runs, in its order. */
enum { VALUES, BEGINS, LENGTHS, NUMBERS, RESULTS };

static int begin_runs(locus_result results[RESULTS], locus_tensor *const outs[RESULTS],
                      const locus_tensor *in, int64_t count, locus_context *cx)
{
  const locus_device device = locus_tensor_device(in);

  for (int i = 0; i < RESULTS; i++) {
    const locus_shape shape = {.ndim = 1, .size = {i == NUMBERS ? in->numel : count}};
    const locus_dtype dtype = i == VALUES ? in->dtype : LOCUS_i64;
    if (outs[i])
      LOCUS_TRY(locus_result_begin(&results[i], outs[i], "out", dtype, &shape, device, cx));
  }
  return 0;
}

static int64_t *positions(const locus_result *result)
{
  return result->made ? (int64_t *)result->made->data : NULL;
}

int locus_runs(const locus_value *input, locus_tensor *const outs[RESULTS], int64_t base,
               locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  locus_result results[RESULTS] = {{0}};
  found f;

  if (in->shape.ndim != 1 || !locus_tensor_contiguous(in))
    return locus_fail(cx, "'%s' must be 1-D and contiguous", input->name);
  LOCUS_TRY(find(&f, STARTS, in, &in->shape, true, cx));
  int status = begin_runs(results, outs, in, f.count, cx);
  results[VALUES].kind = in->kind;
  if (status == 0) {
    const locus_runs_job job = {.n = in->numel,
                                .count = f.count,
                                .elements = in->data,
                                .dtype = in->dtype,
                                .bits = f.bits,
                                .first = f.first,
                                .begins = positions(&results[BEGINS]),
                                .lengths = positions(&results[LENGTHS]),
                                .numbers = positions(&results[NUMBERS]),
                                .values = results[VALUES].made->data,
                                .base = base};
    status = locus_device_runners(f.device, cx)->runs(&job, cx);
  }
  for (int i = 0; i < RESULTS; i++) locus_result_end(&results[i], status);
  forget(&f);
  return status;
}
