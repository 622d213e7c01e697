/* SPDX-License-Identifier: MIT */
/* Small calls as compiled Lua makes them through the FFI: no values on the Lua stack, and for a new
** result a userdata that was made before, a blank. Other cases are declined silently: the calling
** Lua file then makes the call through the core, which can raise. */
#include <string.h>

#include "bind/bind.h"
#include "core/number/floats.h"
#include "core/memory.h"

enum { MOST_OPERANDS = 3, MOST_ELEMENTS = 16384 }; /* too few to share or to interrupt */

/* Only calls through the core pace the collector, the latest after this many new bytes. */
enum { UNPACED = 256 << 10 };

/* -- The result -------------------------------------------------------------------------------- */

static bool is_small(const locus_tensor *tensor)
{
  return tensor->direct && tensor->numel <= MOST_ELEMENTS;
}

/* The tensor of `out`: an existing one, or a new one for a blank. NULL if the core should make the
** call. */
static locus_tensor *open_result(const locus_state *state, void *out)
{
  locus_tensor *result = locus_held_tensor(out);
  locus_scope *scope;

  if (!locus_is_blank(result)) return is_small(result) ? result : NULL;
  const int64_t seen = state->account[LOCUS_HOST_BYTES].allocated_seen;
  if (locus_memory_allocated() - seen > UNPACED || !locus_scope_sole(state, &scope)) return NULL;
  return locus_fill_blank(out, scope);
}

/* Whether the call is done. After a failure a filled blank is a blank again. The thread computes
** floats as before it. */
static bool close_result(locus_tensor *result, int status, uint64_t before)
{
  locus_floats_end(before);
  if (status && !result->storage) locus_clear_blank(result);
  return status == 0;
}

static uint64_t begin(locus_context *cx, const locus_state *state)
{
  cx->default_dtype = state->default_dtype;
  cx->home = LOCUS_CPU;
  cx->interrupted = NULL;
  return locus_floats_begin();
}

/* -- Ops of tensors and numbers ---------------------------------------------------------------- */

typedef int into_op(const locus_value *operands, locus_tensor *out, locus_context *cx);

static int into_where(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  return locus_where(operands, out, cx);
}

static int into_nonzero(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  return locus_nonzero(&operands[0], out, false, 1, cx);
}

static int into_clone(const locus_value *operands, locus_tensor *out, locus_context *cx)
{
  return locus_clone(operands[0].tensor, out, cx);
}

/* x:float() and the like; a tensor of that dtype is answered itself. */
static int into_dtype(const locus_value *operands, locus_dtype dtype, locus_tensor *out,
                      locus_context *cx)
{
  return operands[0].tensor->dtype == dtype || locus_convert(&operands[0], dtype, out, cx);
}

