/* SPDX-License-Identifier: MIT */
/* Views as Lua functions and methods. Every result shares the elements of 'input' unless said
** otherwise; dimensions count from 1, positions from base (1 or 0), negative ones from the end.
** Errors: a dimension or position out of range; a result of more than 32 dimensions. */
#include "bind/bind.h"

/* Pushes a view of the whole tensor and copies it to `input`, which the caller then reads: while
** other arguments are read, finalizers may resize the caller's tensor. The two share one reference,
** the view's. */
static locus_tensor *begin(locus_call *call, locus_tensor *input)
{
  locus_arg_tensor(call, 0);
  locus_tensor *view = locus_push_view(call->L, 1);
  locus_tensor_alias(view, locus_arg_tensor(call, 0));
  *input = *view;
  return view;
}

/* Finishes the view on top of the stack. The op has given it another reference, so that the first
** one, now `input`'s alone, is released. */
static int answer(locus_call *call, locus_tensor *input, int status)
{
  while (locus_call_again(call, status)) {
  }
  locus_tensor_release(input);
  return 1;
}

/* select(input, dim, index, {base=1}): without that dimension, at that position of it; a view even
** when no dimension is left. */
#define SELECT_PARAMS(P)            \
  P(input, LOCUS_REQUIRED, Table)   \
  P(dim, LOCUS_REQUIRED, integer)   \
  P(index, LOCUS_REQUIRED, integer) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int select(lua_State *L)
{
  LOCUS_PARAMS(SELECT_PARAMS, any);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "select", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.shape.ndim, 0);
  int64_t index = locus_arg_int(&call, ARG_index, 0), base = locus_arg_base(&call, ARG_base);
  return answer(&call, &input, locus_select(&input, dim, index, base, view, &call.cx));
}

/* narrow(input, dim, start, length, {base=1}): `length` positions of the dimension, beginning at
** `start`. */
#define NARROW_PARAMS(P)             \
  P(input, LOCUS_REQUIRED, Table)    \
  P(dim, LOCUS_REQUIRED, integer)    \
  P(start, LOCUS_REQUIRED, integer)  \
  P(length, LOCUS_REQUIRED, integer) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int narrow(lua_State *L)
{
  LOCUS_PARAMS(NARROW_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "narrow", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.shape.ndim, 0);
  int64_t start = locus_arg_int(&call, ARG_start, 0), length = locus_arg_int(&call, ARG_length, 0);
  int64_t base = locus_arg_base(&call, ARG_base);
  return answer(&call, &input, locus_narrow(&input, dim, start, length, base, view, &call.cx));
}

/* slice(input, dim, first, last, step=1, {base=1}): the positions first, first + step, ... up to
** last; an end just before the start makes it empty. */
#define SLICE_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Table)      \
  P(dim, LOCUS_REQUIRED, integer)      \
  P(first, LOCUS_REQUIRED, integer)    \
  P(last, LOCUS_REQUIRED, integer)     \
  P(step, LOCUS_OPTIONAL, integer = 1) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int slice(lua_State *L)
{
  LOCUS_PARAMS(SLICE_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "slice", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.shape.ndim, 0);
  int64_t first = locus_arg_int(&call, ARG_first, 0), last = locus_arg_int(&call, ARG_last, 0);
  int64_t step = locus_arg_int(&call, ARG_step, 1), base = locus_arg_base(&call, ARG_base);
  return answer(&call, &input, locus_slice(&input, dim, first, last, step, base, view, &call.cx));
}

/* t(input): the two dimensions swapped; fewer dimensions as they are. */
#define T_PARAMS(P) P(input, LOCUS_REQUIRED, Table)
static int t(lua_State *L)
{
  LOCUS_PARAMS(T_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "t", params);
  locus_tensor *view = begin(&call, &input);
  return answer(&call, &input, locus_t(&input, view, &call.cx));
}

/* transpose(input, dim0, dim1): the two dimensions swapped. */
#define TRANSPOSE_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, Table)  \
  P(dim0, LOCUS_REQUIRED, integer) \
  P(dim1, LOCUS_REQUIRED, integer)
static int transpose(lua_State *L)
{
  LOCUS_PARAMS(TRANSPOSE_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "transpose", params);
  locus_tensor *view = begin(&call, &input);
  int dim0 = locus_arg_dim(&call, ARG_dim0, input.shape.ndim, 0);
  int dim1 = locus_arg_dim(&call, ARG_dim1, input.shape.ndim, 0);
  return answer(&call, &input, locus_transpose(&input, dim0, dim1, view, &call.cx));
}

