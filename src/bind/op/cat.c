/* SPDX-License-Identifier: MIT */
/* cat and stack as Lua functions. */
#include "bind/bind.h"

/* Reads the value at a stack index, where a table gives way to the tensor made of it. */
static void read_value(locus_call *call, int index, locus_value *value)
{
  lua_State *L = call->L;

  value->tensor = NULL;
  if (locus_read_scalar(L, index, value)) {
    locus_adapt_meaning(call, value);
    return;
  }
  if (locus_read_meaning(call, index, value->name, value)) return;
  if (lua_type(L, index) == LUA_TTABLE)
    locus_table_to_tensor(call, index, value->name, LOCUS_DTYPES);
  value->tensor = locus_test_tensor(L, index);
  if (!value->tensor || !value->tensor->storage) {
    locus_call_error(call, "'%s' must be a tensor, a table or a number, got %s", value->name,
                     locus_describe(L, index));
  }
}

/* Reads a table of values. Their array, their names and the tensors made of tables are anchored in
** two values that stay on the stack. */
static locus_value *read_values(locus_call *call, int i, int *count)
{
  lua_State *L = call->L;

  if (lua_type(L, i + 1) != LUA_TTABLE) locus_arg_expected(call, i, "a table of tensors");
  *count = (int)lua_objlen(L, i + 1);
  locus_home_among(call, i, *count);
  locus_value *values = lua_newuserdata(L, (size_t)(*count + 1) * sizeof *values);
  lua_newtable(L);
  int anchor = lua_gettop(L);
  for (int k = 0; k < *count; k++) {
    if (k % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
    values[k].name = lua_pushfstring(L, "%s[%d]", call->params[i].name, k + 1);
    lua_rawseti(L, anchor, 2 * k + 1);
    lua_rawgeti(L, i + 1, k + 1);
    read_value(call, anchor + 1, &values[k]);
    lua_rawseti(L, anchor, 2 * k + 2);
  }
  locus_arg_list_length(call, i); /* the loop gives a better error for a gap */
  return values;
}

#define JOIN_PARAMS(P)                \
  P(tensors, LOCUS_REQUIRED, Data[])  \
  P(dim, LOCUS_OPTIONAL, integer = 1) \
  P(out, LOCUS_NAMED, Tensor = nil)
LOCUS_PLACES(JOIN_PARAMS);
static const locus_param params[] = {JOIN_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(Tensor)};

/* cat(tensors, dim=1, {out=}): the tensors of a table end to end along a dimension, in the dtype
** that they make together. All other sizes must be equal; a 1-D tensor without elements counts for
** its dtype alone. Errors: an entry that does not fit, by name; an empty table; a 0-d entry.
** Source: https://pytorch.org/docs/stable/generated/torch.cat.html */
static int cat(lua_State *L)
{
  locus_call call;
  int count, status;

  locus_call_begin(&call, L, "cat", params);
  const locus_value *values = read_values(&call, ARG_tensors, &count);
  int dim = locus_arg_dim(&call, ARG_dim, locus_cat_ndim(values, count), 0);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_cat(values, count, dim, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

/* stack(tensors, dim=1, {out=}): the tensors of a table, all of one size, along a new dimension.
** Errors: an entry of another size, by name; an empty table.
** Source: https://pytorch.org/docs/stable/generated/torch.stack.html */
static int stack(lua_State *L)
{
  locus_call call;
  int count, status;

  locus_call_begin(&call, L, "stack", params);
  const locus_value *values = read_values(&call, ARG_tensors, &count);
  int ndim = count ? locus_value_shape(values)->ndim + 1 : 1;
  int dim = locus_arg_dim(&call, ARG_dim, ndim, 0);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_stack(values, count, dim, out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

const locus_entry locus_bind_cat[] = {
    {"cat", cat, LOCUS_FUNCTION},
    {"stack", stack, LOCUS_FUNCTION},
    {0},
};
