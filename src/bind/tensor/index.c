/* SPDX-License-Identifier: MIT */
/* The functions that lua/locus/tensor/index.lua needs for t[...]: a key is read as picks and read
** or written through. */
#include <stdio.h>

#include "bind/bind.h"

#define KEY_PARAMS(P)           \
  P(input, LOCUS_REQUIRED, any) \
  P(key, LOCUS_REQUIRED, any)   \
  P(value, LOCUS_REQUIRED, any)
LOCUS_FILE_PLACES(KEY_PARAMS);
static const locus_param params[] = {KEY_PARAMS(LOCUS_PARAM){0}};

/* The picks of a key. */
typedef struct key {
  locus_call *call;
  int count;
  char at[24]; /* " at [2]": which of them is being read, for messages */
  locus_pick picks[LOCUS_MAX_DIMS];
} key;

static int list_length(key *k, int index)
{
  int count = locus_list_length(k->call->L, index);
  if (count < 0)
    locus_call_error(k->call, "the table%s must have the keys 1..n and no others", k->at);
  return count;
}

/* {} is all, {a} is {a, a}, {first, last} and {first, last, step} are ranges. */
static void read_range(key *k, int index, locus_pick *pick)
{
  lua_State *L = k->call->L;
  int64_t number[3] = {0, 0, 1};
  int count = list_length(k, index);

  if (count > 3) {
    locus_call_error(k->call, "the range%s must be {first, last, step}, got %d numbers", k->at,
                     count);
  }
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, index, i + 1);
    if (!locus_read_int64(L, lua_gettop(L), &number[i])) {
      locus_call_error(k->call, "the range%s must hold whole numbers, got %s", k->at,
                       locus_describe_number(L, lua_gettop(L)));
    }
    lua_pop(L, 1);
  }
  pick->what = count ? LOCUS_PICK_RANGE : LOCUS_PICK_ALL;
  pick->first = number[0];
  pick->last = count == 1 ? number[0] : number[1];
  pick->step = number[2];
}

static void read_index_tensor(key *k, const locus_tensor *tensor, locus_pick *pick)
{
  const char *advice =
      tensor->dtype == LOCUS_u8 ? "write :long(), or :ne(0) for a mask" : "write :long()";

  if (!tensor->storage)
    locus_call_error(k->call, "the tensor%s has been freed%s", k->at, locus_freed_by(tensor));
  if (tensor->dtype != LOCUS_b8 && tensor->dtype != LOCUS_i64 && tensor->dtype != LOCUS_i32) {
    locus_call_error(k->call, "the tensor%s must be int64 or int32, or a bool mask, got %s; %s",
                     k->at, locus_dtype_name(tensor->dtype), advice);
  }
  pick->what = LOCUS_PICK_TENSOR;
  pick->tensor = tensor;
}

static void read_pick(key *k, int index, locus_pick *pick)
{
  lua_State *L = k->call->L;
  const locus_tensor *tensor = locus_test_tensor(L, index);

  if (tensor) {
    read_index_tensor(k, tensor, pick);
  } else if (locus_read_int64(L, index, &pick->first)) {
    pick->what = LOCUS_PICK_ONE;
  } else if (lua_type(L, index) == LUA_TTABLE) {
    read_range(k, index, pick);
  } else if (lua_type(L, index) == LUA_TBOOLEAN) {
    locus_call_error(k->call,
                     "the index%s is the Lua boolean %s; == compares identity, write "
                     "x:eq(3)",
                     k->at, lua_toboolean(L, index) ? "true" : "false");
  } else {
    locus_call_error(k->call,
                     "the index%s must be a whole number, a range, an index tensor or a "
                     "mask, got %s",
                     k->at, locus_describe_number(L, index));
  }
}

/* The contents of the key's table stay on the stack: the table may be weak. */
static void read_key(key *k, locus_call *call)
{
  lua_State *L = call->L;

  k->call = call;
  k->at[0] = '\0';
  k->count = 1;
  if (lua_type(L, AT_key + 1) != LUA_TTABLE) {
    read_pick(k, AT_key + 1, &k->picks[0]);
    return;
  }
  k->count = list_length(k, AT_key + 1);
  if (k->count > LOCUS_MAX_DIMS)
    locus_call_error(call, "a tensor has at most %d dimensions, got %d", LOCUS_MAX_DIMS, k->count);
  luaL_checkstack(L, LOCUS_MAX_DIMS + 16, call->function);
  for (int i = 0; i < k->count; i++) {
    snprintf(k->at, sizeof k->at, " at [%d]", i + 1);
    lua_rawgeti(L, AT_key + 1, i + 1);
    read_pick(k, lua_gettop(L), &k->picks[i]);
  }
}

