/* SPDX-License-Identifier: MIT */
/* view, view_as, reshape, flatten, contiguous, clone as Lua functions and methods. */
#include "bind/bind.h"

/* view(input, shape...): the same elements under other sizes; one of them may be -1. Errors:
** another number of elements; strides that leave no such view (reshape copies then). */
#define VIEW_PARAMS(P)             \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(shape, LOCUS_SIZES, Dims)
static int view(lua_State *L)
{
  LOCUS_PARAMS(VIEW_PARAMS, Tensor);
  locus_shape shape;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "view", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_arg_shape(&call, ARG_shape, &shape, true);
  locus_tensor *out = locus_push_view(L, ARG_input + 1);
  do status = locus_view(input, &shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* view_as(input, other): input:view(other:size()). */
#define VIEW_AS_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(other, LOCUS_REQUIRED, Table)
static int view_as(lua_State *L)
{
  LOCUS_PARAMS(VIEW_AS_PARAMS, Tensor);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "view_as", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  const locus_tensor *other = locus_arg_tensor(&call, ARG_other);
  locus_tensor *out = locus_push_view(L, ARG_input + 1);
  do status = locus_view(input, &other->shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* reshape(input, shape...): as view, but a copy where the strides leave no view. */
#define RESHAPE_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Table) \
  P(shape, LOCUS_SIZES, Dims)
static int reshape(lua_State *L)
{
  LOCUS_PARAMS(RESHAPE_PARAMS, Tensor);
  locus_shape shape;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "reshape", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_arg_shape(&call, ARG_shape, &shape, true);
  locus_tensor *out = locus_push_view(L, ARG_input + 1);
  do status = locus_reshape(input, &shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* flatten(input, start_dim=1, end_dim=-1): these dimensions as one, a view where the strides allow
** it; a 0-d tensor has size 1. Errors: an end before the start. */
#define FLATTEN_PARAMS(P)                   \
  P(input, LOCUS_REQUIRED, Table)           \
  P(start_dim, LOCUS_OPTIONAL, integer = 1) \
  P(end_dim, LOCUS_OPTIONAL, integer = -1)
static int flatten(lua_State *L)
{
  LOCUS_PARAMS(FLATTEN_PARAMS, Tensor);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "flatten", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_tensor *out = locus_push_view(L, ARG_input + 1);
  int ndim = input->shape.ndim, start = locus_arg_dim(&call, ARG_start_dim, ndim, 0);
  int end = locus_arg_dim(&call, ARG_end_dim, ndim, ndim ? ndim - 1 : 0);
  do status = locus_flatten(input, start, end, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* contiguous(input): in C order; shares the elements when they already are. */
#define CONTIGUOUS_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int contiguous(lua_State *L)
{
  LOCUS_PARAMS(CONTIGUOUS_PARAMS, Tensor);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "contiguous", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_tensor *out = locus_push_view(L, 1);
  do status = locus_contiguous(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* own(input): the same elements in memory that nobody else can write to; foreign bytes are
** copied. */
#define OWN_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int own(lua_State *L)
{
  LOCUS_PARAMS(OWN_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "own", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_tensor *out = locus_push_view(L, 1);
  do status = locus_own(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* clone(input): a copy in C order. */
#define CLONE_PARAMS(P) P(input, LOCUS_REQUIRED, Table)
static int clone(lua_State *L)
{
  LOCUS_PARAMS(CLONE_PARAMS, Tensor);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "clone", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_clone(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* clang-format off */
const locus_entry locus_bind_reshape[] = {
    {"view", view, LOCUS_METHOD},       {"view_as", view_as, LOCUS_METHOD},
    {"reshape", reshape, LOCUS_BOTH},   {"flatten", flatten, LOCUS_BOTH},
    {"contiguous", contiguous, LOCUS_METHOD}, {"clone", clone, LOCUS_BOTH},
    {"own", own, LOCUS_INTERNAL},
    {0},
};
/* clang-format on */
