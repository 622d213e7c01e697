/* SPDX-License-Identifier: MIT */
/* Elements by number; lua/locus/sets/factorize.lua does it for tensors on other devices. */
#include "bind/bind.h"
#include "text/names/distinct.h"
#include "text/names/factorize.h"

static const locus_tensor *column(locus_call *call, int i, key_column *keys)
{
  const locus_tensor *tensor = locus_arg_tensor(call, i);

  if (tensor->shape.ndim != 1 || locus_tensor_device(tensor) != LOCUS_CPU ||
      !locus_tensor_contiguous(tensor)) {
    locus_arg_expected(call, i, "a contiguous 1-D tensor on the CPU");
  }
  *keys = (key_column){tensor->data, tensor->numel};
  return tensor;
}

/* factorize_host(input, values, names): the number of each element (int32, 1 to n in order of first
** appearance), the first position of each number (int64, counted from 1), and the numbers of the
** elements of `values`, of the same dtype, 0 for those that the input lacks. names: the input must
** be ids in 1..names; an error if a numbered one is not. */
#define FACTORIZE_HOST_PARAMS(P) \
  P(input, LOCUS_REQUIRED, any)  \
  P(values, LOCUS_OPTIONAL, any) \
  P(names, LOCUS_OPTIONAL, integer)
static int factorize_host(lua_State *L)
{
  LOCUS_PARAMS(FACTORIZE_HOST_PARAMS, any);
  key_column keys, values = {0};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "factorize", params);
  const locus_dtype dtype = column(&call, ARG_input, &keys)->dtype;
  const bool finds = locus_arg_given(&call, ARG_values);
  if (finds && column(&call, ARG_values, &values)->dtype != dtype)
    locus_arg_expected(&call, ARG_values, "of input's dtype");
  const int64_t names = locus_arg_int(&call, ARG_names, -1);
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, keys.count)->data;
  locus_tensor *firsts = locus_push_row(&call, LOCUS_i64, 0);
  int32_t *found = finds ? (int32_t *)locus_push_row(&call, LOCUS_i32, values.count)->data : NULL;
  do {
    status =
        locus_factorize(dtype, &keys, names, ids, firsts, finds ? &values : NULL, found, &call.cx);
  } while (locus_call_again(&call, status));
  return finds ? 3 : 2;
}

/* Reads entry i of the list at argument 1, {tensor, low, count, is_id}: how many rows it has, -1 if
** it is none. */
static int64_t read_digit(lua_State *L, int i, key_digit *digit)
{
  const int top = lua_gettop(L), entry = top + 1;
  int64_t low, count, rows = -1;

  lua_rawgeti(L, 1, i + 1);
  if (lua_istable(L, entry)) {
    for (int k = 1; k <= 4; k++) lua_rawgeti(L, entry, k);
    const locus_tensor *t = locus_test_tensor(L, entry + 1);
    if (t && t->storage && t->shape.ndim == 1 && locus_tensor_device(t) == LOCUS_CPU &&
        locus_tensor_contiguous(t) && locus_dtype_kind(t->dtype) <= LOCUS_INTEGER &&
        locus_read_int64(L, entry + 2, &low) && locus_read_int64(L, entry + 3, &count) &&
        count > 0) {
      *digit = (key_digit){t->dtype, t->data, low, (uint64_t)count, lua_toboolean(L, entry + 4)};
      rows = t->numel;
    }
  }
  lua_settop(L, top);
  return rows;
}

/* factorize_rows_host(columns): the same of rows of several columns, a list of
** {tensor, low, count, is_id}: 1-D tensors of integers or bool of one size, in one piece on the
** CPU, whose elements are low .. low + count - 1; with is_id ids of count names. The product of the
** counts must be below 2^62. */
#define FACTORIZE_ROWS_PARAMS(P) P(columns, LOCUS_REQUIRED, any)
static int factorize_rows_host(lua_State *L)
{
  LOCUS_PARAMS(FACTORIZE_ROWS_PARAMS, any);
  const char *const expected = "a list of {tensor, low, count, is_id} of one size";
  int64_t product = 1, rows = -1;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "factorize", params);
  const int count = lua_istable(L, 1) ? (int)lua_objlen(L, 1) : 0;
  if (count == 0) locus_arg_expected(&call, ARG_columns, expected);
  key_digit *digits = lua_newuserdata(L, (size_t)count * sizeof *digits);
  for (int i = 0; i < count; i++) {
    const int64_t own = read_digit(L, i, &digits[i]);
    if (own < 0 || (rows >= 0 && own != rows) ||
        __builtin_mul_overflow(product, (int64_t)digits[i].count, &product) || product >> 62)
      locus_arg_expected(&call, ARG_columns, expected);
    rows = own;
  }
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, rows)->data;
  locus_tensor *firsts = locus_push_row(&call, LOCUS_i64, 0);
  do status = locus_factorize_rows(digits, count, rows, ids, firsts, &call.cx);
  while (locus_call_again(&call, status));
  return 2;
}

/* is_among_host(input, values): whether each of the values, of input's dtype, is one of its
** elements. */
#define IS_AMONG_HOST_PARAMS(P) \
  P(input, LOCUS_REQUIRED, any) \
  P(values, LOCUS_REQUIRED, any)
static int is_among_host(lua_State *L)
{
  LOCUS_PARAMS(IS_AMONG_HOST_PARAMS, any);
  key_column keys, values;
  locus_call call;
  int status;

  locus_call_begin(&call, L, "isin", params);
  const locus_dtype dtype = column(&call, ARG_input, &keys)->dtype;
  if (column(&call, ARG_values, &values)->dtype != dtype)
    locus_arg_expected(&call, ARG_values, "of input's dtype");
  bool *there = (bool *)locus_push_row(&call, LOCUS_b8, values.count)->data;
  do status = locus_is_among(dtype, &keys, &values, there, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* distinct_host(input): the elements, integers or bool, in order, each once; nil where they are
** too far apart. */
#define DISTINCT_HOST_PARAMS(P) P(input, LOCUS_REQUIRED, any)
static int distinct_host(lua_State *L)
{
  LOCUS_PARAMS(DISTINCT_HOST_PARAMS, any);
  key_column keys;
  locus_call call;
  bool near;
  int status;

  locus_call_begin(&call, L, "unique", params);
  const locus_tensor *input = column(&call, ARG_input, &keys);
  locus_tensor *out = locus_push_row(&call, input->dtype, 0);
  do status = locus_distinct(input->dtype, &keys, out, &near, &call.cx);
  while (locus_call_again(&call, status));
  locus_tensor_set_kind(out, input->kind);
  return near;
}

const locus_entry locus_bind_factorize[] = {
    {"distinct_host", distinct_host, LOCUS_INTERNAL},
    {"factorize_host", factorize_host, LOCUS_INTERNAL},
    {"factorize_rows_host", factorize_rows_host, LOCUS_INTERNAL},
    {"is_among_host", is_among_host, LOCUS_INTERNAL},
    {0},
};