#define REAL(id, rank, key, method, constructor)                                          \
  static int into_##id(const locus_value *operands, locus_tensor *out, locus_context *cx) \
  {                                                                                       \
    return into_dtype(operands, LOCUS_##id, out, cx);                                     \
  }
#include "core/dtype.def"

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)
#define UNARY(op, computed)                                                               \
  static int into_##op(const locus_value *operands, locus_tensor *out, locus_context *cx) \
  {                                                                                       \
    return locus_apply_unary(LOCUS_UNARY_##op, &operands[0], out, false, cx);             \
  }
#include "core/unary.def"
#undef UNARY
#define BINARY(op, computed)                                                                  \
  static int into_##op(const locus_value *operands, locus_tensor *out, locus_context *cx)     \
  {                                                                                           \
    return locus_apply_binary(LOCUS_BINARY_##op, &operands[0], &operands[1], out, false, cx); \
  }
#include "core/binary.def"
#undef BINARY
#define COMPARE(op, relation, swapped)                                                    \
  static int into_##op(const locus_value *operands, locus_tensor *out, locus_context *cx) \
  {                                                                                       \
    return locus_apply_compare(LOCUS_COMPARE_##op, &operands[0], &operands[1], out, cx);  \
  }
#include "core/compare.def"
#undef COMPARE

static const struct {
  const char *name;
  into_op *run;
  int count;   /* of operands */
  int tensors; /* how many of the first ones are no numbers */
  bool has_out;
} served[] = {
    {"where", into_where, 3, 1, true},
    {"nonzero", into_nonzero, 1, 1, true},
    {"clone", into_clone, 1, 1, false},
#define REAL(id, rank, key, method, constructor) {method, into_##id, 1, 1, false},
#include "core/dtype.def"
#define UNARY(op, computed) {#op, into_##op, 1, 1, true},
#include "core/unary.def"
#undef UNARY
#define BINARY(op, computed) {#op, into_##op, 2, 0, true},
#include "core/binary.def"
#undef BINARY
#define COMPARE(op, relation, swapped) {#op, into_##op, 2, 0, true},
#include "core/compare.def"
#undef COMPARE
};

/* The operand in that userdata, or the number where there is none; false when it is not small. */
static bool read_operand(const void *userdata, double number, locus_value *operand)
{
  const locus_tensor *tensor = userdata ? locus_held_tensor(userdata) : NULL;

  operand->name = "";
  operand->tensor = tensor;
  operand->scalar = LOCUS_SCALAR_NUMBER;
  operand->dtype = LOCUS_f64;
  operand->kind = LOCUS_KIND_none;
  operand->element.f64 = number;
  return !tensor || is_small(tensor);
}

/* Whether the operands broadcast to a small shape: at most the product of their sizes, and for rows
** and equal shapes no more than the largest. */
static bool stays_small(const locus_value *operands, int count)
{
  const locus_shape *shape = NULL;
  int64_t most = 1;

  for (int i = 0; i < count; i++) {
    const locus_tensor *tensor = operands[i].tensor;
    if (!tensor || tensor->numel <= 1) continue;
    bool grows = shape && (shape->ndim > 1 || tensor->shape.ndim > 1) &&
                 !locus_shape_equal(shape, &tensor->shape);
    if (grows) most *= tensor->numel;
    else if (tensor->numel > most) most = tensor->numel;
    shape = &tensor->shape;
  }
  return most <= MOST_ELEMENTS;
}

/* A row of `served` with userdata of tensors, or NULL and a number in place of one. Returns whether
** it is done. */
static bool into(const locus_state *state, int row, void *out, const void *a, const void *b,
                 const void *c, double number_a, double number_b, double number_c)
{
  const void *const given[MOST_OPERANDS] = {a, b, c};
  const double numbers[MOST_OPERANDS] = {number_a, number_b, number_c};
  locus_value operands[MOST_OPERANDS];
  locus_context cx;

  const int count = served[row].count;
  for (int i = 0; i < count; i++) {
    if (!read_operand(given[i], numbers[i], &operands[i])) return false;
    if (!given[i] && i < served[row].tensors) return false;
  }
  if (!stays_small(operands, count)) return false;
  locus_tensor *result = open_result(state, out);
  if (!result) return false;
  const uint64_t before = begin(&cx, state);
  return close_result(result, served[row].run(operands, result, &cx), before);
}

/* A new tensor of one dimension, of the default dtype if that number is negative: of zeros or ones,
** or, if `what` is negative, with the old contents of the memory. */
static bool create(const locus_state *state, void *out, double n, int dtype, int what)
{
  const locus_value value = {.name = "", .scalar = LOCUS_SCALAR_INT64, .element.i64 = what};
  const locus_dtype wanted = dtype < 0 ? state->default_dtype : (locus_dtype)dtype;
  locus_shape shape = {.ndim = 1};
  locus_context cx;

  if (state->default_device != LOCUS_CPU || !(n >= 0 && n <= MOST_ELEMENTS)) return false;
  shape.size[0] = (int64_t)n;
  if ((double)shape.size[0] != n) return false;
  locus_tensor *result = open_result(state, out);
  if (!result) return false;
  const uint64_t before = begin(&cx, state);
  return close_result(
      result, locus_full(&shape, what < 0 ? NULL : &value, wanted, LOCUS_CPU, result, &cx), before);
}

/* -- Searches ---------------------------------------------------------------------------------- */

/* searchsorted of tensors, with the options that compiled Lua reads. */
static bool search(const locus_state *state, void *out, const void *sequence, const void *values,
                   bool right, bool out_int32, int base)
{
  locus_search search = {.out_int32 = out_int32, .base = base};
  locus_context cx;

  if (!read_operand(sequence, 0, &search.sorted_sequence)) return false;
  if (!read_operand(values, 0, &search.values)) return false;
  locus_tensor *result = open_result(state, out);
  if (!result) return false;
  const uint64_t before = begin(&cx, state);
  locus_tensor *const outs[2] = {right ? NULL : result, right ? result : NULL};
  return close_result(result, locus_searchsorted(&search, outs, &cx), before);
}

/* Whether these numbers compare the same in any floating-point state of the thread. (To ask for the
** state takes as long as a short search.) Nothing is rounded, and a denormal that is taken for 0
** lies on the same side of a number that is neither. */
static bool compares_alike(const locus_tensor *sequence, double value)
{
  const bool rounds =
      locus_dtype_kind(sequence->dtype) == LOCUS_FLOAT && sequence->dtype != LOCUS_f64;
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  return !rounds && bits << 1 >= (uint64_t)1 << 53;
}

static double search_number(const locus_tensor *sequence, double value, bool right)
{
  if (compares_alike(sequence, value)) return locus_search_number(sequence, value, right);
  const uint64_t before = locus_floats_begin();
  const double place = locus_search_number(sequence, value, right);
  locus_floats_end(before);
  return place;
}

/* -- t[...] ------------------------------------------------------------------------------------ */

static bool run_index(const locus_state *state, void *out, const locus_tensor *input,
                      const locus_pick *picks, int count)
{
  locus_tensor *result = open_result(state, out);
  locus_context cx;

  if (!result) return false;
  const uint64_t before = begin(&cx, state);
  return close_result(result, locus_index_get(input, picks, count, result, &cx), before);
}

/* The view of these numbers and ranges. A view of foreign memory must keep the owner alive. */
static bool slice(const locus_state *state, void *out, const locus_tensor *input,
                  const locus_pick *picks, int count)
{
  return input->storage && !input->storage->foreign && run_index(state, out, input, picks, count);
}

/* The elements, or the rows, of a small tensor that one index tensor or mask selects. */
static bool take(const locus_state *state, void *out, const locus_tensor *input,
                 const locus_tensor *at)
{
  const locus_pick pick = {.what = LOCUS_PICK_TENSOR, .tensor = at};

  if (at->dtype != LOCUS_b8 && at->dtype != LOCUS_i64 && at->dtype != LOCUS_i32) return false;
  if (!input->direct || (input->shape.ndim > 1 && input->numel > MOST_ELEMENTS)) return false;
  return is_small(at) && run_index(state, out, input, &pick, 1);
}

/* -- For small.lua, slice.lua and blank.lua in lua/locus --------------------------------------- */

/* blanks(n): a table of n blanks. */
static int blanks(lua_State *L)
{
  const int n = (int)luaL_checkinteger(L, 1);

  locus_pace(L, locus_state_of(L));
  lua_createtable(L, n, 0);
  for (int i = 1; i <= n; i++) {
    locus_push_blank(L);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

/* small(): the functions above by their names, the state that they take, and a list of the ops that
** `into` serves: {name, how many operands, whether it takes `out`}. */
static int small(lua_State *L)
{
  static const struct {
    const char *name;
    void *function;
  } functions[] = {{"into", (void *)into},     {"create", (void *)create},
                   {"search", (void *)search}, {"search_number", (void *)search_number},
                   {"slice", (void *)slice},   {"take", (void *)take}};
  const int count = sizeof served / sizeof served[0];

  lua_newtable(L);
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    lua_pushlightuserdata(L, functions[i].function);
    lua_setfield(L, -2, functions[i].name);
  }
  lua_pushlightuserdata(L, locus_state_of(L));
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 3, 0);
    lua_pushstring(L, served[i].name);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, served[i].count);
    lua_rawseti(L, -2, 2);
    lua_pushboolean(L, served[i].has_out);
    lua_rawseti(L, -2, 3);
    lua_rawseti(L, -2, i + 1);
  }
  return 3;
}

const locus_entry locus_bind_small[] = {
    {"blanks", blanks, LOCUS_INTERNAL},
    {"small", small, LOCUS_INTERNAL},
    {0},
};
