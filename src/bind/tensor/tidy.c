/* SPDX-License-Identifier: MIT */
/* Memory that is freed at once: free, keep, and the two halves of tidy. lua/locus/tidy.lua calls
** the function between them, so that it may yield. */
#include "bind/tensor/object.h"

/* Takes tensors out of their scope: out of one scope, or any. */
typedef struct taking {
  lua_State *L;
  const locus_scope *from; /* NULL: any */
  locus_scope *to;         /* where they go; NULL: none */
  int seen;                /* stack index of the tables and objects found, as keys and in a list */
  int count;               /* of them */
  int tensors;             /* found */
} taking;

static void take_tensor(taking *t, locus_tensor *tensor)
{
  const locus_scope *scope = locus_scope_of_tensor(tensor);

  t->tensors++;
  if (scope && (!t->from || scope == t->from)) locus_give_tensor(tensor, t->to);
}

/* Takes the tensor on top of the stack, or notes an object or table that may hold some. Pops the
** value. */
static void take_top(taking *t)
{
  lua_State *L = t->L;
  locus_tensor *tensor = locus_test_tensor(L, -1);

  if (tensor) take_tensor(t, tensor);
  if (tensor || (lua_type(L, -1) != LUA_TTABLE && !locus_is_object(L, -1))) {
    lua_pop(L, 1);
    return;
  }
  if (!t->seen) {
    lua_newtable(L);
    lua_insert(L, -2);
    t->seen = lua_gettop(L) - 1;
  }
  lua_pushvalue(L, -1);
  lua_rawget(L, t->seen);
  bool known = !lua_isnil(L, -1);
  lua_pop(L, 1);
  if (known) {
    lua_pop(L, 1);
    return;
  }
  lua_pushvalue(L, -1);
  lua_pushboolean(L, true);
  lua_rawset(L, t->seen);
  lua_rawseti(L, t->seen, ++t->count);
}

/* Takes the tensors in the tables and objects found so far, and in those that they hold. */
static void take_inside(taking *t)
{
  lua_State *L = t->L;

  for (int k = 1; k <= t->count; k++) {
    lua_rawgeti(L, t->seen, k);
    if (lua_type(L, -1) == LUA_TUSERDATA) lua_getfenv(L, -1);
    int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table);) {
      take_top(t);
      lua_pushvalue(L, -1);
      take_top(t);
    }
    lua_settop(L, t->seen);
  }
}

/* Takes the value at that index, and the tensors it holds, out of any scope. */
static void take_value(taking *t, int index)
{
  luaL_checkstack(t->L, 8, "keep");
  lua_pushvalue(t->L, index);
  take_top(t);
  take_inside(t);
}

/* keep(x): lets a tensor outlive the calls of tidy in which it was made; likewise all that a table,
** frame, string column, group or search index holds. Answers with x. */
#define KEEP_PARAMS(P) P(x, LOCUS_REQUIRED, Tensor)
static int keep(lua_State *L)
{
  LOCUS_PARAMS(KEEP_PARAMS, any);
  locus_call call;
  taking t = {.L = L};
  int given = lua_gettop(L);

  locus_call_begin_plain(&call, L, "keep", params, 1);
  if (given > 1) locus_call_error(&call, "takes 1 argument, got %d", given);
  if (call.tensors[0]) locus_arg_tensor(&call, ARG_x);
  take_value(&t, 1);
  if (!t.tensors && !locus_is_object(L, 1))
    locus_arg_expected(&call, ARG_x, "a tensor, or an object that holds tensors");
  lua_settop(L, 1);
  return 1;
}

/* join_scope(x, beside), for locus's own Lua files: gives x, and the tensors it holds, to the scope
** of the tensor `beside`. Answers with x. */
static int join_scope(lua_State *L)
{
  taking t = {.L = L, .to = locus_scope_of_tensor(locus_test_tensor(L, 2))};

  take_value(&t, 1);
  lua_settop(L, 1);
  return 1;
}

/* free(input): gives the tensor's memory back now, or its part in it where views share it. Every
** later use of the tensor is an error. */
#define FREE_NOW_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int free_now(lua_State *L)
{
  LOCUS_PARAMS(FREE_NOW_PARAMS, nil);
  locus_call call;
  locus_value input;

  locus_call_begin(&call, L, "free", params);
  locus_free_tensor(locus_arg_self(&call, &input), LOCUS_BY_FREE);
  return 0;
}

static locus_scope *scope_at(lua_State *L, int index)
{
  return lua_touserdata(L, index);
}

/* drop_scope(scope): the metamethod __gc, of a call that will never return, too: its coroutine is
** garbage. */
static int drop_scope(lua_State *L)
{
  locus_scope *scope = scope_at(L, 1);

  locus_scope_close(scope);
  locus_scope_empty(scope);
  return 0;
}

/* scope(metatable): a closed one. */
static int new_scope(lua_State *L)
{
  locus_scope *scope = lua_newuserdata(L, sizeof *scope);

  *scope = (locus_scope){0};
  lua_createtable(L, 1, 0);
  lua_setfenv(L, -2);
  lua_pushvalue(L, 1);
  lua_setmetatable(L, -2);
  return 1;
}

/* While a scope is open its environment keeps alive the coroutine that has opened it, which is
** asked whether it has yielded. */
static void anchor_coroutine(lua_State *L, bool open)
{
  bool lasts = lua_pushthread(L); /* the main one does anyway */

  if (!lasts) {
    lua_getfenv(L, 1);
    if (open) lua_pushvalue(L, -2);
    else lua_pushnil(L);
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* open_scope(scope): for the calling coroutine. */
static int open_scope(lua_State *L)
{
  anchor_coroutine(L, true);
  locus_scope_open(scope_at(L, 1), L, locus_state_of(L));
  return 0;
}

/* close_scope(scope, done, ...): frees the members of the scope, except those among the values
** after `done` and in what these hold, if `done` is true. The rest goes to the scope around. */
static int close_scope(lua_State *L)
{
  locus_scope *scope = scope_at(L, 1);
  int top = lua_toboolean(L, 2) ? lua_gettop(L) : 2;

  locus_scope_close(scope);
  anchor_coroutine(L, false);
  taking t = {.L = L, .from = scope, .to = locus_scope_of(L, locus_state_of(L))};
  luaL_checkstack(L, 8, "tidy");
  for (int i = 3; scope->first && i <= top; i++) {
    lua_pushvalue(L, i);
    take_top(&t);
  }
  take_inside(&t);
  locus_free_members(scope);
  return 0;
}

const locus_entry locus_bind_tidy[] = {
    {"keep", keep, LOCUS_FUNCTION},
    {"free", free_now, LOCUS_METHOD},
    {"join_scope", join_scope, LOCUS_INTERNAL},
    {"scope", new_scope, LOCUS_INTERNAL},
    {"drop_scope", drop_scope, LOCUS_INTERNAL},
    {"open_scope", open_scope, LOCUS_INTERNAL},
    {"close_scope", close_scope, LOCUS_INTERNAL},
    {0},
};
