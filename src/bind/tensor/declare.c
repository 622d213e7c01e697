/* SPDX-License-Identifier: MIT */
/* Reads the arguments of functions written in Lua like those of C functions;
** lua/locus/call/declare.lua gives the parameters. */
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

/* -- Kinds of arguments ------------------------------------------------------------------------ */

/* Each reader checks a given argument and puts the value for the function into its slot: a table
** becomes a tensor, an integer a Lua number. */
typedef void reader(locus_call *call, int i);

static void read_any(locus_call *call, int i)
{
  (void)call, (void)i;
}

/* The same, but that {} in last place is an empty table of options. */
static void read_any_or_options(locus_call *call, int i)
{
  read_any(call, i);
}

static void read_tensor(locus_call *call, int i)
{
  locus_arg_tensor(call, i);
}

static void read_value(locus_call *call, int i)
{
  locus_value value;
  locus_arg_value(call, i, &value);
}

static void read_out(locus_call *call, int i)
{
  locus_arg_out(call, i);
}

/* A new table, with tensors in place of tables. */
static void read_tensors(locus_call *call, int i)
{
  lua_State *L = call->L;

  if (lua_type(L, i + 1) != LUA_TTABLE) locus_arg_expected(call, i, "a table of tensors");
  int count = (int)lua_objlen(L, i + 1);
  locus_home_among(call, i, count);
  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    const char *name = lua_pushfstring(L, "%s[%d]", call->params[i].name, k);
    lua_rawgeti(L, i + 1, k);
    int at = lua_gettop(L);
    if (lua_type(L, at) == LUA_TTABLE) locus_table_to_tensor(call, at, name, LOCUS_DTYPES);
    const locus_tensor *tensor = locus_test_tensor(L, at);
    if (!tensor || !tensor->storage) {
      const char *got = locus_describe(L, at);
      locus_call_error(call, "'%s' must be a tensor or a table, got %s%s", name, got,
                       locus_meant(call, i, at));
    }
    lua_rawseti(L, at - 2, k);
    lua_pop(L, 1);
  }
  locus_arg_list_length(call, i); /* the loop gives a better error for a gap */
  lua_replace(L, i + 1);
}

static void replace_number(locus_call *call, int i, lua_Number value)
{
  lua_pushnumber(call->L, value);
  lua_replace(call->L, i + 1);
}

static int input_ndim(const locus_call *call)
{
  return call->tensors[0] ? call->tensors[0]->shape.ndim : 0;
}

/* A dimension of the first argument, counted from 1. */
static void read_dim(locus_call *call, int i)
{
  replace_number(call, i, locus_arg_dim(call, i, input_ndim(call), 0) + 1);
}

/* A list of such dimensions, in ascending order. */
static void read_dims(locus_call *call, int i)
{
  uint32_t dims = locus_arg_dims(call, i, input_ndim(call));

  lua_newtable(call->L);
  for (int count = 0; dims; dims &= dims - 1) {
    lua_pushnumber(call->L, __builtin_ctz(dims) + 1);
    lua_rawseti(call->L, -2, ++count);
  }
  lua_replace(call->L, i + 1);
}

static void read_sizes(locus_call *call, int i)
{
  locus_shape shape;

  locus_arg_shape(call, i, &shape, false);
  locus_push_shape(call->L, &shape);
  lua_replace(call->L, i + 1);
}

static void read_boolean(locus_call *call, int i)
{
  locus_arg_bool(call, i, false);
}

static void read_integer(locus_call *call, int i)
{
  locus_push_int64(call->L, locus_arg_int(call, i, 0));
  lua_replace(call->L, i + 1);
}

/* A whole number, or a list of them as a new list. */
static void read_integers(locus_call *call, int i)
{
  lua_State *L = call->L;
  int64_t value;

  if (lua_type(L, i + 1) != LUA_TTABLE) {
    if (!locus_read_int64(L, i + 1, &value))
      locus_arg_expected(call, i, "a whole number or a list of whole numbers");
    read_integer(call, i);
    return;
  }
  int count = locus_list_length(L, i + 1);
  if (count < 0) locus_arg_expected(call, i, "a whole number or a list of whole numbers");
  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    if (k % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
    lua_rawgeti(L, i + 1, k);
    if (!locus_read_int64(L, lua_gettop(L), &value)) {
      locus_call_error(call, "'%s[%d]' must be a whole number, got %s", call->params[i].name, k,
                       locus_describe_number(L, lua_gettop(L)));
    }
    lua_pop(L, 1);
    locus_push_int64(L, value);
    lua_rawseti(L, -2, k);
  }
  lua_replace(L, i + 1);
}

