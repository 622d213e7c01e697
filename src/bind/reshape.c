/* SPDX-License-Identifier: MIT */
/* view, view_as, reshape, flatten, contiguous, clone as Lua functions and methods. */
#include "bind/bind.h"

/* view(input, shape...): the same elements under other sizes, one of which may be -1. Errors:
** another number of elements; strides that leave no such view (reshape copies then). */
static int view(lua_State *L)
{
  enum { INPUT, SHAPE };
  static const locus_param params[] = {{"input", 0}, {"shape", LOCUS_SIZES}, {0}};
  locus_shape shape;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "view", params);
  const locus_tensor *input = locus_arg_tensor(&call, INPUT);
  locus_arg_shape(&call, SHAPE, &shape, true);
  locus_tensor *out = locus_push_view(L, INPUT + 1);
  do status = locus_view(input, &shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* view_as(input, other): input:view(other:size()). */
static int view_as(lua_State *L)
{
  enum { INPUT, OTHER };
  static const locus_param params[] = {{"input", 0}, {"other", 0}, {0}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "view_as", params);
  const locus_tensor *input = locus_arg_tensor(&call, INPUT);
  const locus_tensor *other = locus_arg_tensor(&call, OTHER);
  locus_tensor *out = locus_push_view(L, INPUT + 1);
  do status = locus_view(input, &other->shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* reshape(input, shape...): as view, but a copy where the strides leave no view. */
static int reshape(lua_State *L)
{
  enum { INPUT, SHAPE };
  static const locus_param params[] = {{"input", 0}, {"shape", LOCUS_SIZES}, {0}};
  locus_shape shape;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "reshape", params);
  const locus_tensor *input = locus_arg_tensor(&call, INPUT);
  locus_arg_shape(&call, SHAPE, &shape, true);
  locus_tensor *out = locus_push_view(L, INPUT + 1);
  do status = locus_reshape(input, &shape, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* flatten(input, start_dim=1, end_dim=-1): these dimensions as one, a view where the strides allow
** it; a 0-d tensor has size 1. Errors: an end before the start. */
static int flatten(lua_State *L)
{
  enum { INPUT, START_DIM, END_DIM };
  static const locus_param params[] = {
      {"input", 0}, {"start_dim", LOCUS_OPTIONAL}, {"end_dim", LOCUS_OPTIONAL}, {0}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "flatten", params);
  const locus_tensor *input = locus_arg_tensor(&call, INPUT);
  locus_tensor *out = locus_push_view(L, INPUT + 1);
  int ndim = input->shape.ndim, start = locus_arg_dim(&call, START_DIM, ndim, 0);
  int end = locus_arg_dim(&call, END_DIM, ndim, ndim ? ndim - 1 : 0);
  do status = locus_flatten(input, start, end, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* contiguous(input): in C order; shares the elements when they already are. */
static int contiguous(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "contiguous", params);
  const locus_tensor *input = locus_arg_tensor(&call, 0);
  locus_tensor *out = locus_push_view(L, 1);
  do status = locus_contiguous(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* own(input): the same elements where nobody else writes to them; others' bytes are copied. */
static int own(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "own", params);
  const locus_tensor *input = locus_arg_tensor(&call, 0);
  locus_tensor *out = locus_push_view(L, 1);
  do status = locus_own(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* clone(input): a copy in C order. */
static int clone(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {0}};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "clone", params);
  const locus_tensor *input = locus_arg_tensor(&call, 0);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_clone(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_reshape[] = {
    {"view", view, LOCUS_METHOD},       {"view_as", view_as, LOCUS_METHOD},
    {"reshape", reshape, LOCUS_BOTH},   {"flatten", flatten, LOCUS_BOTH},
    {"contiguous", contiguous, LOCUS_METHOD}, {"clone", clone, LOCUS_BOTH},
    {"own", own, LOCUS_INTERNAL},
    {0},
};
