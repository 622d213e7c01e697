/* SPDX-License-Identifier: MIT */
/* Lua numbers, booleans and cdata to scalars and back. C can neither distinguish types of cdata nor
** make any: hooks do, which plain Lua 5.1 lacks. */
#include "bind/ground/scalar.h"

#include <lauxlib.h>
#include <string.h>

#include "bind/ground/raise.h"
#include "bind/ground/state.h"

enum { LUA_TCDATA = 10 };

/* The hook `classify` answers with "int64", high and low half, and behind them the number of a kind
** if it has one; "complex", re and im; "beyond" and the digits of an integer past int64; or "other"
** and the name of the type. */
static bool read_cdata(lua_State *L, int index, locus_value *value)
{
  int top = lua_gettop(L);
  bool known = false;

  luaL_checkstack(L, 7, "cdata");
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_classify);
  lua_pushvalue(L, index);
  lua_call(L, 1, 4);
  const char *kind = lua_tostring(L, -4);
  double first = lua_tonumber(L, -3), second = lua_tonumber(L, -2);
  value->kind = (int)lua_tointeger(L, -1);
  if (kind && strcmp(kind, "int64") == 0) {
    value->scalar = LOCUS_SCALAR_INT64;
    value->element.i64 = (int64_t)((uint64_t)(int64_t)first << 32 | (uint32_t)second);
    known = true;
  } else if (kind && strcmp(kind, "complex") == 0) {
    value->scalar = LOCUS_SCALAR_COMPLEX;
    value->element.c128 = (locus_complex128){first, second};
    known = true;
  }
  lua_settop(L, top);
  return known;
}

const char *locus_describe_cdata(lua_State *L, int index)
{
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_classify);
  lua_pushvalue(L, index);
  lua_call(L, 1, 2);
  if (strcmp(lua_tostring(L, -2), "beyond") == 0)
    return lua_pushfstring(L, "the cdata %sULL", lua_tostring(L, -1));
  return lua_pushfstring(L, "a cdata of type %s", lua_tostring(L, -1));
}

const char *locus_beyond_int64(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TCDATA) return NULL;
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_classify);
  lua_pushvalue(L, index);
  lua_call(L, 1, 2);
  return strcmp(lua_tostring(L, -2), "beyond") == 0 ? lua_tostring(L, -1) : NULL;
}

bool locus_read_scalar(lua_State *L, int index, locus_value *value)
{
  value->dtype = LOCUS_f64;
  value->kind = LOCUS_KIND_none;
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    value->scalar = LOCUS_SCALAR_NUMBER;
    value->element.f64 = lua_tonumber(L, index);
    return true;
  case LUA_TBOOLEAN:
    value->scalar = LOCUS_SCALAR_BOOL;
    value->element.i64 = lua_toboolean(L, index);
    return true;
  case LUA_TCDATA: return read_cdata(L, index < 0 ? lua_gettop(L) + 1 + index : index, value);
  default: return false;
  }
}

bool locus_read_int64(lua_State *L, int index, int64_t *value)
{
  locus_value scalar;

  if (lua_type(L, index) == LUA_TBOOLEAN || !locus_read_scalar(L, index, &scalar)) return false;
  return locus_value_integral(&scalar, value);
}

/* Raises, because plain Lua has no value for it. */
static void no_cdata(lua_State *L, const char *maker)
{
  const char *what = maker == locus_hook_int64
                         ? "an integer beyond 2^53 needs LuaJIT, whose int64_t cdata holds it"
                         : "a complex element needs LuaJIT, whose complex cdata holds it";

  lua_pushfstring(L, "%s: %s", locus_called(L, locus_state_of(L)->function), what);
  locus_raise(L, lua_tostring(L, -1));
}

/* Calls the registered maker of a cdata with two numbers. */
static void make_cdata(lua_State *L, const char *maker, double first, double second)
{
  luaL_checkstack(L, 4, "cdata");
  lua_getfield(L, LUA_REGISTRYINDEX, maker);
  if (lua_isnil(L, -1)) no_cdata(L, maker);
  lua_pushnumber(L, first);
  lua_pushnumber(L, second);
  lua_call(L, 2, 1);
}

void locus_push_int64(lua_State *L, int64_t value)
{
  if (value >= -(1LL << 53) && value <= 1LL << 53) {
    lua_pushnumber(L, (lua_Number)value);
    return;
  }
  make_cdata(L, locus_hook_int64, (double)(value >> 32), (double)(uint32_t)value);
}

void locus_push_meaning(lua_State *L, int kind, int64_t value)
{
  luaL_checkstack(L, 5, "cdata");
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_meaning);
  if (!kind || lua_isnil(L, -1)) {
    lua_pop(L, 1);
    locus_push_int64(L, value);
    return;
  }
  lua_pushnumber(L, kind);
  lua_pushnumber(L, (double)(value >> 32));
  lua_pushnumber(L, (double)(uint32_t)value);
  lua_call(L, 3, 1);
}

void locus_push_element_of(lua_State *L, const locus_tensor *tensor, const void *element)
{
  if (tensor->kind) locus_push_meaning(L, tensor->kind, *(const int64_t *)element);
  else locus_push_element(L, tensor->dtype, element);
}

void locus_push_element(lua_State *L, locus_dtype dtype, const void *element)
{
  locus_value value;

  locus_value_load(&value, dtype, element);
  switch (value.scalar) {
  case LOCUS_SCALAR_BOOL: lua_pushboolean(L, (int)value.element.i64); break;
  case LOCUS_SCALAR_INT64: locus_push_int64(L, value.element.i64); break;
  case LOCUS_SCALAR_NUMBER: lua_pushnumber(L, value.element.f64); break;
  case LOCUS_SCALAR_COMPLEX:
    make_cdata(L, locus_hook_complex, value.element.c128.re, value.element.c128.im);
    break;
  }
}