/* A whole number, or a tensor, as which a table is read as int64. */
static void read_counts(locus_call *call, int i)
{
  int64_t value;

  if (call->tensors[i] || lua_type(call->L, i + 1) == LUA_TTABLE)
    locus_arg_tensor_as(call, i, LOCUS_i64);
  else if (locus_read_int64(call->L, i + 1, &value)) read_integer(call, i);
  else locus_arg_expected(call, i, "a tensor, a table or a whole number");
}

static void read_number(locus_call *call, int i)
{
  replace_number(call, i, locus_arg_number(call, i, 0));
}

static void read_string(locus_call *call, int i)
{
  locus_arg_string(call, i, NULL);
}

/* One name, or a list of names, as a new list. */
static void read_names(locus_call *call, int i)
{
  lua_State *L = call->L;
  bool one = lua_type(L, i + 1) == LUA_TSTRING;
  bool list = lua_type(L, i + 1) == LUA_TTABLE;
  int count = one ? 1 : list ? locus_list_length(L, i + 1) : -1;

  if (count < 0) locus_arg_expected(call, i, "a name or a list of names");
  lua_createtable(L, count, 0);
  for (int k = 1; k <= count; k++) {
    if (one) lua_pushvalue(L, i + 1);
    else lua_rawgeti(L, i + 1, k);
    if (lua_type(L, -1) != LUA_TSTRING) {
      int at = lua_gettop(L);
      const char *got = locus_describe(L, at);
      locus_call_error(call, "'%s[%d]' must be a name, got %s%s", call->params[i].name, k, got,
                       locus_meant(call, i, at));
    }
    lua_rawseti(L, -2, k);
  }
  lua_replace(L, i + 1);
}

static void read_base(locus_call *call, int i)
{
  replace_number(call, i, (lua_Number)locus_arg_base(call, i));
}

static void read_dtype(locus_call *call, int i)
{
  locus_arg_dtype(call, i, LOCUS_DTYPES);
}

static void read_device(locus_call *call, int i)
{
  locus_arg_device(call, i, LOCUS_CPU);
}

static void read_function(locus_call *call, int i)
{
  if (lua_type(call->L, i + 1) != LUA_TFUNCTION) locus_arg_expected(call, i, "a function");
}

/* THE list of kinds. */
/* clang-format off */
#define KINDS(KIND)                                                                     \
  KIND(any) KIND(any_or_options) KIND(tensor) KIND(value) KIND(tensors) KIND(out)       \
  KIND(dim) KIND(dims) KIND(sizes) KIND(boolean) KIND(integer) KIND(number)             \
  KIND(string) KIND(names) KIND(base) KIND(dtype) KIND(device) KIND(function)           \
  KIND(integers) KIND(counts)
/* clang-format on */

/* Whether an argument of that kind may be a table. */
static bool takes_table(const char *kind)
{
  static const char *const kinds[] = {"any",      "tensor", "value", "tensors",
                                      "integers", "counts", "names"};

  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kind, kinds[k]) == 0) return true;
  return false;
}

