/* SPDX-License-Identifier: MIT */
/* take as a Lua function and method. */
#include "bind/bind.h"

/* take(input, positions, missing, {out=nil, base=1}): the elements of a 1-D tensor at these
** positions (int64 or int32, of any size), counted from `base`. With `missing`, a number or 0-d
** tensor that input's dtype can hold, the position base - 1 gives it; other functions use that
** position for nothing found. Errors: an input that is not 1-D; a position outside, also a negative
** one; base - 1 without `missing`.
** Source: https://pytorch.org/docs/stable/generated/torch.take.html */
#define TAKE_PARAMS(P)                                 \
  P(input, LOCUS_REQUIRED, Table)                      \
  P(positions, LOCUS_REQUIRED, Table)                  \
  P(missing, LOCUS_OPTIONAL | LOCUS_TABLE, Data = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)                    \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int take(lua_State *L)
{
  LOCUS_PARAMS(TAKE_PARAMS, Tensor);
  locus_call call;
  locus_value input, positions, missing;
  int status;

  locus_call_begin(&call, L, "take", params);
  const int64_t base = locus_arg_base(&call, ARG_base);
  const bool has_missing = locus_arg_given(&call, ARG_missing);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  locus_arg_tensor_value(&call, ARG_positions, LOCUS_i64, &positions);
  if (has_missing) locus_arg_value(&call, ARG_missing, &missing);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_take(&input, &positions, has_missing ? &missing : NULL, out, base, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_out + 1);
  return 1;
}

/* The values of a list, `missing`, that the columns miss; nil where a column misses none. They
** stay on the stack. */
static void read_missing(locus_call *call, int i, locus_gathered *columns, int count)
{
  lua_State *L = call->L;

  if (!locus_arg_given(call, i)) return;
  luaL_checkstack(L, count + 4, call->function);
  for (int k = 0; k < count; k++) {
    locus_value *missing = &columns[k].missing;
    lua_rawgeti(L, i + 1, k + 1);
    const int top = lua_gettop(L);
    columns[k].has_missing = !lua_isnil(L, top);
    if (!columns[k].has_missing) continue;
    *missing = (locus_value){.name = "missing"};
    if (locus_read_scalar(L, top, missing)) continue;
    missing->tensor = locus_test_tensor(L, top);
    if (missing->tensor && missing->tensor->storage) continue;
    const char *beyond = locus_beyond_int64(call->L, top);
    if (beyond) locus_call_error(call, "'missing' is %s, which int64 cannot hold", beyond);
    locus_call_error(call, "'missing' must be a number or a 0-d tensor, got %s",
                     locus_describe(L, top));
  }
}

/* take_columns(columns, positions, missing, base): a list of what take gives for each of the
** columns, a list of 1-D tensors of one size; positions are 1-D. missing: a table of the values
** that columns miss, by their number. */
#define TAKE_COLUMNS_PARAMS(P)        \
  P(columns, LOCUS_REQUIRED, any)     \
  P(positions, LOCUS_REQUIRED, Table) \
  P(missing, LOCUS_OPTIONAL, any)     \
  P(base, LOCUS_OPTIONAL, integer)
static int take_columns(lua_State *L)
{
  LOCUS_PARAMS(TAKE_COLUMNS_PARAMS, any);
  locus_call call;
  locus_value positions;
  int count, status;

  locus_call_begin_plain(&call, L, "take", params, 4);
  const int64_t base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_positions, LOCUS_i64, &positions);
  locus_gathered *columns = locus_push_gathered(&call, ARG_columns, &count);
  const int results = lua_gettop(L);
  read_missing(&call, ARG_missing, columns, count);
  do status = locus_take_columns(columns, count, &positions, base, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, results);
  return 1;
}

const locus_entry locus_bind_take[] = {
    {"take", take, LOCUS_BOTH}, {"take_columns", take_columns, LOCUS_INTERNAL}, {0}};
