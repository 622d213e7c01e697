/* SPDX-License-Identifier: MIT */
/* Arguments by position and by name, laid out on the Lua stack in the order of the parameters. */
#include "bind/ground/args.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bind/ground/collect.h"
#include "bind/ground/describe.h"
#include "bind/ground/handle.h"
#include "bind/ground/spelling.h"
#include "bind/ground/state.h"
#include "bind/ground/surplus.h"
#include "bind/ground/unknown.h"

/* Asked between chunks of work. LuaJIT's and Lua's own prompt answer Ctrl-C by setting a hook. */
static bool interrupted(void *user)
{
  const locus_call *call = user;
  return lua_gethook(call->L) != call->hook;
}

static void begin_context(locus_call *call)
{
  lua_State *L = call->L;
  locus_state *state = locus_state_of(L);

  locus_pace(L, state);
  call->collected = false;
  call->hook = lua_gethook(L);
  call->hook_mask = call->hook ? lua_gethookmask(L) : 0;
  call->hook_count = call->hook ? lua_gethookcount(L) : 0;
  call->cx.default_dtype = state->default_dtype;
  state->function = call->function;
  call->cx.interrupted = interrupted;
  call->cx.user = call;
}

/* The kind of the call's tensors, in which texts are read; and its home: the device of its tensors
** (one other than the CPU, if any, since 0-d tensors on the CPU go with all); without tensors the
** default device. */
static void resolve_home(locus_call *call)
{
  const locus_device chosen = locus_state_of(call->L)->default_device;
  locus_device home = LOCUS_CPU;
  bool here = false;

  call->kind = LOCUS_KIND_none;
  for (int i = 0; i < call->count; i++) {
    const locus_tensor *tensor = call->tensors[i];
    if (!tensor || !tensor->storage) continue;
    if (home == LOCUS_CPU) home = locus_tensor_device(tensor);
    if (call->kind == LOCUS_KIND_none) call->kind = tensor->kind;
    here = true;
  }
  call->cx.home = home;
  if (here) return;
  call->cx.home = chosen == LOCUS_CURRENT ? locus_cuda_current() + 1 : chosen;
}

/* Whether the table at `index` has a string key: arguments by name. The first one and its value
** are then left on the stack. A table of data is walked to its end; *others counts the keys before
** the first name. */
static bool find_name(locus_call *call, int index, int *others)
{
  lua_State *L = call->L;

  *others = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) == LUA_TSTRING) return true;
    lua_pop(L, 1);
    if (++*others % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
  }
  return false;
}

static int find_param(const locus_call *call, const char *name)
{
  for (int i = 0; i < call->count; i++) {
    const char *known = call->params[i].name;
    if (*known == *name && strcmp(known, name) == 0) return i;
  }
  return -1;
}

/* Whether the key is one of 1..n. */
static bool in_array(lua_State *L, int index, int n)
{
  lua_Number key = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  return key >= 1 && key <= n && key == (lua_Number)(int)key;
}

/* Takes the value on top of the stack, from the table at `from`, as argument i. */
static void take_named(locus_call *call, int i, int from)
{
  if (call->given & 1u << i) locus_twice_error(call, i, from);
  call->given |= 1u << i;
  call->tensors[i] = locus_test_tensor(call->L, -1);
  lua_replace(call->L, i + 1);
}

/* Takes the named arguments from the table at `from`, whose array part of n values has been taken,
** into their slots. The first key and its value are on the stack. */
static void take_names(locus_call *call, int from, int n)
{
  lua_State *L = call->L;
  size_t length;

  do {
    if (lua_type(L, -2) == LUA_TSTRING) {
      const char *name = lua_tolstring(L, -2, &length);
      int i = strlen(name) == length ? find_param(call, name) : -1;
      if (i < 0) locus_unknown_name(call, name);
      take_named(call, i, from);
      continue;
    }
    lua_pop(L, 1);
    if (!in_array(L, -1, n)) {
      locus_call_error(call, "the table of arguments has %s for a key, which names no argument",
                       locus_describe(L, lua_gettop(L)));
    }
  } while (lua_next(L, from));
}

static void clear(lua_State *L, int index)
{
  lua_pushnil(L);
  lua_replace(L, index);
}

/* The elements of a parameter of LOCUS_SIZES. */
static const char *held_by(unsigned flags)
{
  return flags & LOCUS_NAMES ? "names" : flags & LOCUS_TENSORS ? "tensors" : "whole numbers";
}

/* Packs `count` values, beginning with argument i, into one table in its place. */
static void pack(locus_call *call, int i, int count)
{
  lua_State *L = call->L;

  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    if (lua_isnil(L, i + k)) {
      locus_call_error(call, "'%s' must hold %s, got nil", call->params[i].name,
                       held_by(call->params[i].flags));
    }
    lua_pushvalue(L, i + k);
    lua_rawseti(L, -2, k);
  }
  lua_replace(L, i + 1);
  for (int k = 2; k <= count; k++) clear(L, i + k);
}

/* Packs the sizes among `count` values by position; returns the number of values left. */
static int pack_sizes(locus_call *call, int count)
{
  lua_State *L = call->L;
  int i = call->sizes;

  if (i >= count) return count;
  if (count - i == 1 && lua_isnil(L, i + 1)) return count;
  bool tensors = call->params[i].flags & LOCUS_TENSORS;
  if (lua_type(L, i + 1) == LUA_TTABLE && (count - i == 1 || !tensors)) return count;
  pack(call, i, count - i);
  return i + 1;
}

