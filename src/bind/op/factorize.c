/* SPDX-License-Identifier: MIT */
/* Elements by number; lua/locus/sets/factorize.lua does it for tensors on other devices. */
#include "bind/bind.h"
#include "text/names/factorize.h"

static const locus_tensor *column(locus_call *call, int i, key_column *keys)
{
  const locus_tensor *tensor = locus_arg_tensor(call, i);

  if (tensor->shape.ndim != 1 || locus_tensor_device(tensor) != LOCUS_CPU ||
      !locus_tensor_contiguous(tensor)) {
    locus_arg_expected(call, i, "a 1-D tensor in one piece on the CPU");
  }
  *keys = (key_column){tensor->data, tensor->numel};
  return tensor;
}

/* factorize_host(input, values, names): the number of each element (int32, 1 to n in the order in
** which they first come), the first position of each number (int64, counted from 1), and the
** numbers of the elements of `values`, of the same dtype, 0 for those that the input lacks. names:
** the input is ids of so many names; an error if one that was numbered is not. */
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

const locus_entry locus_bind_factorize[] = {
    {"factorize_host", factorize_host, LOCUS_INTERNAL},
    {"is_among_host", is_among_host, LOCUS_INTERNAL},
    {0},
};
