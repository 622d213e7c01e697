/* SPDX-License-Identifier: MIT */
/* Views as Lua functions and methods. Every result shares the elements of 'input' unless said
** otherwise; dimensions count from 1, positions from base (1 or 0), negative ones from the end.
** Errors: a dimension or position out of range; a result of more than 32 dimensions. */
#include "bind/bind.h"

/* Pushes a view of the whole tensor, and copies it to `input`, which is read from then on: while
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
  while (locus_call_again(call, status)) {}
  locus_tensor_release(input);
  return 1;
}

/* select(input, dim, index, {base=1}): without that dimension, at that position of it; a view even
** when no dimension is left. */
static int select(lua_State *L)
{
  enum { INPUT, DIM, INDEX, BASE };
  static const locus_param params[] = {
      {"input", 0}, {"dim", 0}, {"index", 0}, {"base", LOCUS_NAMED}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "select", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, DIM, input.shape.ndim, 0);
  int64_t index = locus_arg_int(&call, INDEX, 0), base = locus_arg_base(&call, BASE);
  return answer(&call, &input, locus_select(&input, dim, index, base, view, &call.cx));
}

/* narrow(input, dim, start, length, {base=1}): `length` positions of the dimension from `start`
** on. */
static int narrow(lua_State *L)
{
  enum { INPUT, DIM, START, LENGTH, BASE };
  static const locus_param params[] = {{"input", 0},  {"dim", 0},            {"start", 0},
                                       {"length", 0}, {"base", LOCUS_NAMED}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "narrow", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, DIM, input.shape.ndim, 0);
  int64_t start = locus_arg_int(&call, START, 0), length = locus_arg_int(&call, LENGTH, 0);
  int64_t base = locus_arg_base(&call, BASE);
  return answer(&call, &input, locus_narrow(&input, dim, start, length, base, view, &call.cx));
}

/* slice(input, dim, first, last, step=1, {base=1}): the positions first, first + step, ... up to
** last; an end just before the start makes it empty. */
static int slice(lua_State *L)
{
  enum { INPUT, DIM, FIRST, LAST, STEP, BASE };
  static const locus_param params[] = {
      {"input", 0}, {"dim", 0},  {"first", 0},
      {"last", 0},  {"step", LOCUS_OPTIONAL}, {"base", LOCUS_NAMED}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "slice", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, DIM, input.shape.ndim, 0);
  int64_t first = locus_arg_int(&call, FIRST, 0), last = locus_arg_int(&call, LAST, 0);
  int64_t step = locus_arg_int(&call, STEP, 1), base = locus_arg_base(&call, BASE);
  return answer(&call, &input, locus_slice(&input, dim, first, last, step, base, view, &call.cx));
}

/* t(input): the two dimensions swapped; fewer dimensions as they are. */
static int t(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "t", params);
  locus_tensor *view = begin(&call, &input);
  return answer(&call, &input, locus_t(&input, view, &call.cx));
}

/* transpose(input, dim0, dim1): the two dimensions swapped. */
static int transpose(lua_State *L)
{
  enum { INPUT, DIM0, DIM1 };
  static const locus_param params[] = {{"input", 0}, {"dim0", 0}, {"dim1", 0}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "transpose", params);
  locus_tensor *view = begin(&call, &input);
  int dim0 = locus_arg_dim(&call, DIM0, input.shape.ndim, 0);
  int dim1 = locus_arg_dim(&call, DIM1, input.shape.ndim, 0);
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
static int permute(lua_State *L)
{
  enum { INPUT, DIMS };
  static const locus_param params[] = {{"input", 0}, {"dims", LOCUS_SIZES}, {0}};
  int dims[LOCUS_MAX_DIMS];
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "permute", params);
  locus_tensor *view = begin(&call, &input);
  int count = read_dims(&call, DIMS, input.shape.ndim, dims);
  return answer(&call, &input, locus_permute(&input, dims, count, view, &call.cx));
}

/* expand(input, sizes...): dimensions of size 1 repeated to the sizes, new ones put in front; -1
** keeps a size. Errors: another size that is not 1. */
static int expand(lua_State *L)
{
  enum { INPUT, SIZES };
  static const locus_param params[] = {{"input", 0}, {"sizes", LOCUS_SIZES}, {0}};
  locus_shape sizes;
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "expand", params);
  locus_tensor *view = begin(&call, &input);
  locus_arg_shape(&call, SIZES, &sizes, true);
  return answer(&call, &input, locus_expand(&input, &sizes, view, &call.cx));
}

/* expand_as(input, other): input:expand(other:size()). */
static int expand_as(lua_State *L)
{
  enum { INPUT, OTHER };
  static const locus_param params[] = {{"input", 0}, {"other", 0}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "expand_as", params);
  locus_tensor *view = begin(&call, &input);
  const locus_tensor *other = locus_arg_tensor(&call, OTHER);
  return answer(&call, &input, locus_expand(&input, &other->shape, view, &call.cx));
}

/* unsqueeze(input, dim): with a new dimension of size 1 at that place, 1..ndim + 1. */
static int unsqueeze(lua_State *L)
{
  enum { INPUT, DIM };
  static const locus_param params[] = {{"input", 0}, {"dim", 0}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "unsqueeze", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, DIM, input.shape.ndim + 1, 0);
  return answer(&call, &input, locus_unsqueeze(&input, dim, view, &call.cx));
}

/* squeeze(input, dim): without the dimensions of size 1 among those named, a number or a table, {}
** being none; absent: among all. */
static int squeeze(lua_State *L)
{
  enum { INPUT, DIM };
  static const locus_param params[] = {
      {"input", 0}, {"dim", LOCUS_OPTIONAL | LOCUS_NO_DIMS}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "squeeze", params);
  locus_tensor *view = begin(&call, &input);
  uint32_t dims = locus_arg_dims(&call, DIM, input.shape.ndim);
  return answer(&call, &input, locus_squeeze(&input, dims, view, &call.cx));
}

/* unfold(input, dimension, size, step): every window of `size` positions along the dimension, one
** each `step`; the window is a new last dimension. */
static int unfold(lua_State *L)
{
  enum { INPUT, DIMENSION, SIZE, STEP };
  static const locus_param params[] = {
      {"input", 0}, {"dimension", 0}, {"size", 0}, {"step", 0}, {0}};
  locus_tensor input;
  locus_call call;

  locus_call_begin(&call, L, "unfold", params);
  locus_tensor *view = begin(&call, &input);
  int dim = locus_arg_dim(&call, DIMENSION, input.shape.ndim, 0);
  int64_t size = locus_arg_int(&call, SIZE, 0), step = locus_arg_int(&call, STEP, 0);
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
