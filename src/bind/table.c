/* SPDX-License-Identifier: MIT */
/* Nested Lua tables to tensors and back. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"

enum {
  POLL_EVERY = 4096,      /* entries of a table */
  MOST_ENTRIES = 1 << 26, /* of one table that is made; LuaJIT's own limit is 2^27 */
};

/* Raises when the user has asked to stop. */
static void poll(locus_call *call)
{
  if (locus_poll(&call->cx)) locus_call_again(call, -1);
}

/* A table on its way to becoming a tensor. */
typedef struct reading {
  locus_call *call;
  const char *name; /* of the argument */
  locus_shape shape;
  locus_dtype dtype; /* LOCUS_DTYPES: what the elements make together */
  bool seen, integers, cdata;
  locus_kind kind; /* the highest among the elements */
  int64_t place[LOCUS_MAX_DIMS]; /* of the element being read, 1-based */
  char *next; /* where its bytes go */
} reading;

/* "[2][3]", where the reading stands. */
static const char *place(const reading *r, int depth, char text[LOCUS_SHAPE_TEXT])
{
  int used = 0;
  text[0] = '\0';
  for (int d = 0; d < depth && used < LOCUS_SHAPE_TEXT - 24; d++)
    used += sprintf(text + used, "[%lld]", (long long)r->place[d]);
  return text;
}

/* The length of the table on top of the stack, whose keys must be exactly 1..n. */
static int64_t length(reading *r, int depth)
{
  lua_State *L = r->call->L;
  char text[LOCUS_SHAPE_TEXT];
  int64_t count = 0;
  double most = 0;

  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    double key = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (key < 1 || key != (double)(int64_t)key) {
      locus_call_error(r->call, "'%s'%s has the key %s; a table read as a tensor has 1..n only",
                       r->name, place(r, depth, text), locus_describe(L, lua_gettop(L)));
    }
    if (key > most) most = key;
    if (count++ % POLL_EVERY == 0) poll(r->call);
  }
  if ((double)count != most) {
    for (r->place[depth] = 1;; r->place[depth]++) {
      lua_rawgeti(L, -1, (int)r->place[depth]);
      if (lua_isnil(L, -1)) break;
      lua_pop(L, 1);
    }
    locus_call_error(r->call, "'%s' has a gap at %s; write locus.nan for a missing number",
                     r->name, place(r, depth + 1, text));
  }
  return count;
}

/* Follows the first elements down: the shape the whole table must have. */
static void measure(reading *r, int index)
{
  lua_State *L = r->call->L;
  int top = lua_gettop(L);

  r->shape.ndim = 0;
  lua_pushvalue(L, index);
  while (lua_type(L, -1) == LUA_TTABLE) {
    if (r->shape.ndim == LOCUS_MAX_DIMS) {
      locus_call_error(r->call, "'%s' is nested more than %d deep", r->name, LOCUS_MAX_DIMS);
    }
    luaL_checkstack(L, 8, r->call->function);
    int64_t n = length(r, r->shape.ndim);
    r->place[r->shape.ndim] = 1;
    r->shape.size[r->shape.ndim++] = n;
    if (n == 0) break;
    lua_rawgeti(L, -1, 1);
  }
  lua_settop(L, top);
}

static int ragged(reading *r, int depth, const char *what)
{
  char text[LOCUS_SHAPE_TEXT], shape[LOCUS_SHAPE_TEXT];
  return locus_call_error(r->call, "'%s' is not rectangular: %s at %s in a table of size %s",
                          r->name, what, place(r, depth, text),
                          locus_shape_text(&r->shape, shape));
}

typedef void visit(reading *r, int depth);

/* Visits every element of the table on top of the stack in order; each is then on top. */
static void walk(reading *r, int depth, visit *each)
{
  lua_State *L = r->call->L;

  if (depth == r->shape.ndim) {
    if (lua_type(L, -1) == LUA_TTABLE) ragged(r, depth, "a table");
    each(r, depth);
    return;
  }
  if (lua_type(L, -1) != LUA_TTABLE) ragged(r, depth, "no table");
  if (length(r, depth) != r->shape.size[depth]) ragged(r, depth, "another length");
  for (int64_t i = 1; i <= r->shape.size[depth]; i++) {
    if (i % POLL_EVERY == 1) poll(r->call);
    r->place[depth] = i;
    lua_rawgeti(L, -1, (int)i);
    walk(r, depth + 1, each);
    lua_pop(L, 1);
  }
}