/* Takes the values by position, which are in their slots: stack indices 1 to `count`. `name`: the
** first one of the table of names at `from`, or NULL. */
static void take_positions(locus_call *call, int count, const char *name, int from)
{
  lua_State *L = call->L;
  int most = call->most, given = pack_sizes(call, count);

  call->positions = count;
  while (given > most && lua_isnil(L, given)) given--;
  if (given > most) locus_surplus_error(call, given, name, from);
  for (int i = 0; i < given; i++) {
    call->tensors[i] = locus_test_tensor(L, i + 1);
    if (call->tensors[i] || !lua_isnil(L, i + 1)) call->given |= 1u << i;
  }
}

/* Whether the only value is a table that begins with a tensor: the arguments, most likely, in
** braces. */
static bool is_in_braces(const locus_call *call)
{
  lua_State *L = call->L;

  if (call->given != 1 || lua_type(L, 1) != LUA_TTABLE) return false;
  lua_rawgeti(L, 1, 1);
  bool tensor = locus_test_tensor(L, -1) != NULL;
  lua_pop(L, 1);
  return tensor;
}

static void check_required(locus_call *call)
{
  unsigned missing = call->required & ~call->given;
  if (!missing) return;
  const char *why = is_in_braces(call) ? "; a table without names is data: write the arguments "
                                         "without braces"
                                       : "";
  if (locus_lacks_frame(call)) {
    missing = 1;
    why = lua_pushfstring(call->L,
                          "; write f:%s(...), or f:column(\"%s\") for a column of that "
                          "name",
                          call->function, call->function);
  }
  locus_call_error(call, "'%s' is missing%s", call->params[__builtin_ctz(missing)].name, why);
}

/* Whether an empty table in last place, after `before` values, can only be an empty option table:
** everything required comes before it, and it would mean nothing as the argument of its place. */
static bool empty_options(const locus_call *call, int before)
{
  int required = __builtin_ctz(~call->required);

  if (before < call->most && call->params[before].flags & (LOCUS_NO_DIMS | LOCUS_TABLE))
    return false;
  return before >= required && call->sizes != required;
}

void locus_call_begin_plain(locus_call *call, lua_State *L, const char *function,
                            const locus_param *params, int count)
{
  call->L = L;
  call->function = function;
  call->params = params;
  call->count = call->positions = count;
  call->given = 0;
  begin_context(call);
  luaL_checkstack(L, count + LOCUS_MOST_PARAMS, function);
  lua_settop(L, count);
  for (int i = 0; i < count; i++) {
    call->tensors[i] = locus_test_tensor(L, i + 1);
    if (!lua_isnil(L, i + 1)) call->given |= 1u << i;
  }
  resolve_home(call);
}

static void make_room(locus_call *call, int values)
{
  if (!lua_checkstack(call->L, values + call->count + LOCUS_MOST_PARAMS))
    locus_call_error(call, "takes fewer arguments than %d", values + lua_gettop(call->L));
}

/* Puts the n values in the array part of the table of names at *from behind the values by position,
** beginning at index `last`, and restarts the walk of the table; *from follows it. */
static void spread(locus_call *call, int last, int *from, int n)
{
  lua_State *L = call->L;

  lua_settop(L, *from);
  make_room(call, n);
  if (*from > last) clear(L, last);
  for (int k = 0; k < n; k++, ++*from) {
    lua_rawgeti(L, *from, k + 1);
    lua_insert(L, last + k);
  }
  lua_pushnil(L);
  lua_next(L, *from);
}

/* Takes the named arguments of the table at `last`, the top; a table without names is a value by
** position. While names are taken the table is above the slots. */
static void take_last(locus_call *call, int last)
{
  lua_State *L = call->L;
  int from = last, inner = 0, others;

  if (last <= call->count) {
    lua_settop(L, call->count);
    lua_pushvalue(L, last);
    from = call->count + 1;
  }
  bool names = find_name(call, from, &others);
  if (!names && (others > 0 || !empty_options(call, last - 1))) {
    take_positions(call, last, NULL, 0);
    return;
  }
  const char *name = names ? lua_tostring(L, -2) : NULL;
  if (names) inner = (int)lua_objlen(L, from);
  if (names && inner + others > 0) spread(call, last, &from, inner);
  take_positions(call, last - 1 + inner, name, from);
  if (names) take_names(call, from, inner);
  if (from > last && !(call->given >> (last - 1) & 1)) clear(L, last);
}

static void read_params(locus_call *call)
{
  int i = 0, most = 0, sizes = LOCUS_MOST_PARAMS;
  unsigned required = 0;

  for (; call->params[i].name; i++) {
    unsigned flags = call->params[i].flags;
    call->tensors[i] = NULL;
    if (flags & LOCUS_NAMED) continue;
    most = i + 1;
    if (flags & LOCUS_SIZES) sizes = i;
    if (!(flags & LOCUS_OPTIONAL)) required |= 1u << i;
  }
  call->count = i;
  call->most = most;
  call->sizes = sizes;
  call->required = required;
  call->given = 0;
}

/* The last value may be a table of names; its array part holds further values by position. The
** stack meanwhile:
**   1 .. count           the slots of the parameters, where values by position stand already
**   above                the table of names, if there is one
** At the end the slots alone are left. */
void locus_call_begin(locus_call *call, lua_State *L, const char *function,
                      const locus_param *params)
{
  int top = lua_gettop(L);

  call->L = L;
  call->function = function;
  call->params = params;
  read_params(call);
  begin_context(call);
  make_room(call, 0);
  if (top > 0 && lua_type(L, top) == LUA_TTABLE) take_last(call, top);
  else take_positions(call, top, NULL, 0);
  lua_settop(L, call->count);
  check_required(call);
  resolve_home(call);
}
