/* SPDX-License-Identifier: MIT */
/* Views: other shapes over the same elements. Only contiguous, reshape and clone ever copy. A view
** in the making is a bare copy of its tensor, without a reference of its own. */
#include <inttypes.h>
#include <string.h>

#include "op/op.h"

/* Gives the finished view its reference. */
static int finish(const locus_tensor *bare, locus_tensor *view, locus_context *cx)
{
  int64_t numel;

  LOCUS_TRY(locus_shape_numel(&bare->shape, bare->dtype, &numel, cx));
  locus_tensor_alias(view, bare);
  view->numel = numel;
  return 0;
}

/* The same of a view whose elements may share memory: compiled Lua must not write to these. */
static int finish_shared(const locus_tensor *bare, locus_tensor *view, locus_context *cx)
{
  LOCUS_TRY(finish(bare, view, cx));
  locus_guard_shared(view);
  return 0;
}

static void drop_dim(locus_tensor *bare, int dim)
{
  size_t after = (size_t)(--bare->shape.ndim - dim);
  memmove(bare->shape.size + dim, bare->shape.size + dim + 1, after * sizeof bare->shape.size[0]);
  memmove(bare->stride + dim, bare->stride + dim + 1, after * sizeof bare->stride[0]);
}

int locus_take_dim(locus_tensor *bare, int dim, locus_context *cx)
{
  size_t after = (size_t)(bare->shape.ndim - dim);
  int64_t step = after ? bare->shape.size[dim] * bare->stride[dim] : 1;

  if (bare->shape.ndim == LOCUS_MAX_DIMS)
    return locus_fail(cx, "the result has more than %d dimensions", LOCUS_MAX_DIMS);
  memmove(bare->shape.size + dim + 1, bare->shape.size + dim, after * sizeof bare->shape.size[0]);
  memmove(bare->stride + dim + 1, bare->stride + dim, after * sizeof bare->stride[0]);
  bare->shape.ndim++;
  bare->shape.size[dim] = 1;
  bare->stride[dim] = step;
  return 0;
}

/* Moves the first element; a view without elements keeps its address, which is then no element. */
static void move_first(locus_tensor *bare, int dim, int64_t steps)
{
  if (bare->numel) bare->data += steps * bare->stride[dim] * locus_dtype_size(bare->dtype);
}

void locus_take_one(locus_tensor *bare, int dim, int64_t index)
{
  move_first(bare, dim, index);
  bare->numel /= bare->shape.size[dim];
  drop_dim(bare, dim);
}

void locus_take_span(locus_tensor *bare, int dim, locus_span span)
{
  int64_t size = bare->shape.size[dim];

  bare->numel = size ? bare->numel / size * span.count : 0;
  move_first(bare, dim, span.first);
  bare->shape.size[dim] = span.count;
  if (span.count > 1) bare->stride[dim] *= span.step;
}

bool locus_position(int64_t given, int64_t size, int64_t base, int64_t *index)
{
  *index = given < 0 ? given + size : given - base;
  return *index >= 0 && *index < size;
}

int locus_fail_position(const char *subject, int64_t given, const char *where, int64_t size,
                        int dim, int64_t base, locus_context *cx)
{
  if (size == 0) {
    return locus_fail(cx, "%s%" PRId64 "%s is no position of dimension %d, whose size is 0",
                      subject, given, where, dim + 1);
  }
  return locus_fail(
      cx, "%s%" PRId64 "%s is outside %" PRId64 "..%" PRId64 ", the positions of dimension %d",
      subject, given, where, base, size - 1 + base, dim + 1);
}

/* A range that ends just before it starts is empty; n + 1 .. n and 1 .. 0 are in bounds, too. In a
** dimension of size 0 a range with only its end counted from the back is read as if the size were
** 1, and is empty. Such ranges mean all, all except the first, or all except the last. */
int locus_range_span(int64_t first, int64_t last, int64_t step, int64_t size, int dim, int64_t base,
                     locus_span *span, locus_context *cx)
{
  int64_t n = size == 0 && first >= 0 && last < 0 ? 1 : size;
  int64_t start = first < 0 ? first + n + 1 : first + 1 - base; /* from 1 */
  int64_t end = last < 0 ? last + n + 1 : last + 1 - base;

  if (step <= 0) return locus_fail(cx, "the step of a range must be positive, got %" PRId64, step);
  if (start < 1 || start > n + 1 || end < 0 || end > n) {
    return locus_fail(cx,
                      "the range {%" PRId64 ", %" PRId64 "} goes outside %" PRId64 "..%" PRId64
                      ", the positions of dimension %d",
                      first, last, base, size - 1 + base, dim + 1);
  }
  if (end < start - 1) {
    return locus_fail(cx,
                      "the range {%" PRId64 ", %" PRId64 "} of dimension %d ends before it "
                      "starts",
                      first, last, dim + 1);
  }
  *span = (locus_span){start - 1, size == 0 || end < start ? 0 : (end - start) / step + 1, step};
  return 0;
}

/* A tensor without dimensions has no positions to choose from. */
static int need_dims(const locus_tensor *input, locus_context *cx)
{
  if (input->shape.ndim > 0) return 0;
  return locus_fail(cx, "'input' must have dimensions, got a 0-d tensor");
}

int locus_select(const locus_tensor *input, int dim, int64_t index, int64_t base,
                 locus_tensor *view, locus_context *cx)
{
  locus_tensor bare = *input;
  int64_t at;

  LOCUS_TRY(need_dims(input, cx));
  if (!locus_position(index, input->shape.size[dim], base, &at))
    return locus_fail_position("'index' ", index, "", input->shape.size[dim], dim, base, cx);
  locus_take_one(&bare, dim, at);
  return finish(&bare, view, cx);
}

