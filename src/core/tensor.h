/* SPDX-License-Identifier: MIT */
/* A tensor: a strided view of a storage. Plain data without allocations of its own. */
#ifndef LOCUS_TENSOR_H
#define LOCUS_TENSOR_H

#include "core/kind.h"
#include "core/shape.h"
#include "core/storage.h"

/* Whether compiled Lua may touch the elements, which then lie on the CPU and are plain numbers.
** READ: it may not write to them, since the storage is read-only or elements may share memory. */
typedef enum locus_direct { LOCUS_INDIRECT, LOCUS_DIRECT, LOCUS_DIRECT_READ } locus_direct;

/* A cleared tensor, with storage NULL, is a result yet to be made; any other holds a reference.
** Sizes and strides past `ndim` mean nothing.
** ORDER TENSOR: lua/locus/tensor/handle.lua declares these fields up to `stride` for the FFI. */
typedef struct locus_tensor {
  char *data; /* the first element */
  locus_storage *storage;
  int64_t numel;
  locus_dtype dtype;
  int16_t direct; /* a locus_direct */
  int16_t kind;   /* of kind.h, 0 unless the dtype is int64 */
  locus_shape shape;
  int64_t stride[LOCUS_MAX_DIMS];
} locus_tensor;

/* Says that the elements, which are int64, are of that kind, or with 0 that they are numbers. */
void locus_tensor_set_kind(locus_tensor *tensor, int kind);

/* Makes it a tensor without storage; a reference that it holds is not dropped. */
void locus_tensor_clear(locus_tensor *tensor);

/* Copies the fields; no reference is taken. */
void locus_tensor_copy(locus_tensor *to, const locus_tensor *from);

/* A new tensor in C order with bytes of its own, not cleared. */
int locus_tensor_new(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                     locus_device device, locus_context *cx);
int locus_tensor_new_pinned(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                            locus_context *cx); /* in page-locked memory of the host */

/* A tensor in C order on foreign bytes, aligned to the element. */
int locus_tensor_wrap(locus_tensor *tensor, locus_dtype dtype, const locus_shape *shape,
                      const locus_loan *loan, locus_context *cx);

/* Resizes a 1-D tensor on the CPU that alone holds its storage. The first elements are kept, those
** behind them are not set. On failure nothing changes. */
int locus_tensor_resize(locus_tensor *tensor, int64_t size, locus_context *cx);

/* A second view of the same elements. `view` must not hold a reference yet. */
void locus_tensor_alias(locus_tensor *view, const locus_tensor *tensor);

/* Drops the reference and leaves a tensor without storage. */
void locus_tensor_release(locus_tensor *tensor);

/* Moves `from` to `to`: the old contents of `to` are released, and `from` is left without
** storage. */
void locus_tensor_move(locus_tensor *to, locus_tensor *from);

static inline locus_device locus_tensor_device(const locus_tensor *tensor)
{
  return tensor->storage->device;
}
bool locus_tensor_contiguous(const locus_tensor *tensor);

/* From the lowest byte of the elements to past the highest; both are equal when there are none. */
typedef struct locus_extent {
  intptr_t begin, end;
} locus_extent;
locus_extent locus_tensor_extent(const locus_tensor *tensor);

#endif
