/* SPDX-License-Identifier: MIT */
/* What lua/locus/print.lua asks of C: elements in a form that plain Lua 5.1 can hold as well. */
#include <string.h>

#include "bind/bind.h"

static void append(lua_State *L, int list)
{
  lua_rawseti(L, list, (int)lua_objlen(L, list) + 1);
}

static void append_element(lua_State *L, int list, const locus_value *value)
{
  char text[LOCUS_VALUE_TEXT];

  switch (value->scalar) {
  case LOCUS_SCALAR_BOOL: lua_pushboolean(L, (int)value->element.i64); break;
  case LOCUS_SCALAR_INT64: lua_pushstring(L, locus_value_text(value, text)); break;
  case LOCUS_SCALAR_NUMBER: lua_pushnumber(L, value->element.f64); break;
  case LOCUS_SCALAR_COMPLEX:
    lua_pushnumber(L, value->element.c128.re);
    append(L, list);
    lua_pushnumber(L, value->element.c128.im);
    break;
  }
  append(L, list);
}

enum { WORTH_A_COPY = 8 }; /* elements on a device for each one that is read */

/* elements(input, positions): the elements at those 1-based positions in C order, as one list:
** booleans, integers as decimal strings, floats as numbers, complex as two numbers each. A position
** beyond 2^53 has been rounded, perhaps past the end: the last element stands for it. */
static int elements(lua_State *L)
{
  enum { INPUT, POSITIONS, LIST };
  static const locus_param params[] = {{"input", 0}, {"positions", 0}, {NULL, 0}};
  locus_call call;
  locus_value value;
  int status;

  locus_call_begin(&call, L, "elements", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, INPUT);
  int count = (int)lua_objlen(L, POSITIONS + 1);
  lua_createtable(L, count, 0);
  if (!tensor->direct && count > tensor->numel / WORTH_A_COPY)
    tensor = locus_push_readable(&call);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, POSITIONS + 1, i);
    double place = lua_tonumber(L, -1);
    int64_t position = place < (double)tensor->numel ? (int64_t)place - 1 : tensor->numel - 1;
    lua_pop(L, 1);
    do status = locus_read_at(tensor, position, &value, &call.cx);
    while (locus_call_again(&call, status));
    append_element(L, LIST + 1, &value);
  }
  lua_settop(L, LIST + 1);
  return 1;
}

const locus_entry locus_bind_print[] = {
    {"elements", elements, LOCUS_INTERNAL},
    {NULL, NULL, 0},
};
