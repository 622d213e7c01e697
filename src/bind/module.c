/* SPDX-License-Identifier: MIT */
/* luaopen_locus_core: the metatable, the registry, and every bound function. */
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "core/number/floats.h"
#include "core/memory.h"

static const struct {
  const char *key;
  bool ffi;
} hooks[] = {
#define HOOK(name, ffi) {locus_hook_##name, ffi},
    LOCUS_HOOKS(HOOK)
#undef HOOK
};

enum { HOOKS = sizeof hooks / sizeof hooks[0], PREFIX = sizeof "locus." - 1 };

static int find_hook(const char *name)
{
  int i = 0;
  while (i < HOOKS && strcmp(hooks[i].key + PREFIX, name) != 0) i++;
  return i;
}

/* setup{...}: keeps the hooks in the registry. All must be there and no others; those that need an
** FFI may all be absent. */
static int setup(lua_State *L)
{
  unsigned all = (1u << HOOKS) - 1, ffi = 0, given = 0;

  luaL_checktype(L, 1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    int i = find_hook(lua_tostring(L, -2));
    if (i == HOOKS) return luaL_error(L, "locus: the core has no hook '%s'", lua_tostring(L, -2));
    given |= 1u << i;
  }
  for (int i = 0; i < HOOKS; i++)
    if (hooks[i].ffi) ffi |= 1u << i;
  unsigned missing = all & ~given & ~(given & ffi ? 0 : ffi);
  const char *lacking = missing ? hooks[__builtin_ctz(missing)].key + PREFIX : NULL;
  if (lacking) return luaL_error(L, "locus: the core's hook '%s' is missing", lacking);
  for (int i = 0; i < HOOKS; i++) {
    lua_getfield(L, 1, hooks[i].key + PREFIX);
    lua_setfield(L, LUA_REGISTRYINDEX, hooks[i].key);
  }
  return 0;
}

/* raise(message): for locus's own Lua files. */
static int raise(lua_State *L)
{
  return locus_raise(L, luaL_checkstring(L, 1));
}

static int describe_number(lua_State *L)
{
  lua_settop(L, 1);
  locus_describe_number(L, 1);
  return 1;
}

static int describe(lua_State *L)
{
  luaL_checkany(L, 1);
  locus_describe(L, 1);
  return 1;
}

/* visible(text, quoted): the text without control characters. */
static int visible(lua_State *L)
{
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);

  locus_push_visible(L, text, length, lua_toboolean(L, 2));
  return 1;
}

