/* SPDX-License-Identifier: MIT */
/* Arithmetic on sizes. */
#include "core/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Sums of a few sizes and positions then stay far from the end of int64. */
#define MOST_BYTES ((int64_t)1 << 62)

void locus_shape_copy(locus_shape *to, const locus_shape *from)
{
  to->ndim = from->ndim;
  for (int d = 0; d < from->ndim; d++) to->size[d] = from->size[d];
}

int locus_shape_numel(const locus_shape *shape, locus_dtype dtype, int64_t *numel,
                      locus_context *cx)
{
  int64_t product = 1, bytes; /* of the sizes that are not 0, so that strides fit as well */
  bool empty = false;

  for (int d = 0; d < shape->ndim; d++) {
    int64_t size = shape->size[d];
    empty = empty || size == 0;
    if (size && __builtin_mul_overflow(product, size, &product)) goto overflow;
  }
  if (__builtin_mul_overflow(product, locus_dtype_size(dtype), &bytes)) goto overflow;
  if (bytes > MOST_BYTES) goto overflow;
  *numel = empty ? 0 : product;
  return 0;

overflow:;
  char text[LOCUS_SHAPE_TEXT];
  return locus_fail(cx, "%s %s tensor of size %s has more bytes than 2^62",
                    locus_dtype_article(dtype), locus_dtype_name(dtype),
                    locus_shape_text(shape, text));
}

void locus_shape_strides(const locus_shape *shape, int64_t *stride)
{
  int64_t step = 1;
  for (int d = shape->ndim - 1; d >= 0; d--) {
    stride[d] = step;
    step *= shape->size[d] > 0 ? shape->size[d] : 1;
  }
}

bool locus_shape_equal(const locus_shape *a, const locus_shape *b)
{
  if (a->ndim != b->ndim) return false;
  for (int d = 0; d < a->ndim; d++)
    if (a->size[d] != b->size[d]) return false;
  return true;
}

int locus_shape_broadcast(locus_shape *to, const locus_shape *from)
{
  if (locus_shape_equal(to, from)) return 0;
  int shift = from->ndim - to->ndim; /* dimension d + shift of `from` meets d of `to` */
  int first = shift < 0 ? -shift : 0;

  for (int d = first; d < to->ndim; d++) {
    int64_t a = to->size[d], b = from->size[d + shift];
    if (a != b && a != 1 && b != 1) return -1;
  }
  if (shift > 0) {
    memmove(to->size + shift, to->size, (size_t)to->ndim * sizeof to->size[0]);
    memcpy(to->size, from->size, (size_t)shift * sizeof to->size[0]);
    to->ndim = from->ndim;
    first = shift;
    shift = 0;
  }
  for (int d = first; d < to->ndim; d++)
    if (to->size[d] == 1) to->size[d] = from->size[d + shift];
  return 0;
}

const char *locus_shape_text(const locus_shape *shape, char buffer[LOCUS_SHAPE_TEXT])
{
  int used = 0;

  if (shape->ndim == 0) return strcpy(buffer, "0-d");
  buffer[0] = '\0';
  for (int d = 0; d < shape->ndim; d++) {
    if (used > LOCUS_SHAPE_TEXT - 28) {
      strcpy(buffer + used, "x...");
      break;
    }
    used += sprintf(buffer + used, "%s%" PRId64, d ? "x" : "", shape->size[d]);
  }
  return buffer;
}