int locus_narrow(const locus_tensor *input, int dim, int64_t start, int64_t length, int64_t base,
                 locus_tensor *view, locus_context *cx)
{
  locus_tensor bare = *input;

  LOCUS_TRY(need_dims(input, cx));
  int64_t size = input->shape.size[dim], first = start < 0 ? start + size : start - base;
  if (first < 0 || first > size) {
    return locus_fail(
        cx, "'start' must be in %" PRId64 "..%" PRId64 " or -%" PRId64 "..-1, got %" PRId64, base,
        size + base, size, start);
  }
  if (length < 0 || length > size - first) {
    return locus_fail(
        cx, "'length' must be in 0..%" PRId64 " from 'start' %" PRId64 " on, got %" PRId64,
        size - first, start, length);
  }
  locus_take_span(&bare, dim, (locus_span){first, length, 1});
  return finish(&bare, view, cx);
}

int locus_slice(const locus_tensor *input, int dim, int64_t first, int64_t last, int64_t step,
                int64_t base, locus_tensor *view, locus_context *cx)
{
  locus_tensor bare = *input;
  locus_span span;

  LOCUS_TRY(need_dims(input, cx));
  LOCUS_TRY(locus_range_span(first, last, step, input->shape.size[dim], dim, base, &span, cx));
  locus_take_span(&bare, dim, span);
  return finish(&bare, view, cx);
}

int locus_permute(const locus_tensor *input, const int *dims, int count, locus_tensor *view,
                  locus_context *cx)
{
  locus_tensor bare = *input;

  if (count != input->shape.ndim) {
    return locus_fail(cx, "'dims' must name all %d dimensions of 'input', got %d",
                      input->shape.ndim, count);
  }
  for (int d = 0; d < count; d++) {
    bare.shape.size[d] = input->shape.size[dims[d]];
    bare.stride[d] = input->stride[dims[d]];
  }
  return finish(&bare, view, cx);
}

int locus_transpose(const locus_tensor *input, int dim0, int dim1, locus_tensor *view,
                    locus_context *cx)
{
  int dims[LOCUS_MAX_DIMS];

  for (int d = 0; d < input->shape.ndim; d++) dims[d] = d == dim0 ? dim1 : d == dim1 ? dim0 : d;
  return locus_permute(input, dims, input->shape.ndim, view, cx);
}

int locus_t(const locus_tensor *input, locus_tensor *view, locus_context *cx)
{
  char text[LOCUS_SHAPE_TEXT];

  if (input->shape.ndim > 2) {
    return locus_fail(cx,
                      "'input' must have at most 2 dimensions, got size %s; write "
                      "transpose(dim0, dim1)",
                      locus_shape_text(&input->shape, text));
  }
  return locus_transpose(input, 0, input->shape.ndim == 2, view, cx);
}

int locus_expand(const locus_tensor *input, const locus_shape *sizes, locus_tensor *view,
                 locus_context *cx)
{
  char have[LOCUS_SHAPE_TEXT], want[LOCUS_SHAPE_TEXT];
  int lead = sizes->ndim - input->shape.ndim;
  bool fits = lead >= 0;
  locus_tensor bare = *input;

  bare.shape = *sizes;
  for (int d = 0; fits && d < sizes->ndim; d++) {
    int64_t own = d < lead ? 1 : input->shape.size[d - lead], size = sizes->size[d];
    if (size == -1 && d >= lead) size = own;
    fits = size >= 0 && (size == own || own == 1);
    bare.shape.size[d] = size;
    bare.stride[d] = d < lead || size != own ? 0 : input->stride[d - lead];
  }
  if (fits) return finish_shared(&bare, view, cx);
  return locus_fail(cx, "'sizes' %s is no expansion of size %s", locus_shape_text(sizes, want),
                    locus_shape_text(&input->shape, have));
}

int locus_unsqueeze(const locus_tensor *input, int dim, locus_tensor *view, locus_context *cx)
{
  locus_tensor bare = *input;

  LOCUS_TRY(locus_take_dim(&bare, dim, cx));
  return finish(&bare, view, cx);
}

int locus_squeeze(const locus_tensor *input, uint32_t dims, locus_tensor *view, locus_context *cx)
{
  locus_tensor bare = *input;

  for (int d = input->shape.ndim - 1; d >= 0; d--)
    if (dims >> d & 1 && input->shape.size[d] == 1) drop_dim(&bare, d);
  return finish(&bare, view, cx);
}

int locus_unfold(const locus_tensor *input, int dim, int64_t size, int64_t step, locus_tensor *view,
                 locus_context *cx)
{
  locus_tensor bare = *input;
  int ndim = input->shape.ndim;
  int64_t whole = ndim ? input->shape.size[dim] : 1;

  if (size < 0 || size > whole) {
    return locus_fail(cx,
                      "'size' must be in 0..%" PRId64 ", the size of dimension %d, got %" PRId64,
                      whole, dim + 1, size);
  }
  if (step <= 0) return locus_fail(cx, "'step' must be positive, got %" PRId64, step);
  if (ndim == LOCUS_MAX_DIMS)
    return locus_fail(cx, "the result has more than %d dimensions", LOCUS_MAX_DIMS);
  bare.shape.ndim = ndim + 1;
  bare.shape.size[ndim] = size;
  bare.stride[ndim] = ndim ? input->stride[dim] : 1;
  if (ndim) {
    bare.shape.size[dim] = (whole - size) / step + 1;
    if (bare.shape.size[dim] > 1) bare.stride[dim] *= step;
  }
  return finish_shared(&bare, view, cx);
}