/* index_columns(columns, key): t[key] of each tensor of a list, by one index tensor. */
static int index_columns(lua_State *L)
{
  locus_call call;
  int count, status;
  key k;

  locus_call_begin_plain(&call, L, "index", params, 2);
  read_key(&k, &call);
  locus_gathered *columns = locus_push_gathered(&call, AT_input, &count);
  if (k.picks[0].what != LOCUS_PICK_TENSOR || k.picks[0].tensor->dtype == LOCUS_b8)
    locus_arg_expected(&call, AT_key, "an index tensor");
  do status = locus_index_columns(columns, count, k.picks[0].tensor, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* The short way to x[i]: the address of element i of a 1-D tensor on the CPU, NULL for all else. */
static char *find_element(lua_State *L, const locus_tensor *tensor)
{
  int64_t index;
  double given = lua_tonumber(L, AT_key + 1);

  if (!tensor || tensor->shape.ndim != 1 || !tensor->storage) return NULL;
  if (locus_tensor_device(tensor) != LOCUS_CPU) return NULL;
  if (lua_type(L, AT_key + 1) != LUA_TNUMBER || !(given >= -0x1p53 && given <= 0x1p53)) return NULL;
  if (given != (double)(int64_t)given) return NULL;
  if (!locus_position((int64_t)given, tensor->shape.size[0], 1, &index)) return NULL;
  return tensor->data + index * tensor->stride[0] * locus_dtype_size(tensor->dtype);
}

/* index(input, key): the meaning of t[key]. A key is a number, an index tensor (int64 or int32), a
** mask (bool), or a table of these and of ranges, one for each leading dimension, a mask for as
** many as it has. One number per dimension gives a Lua value; without index tensors and masks the
** answer is a view, else a new tensor. The index tensors broadcast together. Their dimensions take
** the place of the indexed ones if those are neighbours, else they come in front. */
static int index_get(lua_State *L)
{
  const char *address;
  locus_element element;
  locus_call call;
  bool found;
  int status;
  key k;

  const locus_tensor *direct = locus_test_tensor(L, AT_input + 1);
  if ((address = find_element(L, direct))) {
    locus_state_of(L)->function = "index";
    locus_push_element_of(L, direct, address);
    return 1;
  }
  locus_call_begin_plain(&call, L, "index", params, 2);
  const locus_tensor *input = locus_arg_tensor(&call, AT_input);
  read_key(&k, &call);
  status = locus_index_element(input, k.picks, k.count, &element, &found, &call.cx);
  if (status == 0 && found) {
    locus_push_element_of(L, input, &element);
    return 1;
  }
  locus_call_again(&call, status);
  locus_tensor *out = locus_push_view(L, AT_input + 1);
  do status = locus_index_get(input, k.picks, k.count, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* x[i] = scalar the short way; false if that is impossible, or the value does not fit. The value is
** read first: a cdata is read by Lua, where finalizers may resize the tensor. */
static bool put_element(lua_State *L)
{
  const locus_tensor *tensor = locus_test_tensor(L, AT_input + 1);
  locus_value value = {.name = "value"};
  locus_context cx;
  char *element;

  return locus_read_scalar(L, AT_value + 1, &value) && (element = find_element(L, tensor)) &&
         tensor->direct == LOCUS_DIRECT &&
         locus_value_store(&value, tensor->dtype, element, &cx) == 0;
}

/* index_put(input, key, value): the meaning of t[key] = value. The value, a scalar, tensor or
** table, broadcasts and is converted, as if it were copied first; an element that is named several
** times keeps the last value. Errors, with nothing written: an index out of range; a value that the
** dtype cannot hold or that does not broadcast. */
static int index_put(lua_State *L)
{
  locus_value value;
  locus_call call;
  int status;
  key k;

  if (put_element(L)) return 0;
  locus_call_begin_plain(&call, L, "index", params, 3);
  const locus_tensor *input = locus_arg_tensor(&call, AT_input);
  read_key(&k, &call);
  if (lua_type(L, AT_value + 1) == LUA_TTABLE) locus_arg_tensor_as(&call, AT_value, input->dtype);
  locus_arg_value(&call, AT_value, &value);
  do status = locus_index_put(input, k.picks, k.count, 1, &value, false, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* The meaning of a table in place of an index tensor: a mask when it begins with a boolean. */
static locus_dtype dtype_of_table(lua_State *L, int index)
{
  locus_dtype dtype = LOCUS_i64;

  luaL_checkstack(L, LOCUS_MAX_DIMS + 2, NULL);
  lua_pushvalue(L, index);
  for (int depth = 0; depth <= LOCUS_MAX_DIMS && lua_type(L, -1) == LUA_TTABLE; depth++)
    lua_rawgeti(L, -1, 1);
  if (lua_type(L, -1) == LUA_TBOOLEAN) dtype = LOCUS_b8;
  lua_settop(L, index);
  return dtype;
}

/* The picks of a table of index tensors and masks, or of tables in their places. Its contents stay
** on the stack. */
static void read_indices(key *k, locus_call *call, int i)
{
  lua_State *L = call->L;

  k->call = call;
  k->at[0] = '\0';
  if (call->tensors[i] || lua_type(L, i + 1) != LUA_TTABLE)
    locus_arg_expected(call, i, "a table of index tensors and masks");
  k->count = locus_list_length(L, i + 1);
  if (k->count < 0)
    locus_call_error(call, "'%s' must have the keys 1..n and no others", call->params[i].name);
  if (k->count == 0) locus_arg_expected(call, i, "a table of index tensors and masks");
  if (k->count > LOCUS_MAX_DIMS)
    locus_call_error(call, "a tensor has at most %d dimensions, got %d", LOCUS_MAX_DIMS, k->count);
  luaL_checkstack(L, LOCUS_MAX_DIMS + 16, call->function);
  for (int n = 0; n < k->count; n++) {
    snprintf(k->at, sizeof k->at, " at [%d]", n + 1);
    lua_rawgeti(L, i + 1, n + 1);
    int top = lua_gettop(L);
    if (lua_type(L, top) == LUA_TTABLE)
      locus_table_to_tensor(call, top, call->params[i].name, dtype_of_table(L, top));
    const locus_tensor *tensor = locus_test_tensor(L, top);
    if (!tensor) {
      locus_call_error(call, "'%s' must be a table of index tensors and masks; at %d it has %s",
                       call->params[i].name, n + 1, locus_describe(L, top));
    }
    read_index_tensor(k, tensor, &k->picks[n]);
  }
}

/* index_put_(input, indices, values, accumulate=false, {base=1}): t[indices] = values; with
** `accumulate` the values are added to the elements, in C order and one after the other, each sum
** rounded to input's dtype; integers wrap, bool is or. indices: a table of index tensors (int64,
** int32), masks, and tables that stand for them. Gives input. Errors as of t[key] = value.
** Source: https://pytorch.org/docs/stable/generated/torch.Tensor.index_put_.html */
#define INDEX_PUT_PARAMS(P)                      \
  P(input, LOCUS_REQUIRED, Tensor)               \
  P(indices, LOCUS_REQUIRED, table)              \
  P(values, LOCUS_REQUIRED, Data)                \
  P(accumulate, LOCUS_OPTIONAL, boolean = false) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int index_put_in_place(lua_State *L)
{
  LOCUS_PLACES(INDEX_PUT_PARAMS);
  static const locus_param own[] = {INDEX_PUT_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(Tensor)};
  locus_value input, values;
  locus_call call;
  int status;
  key k;

  locus_call_begin(&call, L, "index_put_", own);
  const locus_tensor *self = locus_arg_self(&call, &input);
  bool adds = locus_arg_bool(&call, ARG_accumulate, false);
  int64_t base = locus_arg_base(&call, ARG_base);
  if (lua_type(L, ARG_values + 1) == LUA_TTABLE)
    locus_arg_tensor_as(&call, ARG_values, self->dtype);
  locus_arg_value(&call, ARG_values, &values);
  read_indices(&k, &call, ARG_indices);
  do status = locus_index_put(self, k.picks, k.count, base, &values, adds, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, AT_input + 1);
  return 1;
}

const locus_entry locus_bind_index[] = {
    {"index", index_get, LOCUS_INTERNAL},
    {"index_columns", index_columns, LOCUS_INTERNAL},
    {"index_put", index_put, LOCUS_INTERNAL},
    {"index_put_", index_put_in_place, LOCUS_BOTH},
    {0},
};
