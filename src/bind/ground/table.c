/* SPDX-License-Identifier: MIT */
/* Lua tables as lists, and as tensors. */
#include "bind/ground/table.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/ground/describe.h"
#include "bind/ground/handle.h"
#include "bind/ground/scalar.h"
#include "op/op.h"
#include "text/time/meaning.h"
#include "text/time/time.h"

int locus_list_length(lua_State *L, int index)
{
  int count = (int)lua_objlen(L, index), keys = 0;

  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    keys++;
  }
  return keys == count ? count : -1;
}

void locus_home_among(locus_call *call, int i, int count)
{
  lua_State *L = call->L;
  const locus_tensor *tensor = NULL;

  for (int k = 1; k <= count; k++) {
    if (k % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
    lua_rawgeti(L, i + 1, k);
    const locus_tensor *found = locus_test_tensor(L, -1);
    lua_pop(L, 1);
    if (!found || !found->storage) continue;
    if (!tensor || locus_tensor_device(tensor) == LOCUS_CPU) tensor = found;
    if (call->kind == LOCUS_KIND_none) call->kind = found->kind;
  }
  if (tensor) call->cx.home = locus_tensor_device(tensor);
}

/* -- Kinds ------------------------------------------------------------------------------------- */

/* The text at `index` as a value of the call's kind; NULL, or why it is none. */
static const char *parse_text(locus_call *call, int index, locus_value *value)
{
  size_t length;
  const char *text = lua_tolstring(call->L, index, &length);

  value->tensor = NULL;
  value->scalar = LOCUS_SCALAR_INT64;
  value->dtype = LOCUS_i64;
  value->kind = call->kind;
  return locus_parse_meaning(call->kind, NULL, text, text + length, &value->element.i64);
}

/* Raises that a text is no value of the call's kind, and writes one. */
static void fail_text(locus_call *call, int index, const char *name, const char *where,
                      const char *wrong)
{
  const bool unread = strncmp(wrong, "is not ", 7) == 0;

  locus_call_error(call, "'%s%s' is %s, which %s%s%s%s", name, where,
                   locus_describe(call->L, index), wrong, unread ? "; write \"" : "",
                   unread ? locus_kind_example(call->kind) : "", unread ? "\"" : "");
}

bool locus_read_meaning(locus_call *call, int index, const char *name, locus_value *value)
{
  if (!call->kind || lua_type(call->L, index) != LUA_TSTRING) return false;
  const char *wrong = parse_text(call, index, value);
  if (wrong) fail_text(call, index, name, "", wrong);
  value->name = name;
  return true;
}

/* The kind of the sort of `own` that has the unit of `beside`. */
static int kind_beside(int own, int beside)
{
  if (locus_kind_is_moment(own))
    return locus_kind_is_span(beside) ? beside - LOCUS_KIND_SPANS : beside;
  return locus_kind_is_span(own) ? locus_kind_span(beside) : own;
}

void locus_adapt_meaning(locus_call *call, locus_value *value)
{
  char text[TIME_BYTES], kind[LOCUS_KIND_TEXT];

  if (!value->kind) return;
  if (!call->kind) call->kind = value->kind;
  const int wanted = kind_beside(value->kind, call->kind);
  const int64_t given = value->element.i64;
  if (wanted == value->kind || wanted == LOCUS_KIND_ipv4) return;
  if (!locus_kind_convert(value->kind, wanted, &value->element.i64)) {
    text[locus_format_meaning(value->kind, text, given)] = '\0';
    locus_call_error(call, "'%s' is %s, which %s cannot hold", value->name, text,
                     locus_kind_text(wanted, kind));
  }
  value->kind = wanted;
}

/* -- Tables as tensors ------------------------------------------------------------------------- */

/* A table that is becoming a tensor. */
typedef struct reading {
  locus_call *call;
  const char *name; /* of the argument */
  locus_shape shape;
  locus_dtype dtype;                /* LOCUS_DTYPES: the promoted dtype of the elements */
  int meaning;                      /* the kind of the first element that has one, of kind.h */
  bool seen, integers, cdata;       /* an element; whole numbers alone; an int64 cdata */
  locus_kind kind;                  /* the highest among the elements */
  int64_t position[LOCUS_MAX_DIMS]; /* of the element being read, 1-based */
  char *next;                       /* where its bytes go */
} reading;

/* "[2][3]", the first `depth` of them. */
static const char *position_text(const reading *r, int depth, char text[LOCUS_SHAPE_TEXT])
{
  int used = 0;
  text[0] = '\0';
  for (int d = 0; d < depth && used < LOCUS_SHAPE_TEXT - 24; d++)
    used += sprintf(text + used, "[%lld]", (long long)r->position[d]);
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
                       r->name, position_text(r, depth, text), locus_describe(L, lua_gettop(L)));
    }
    if (key > most) most = key;
    if (count++ % LOCUS_POLL_EVERY == 0) locus_call_poll(r->call);
  }
  if ((double)count != most) {
    for (r->position[depth] = 1;; r->position[depth]++) {
      lua_rawgeti(L, -1, (int)r->position[depth]);
      if (lua_isnil(L, -1)) break;
      lua_pop(L, 1);
    }
    locus_call_error(r->call, "'%s' has a gap at %s; write locus.nan for a missing number", r->name,
                     position_text(r, depth + 1, text));
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
    r->position[r->shape.ndim] = 1;
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
                          r->name, what, position_text(r, depth, text),
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
    if (i % LOCUS_POLL_EVERY == 1) locus_call_poll(r->call);
    r->position[depth] = i;
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
  return *text != '\0' && strchr("+-0123456789", text[0]) && end == text + length && errno == 0;
}