static int spelling_distance(lua_State *L)
{
  lua_pushnumber(L, locus_spelling_distance(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
  return 1;
}

/* instruction_sets(): the names of those this CPU has, from the plainest to the best. */
static int instruction_sets(lua_State *L)
{
  const char *name;

  locus_check_count(L, "instruction_sets", 0);
  lua_newtable(L);
  for (int i = 0; (name = locus_cpu_set(i)); i++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* why_denormals_are_zero(): a sentence that says how this thread deviates from IEEE 754; nil if it
** does not. */
static int why_denormals_are_zero(lua_State *L)
{
  locus_check_count(L, "why_denormals_are_zero", 0);
  const uint64_t state = locus_state_of(L)->floats_found;
  const bool flushes = state & LOCUS_FLUSHES;

  if (state == 0) return 0;
  lua_pushfstring(L,
                  "this thread %s%s%s: a library that was built with -ffast-math or -Ofast has "
                  "set this; locus still computes by IEEE 754, but Lua does not",
                  flushes ? "takes denormal numbers for zero" : "",
                  flushes && state & LOCUS_ROUNDS ? " and " : "",
                  state & LOCUS_ROUNDS ? "does not round to the nearest" : "");
  return 1;
}

/* dtypes(): their names; and, by name, the properties that LuaJIT needs. These are the kind, the
** bytes and the C type of elements, the C type that they are computed in, and for integers `low`,
** the least, and `past`, the first one that is too great. */
static int dtypes(lua_State *L)
{
  static const char *const types[LOCUS_DTYPES][3] = {
#define DTYPE(id, element, value, kind, name) {#kind, #element, #value},
#include "core/dtype.def"
  };
  static const char *const fields[] = {"kind", "element", "value"};

  lua_newtable(L);
  lua_newtable(L);
  for (int dtype = 0; dtype < LOCUS_DTYPES; dtype++) {
    const locus_range range = locus_dtype_range((locus_dtype)dtype);
    const char *name = locus_dtype_name((locus_dtype)dtype);
    lua_pushstring(L, name);
    lua_rawseti(L, -3, dtype + 1);
    lua_newtable(L);
    for (int i = 0; i < 3; i++) {
      lua_pushstring(L, types[dtype][i]);
      lua_setfield(L, -2, fields[i]);
    }
    lua_pushnumber(L, (lua_Number)locus_dtype_size((locus_dtype)dtype));
    lua_setfield(L, -2, "size");
    lua_pushnumber(L, (lua_Number)range.low);
    lua_setfield(L, -2, "low");
    lua_pushnumber(L, (lua_Number)range.high + 1);
    lua_setfield(L, -2, "past");
    lua_setfield(L, -2, name);
  }
  return 2;
}

/* families(): for each family that is a .def file its rows, by their names: the class beside the
** name, the operator of a comparison. */
static int families(lua_State *L)
{
  static const struct {
    const char *family, *name, *class;
  } rows[] = {
#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)
#define UNARY(op, computed) {"unary", #op, #computed},
#include "core/unary.def"
#define BINARY(op, computed) {"binary", #op, #computed},
#include "core/binary.def"
#define COMPARE(op, relation, swapped) {"compare", #op, #relation},
#include "core/compare.def"
#define REDUCE(op, result) {"reduce", #op, #result},
#include "core/reduce.def"
#define SCAN(op, result) {"scan", #op, #result},
#include "core/scan.def"
#define SEGMENT(how, result) {"segment", #how, #result},
#include "core/segment.def"
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
#undef UNARY
#undef BINARY
#undef COMPARE
#undef REDUCE
#undef SCAN
#undef SEGMENT
  };

  lua_settop(L, 0);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (i == 0 || strcmp(rows[i].family, rows[i - 1].family) != 0) {
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, 1, rows[i].family);
    }
    lua_pushstring(L, rows[i].class);
    lua_setfield(L, -2, rows[i].name);
  }
  lua_pushvalue(L, 1);
  return 1;
}

/* set_default_dtype(dtype): "float64" (at first) or "float32", the dtype of data without one. */
#define SET_DEFAULT_DTYPE_PARAMS(P) P(dtype, LOCUS_REQUIRED, "float64" | "float32")
static int set_default_dtype(lua_State *L)
{
  LOCUS_PARAMS(SET_DEFAULT_DTYPE_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "set_default_dtype", params);
  locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_f64);
  if (dtype != LOCUS_f64 && dtype != LOCUS_f32)
    locus_arg_expected(&call, ARG_dtype, "float64 or float32");
  locus_state_of(L)->default_dtype = dtype;
  return 0;
}

static int get_default_dtype(lua_State *L)
{
  locus_check_count(L, "get_default_dtype", 0);
  lua_pushstring(L, locus_dtype_name(locus_state_of(L)->default_dtype));
  return 1;
}

/* set_default_device(device): the device of new tensors if nothing else decides it: "cpu" (at
** first), "cuda:<number>", or "cuda", the current device of the time.
** Source: https://pytorch.org/docs/stable/generated/torch.set_default_device.html */
#define SET_DEFAULT_DEVICE_PARAMS(P) P(device, LOCUS_REQUIRED, string)
static int set_default_device(lua_State *L)
{
  LOCUS_PARAMS(SET_DEFAULT_DEVICE_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "set_default_device", params);
  locus_device device = locus_arg_device(&call, ARG_device, LOCUS_CPU);
  bool current = strcmp(lua_tostring(L, 1), "cuda") == 0;
  locus_state_of(L)->default_device = current ? LOCUS_CURRENT : device;
  return 0;
}

static int get_default_device(lua_State *L)
{
  LOCUS_NO_PARAMS(string);
  locus_call call;

  locus_call_begin(&call, L, "get_default_device", params);
  lua_pushstring(L, locus_device_name(call.cx.home));
  return 1;
}

/* live_bytes(): the bytes that all tensors of the process hold. */
static int live_bytes(lua_State *L)
{
  locus_check_count(L, "live_bytes", 0);
  lua_pushnumber(L, (lua_Number)locus_memory_live());
  return 1;
}

/* fail_allocation(k, persistent): for specs. The k-th allocation from now fails, once or from then
** on; 0 ends it and returns how many were refused. */
static int fail_allocation(lua_State *L)
{
  int64_t k = (int64_t)luaL_checknumber(L, 1);
  lua_pushnumber(L, (lua_Number)locus_memory_fail(k, lua_toboolean(L, 2)));
  return 1;
}

/* Every bound function: its entry is the third upvalue. */
static int call_entry(lua_State *L)
{
  const locus_entry *entry = lua_touserdata(L, lua_upvalueindex(3));
  return locus_call_ieee(L, entry->function);
}

/* Sets a field that is new to the table below the top of the stack to the value on top. */
static void set_new(lua_State *L, const char *name)
{
  lua_getfield(L, -2, name);
  if (!lua_isnil(L, -1)) luaL_error(L, "locus: '%s' is registered twice, in src/bind", name);
  lua_pop(L, 1);
  lua_setfield(L, -2, name);
}

/* Adds the entries that are wanted to the table on top of the stack; the metatable and the state,
** every function's upvalues, are at stack indices 1 and 2. */
static void add_entries(lua_State *L, const locus_entry *entry, int wanted)
{
  for (; entry->name; entry++) {
    if (!((int)entry->tables & wanted)) continue;
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushlightuserdata(L, (void *)entry);
    lua_pushcclosure(L, call_entry, 3);
    set_new(L, entry->name);
  }
}

/* mpi_functions(): a new table of the functions of src/bind/bytes/mpi.c, which few scripts need. */
static int mpi_functions(lua_State *L)
{
  lua_settop(L, 0);
  lua_pushvalue(L, UPVALUE_METATABLE);
  lua_pushvalue(L, UPVALUE_STATE);
  lua_newtable(L);
  add_entries(L, locus_bind_mpi, LOCUS_MPI);
  return 1;
}

const locus_entry locus_bind_module[] = {
    {"setup", setup, LOCUS_INTERNAL},
    {"raise", raise, LOCUS_INTERNAL},
    {"describe", describe, LOCUS_INTERNAL},
    {"describe_number", describe_number, LOCUS_INTERNAL},
    {"visible", visible, LOCUS_INTERNAL},
    {"spelling_distance", spelling_distance, LOCUS_INTERNAL},
    {"instruction_sets", instruction_sets, LOCUS_FUNCTION},
    {"why_denormals_are_zero", why_denormals_are_zero, LOCUS_FUNCTION},
    {"ieee", locus_ieee, LOCUS_INTERNAL},
    {"dtypes", dtypes, LOCUS_INTERNAL},
    {"families", families, LOCUS_INTERNAL},
    {"mpi_functions", mpi_functions, LOCUS_INTERNAL},
    {"set_default_dtype", set_default_dtype, LOCUS_FUNCTION},
    {"get_default_dtype", get_default_dtype, LOCUS_FUNCTION},
    {"set_default_device", set_default_device, LOCUS_FUNCTION},
    {"get_default_device", get_default_device, LOCUS_FUNCTION},
    {"live_bytes", live_bytes, LOCUS_FUNCTION},
    {"fail_allocation", fail_allocation, LOCUS_FUNCTION},
    {0},
};

static void add_all(lua_State *L, int wanted)
{
#define ENTRIES(name) add_entries(L, locus_bind_##name, wanted);
  LOCUS_BIND(ENTRIES)
#undef ENTRIES
}

static void choose_instruction_set(lua_State *L)
{
  const char *name = getenv("LOCUS_ISA");
  locus_context cx;

  if (!locus_cpu_choose(name && *name ? name : NULL, &cx)) return;
  lua_pushfstring(L, "locus: %s", cx.error.message);
  lua_error(L);
}

/* Sets a field of the table on top of the stack: a table of the entries that are wanted. */
static void add_table(lua_State *L, const char *name, int wanted)
{
  lua_newtable(L);
  add_all(L, wanted);
  set_new(L, name);
}

/* The C half of the module: {functions..., isa=, version=, memory={}, cuda={}, streams={},
** events={}, methods={}, metatable={}, internal={}}. lua/locus/init.lua makes the rest. */
__attribute__((visibility("default"))) int luaopen_locus_core(lua_State *L);

int luaopen_locus_core(lua_State *L)
{
  lua_settop(L, 0);
  choose_instruction_set(L);
  locus_choose_threads(L);
  locus_choose_cache(L);
  lua_newtable(L);
  locus_state *state = lua_newuserdata(L, sizeof *state);
  memset(state, 0, sizeof *state);
  state->default_dtype = LOCUS_f64;
  lua_newtable(L);
  add_all(L, LOCUS_FUNCTION);
  add_table(L, "memory", LOCUS_MEMORY);
  add_table(L, "cuda", LOCUS_CUDA);
  add_table(L, "streams", LOCUS_STREAM);
  add_table(L, "events", LOCUS_EVENT);
  add_table(L, "internal", LOCUS_INTERNAL);
  lua_newtable(L);
  add_all(L, LOCUS_METHOD);
  lua_getfield(L, -1, "__gc");
  lua_setfield(L, 1, "__gc");
  lua_pushnil(L);
  lua_setfield(L, -2, "__gc");
  set_new(L, "methods");
  lua_pushvalue(L, 1);
  set_new(L, "metatable");
  lua_pushstring(L, locus_cpu_runners->name);
  set_new(L, "isa");
  lua_pushstring(L, LOCUS_VERSION);
  set_new(L, "version");
  return 1;
}
