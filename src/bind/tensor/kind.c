/* SPDX-License-Identifier: MIT */
/* The kinds of tensors, for lua/locus/tensor/kind.lua. */
#include "bind/bind.h"

/* kinds(): a list of {type, unit, per_day, text}, in the order of their numbers; kinds without
** units have false for the unit. */
static int kinds(lua_State *L)
{
  char text[LOCUS_KIND_TEXT];

  lua_createtable(L, LOCUS_KINDS - 1, 0);
  for (int kind = 1; kind < LOCUS_KINDS; kind++) {
    const locus_kind_info *info = &locus_kinds[kind];
    lua_createtable(L, 0, 5);
    lua_pushstring(L, info->type);
    lua_setfield(L, -2, "type");
    if (info->unit) lua_pushstring(L, info->unit);
    else lua_pushboolean(L, false);
    lua_setfield(L, -2, "unit");
    lua_pushstring(L, locus_kind_text(kind, text));
    lua_setfield(L, -2, "text");
    lua_pushstring(L, locus_kind_example(kind));
    lua_setfield(L, -2, "example");
    lua_pushnumber(L, (lua_Number)info->per_day);
    lua_setfield(L, -2, "per_day");
    lua_rawseti(L, -2, kind);
  }
  return 1;
}

/* kind_of(tensor): the number of its kind, 0 for plain numbers. */
static int kind_of(lua_State *L)
{
  const locus_tensor *tensor = locus_test_tensor(L, 1);
  lua_pushnumber(L, tensor ? tensor->kind : 0);
  return 1;
}

/* with_kind(input, kind): a view of an int64 tensor of the kind with that number; 0: of none. */
#define WITH_KIND_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(kind, LOCUS_REQUIRED, integer)
static int with_kind(lua_State *L)
{
  LOCUS_PARAMS(WITH_KIND_PARAMS, Tensor);
  locus_call call;

  locus_call_begin(&call, L, "with_kind", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  const int64_t kind = locus_arg_int(&call, ARG_kind, 0);
  if (kind < 0 || kind >= LOCUS_KINDS) locus_arg_expected(&call, ARG_kind, "the number of a kind");
  if (input->dtype != LOCUS_i64)
    locus_call_error(&call, "'input' must be int64, got %s", locus_dtype_name(input->dtype));
  locus_tensor *view = locus_push_view(L, ARG_input + 1);
  locus_tensor_alias(view, input);
  locus_tensor_set_kind(view, (int)kind);
  locus_guard_shared(view);
  return 1;
}

/* with_meanings(list, kind, name): a tensor of the kind with that number, on the CPU: a 1-D one of
** a list of texts, numbers of units, and values of that sort, a 0-d one of a single such. Errors
** call it by the name. */
#define WITH_MEANINGS_PARAMS(P)              \
  P(list, LOCUS_REQUIRED | LOCUS_TABLE, any) \
  P(kind, LOCUS_REQUIRED, integer)           \
  P(name, LOCUS_REQUIRED, string)
static int with_meanings(lua_State *L)
{
  LOCUS_PARAMS(WITH_MEANINGS_PARAMS, Tensor);
  locus_call call;

  locus_call_begin(&call, L, "with_meanings", params);
  call.kind = (int)locus_arg_int(&call, ARG_kind, 0);
  call.cx.home = LOCUS_CPU;
  const char *name = locus_arg_string(&call, ARG_name, NULL);
  locus_table_to_tensor(&call, ARG_list + 1, name, LOCUS_i64);
  locus_tensor *made = locus_test_tensor(L, ARG_list + 1);
  if (made->kind && made->kind != call.kind) {
    char held[LOCUS_KIND_TEXT], wanted[LOCUS_KIND_TEXT];
    locus_call_error(&call, "'%s' must hold %s, and has %s", name,
                     locus_kind_text(call.kind, wanted), locus_kind_text(made->kind, held));
  }
  locus_tensor_set_kind(made, call.kind);
  lua_pushvalue(L, ARG_list + 1);
  return 1;
}

const locus_entry locus_bind_kind[] = {
    {"kinds", kinds, LOCUS_INTERNAL},
    {"kind_of", kind_of, LOCUS_INTERNAL},
    {"with_kind", with_kind, LOCUS_INTERNAL},
    {"with_meanings", with_meanings, LOCUS_INTERNAL},
    {0},
};
