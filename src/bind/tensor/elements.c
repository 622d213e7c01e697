/* SPDX-License-Identifier: MIT */
/* Elements as Lua values: totable, item, and the elements that lua/locus/print.lua prints. */
#include "bind/bind.h"
#include "text/time/meaning.h"

enum { MOST_ENTRIES = 1 << 26 }; /* of one table that is made; LuaJIT's own limit is 2^27 */

/* Pushes the tensor at index 1 as C can read it: a view, or a copy of elements on a device. */
static locus_tensor *push_readable(locus_call *call)
{
  const locus_tensor *input = locus_arg_tensor(call, 0);
  const locus_value value = {.name = "input", .tensor = input};
  locus_tensor *view = locus_push_view(call->L, 1);
  int status;

  if (locus_tensor_device(input) == LOCUS_CPU) {
    locus_tensor_alias(view, input);
    return view;
  }
  do status = locus_move_to(&value, input->dtype, LOCUS_CPU, view, &call->cx);
  while (locus_call_again(call, status));
  return view;
}

/* Pushes the elements of dimension `dim` on, from `data`, as nested tables. */
static void push_table(locus_call *call, const locus_tensor *tensor, int dim, const char *data)
{
  lua_State *L = call->L;

  if (dim == tensor->shape.ndim) {
    locus_push_element(L, tensor->dtype, data);
    return;
  }
  int64_t step = tensor->stride[dim] * locus_dtype_size(tensor->dtype);
  luaL_checkstack(L, 8, "totable");
  lua_createtable(L, (int)tensor->shape.size[dim], 0);
  for (int64_t i = 0; i < tensor->shape.size[dim]; i++) {
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
    push_table(call, tensor, dim + 1, data + i * step);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

/* totable(input): the elements as nested tables, a 0-d tensor's as a Lua value. They are read
** through a view: finalizers that run meanwhile may resize 'input'. Errors: a size above 2^26. */
#define TOTABLE_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int totable(lua_State *L)
{
  LOCUS_PARAMS(TOTABLE_PARAMS, any);
  char shape[LOCUS_SHAPE_TEXT];
  locus_call call;

  locus_call_begin(&call, L, "totable", params);
  const locus_shape *sizes = &locus_arg_tensor(&call, ARG_input)->shape;
  for (int d = 0; d < sizes->ndim; d++) {
    if (sizes->size[d] <= MOST_ENTRIES) continue;
    locus_call_error(&call, "'input' is of size %s, too large for a Lua table",
                     locus_shape_text(sizes, shape));
  }
  const locus_tensor *view = push_readable(&call);
  push_table(&call, view, 0, view->data);
  return 1;
}

/* item(input): the only element as a Lua value, that of a time as a number. Errors: there are more,
** or none. */
#define ITEM_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int item(lua_State *L)
{
  LOCUS_PARAMS(ITEM_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "item", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  if (tensor->numel != 1)
    locus_call_error(&call, "'input' must have one element, got %s", locus_describe(L, 1));
  locus_push_first_plain(&call, tensor);
  return 1;
}

static void append(lua_State *L, int list)
{
  lua_rawseti(L, list, (int)lua_objlen(L, list) + 1);
}

static void append_element(lua_State *L, int list, const locus_value *value, int kind)
{
  char text[LOCUS_VALUE_TEXT];

  switch (value->scalar) {
  case LOCUS_SCALAR_BOOL: lua_pushboolean(L, (int)value->element.i64); break;
  case LOCUS_SCALAR_INT64:
    lua_pushlstring(L, text, (size_t)locus_format_meaning(kind, text, value->element.i64));
    break;
  case LOCUS_SCALAR_NUMBER: lua_pushnumber(L, value->element.f64); break;
  case LOCUS_SCALAR_COMPLEX:
    lua_pushnumber(L, value->element.c128.re);
    append(L, list);
    lua_pushnumber(L, value->element.c128.im);
    break;
  }
  append(L, list);
}

/* A copy takes at most this many elements of a device for each one that is read. */
enum { WORTH_A_COPY = 8 };

/* elements(input, positions): the elements at those 1-based positions in C order, as one list that
** plain Lua 5.1 can hold as well: booleans, integers as decimal strings, times and the like as
** text, floats as numbers, complex numbers as two each. A position beyond 2^53 has been rounded;
** one that is past the end because of that means the last element. */
#define ELEMENTS_PARAMS(P)         \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(positions, LOCUS_REQUIRED, any)
static int elements(lua_State *L)
{
  LOCUS_PARAMS(ELEMENTS_PARAMS, any);
  locus_call call;
  locus_value value;
  int status;

  locus_call_begin(&call, L, "elements", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  int count = (int)lua_objlen(L, ARG_positions + 1);
  lua_createtable(L, count, 0);
  const bool apart = locus_tensor_device(tensor) != LOCUS_CPU;
  const int kind = tensor->kind;
  if (apart && count > tensor->numel / WORTH_A_COPY) tensor = push_readable(&call);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, ARG_positions + 1, i);
    double place = lua_tonumber(L, -1);
    int64_t position = place < (double)tensor->numel ? (int64_t)place - 1 : tensor->numel - 1;
    lua_pop(L, 1);
    do status = locus_read_at(tensor, position, &value, &call.cx);
    while (locus_call_again(&call, status));
    append_element(L, call.count + 1, &value, kind);
  }
  lua_settop(L, call.count + 1);
  return 1;
}

const locus_entry locus_bind_elements[] = {
    {"totable", totable, LOCUS_METHOD},
    {"item", item, LOCUS_METHOD},
    {"elements", elements, LOCUS_INTERNAL},
    {NULL, NULL, 0},
};
