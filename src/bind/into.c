/* SPDX-License-Identifier: MIT */
/* Small calls with tensors for operands and an `out` that has been made, as compiled Lua makes them
** through the FFI: no values on the Lua stack. What cannot be done so is left undone, in silence:
** lua/locus/fast.lua then makes the call through the core, which has the error to raise. */
#include "bind/bind.h"

enum { MOST_OPERANDS = 3, MOST_ELEMENTS = 16384 }; /* too few to share or to interrupt */

typedef int into_op(const locus_value *operands, locus_tensor *out, locus_context *cx);

static int into_where(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  return locus_where(operands, out, cx);
}

static int into_searchsorted(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  const locus_search search = {
      .sorted_sequence = operands[0], .values = operands[1], .base = 1};
  return locus_searchsorted(&search, (locus_tensor *[]){out, NULL}, cx);
}

static int into_nonzero(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  return locus_nonzero(&operands[0], out, false, 1, cx);
}

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)
#define BINARY(op, computed)                                                            \
  static int into_##op(const locus_value *operands, locus_tensor *out, locus_context *cx) \
  {                                                                                     \
    return locus_apply_binary(LOCUS_BINARY_##op, &operands[0], &operands[1], out, false, cx); \
  }
#include "core/binary.def"
#undef BINARY
#define COMPARE(op, operator, swapped)                                                  \
  static int into_##op(const locus_value *operands, locus_tensor *out, locus_context *cx) \
  {                                                                                     \
    return locus_apply_compare(LOCUS_COMPARE_##op, &operands[0], &operands[1], out, cx); \
  }
#include "core/compare.def"
#undef COMPARE

static const struct {
  const char *name;
  into_op *run;
  int count; /* of operands */
} served[] = {
    {"where", into_where, 3},
    {"searchsorted", into_searchsorted, 2},
    {"nonzero", into_nonzero, 1},
#define BINARY(op, computed) {#op, into_##op, 2},
#include "core/binary.def"
#undef BINARY
#define COMPARE(op, operator, swapped) {#op, into_##op, 2},
#include "core/compare.def"
#undef COMPARE
};

/* What compiled Lua calls: a row of `served` with userdata of tensors, NULL for operands that it
** does not have. Answers whether it is done. */
static bool into(const locus_state *state, int row, const void *out, const void *a,
                 const void *b, const void *c)
{
  const void *const given[MOST_OPERANDS] = {a, b, c};
  locus_tensor *result = locus_held_tensor(out);
  locus_value operands[MOST_OPERANDS];
  locus_context cx;

  if (!result->direct || result->numel > MOST_ELEMENTS) return false;
  for (int i = 0; i < served[row].count; i++) {
    const locus_tensor *tensor = locus_held_tensor(given[i]);
    if (!tensor->direct || tensor->numel > MOST_ELEMENTS) return false;
    operands[i].name = "";
    operands[i].tensor = tensor;
  }
  cx.default_dtype = state->default_dtype;
  cx.home = LOCUS_CPU;
  cx.interrupted = NULL;
  return served[row].run(operands, result, &cx) == 0;
}

/* into(): the addresses of that function and of its first argument, and a list of what is served:
** {name, count}. */
static int into_served(lua_State *L)
{
  const int count = sizeof served / sizeof served[0];

  lua_pushlightuserdata(L, (void *)into);
  lua_pushlightuserdata(L, locus_state_of(L));
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 2, 0);
    lua_pushstring(L, served[i].name);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, served[i].count);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, i + 1);
  }
  return 3;
}

const locus_entry locus_bind_into[] = {
    {"into", into_served, LOCUS_INTERNAL},
    {0},
};
