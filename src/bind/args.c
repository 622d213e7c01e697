/* SPDX-License-Identifier: MIT */
/* Arguments by position and by name, laid out on the Lua stack in the order of the parameters. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

enum { MOST_PARAMS = 16 };

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
  call->hook_mask = lua_gethookmask(L);
  call->hook_count = lua_gethookcount(L);
  call->cx.default_dtype = state->default_dtype;
  state->function = call->function;
  call->cx.interrupted = interrupted;
  call->cx.user = call;
}

/* Levenshtein's distance, for names shorter than 32 characters. */
int locus_spelling_distance(const char *a, const char *b)
{
  int row[32], n = (int)strlen(b);

  if (n > 31 || strlen(a) > 31) return 100;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; *a; a++, i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int change = diagonal + (*a != b[j - 1]);
      int skip = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = change < skip ? change : skip;
    }
  }
  return row[n];
}

/* Whether the value is a table with a string key: arguments by name. A table of data is walked to
** its end. */
static bool has_names(locus_call *call, int index)
{
  lua_State *L = call->L;

  if (lua_type(L, index) != LUA_TTABLE) return false;
  lua_pushnil(L);
  for (int seen = 1; lua_next(L, index); seen++) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      lua_pop(L, 1);
      return true;
    }
    if (seen % 4096 == 0) locus_call_again(call, locus_poll(&call->cx));
  }
  return false;
}

static int find_param(const locus_call *call, const char *name)
{
  for (int i = 0; i < call->count; i++)
    if (strcmp(call->params[i].name, name) == 0) return i;
  return -1;
}

/* Names the argument that is spelled most alike, or all of them when none is alike. */
static int unknown_name(locus_call *call, const char *name)
{
  int best = 0, least = INT_MAX;
  char all[320] = "";

  for (int i = 0; i < call->count; i++) {
    const char *known = call->params[i].name;
    int distance = locus_spelling_distance(name, known);
    if (distance < least) {
      least = distance;
      best = i;
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s'%s'", i ? ", " : "", known);
  }
  if (least <= (int)strlen(name) / 3 + 1) {
    return locus_call_error(call, "there is no argument '%.60s'; did you mean '%s'?", name,
                            call->params[best].name);
  }
  return locus_call_error(call, "there is no argument '%.60s'; the arguments are %s", name, all);
}

/* Whether the key is one of 1..n. */
static bool in_array(lua_State *L, int index, int n)
{
  lua_Number key = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  return key >= 1 && key <= n && key == (lua_Number)(int)key;
}

/* Takes the named arguments from the table at `from`, whose array part of n values has been taken,
** into their slots. */
static void take_names(locus_call *call, int from, int n)
{
  lua_State *L = call->L;

  lua_pushnil(L);
  while (lua_next(L, from)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      const char *name = lua_tostring(L, -2);
      int i = strlen(name) == lua_objlen(L, -2) ? find_param(call, name) : -1;
      if (i < 0) unknown_name(call, name);
      if (call->given & 1u << i) locus_call_error(call, "'%s' is given twice", name);
      call->given |= 1u << i;
      lua_replace(L, i + 1);
      continue;
    }
    lua_pop(L, 1);
    if (!in_array(L, -1, n)) {
      locus_call_error(call, "the table of arguments has %s for a key, which says nothing",
                       locus_describe(L, lua_gettop(L)));
    }
  }
}

static int positional_params(const locus_call *call)
{
  int count = 0;
  while (count < call->count && !(call->params[count].flags & LOCUS_NAMED)) count++;
  return count;
}

/* Packs the `count` values of argument i, from stack index `first` on, into one table, left in
** their place. */
static void pack(locus_call *call, int i, int first, int count)
{
  lua_State *L = call->L;

  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    if (lua_isnil(L, first + k - 1))
      locus_call_error(call, "'%s' must hold whole numbers, got nil", call->params[i].name);
    lua_pushvalue(L, first + k - 1);
    lua_rawseti(L, -2, k);
  }
  lua_replace(L, first);
}