/* Reads dimensions in their order, each in range and none twice; answers how many. */
static int read_dims(locus_call *call, int i, int ndim, int dims[LOCUS_MAX_DIMS])
{
  lua_State *L = call->L;
  int64_t dim;

  locus_arg_dims(call, i, ndim);
  if (lua_type(L, i + 1) != LUA_TTABLE) {
    dims[0] = locus_arg_dim(call, i, ndim, 0);
    return 1;
  }
  int count = (int)lua_objlen(L, i + 1);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, i + 1, k + 1);
    locus_read_int64(L, lua_gettop(L), &dim);
    lua_pop(L, 1);
    dims[k] = (int)(dim > 0 ? dim - 1 : dim + ndim);
  }
  return count;
}

/* permute(input, dims...): the dimensions in that order; a list or one table of all of them. */
#define PERMUTE_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Table) \
  P(dims, LOCUS_SIZES, Dims)
static int permute(lua_State *L)
{
  LOCUS_PARAMS(PERMUTE_PARAMS, Tensor);
  int dims[LOCUS_MAX_DIMS];
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "permute", params);
  locus_tensor *view = begin(&call, &input);
  int count = read_dims(&call, ARG_dims, input.shape.ndim, dims);
  return answer(&call, &input, locus_permute(&input, dims, count, view, &call.cx));
}

/* expand(input, sizes...): dimensions of size 1 repeated to the sizes, new ones put in front; -1
** keeps a size. Errors: another size that is not 1. */
#define EXPAND_PARAMS(P)           \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(sizes, LOCUS_SIZES, Dims)
static int expand(lua_State *L)
{
  LOCUS_PARAMS(EXPAND_PARAMS, Tensor);
  locus_shape sizes;
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "expand", params);
  locus_tensor *view = begin(&call, &input);
  locus_arg_shape(&call, ARG_sizes, &sizes, true);
  return answer(&call, &input, locus_expand(&input, &sizes, view, &call.cx));
}

/* expand_as(input, other): input:expand(other:size()). */
#define EXPAND_AS_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(other, LOCUS_REQUIRED, Table)
static int expand_as(lua_State *L)
{
  LOCUS_PARAMS(EXPAND_AS_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "expand_as", params);
  locus_tensor *view = begin(&call, &input);
  const locus_tensor *other = locus_arg_tensor(&call, ARG_other);
  return answer(&call, &input, locus_expand(&input, &other->shape, view, &call.cx));
}

/* unsqueeze(input, dim): with a new dimension of size 1 at that place, 1..ndim + 1. */
#define UNSQUEEZE_PARAMS(P)       \
  P(input, LOCUS_REQUIRED, Table) \
  P(dim, LOCUS_REQUIRED, integer)
static int unsqueeze(lua_State *L)
{
  LOCUS_PARAMS(UNSQUEEZE_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "unsqueeze", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.shape.ndim + 1, 0);
  return answer(&call, &input, locus_unsqueeze(&input, dim, view, &call.cx));
}

/* squeeze(input, dim): without the dimensions of size 1 among those named, a number or a table, {}
** being none; absent: among all. */
#define SQUEEZE_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Table) \
  P(dim, LOCUS_OPTIONAL | LOCUS_NO_DIMS, Dims = nil)
static int squeeze(lua_State *L)
{
  LOCUS_PARAMS(SQUEEZE_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "squeeze", params);
  locus_tensor *view = begin(&call, &input);
  uint32_t dims = locus_arg_dims(&call, ARG_dim, input.shape.ndim);
  return answer(&call, &input, locus_squeeze(&input, dims, view, &call.cx));
}

/* unfold(input, dimension, size, step): every window of `size` positions along the dimension, one
** each `step`; the window is a new last dimension. */
#define UNFOLD_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Tensor)      \
  P(dimension, LOCUS_REQUIRED, integer) \
  P(size, LOCUS_REQUIRED, integer)      \
  P(step, LOCUS_REQUIRED, integer)
static int unfold(lua_State *L)
{
  LOCUS_PARAMS(UNFOLD_PARAMS, Tensor);
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "unfold", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, ARG_dimension, input.shape.ndim, 0);
  int64_t size = locus_arg_int(&call, ARG_size, 0), step = locus_arg_int(&call, ARG_step, 0);
  return answer(&call, &input, locus_unfold(&input, dim, size, step, view, &call.cx));
}

const locus_entry locus_bind_view[] = {
    {"select", select, LOCUS_BOTH},       {"narrow", narrow, LOCUS_BOTH},
    {"slice", slice, LOCUS_BOTH},         {"t", t, LOCUS_BOTH},
    {"transpose", transpose, LOCUS_BOTH}, {"permute", permute, LOCUS_BOTH},
    {"expand", expand, LOCUS_METHOD},     {"expand_as", expand_as, LOCUS_METHOD},
    {"unsqueeze", unsqueeze, LOCUS_BOTH}, {"squeeze", squeeze, LOCUS_BOTH},
    {"unfold", unfold, LOCUS_METHOD},     {0},
};
