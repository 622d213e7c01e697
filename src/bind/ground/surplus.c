/* SPDX-License-Identifier: MIT */
/* Guesses the option for which a value by position was meant. */
#include "bind/ground/surplus.h"

#include <string.h>

#include "bind/ground/describe.h"
#include "bind/ground/raise.h"
#include "bind/ground/scalar.h"
#include "bind/ground/state.h"

static void set_text(lua_State *L, const char *name, const char *text)
{
  lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void set_flag(lua_State *L, const char *name, bool set)
{
  lua_pushboolean(L, set);
  lua_setfield(L, -2, name);
}

void locus_push_params(locus_call *call)
{
  lua_State *L = call->L;

  lua_createtable(L, call->count, 2);
  set_text(L, "name", call->function);
  if (call->params[call->count].type) set_text(L, "results", call->params[call->count].type);
  for (int i = 0; i < call->count; i++) {
    unsigned flags = call->params[i].flags;
    lua_createtable(L, 0, 5);
    set_text(L, "name", call->params[i].name);
    if (call->params[i].type) set_text(L, "type", call->params[i].type);
    set_flag(L, "optional", flags & (LOCUS_OPTIONAL | LOCUS_NAMED));
    set_flag(L, "named", flags & LOCUS_NAMED);
    set_flag(L, "sizes", flags & LOCUS_SIZES);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Calls lua/locus/call/surplus.lua with the values pushed at index `from` and above. The answer
** takes their place, or "" if that file cannot be loaded any more. */
static const char *ask(lua_State *L, int from)
{
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_meant);
  lua_insert(L, from);
  if (lua_pcall(L, lua_gettop(L) - from, 1, 0) != 0 || lua_type(L, -1) != LUA_TSTRING) {
    lua_settop(L, from - 1);
    lua_pushliteral(L, "");
  }
  return lua_tostring(L, -1);
}

/* Pushes the name of the function, its parameters (with their kinds, if it is a Lua function), the
** bits of those that were given, and the values at the indices 1 to `count`. False if another
** function of locus calls it, since the caller gave that one other values. */
static bool push_question(locus_call *call, int count, unsigned given)
{
  lua_State *L = call->L;

  if (strcmp(locus_called(L, call->function), call->function) != 0) return false;
  luaL_checkstack(L, LOCUS_MOST_PARAMS, call->function);
  lua_pushstring(L, call->function);
  if (lua_istable(L, UPVALUE_PARAMS)) lua_pushvalue(L, UPVALUE_PARAMS);
  else locus_push_params(call);
  lua_pushnumber(L, given);
  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    lua_pushvalue(L, k);
    lua_rawseti(L, -2, k);
  }
  lua_pushnumber(L, count);
  return true;
}

/* The bits of the parameters that the table at `from` has by name. */
static unsigned named_in(const locus_call *call, int from)
{
  lua_State *L = call->L;
  unsigned named = 0;

  for (int i = 0; i < call->count; i++) {
    lua_getfield(L, from, call->params[i].name);
    if (!lua_isnil(L, -1)) named |= 1u << i;
    lua_pop(L, 1);
  }
  return named;
}

/* The place of the nil in `nil, sentence` or `nil, sentence, number`, the results of a failed
** function of Lua such as io.open. They must be the last values. -1: they are not there. */
static int find_failure(const locus_call *call, int given)
{
  lua_State *L = call->L;
  int at = given - 1 - (lua_type(L, given) == LUA_TNUMBER);

  if (at < 1 || at > call->most) return -1;
  return lua_isnil(L, at) && lua_type(L, at + 1) == LUA_TSTRING ? at - 1 : -1;
}

int locus_surplus_error(locus_call *call, int given, const char *option, int from)
{
  lua_State *L = call->L;
  int most = call->most, top = lua_gettop(L);
  const char *told = "";
  int failed = option ? -1 : find_failure(call, given);

  if (failed >= 0) {
    return locus_call_error(call, "'%s' is nil: %s", call->params[failed].name,
                            lua_tostring(L, failed + 2));
  }
  if (push_question(call, given, option ? named_in(call, from) : 0)) {
    lua_pushnumber(L, most);
    if (option) lua_pushvalue(L, from);
    told = ask(L, top + 1);
  }
  return locus_call_error(call, "takes at most %d argument%s by position, got %d%s", most,
                          most == 1 ? "" : "s", given, told);
}

/* Pushes a table of the arguments that were given by name. */
static void push_named(locus_call *call)
{
  lua_State *L = call->L;

  lua_createtable(L, 0, 4);
  for (int i = call->positions; i < call->count; i++) {
    if (!(call->given >> i & 1)) continue;
    lua_pushvalue(L, i + 1);
    lua_setfield(L, -2, call->params[i].name);
  }
}

int locus_twice_error(locus_call *call, int i, int from)
{
  lua_State *L = call->L;
  int top = lua_gettop(L);
  const char *told = "";
  bool tensor = i < call->positions && call->tensors[i];

  if (tensor && push_question(call, call->positions, call->given)) {
    lua_pushnil(L);
    lua_pushvalue(L, from);
    lua_pushvalue(L, i + 1);
    told = ask(L, top + 1);
  }
  return locus_call_error(call, "'%s' is given twice%s", call->params[i].name, told);
}

const char *locus_meant(locus_call *call, int i, int index)
{
  lua_State *L = call->L;
  int top = lua_gettop(L);
  int values = call->positions < call->count ? call->positions : call->count;

  if (i >= call->positions || !push_question(call, values, call->given)) {
    lua_pushliteral(L, "");
    return lua_tostring(L, -1);
  }
  lua_pushnil(L);
  push_named(call);
  lua_pushvalue(L, index);
  return ask(L, top + 1);
}

int locus_arg_expected(locus_call *call, int i, const char *expected)
{
  bool number = strstr(expected, "number") || strstr(expected, "tensor") ||
                (*expected >= '0' && *expected <= '9');
  const char *beyond = number ? locus_beyond_int64(call->L, i + 1) : NULL;
  if (beyond) {
    return locus_call_error(call, "'%s' is %s, which int64 cannot hold", call->params[i].name,
                            beyond);
  }
  const char *got = locus_describe(call->L, i + 1);
  return locus_call_error(call, "'%s' must be %s, got %s%s", call->params[i].name, expected, got,
                          locus_meant(call, i, i + 1));
}

bool locus_lacks_frame(const locus_call *call)
{
  bool given = lua_type(call->L, 1) == LUA_TUSERDATA && !call->tensors[0];
  return !given && strcmp(call->params[0].name, "frame") == 0;
}