/* An exact decimal integer for an integer dtype: its digits may go past 2^53. */
static bool read_decimal(const char *text, size_t length, locus_value *value)
{
  char *end;

  errno = 0;
  value->scalar = LOCUS_SCALAR_INT64;
  value->element.i64 = strtoll(text, &end, 10);
  return *text != '\0' && strchr("+-0123456789", text[0]) && end == text + length &&
         errno == 0;
}

/* What is wrong with the element on top of the stack. */
static const char *why_not(const reading *r)
{
  lua_State *L = r->call->L;

  if (locus_test_tensor(L, -1)) {
    return "is no number; a table without names is data: write locus.stack(tensors), or the "
           "arguments without braces";
  }
  if (lua_type(L, -1) != LUA_TSTRING || !lua_isnumber(L, -1)) return "is no number";
  if (r->dtype == LOCUS_DTYPES) return "is no number; decimal strings need an integer dtype";
  if (locus_dtype_kind(r->dtype) != LOCUS_INTEGER) return "is no number";
  return lua_pushfstring(L, "%s cannot hold", locus_dtype_name(r->dtype));
}

static void read_element(reading *r, int depth, locus_value *value)
{
  lua_State *L = r->call->L;
  char text[LOCUS_SHAPE_TEXT];
  int element = lua_gettop(L);
  bool decimals = r->dtype != LOCUS_DTYPES && locus_dtype_kind(r->dtype) == LOCUS_INTEGER;

  value->name = r->name;
  value->tensor = NULL;
  if (locus_read_scalar(L, element, value)) return;
  if (decimals && lua_type(L, -1) == LUA_TSTRING &&
      read_decimal(lua_tostring(L, -1), lua_objlen(L, -1), value))
    return;
  const char *why = why_not(r), *what = locus_describe(L, element);
  locus_call_error(r->call, "'%s' holds %s at %s, which %s", r->name, what, place(r, depth, text),
                   why);
}

static void infer(reading *r, int depth)
{
  static const locus_kind kinds[] = {
      [LOCUS_SCALAR_BOOL] = LOCUS_BOOL,
      [LOCUS_SCALAR_INT64] = LOCUS_INTEGER,
      [LOCUS_SCALAR_NUMBER] = LOCUS_FLOAT,
      [LOCUS_SCALAR_COMPLEX] = LOCUS_COMPLEX,
  };
  locus_value value;
  int64_t integer;

  read_element(r, depth, &value);
  r->integers = r->integers && locus_value_integral(&value, &integer);
  r->cdata = r->cdata || value.scalar == LOCUS_SCALAR_INT64;
  if (!r->seen || kinds[value.scalar] > r->kind) r->kind = kinds[value.scalar];
  r->seen = true;
}

/* Whole numbers among int64 cdata are integers too. */
static locus_dtype inferred(const reading *r)
{
  locus_dtype normal = r->call->cx.default_dtype;

  if (!r->seen) return normal;
  if (r->kind == LOCUS_BOOL) return LOCUS_b8;
  if (r->cdata && r->integers) return LOCUS_i64;
  if (r->kind == LOCUS_COMPLEX) return normal == LOCUS_f64 ? LOCUS_c128 : LOCUS_c64;
  return normal;
}

static void store(reading *r, int depth)
{
  locus_value value;
  locus_context *cx = &r->call->cx;
  char text[LOCUS_SHAPE_TEXT];

  read_element(r, depth, &value);
  if (locus_value_store(&value, r->dtype, r->next, cx))
    locus_call_error(r->call, "%s, at %s", cx->error.message, place(r, depth, text));
  r->next += locus_dtype_size(r->dtype);
}

/* Takes the tensor on top of the stack to where the call's tensors are. */
static void go_home(locus_call *call, const char *name)
{
  lua_State *L = call->L;
  const locus_value value = {.name = name, .tensor = locus_test_tensor(L, -1)};
  int status;

  if (call->cx.home == LOCUS_CPU) return;
  locus_tensor *there = locus_push_tensor(L);
  do status = locus_move_to(&value, value.tensor->dtype, call->cx.home, there, &call->cx);
  while (locus_call_again(call, status));
  lua_replace(L, -2);
}

