/* SPDX-License-Identifier: MIT */
/* The rules of `out`. */
#include "op/ground/result.h"

#include <string.h>

#include "core/memory.h"

int locus_check_writable(const locus_tensor *to, const char *name, locus_context *cx)
{
  if (!to->storage || !to->storage->readonly) return 0;
  return locus_fail(cx, "'%s' is read-only; write to its clone()", name);
}

int locus_result_check(const locus_tensor *out, const char *name, locus_dtype dtype,
                       locus_device device, locus_context *cx)
{
  if (!out->storage) return 0;
  LOCUS_TRY(locus_check_writable(out, name, cx));
  if (out->dtype != dtype) {
    return locus_fail(cx, "'%s' must be %s, got %s", name, locus_dtype_name(dtype),
                      locus_dtype_name(out->dtype));
  }
  if (locus_tensor_device(out) != device) {
    return locus_fail(cx, "'%s' must be on %s, got %s", name, locus_device_name(device),
                      locus_device_name(locus_tensor_device(out)));
  }
  if (locus_overlap_self(out)) {
    return locus_fail(cx, "'%s' has elements that share memory; write %s:contiguous()", name, name);
  }
  return 0;
}

/* `made` becomes a view of out's whole storage, if that has room and no other view. */
static bool reuse(locus_tensor *made, const locus_tensor *out, const locus_shape *shape,
                  int64_t numel)
{
  locus_storage *storage = out->storage;

  if (!storage || storage->foreign || !locus_storage_single(storage)) return false;
  if (storage->bytes < numel * locus_dtype_size(out->dtype)) return false;
  locus_tensor_alias(made, out);
  made->data = storage->data;
  made->numel = numel;
  locus_shape_copy(&made->shape, shape);
  locus_shape_strides(shape, made->stride);
  return true;
}

/* A tensor beside `out`, whose place it takes at the end. */
static int make_beside(locus_result *result, locus_dtype dtype, const locus_shape *shape,
                       locus_device device, locus_context *cx)
{
  int64_t numel;
  locus_tensor *made = locus_memory_alloc(sizeof *made);

  if (!made) return locus_fail_memory(cx, sizeof *made);
  locus_tensor_clear(made);
  int status = locus_shape_numel(shape, dtype, &numel, cx);
  if (status == 0 && !reuse(made, result->out, shape, numel))
    status = locus_tensor_new(made, dtype, shape, device, cx);
  if (status == 0) result->made = made;
  else locus_memory_free(made, sizeof *made);
  return status;
}

/* A tensor made for the result, in C order or with the given steps. */
static int make(locus_result *result, locus_dtype dtype, const locus_shape *shape,
                const int64_t *steps, locus_device device, locus_context *cx)
{
  if (result->fresh) {
    LOCUS_TRY(locus_tensor_new(result->out, dtype, shape, device, cx));
    result->made = result->out;
  } else {
    LOCUS_TRY(make_beside(result, dtype, shape, device, cx));
  }
  if (steps) memcpy(result->made->stride, steps, (size_t)shape->ndim * sizeof *steps);
  return 0;
}

/* Checks `out`, which becomes `made` where it has the size already. */
static int prepare(locus_result *result, locus_tensor *out, const char *name, locus_dtype dtype,
                   const locus_shape *shape, locus_device device, locus_context *cx)
{
  *result = (locus_result){.out = out, .fresh = !out->storage};
  if (result->fresh) return 0;
  LOCUS_TRY(locus_result_check(out, name, dtype, device, cx));
  if (locus_shape_equal(&out->shape, shape)) result->made = out;
  return 0;
}

int locus_result_resize(locus_result *result, locus_tensor *out, const char *name,
                        locus_dtype dtype, const locus_shape *shape, const int64_t *steps,
                        locus_device device, locus_context *cx)
{
  LOCUS_TRY(prepare(result, out, name, dtype, shape, device, cx));
  return result->made ? 0 : make(result, dtype, shape, steps, device, cx);
}

int locus_result_begin(locus_result *result, locus_tensor *out, const char *name, locus_dtype dtype,
                       const locus_shape *shape, locus_device device, locus_context *cx)
{
  char want[LOCUS_SHAPE_TEXT], got[LOCUS_SHAPE_TEXT];

  LOCUS_TRY(prepare(result, out, name, dtype, shape, device, cx));
  if (result->made) return 0;
  if (result->fresh || out->numel == 0) return make(result, dtype, shape, NULL, device, cx);
  return locus_fail(cx, "'%s' must be of size %s, got %s", name, locus_shape_text(shape, want),
                    locus_shape_text(&out->shape, got));
}

static bool same_view(const locus_tensor *a, const locus_tensor *b)
{
  if (a->data != b->data || a->dtype != b->dtype) return false;
  if (!locus_shape_equal(&a->shape, &b->shape)) return false;
  for (int d = 0; d < a->shape.ndim; d++)
    if (a->shape.size[d] > 1 && a->stride[d] != b->stride[d]) return false;
  return true;
}

int locus_result_apart(const locus_tensor *out, const char *name, const locus_value *input,
                       bool same_ok, locus_context *cx)
{
  const locus_tensor *in = input->tensor;

  if (!out->storage || !in || locus_storage_apart(out->storage, in->storage)) return 0;
  if ((same_ok && same_view(out, in)) || !locus_overlap(out, in)) return 0;
  return locus_fail(cx, "'%s' overlaps '%s' in memory; give a separate tensor", name, input->name);
}

int locus_result_end(locus_result *result, int status)
{
  locus_tensor *made = result->made;

  if (!made) return status;
  if (status == 0) locus_tensor_set_kind(made, result->kind);
  if (made == result->out) {
    if (status && result->fresh) locus_tensor_release(made);
    return status;
  }
  if (status == 0) locus_tensor_move(result->out, made);
  else locus_tensor_release(made);
  locus_memory_free(made, sizeof *made);
  return status;
}

int locus_result_begin_pair(locus_result pair[2], locus_tensor *const outs[2],
                            const locus_dtype dtypes[2], const locus_shape *shape,
                            const locus_value *input, locus_context *cx)
{
  static const char *const names[] = {"out[1]", "out[2]"};
  const bool both = outs[0] && outs[1];
  const locus_value first = {.name = names[0], .tensor = outs[0]};
  locus_device device = locus_value_device(input, cx);
  int status = 0;

  pair[0] = pair[1] = (locus_result){0};
  if (both && outs[0] == outs[1]) return locus_fail(cx, "'out' holds the same tensor twice");
  if (both) status = locus_result_apart(outs[1], names[1], &first, false, cx);
  for (int i = 0; i < 2 && status == 0; i++) {
    const char *name = both ? names[i] : "out";
    if (!outs[i]) continue;
    status = locus_result_apart(outs[i], name, input, false, cx);
    if (status == 0)
      status = locus_result_begin(&pair[i], outs[i], name, dtypes[i], shape, device, cx);
  }
  return status == 0 ? 0 : locus_result_end_pair(pair, status);
}

int locus_result_end_pair(locus_result pair[2], int status)
{
  locus_result_end(&pair[0], status);
  return locus_result_end(&pair[1], status);
}
