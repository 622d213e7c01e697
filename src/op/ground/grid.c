/* SPDX-License-Identifier: MIT */
/* Strides: broadcasting and merging. */
#include "op/ground/grid.h"

#include <string.h>

static void clear(locus_operand *operand, const locus_shape *shape)
{
  operand->data = NULL;
  operand->dtype = LOCUS_b8;
  for (int d = 0; d < shape->ndim; d++) operand->stride[d] = 0;
}

void locus_operand_tensor(locus_operand *operand, const locus_tensor *tensor,
                          const locus_shape *shape)
{
  if (!tensor) {
    clear(operand, shape);
    return;
  }
  int missing = shape->ndim - tensor->shape.ndim;

  operand->data = tensor->data;
  operand->dtype = tensor->dtype;
  for (int d = 0; d < shape->ndim; d++) {
    bool spread = d < missing || tensor->shape.size[d - missing] != shape->size[d];
    operand->stride[d] = spread ? 0 : tensor->stride[d - missing];
  }
}

int locus_operand_value(locus_operand *operand, const locus_value *value, locus_dtype dtype,
                        const locus_shape *shape, locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;

  if (tensor && (tensor->shape.ndim > 0 || locus_tensor_device(tensor) != LOCUS_CPU)) {
    locus_operand_tensor(operand, tensor, shape);
    return 0;
  }
  clear(operand, shape);
  operand->dtype = tensor ? tensor->dtype : dtype;
  if (tensor) {
    memcpy(&operand->value, tensor->data, (size_t)locus_dtype_size(tensor->dtype));
    return 0;
  }
  return locus_value_store(value, dtype, &operand->value, cx);
}

static bool mergeable(locus_operand *const *operands, int count, int outer, int inner, int64_t size)
{
  for (int i = 0; i < count; i++)
    if (operands[i]->stride[outer] != operands[i]->stride[inner] * size) return false;
  return true;
}

void locus_grid_collapse(locus_grid *grid, const locus_shape *shape, locus_operand *const *operands,
                         int count)
{
  int last = -1; /* the grid's newest dimension; strides are compacted as it grows */

  grid->numel = 1;
  for (int d = 0; d < shape->ndim; d++) {
    int64_t size = shape->size[d];
    grid->numel *= size;
    if (size == 1) continue;
    if (last < 0 || !mergeable(operands, count, last, d, size)) grid->size[++last] = size;
    else grid->size[last] *= size;
    for (int i = 0; i < count; i++) operands[i]->stride[last] = operands[i]->stride[d];
  }
  if (last < 0 || grid->numel == 0) {
    grid->size[last = 0] = grid->numel;
    for (int i = 0; i < count; i++) operands[i]->stride[0] = 0;
  }
  grid->ndim = last + 1;
}

static void swap_dimensions(locus_shape *shape, locus_operand *const *operands, int count, int d,
                            int e)
{
  int64_t size = shape->size[d];

  shape->size[d] = shape->size[e];
  shape->size[e] = size;
  for (int i = 0; i < count; i++) {
    int64_t stride = operands[i]->stride[d];
    operands[i]->stride[d] = operands[i]->stride[e];
    operands[i]->stride[e] = stride;
  }
}

void locus_grid_arrange(locus_grid *grid, const locus_shape *shape, locus_operand *const *operands,
                        int count)
{
  const int64_t *lead = operands[0]->stride;
  locus_shape arranged;
  bool descending = true;

  for (int d = 1; d < shape->ndim; d++) descending &= lead[d - 1] >= lead[d];
  if (descending) {
    locus_grid_collapse(grid, shape, operands, count);
    return;
  }
  locus_shape_copy(&arranged, shape);
  for (int d = 1; d < shape->ndim; d++)
    for (int e = d; e > 0 && lead[e - 1] < lead[e]; e--)
      swap_dimensions(&arranged, operands, count, e - 1, e);
  locus_grid_collapse(grid, &arranged, operands, count);
}