/* The new tensor is anchored before it is filled: an element that raises leaks nothing. */
void locus_table_to_tensor(locus_call *call, int index, const char *name, locus_dtype dtype)
{
  lua_State *L = call->L;
  reading r = {.call = call, .name = name, .dtype = dtype, .integers = true};
  locus_tensor *tensor;
  int status;

  measure(&r, index);
  if (dtype == LOCUS_DTYPES) {
    lua_pushvalue(L, index);
    walk(&r, 0, infer);
    lua_pop(L, 1);
    r.dtype = inferred(&r);
  }
  tensor = locus_push_tensor(L);
  do status = locus_tensor_new(tensor, r.dtype, &r.shape, LOCUS_CPU, &call->cx);
  while (locus_call_again(call, status));
  r.next = tensor->data;
  lua_pushvalue(L, index);
  walk(&r, 0, store);
  lua_pop(L, 1);
  go_home(call, name);
  lua_replace(L, index);
}

/* Pushes the elements of dimension `dim` on, from `data`, as nested tables. */
static void push_table(locus_call *call, const locus_tensor *tensor, int dim, const char *data)
{
  lua_State *L = call->L;

  if (dim == tensor->shape.ndim) {
    locus_push_element(L, tensor->dtype, data);
    return;
  }
  int64_t step = tensor->stride[dim] * locus_dtype_size(tensor->dtype);
  luaL_checkstack(L, 8, "totable");
  lua_createtable(L, (int)tensor->shape.size[dim], 0);
  for (int64_t i = 0; i < tensor->shape.size[dim]; i++) {
    if (i % POLL_EVERY == 0) poll(call);
    push_table(call, tensor, dim + 1, data + i * step);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

locus_tensor *locus_push_readable(locus_call *call)
{
  const locus_tensor *input = locus_arg_tensor(call, 0);
  const locus_value value = {.name = "input", .tensor = input};
  locus_tensor *view = locus_push_view(call->L, 1);
  int status;

  if (input->direct) {
    locus_tensor_alias(view, input);
    return view;
  }
  do status = locus_move_to(&value, input->dtype, LOCUS_CPU, view, &call->cx);
  while (locus_call_again(call, status));
  return view;
}

/* totable(input): the elements as nested tables, a 0-d tensor's as a Lua value. They are read
** through a view: finalizers that run meanwhile may resize 'input'. Errors: a size above 2^26. */
static int totable(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {NULL, 0}};
  char shape[LOCUS_SHAPE_TEXT];
  locus_call call;

  locus_call_begin(&call, L, "totable", params);
  const locus_shape *sizes = &locus_arg_tensor(&call, 0)->shape;
  for (int d = 0; d < sizes->ndim; d++) {
    if (sizes->size[d] <= MOST_ENTRIES) continue;
    locus_call_error(&call, "'input' is of size %s, too large for a Lua table",
                     locus_shape_text(sizes, shape));
  }
  const locus_tensor *view = locus_push_readable(&call);
  push_table(&call, view, 0, view->data);
  return 1;
}

static int item(lua_State *L)
{
  static const locus_param params[] = {{"input", 0}, {NULL, 0}};
  locus_call call;

  locus_call_begin(&call, L, "item", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, 0);
  if (tensor->numel != 1)
    locus_call_error(&call, "'input' must have one element, got %s", locus_describe(L, 1));
  locus_push_first(&call, tensor);
  return 1;
}

/* tensor(data, {dtype=, device=}): a new tensor of the data in a table, number, boolean, cdata or
** tensor. Errors: a gap or a ragged table; an element that the dtype cannot hold. */
static int new_tensor(lua_State *L)
{
  enum { DATA, DTYPE, DEVICE };
  static const locus_param params[] = {
      {"data", 0}, {"dtype", LOCUS_NAMED}, {"device", LOCUS_NAMED}, {NULL, 0}};
  locus_call call;
  locus_value value;
  int status;

  locus_call_begin(&call, L, "tensor", params);
  locus_dtype dtype = locus_arg_dtype(&call, DTYPE, LOCUS_DTYPES);
  call.cx.home = locus_arg_device(&call, DEVICE, call.cx.home);
  if (lua_type(L, DATA + 1) == LUA_TTABLE) {
    locus_table_to_tensor(&call, DATA + 1, "data", dtype);
    lua_pushvalue(L, DATA + 1);
    return 1;
  }
  locus_arg_value(&call, DATA, &value);
  if (dtype == LOCUS_DTYPES) dtype = locus_promote(&value, 1, &call.cx);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_move_to(&value, dtype, call.cx.home, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_table[] = {
    {"tensor", new_tensor, LOCUS_FUNCTION},
    {"totable", totable, LOCUS_METHOD},
    {"item", item, LOCUS_METHOD},
    {NULL, NULL, 0},
};