/* Spreads the positional values, `count` of them from stack index `first` on, over the slots. */
static void take_positions(locus_call *call, int first, int count)
{
  lua_State *L = call->L;
  int most = positional_params(call), given = count;

  call->positions = count;
  for (int i = 0; i < most && i < count; i++) {
    if (!(call->params[i].flags & LOCUS_SIZES)) continue;
    if (count - i == 1 && lua_isnil(L, first + i)) break;
    if (count - i != 1 || lua_type(L, first + i) != LUA_TTABLE) {
      pack(call, i, first + i, count - i);
      given = i + 1;
    }
    break;
  }
  while (given > most && lua_isnil(L, first + given - 1)) given--;
  if (given > most) {
    locus_call_error(call, "takes at most %d argument%s by position, got %d", most,
                     most == 1 ? "" : "s", given);
  }
  for (int i = 0; i < given; i++) {
    if (lua_isnil(L, first + i)) continue;
    call->given |= 1u << i;
    lua_pushvalue(L, first + i);
    lua_replace(L, i + 1);
  }
}

static void check_required(locus_call *call)
{
  for (int i = 0; i < call->count; i++) {
    if (call->params[i].flags & (LOCUS_OPTIONAL | LOCUS_NAMED)) continue;
    if (!(call->given & 1u << i))
      locus_call_error(call, "'%s' is missing", call->params[i].name);
  }
}

/* Whether an empty table in last place can only be an empty option table: everything required
** stands before it. */
static bool empty_options(const locus_call *call, int top)
{
  lua_State *L = call->L;
  int required = 0;

  if (lua_type(L, top) != LUA_TTABLE) return false;
  while (required < call->count &&
         !(call->params[required].flags & (LOCUS_OPTIONAL | LOCUS_NAMED)))
    required++;
  if (top <= required || (required < call->count && call->params[required].flags & LOCUS_SIZES))
    return false;
  lua_pushnil(L);
  if (!lua_next(L, top)) return true;
  lua_pop(L, 2);
  return false;
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
  luaL_checkstack(L, count + MOST_PARAMS, function);
  lua_settop(L, count);
  for (int i = 0; i < count; i++)
    if (!lua_isnil(L, i + 1)) call->given |= 1u << i;
}

static void make_room(locus_call *call, int values)
{
  if (!lua_checkstack(call->L, values + call->count + MOST_PARAMS))
    locus_call_error(call, "takes fewer arguments than %d", values + lua_gettop(call->L));
}

/* The last value may be a table of names; what its array part holds are further values by position.
** The stack as they are taken apart:
**   1 .. count           the slots of the parameters, nil at first
**   count + 1            the table of names, if there is one
**   the rest             the values by position
** and at the end the slots alone. */
void locus_call_begin(locus_call *call, lua_State *L, const char *function,
                      const locus_param *params)
{
  int top = lua_gettop(L), inner = 0;

  call->L = L;
  call->function = function;
  call->params = params;
  for (call->count = 0; params[call->count].name;) call->count++;
  call->given = 0;
  begin_context(call);
  make_room(call, 0);
  bool names = top > 0 && has_names(call, top);
  if (names) {
    inner = (int)lua_objlen(L, top);
    make_room(call, inner);
    lua_insert(L, 1);
    for (int k = 1; k <= inner; k++) lua_rawgeti(L, 1, k);
  } else if (top > 0 && empty_options(call, top)) {
    lua_settop(L, --top);
  }
  for (int i = 0; i < call->count; i++) lua_pushnil(L);
  for (int i = 0; i < call->count; i++) lua_insert(L, 1);
  take_positions(call, call->count + 1 + names, top - names + inner);
  if (names) take_names(call, call->count + 1, inner);
  lua_settop(L, call->count);
  check_required(call);
}
