/* SPDX-License-Identifier: MIT */
/* Making, sharing and dropping views. */
#include "core/tensor.h"

void locus_tensor_clear(locus_tensor *tensor)
{
  tensor->data = NULL;
  tensor->storage = NULL;
  tensor->numel = 0;
  tensor->dtype = LOCUS_b8;
  tensor->direct = LOCUS_INDIRECT;
  tensor->kind = LOCUS_KIND_none;
  tensor->shape.ndim = 0;
}

void locus_tensor_copy(locus_tensor *to, const locus_tensor *from)
{
  to->data = from->data;
  to->storage = from->storage;
  to->numel = from->numel;
  to->dtype = from->dtype;
  to->direct = from->direct;
  to->kind = from->kind;
  locus_shape_copy(&to->shape, &from->shape);
  for (int d = 0; d < from->shape.ndim; d++) to->stride[d] = from->stride[d];
}

static locus_direct direct_to(const locus_storage *storage)
{
  if (storage->device != LOCUS_CPU) return LOCUS_INDIRECT;
  return storage->readonly ? LOCUS_DIRECT_READ : LOCUS_DIRECT;
}

void locus_tensor_set_kind(locus_tensor *tensor, int kind)
{
  const int held = tensor->dtype == LOCUS_i64 ? kind : LOCUS_KIND_none;

  if (held == tensor->kind) return;
  tensor->kind = (int16_t)held;
  tensor->direct = (int16_t)(held ? LOCUS_INDIRECT : direct_to(tensor->storage));
}

static void see_whole(locus_tensor *tensor, locus_storage *storage, locus_dtype dtype,
                      const locus_shape *shape, int64_t numel)
{
  tensor->data = storage->data;
  tensor->storage = storage;
  tensor->numel = numel;
  tensor->dtype = dtype;
  tensor->direct = (int16_t)direct_to(storage);
  tensor->kind = LOCUS_KIND_none;
  locus_shape_copy(&tensor->shape, shape);
  locus_shape_strides(shape, tensor->stride);
}

int locus_tensor_new(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                     locus_device device, locus_context *cx)
{
  int64_t numel;
  locus_storage *storage;

  LOCUS_TRY(locus_shape_numel(shape, dtype, &numel, cx));
  LOCUS_TRY(locus_storage_new(device, numel * locus_dtype_size(dtype), &storage, cx));
  see_whole(tensor, storage, dtype, shape, numel);
  return 0;
}

int locus_tensor_resize(locus_tensor *tensor, int64_t size, locus_context *cx)
{
  const locus_shape shape = {.ndim = 1, .size = {size}};
  int64_t numel;

  LOCUS_TRY(locus_shape_numel(&shape, tensor->dtype, &numel, cx));
  LOCUS_TRY(locus_storage_resize(&tensor->storage, numel * locus_dtype_size(tensor->dtype), cx));
  const int kind = tensor->kind;
  see_whole(tensor, tensor->storage, tensor->dtype, &shape, numel);
  locus_tensor_set_kind(tensor, kind);
  return 0;
}

int locus_tensor_new_pinned(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                            locus_context *cx)
{
  int64_t numel;
  locus_storage *storage;

  LOCUS_TRY(locus_shape_numel(shape, dtype, &numel, cx));
  LOCUS_TRY(locus_storage_new_pinned(numel * locus_dtype_size(dtype), &storage, cx));
  see_whole(tensor, storage, dtype, shape, numel);
  return 0;
}

int locus_tensor_wrap(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                      const locus_loan *loan, locus_context *cx)
{
  int64_t numel;
  locus_storage *storage;

  LOCUS_TRY(locus_shape_numel(shape, dtype, &numel, cx));
  LOCUS_TRY(locus_storage_wrap(loan, numel * locus_dtype_size(dtype), &storage, cx));
  see_whole(tensor, storage, dtype, shape, numel);
  return 0;
}

void locus_tensor_alias(locus_tensor *view, const locus_tensor *tensor)
{
  locus_tensor_copy(view, tensor);
  locus_storage_retain(view->storage);
}

void locus_tensor_release(locus_tensor *tensor)
{
  locus_storage_release(tensor->storage);
  tensor->storage = NULL;
  tensor->data = NULL;
  tensor->direct = LOCUS_INDIRECT;
}

void locus_tensor_move(locus_tensor *to, locus_tensor *from)
{
  locus_storage *old = to->storage;
  locus_tensor_copy(to, from);
  from->storage = NULL;
  from->data = NULL;
  locus_storage_release(old);
}

bool locus_tensor_contiguous(const locus_tensor *tensor)
{
  int64_t step = 1;

  if (tensor->numel == 0) return true;
  for (int d = tensor->shape.ndim - 1; d >= 0; d--) {
    if (tensor->shape.size[d] == 1) continue;
    if (tensor->stride[d] != step) return false;
    step *= tensor->shape.size[d];
  }
  return true;
}

locus_extent locus_tensor_extent(const locus_tensor *tensor)
{
  int64_t item = locus_dtype_size(tensor->dtype);
  locus_extent extent = {(intptr_t)tensor->data, (intptr_t)tensor->data};

  if (tensor->numel == 0) return extent;
  for (int d = 0; d < tensor->shape.ndim; d++) {
    int64_t reach = (tensor->shape.size[d] - 1) * tensor->stride[d] * item;
    if (reach < 0) extent.begin += reach;
    else extent.end += reach;
  }
  extent.end += item;
  return extent;
}