/* The error about the element on top of the stack. */
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

/* An element that is a text beside times. */
static bool read_meaning(reading *r, int depth, int element, locus_value *value)
{
  lua_State *L = r->call->L;
  char text[LOCUS_SHAPE_TEXT];

  if (!r->call->kind || lua_type(L, element) != LUA_TSTRING) return false;
  const char *wrong = parse_text(r->call, element, value);
  if (wrong) fail_text(r->call, element, r->name, position_text(r, depth, text), wrong);
  return true;
}

static void read_element(reading *r, int depth, locus_value *value)
{
  lua_State *L = r->call->L;
  char text[LOCUS_SHAPE_TEXT];
  int element = lua_gettop(L);
  bool decimals = r->dtype != LOCUS_DTYPES && locus_dtype_kind(r->dtype) == LOCUS_INTEGER;

  value->name = r->name;
  value->tensor = NULL;
  if (locus_read_scalar(L, element, value) || read_meaning(r, depth, element, value)) {
    locus_adapt_meaning(r->call, value);
    if (!r->meaning) r->meaning = value->kind;
    return;
  }
  if (decimals && lua_type(L, -1) == LUA_TSTRING &&
      read_decimal(lua_tostring(L, -1), lua_objlen(L, -1), value))
    return;
  const char *beyond = locus_beyond_int64(L, element);
  if (beyond) {
    locus_call_error(r->call, "'%s' holds %s at %s, which int64 cannot hold", r->name, beyond,
                     position_text(r, depth, text));
  }
  lua_settop(L, element);
  const char *why = why_not(r), *what = locus_describe(L, element);
  locus_call_error(r->call, "'%s' holds %s at %s, which %s", r->name, what,
                   position_text(r, depth, text), why);
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
    locus_call_error(r->call, "%s, at %s", cx->error.message, position_text(r, depth, text));
  r->next += locus_dtype_size(r->dtype);
}

/* Replaces the tensor on top of the stack by one on the call's home. */
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

/* The new tensor is anchored before it is filled, so an element that raises leaks nothing. */
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
  locus_tensor_set_kind(tensor, r.meaning);
  go_home(call, name);
  lua_replace(L, index);
}
