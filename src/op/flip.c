/* SPDX-License-Identifier: MIT */
/* flip and roll: the elements of a tensor in other places along its dimensions. */
#include "op/op.h"

int locus_flip(const locus_value *input, uint32_t dims, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  const int64_t item = locus_dtype_size(in->dtype);
  locus_tensor turned = *in; /* with its last element in front: no other view has such strides */
  const locus_value from = {.name = input->name, .tensor = &turned};
  locus_result result = {0};

  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  LOCUS_TRY(
      locus_result_begin(&result, out, "out", in->dtype, &in->shape, locus_tensor_device(in), cx));
  for (int d = 0; d < in->shape.ndim; d++) {
    if (in->numel == 0 || !(dims >> d & 1)) continue;
    turned.data += (in->shape.size[d] - 1) * in->stride[d] * item;
    turned.stride[d] = -in->stride[d];
  }
  result.kind = in->kind;
  return locus_result_end(&result, locus_copy_elements(result.made, &from, cx));
}

/* Copies the elements, in two parts for each shifted dimension, beginning with dimension `dim`.
** Shifts lie in 0..size - 1. */
static int copy_rolled(const locus_tensor *to, const locus_tensor *from, int dim,
                       const int64_t *shift, locus_context *cx)
{
  const locus_value whole = {.name = "input", .tensor = from};

  while (dim < from->shape.ndim && shift[dim] == 0) dim++;
  if (dim == from->shape.ndim) return locus_copy_elements(to, &whole, cx);
  const int64_t last = shift[dim], first = from->shape.size[dim] - last;
  for (int part = 0; part < 2; part++) {
    locus_tensor to_part = *to, from_part = *from;
    locus_take_span(&to_part, dim, (locus_span){part ? 0 : last, part ? last : first, 1});
    locus_take_span(&from_part, dim, (locus_span){part ? first : 0, part ? last : first, 1});
    LOCUS_TRY(copy_rolled(&to_part, &from_part, dim + 1, shift, cx));
  }
  return 0;
}

static int64_t within(int64_t shift, int64_t size)
{
  const int64_t rest = size ? shift % size : 0;
  return rest < 0 ? rest + size : rest;
}

/* As a 1-D tensor; the elements are in C order. */
static void flatten(locus_tensor *bare)
{
  bare->shape.ndim = 1;
  bare->shape.size[0] = bare->numel;
  bare->stride[0] = 1;
}

/* Rolls all elements in C order. */
static int roll_flat(const locus_tensor *in, int64_t shift, const locus_tensor *out,
                     locus_context *cx)
{
  const bool there = locus_tensor_contiguous(out);
  const int64_t by = within(shift, in->numel);
  const locus_device device = locus_tensor_device(in);
  locus_tensor from = {0}, made = {0}, to;
  const locus_value rolled = {.name = "input", .tensor = &made};

  int status = locus_contiguous(in, &from, cx);
  if (status == 0 && !there) status = locus_tensor_new(&made, in->dtype, &in->shape, device, cx);
  if (status == 0) {
    to = there ? *out : made;
    flatten(&to);
    flatten(&from);
    status = copy_rolled(&to, &from, 0, &by, cx);
  }
  if (status == 0 && !there) status = locus_copy_elements(out, &rolled, cx);
  locus_tensor_release(&made);
  locus_tensor_release(&from);
  return status;
}

int locus_roll(const locus_value *input, const locus_shifts *shifts, locus_tensor *out,
               locus_context *cx)
{
  const locus_tensor *in = input->tensor;
  int64_t by[LOCUS_MAX_DIMS] = {0};
  locus_result result = {0};

  LOCUS_TRY(locus_result_apart(out, "out", input, false, cx));
  for (int k = 0; k < shifts->count && in->shape.ndim > 0; k++) {
    const int d = shifts->dim[k];
    by[d] = within(by[d] + within(shifts->shift[k], in->shape.size[d]), in->shape.size[d]);
  }
  LOCUS_TRY(
      locus_result_begin(&result, out, "out", in->dtype, &in->shape, locus_tensor_device(in), cx));
  const int status = shifts->count == 0 ? roll_flat(in, shifts->shift[0], result.made, cx)
                                        : copy_rolled(result.made, in, 0, by, cx);
  result.kind = in->kind;
  return locus_result_end(&result, status);
}