static reader *find_reader(const char *kind)
{
#define KIND(name) \
  if (strcmp(kind, #name) == 0) return read_##name;
  KINDS(KIND)
#undef KIND
  return NULL;
}

/* -- Declarations ------------------------------------------------------------------------------ */

typedef struct declaration {
  const char *function;
  locus_param params[LOCUS_MOST_PARAMS + 1];
  reader *read[LOCUS_MOST_PARAMS];
  unsigned required; /* bit i: argument i must be given, by name at least */
} declaration;

/* The arguments in the order of the parameters, each of its kind, or its default. */
static int read_arguments(lua_State *L)
{
  const declaration *d = lua_touserdata(L, UPVALUE_DECLARATION);
  locus_call call;

  locus_call_begin(&call, L, d->function, d->params);
  unsigned missing = d->required & ~call.given;
  if (missing) locus_call_error(&call, "'%s' is missing", d->params[__builtin_ctz(missing)].name);
  for (int i = 0; i < call.count; i++) {
    if (locus_arg_given(&call, i)) {
      d->read[i](&call, i);
      continue;
    }
    lua_rawgeti(L, UPVALUE_DEFAULTS, i + 1);
    lua_replace(L, i + 1);
  }
  lua_settop(L, call.count);
  return call.count;
}

static bool flag(lua_State *L, const char *name)
{
  lua_getfield(L, -1, name);
  bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

static const char *text(lua_State *L, const char *name)
{
  lua_getfield(L, -1, name);
  const char *held = luaL_checkstring(L, -1);
  lua_pop(L, 1);
  return held;
}

/* The i-th parameter, which is on top of the stack. */
static void declare_param(lua_State *L, declaration *d, int i)
{
  const char *kind = text(L, "kind");
  unsigned named = flag(L, "named") ? LOCUS_NAMED : 0;
  unsigned optional = flag(L, "optional") ? LOCUS_OPTIONAL : 0;
  unsigned names = strcmp(kind, "names") == 0 ? LOCUS_NAMES : 0;
  unsigned tensors = strcmp(kind, "tensors") == 0 ? LOCUS_TENSORS : 0;
  unsigned sizes = flag(L, "sizes") ? LOCUS_SIZES | names | tensors : 0;

  unsigned table = !sizes && takes_table(kind) ? LOCUS_TABLE : 0;

  d->params[i] = (locus_param){text(L, "name"), named | optional | sizes | table, NULL};
  d->read[i] = find_reader(kind);
  if (!d->read[i]) luaL_error(L, "%s: there is no kind of argument '%s'", d->function, kind);
  if (!optional) d->required |= 1u << i;
}

static int reader_of_arguments(lua_State *L)
{
  return locus_call_ieee(L, read_arguments);
}

/* reader(function, params, defaults): a function that gives its arguments back, read as `params`
** says: a list of {name, kind, optional, named, sizes}, as src/bind/ground/args.c has it. */
static int new_reader(lua_State *L)
{
  const char *function = luaL_checkstring(L, 1);
  int count = (int)lua_objlen(L, 2);

  if (count > LOCUS_MOST_PARAMS)
    return luaL_error(L, "%s: at most %d parameters", function, LOCUS_MOST_PARAMS);
  lua_pushvalue(L, UPVALUE_METATABLE);
  lua_pushvalue(L, UPVALUE_STATE);
  declaration *d = lua_newuserdata(L, sizeof *d);
  *d = (declaration){.function = function};
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    declare_param(L, d, i);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, 1); /* the table of parameters keeps the function's name, too */
  lua_setfield(L, 2, "name");
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_pushcclosure(L, reader_of_arguments, 5);
  return 1;
}

/* -- The parameters of a function ------------------------------------------------------- */

/* parameters(f): a list like that of `reader`, for a bound function that takes arguments by name;
** nil for others. The function itself is asked, by a call with a name that no parameter has: args.c
** then raises them all. */
static int parameters(lua_State *L)
{
  locus_state *state = locus_state_of(L);

  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, 1);
  lua_setfield(L, 2, "");
  state->asked = true;
  int status = lua_pcall(L, 1, 0, 0);
  state->asked = false;
  if (status == 0 || lua_type(L, -1) != LUA_TTABLE) lua_pushnil(L);
  return 1;
}

/* fail(message): raises the message with the name of the declared function that was called. */
static int fail(lua_State *L)
{
  lua_pushfstring(L, "%s: %s", locus_called(L, "locus"), luaL_checkstring(L, 1));
  return locus_raise(L, lua_tostring(L, -1));
}

const locus_entry locus_bind_declare[] = {
    {"reader", new_reader, LOCUS_INTERNAL},
    {"parameters", parameters, LOCUS_INTERNAL},
    {"fail", fail, LOCUS_INTERNAL},
    {0},
};
