/* SPDX-License-Identifier: MIT */
/* gather and index_select as Lua functions and methods, and the writes for
** lua/locus/derived/by_index.lua. */
#include <string.h>

#include "bind/bind.h"

static int ndim_of(const locus_tensor *tensor)
{
  return tensor->shape.ndim;
}

#define GET_PARAMS(P)               \
  P(input, LOCUS_REQUIRED, Table)   \
  P(dim, LOCUS_REQUIRED, integer)   \
  P(index, LOCUS_REQUIRED, Table)   \
  P(out, LOCUS_NAMED, Tensor = nil) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int get(lua_State *L, const char *function, bool slices)
{
  LOCUS_PARAMS(GET_PARAMS, Tensor);
  locus_call call;
  locus_value input, index;
  int status;

  locus_call_begin(&call, L, function, params);
  const int64_t base = locus_arg_base(&call, ARG_base);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  const int dim = locus_arg_dim(&call, ARG_dim, ndim_of(input.tensor), 0);
  locus_arg_tensor_value(&call, ARG_index, LOCUS_i64, &index);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_along_get(&input, dim, &index, slices, base, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, false);
}

/* gather(input, dim, index, {out=nil, base=1}): out[i][j][k] = input[i][index[i][j][k]][k] for
** dim = 2. index (int64 or int32) has as many dimensions as input, and may be larger only in `dim`;
** positions count from base, negative ones from the end. The result has index's size and input's
** dtype. Errors: a position outside; an index of another dtype or number of dimensions; 'out' of
** another dtype or size, or overlapping.
** Source: https://pytorch.org/docs/stable/generated/torch.gather.html */
static int gather(lua_State *L)
{
  return get(L, "gather", false);
}

/* index_select(input, dim, index, {out=nil, base=1}): the slices of input along `dim` at the
** positions of index (int64 or int32, 1-D or 0-d), in their order. Positions and errors as of
** gather.
**
** Source: https://pytorch.org/docs/stable/generated/torch.index_select.html */
static int index_select(lua_State *L)
{
  return get(L, "index_select", true);
}

/* The op of a scatter: "", "add", "mul", "minimum", "maximum". */
static locus_binary read_op(locus_call *call, int i)
{
  static const char *const names[LOCUS_BINARIES] = {
#define BINARY(name, computed) #name,
#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)
#include "core/binary.def"
#undef BINARY
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
  };
  const char *given = locus_arg_string(call, i, "");
  int op = 0;

  while (op < LOCUS_BINARIES && strcmp(names[op], given) != 0) op++;
  return (locus_binary)op;
}

/* along_put(input, dim, index, src, op, afresh, base, counts): writes as op/op.h's locus_along
** says; along_put_slices likewise, by slices. A table is read as of input's dtype. */
#define PUT_PARAMS(P)            \
  P(input, LOCUS_REQUIRED, any)  \
  P(dim, LOCUS_REQUIRED, any)    \
  P(index, LOCUS_REQUIRED, any)  \
  P(src, LOCUS_REQUIRED, any)    \
  P(op, LOCUS_REQUIRED, any)     \
  P(afresh, LOCUS_REQUIRED, any) \
  P(base, LOCUS_REQUIRED, any)   \
  P(counts, LOCUS_OPTIONAL, any)
static int put(lua_State *L, const char *src, bool slices)
{
  LOCUS_PLACES(PUT_PARAMS);
  locus_param params[] = {PUT_PARAMS(LOCUS_PARAM){0}};
  locus_along put = {.slices = slices};
  locus_call call;
  int status;

  params[ARG_src].name = src;
  locus_call_begin_plain(&call, L, slices ? "along_put_slices" : "along_put", params,
                         ARG_counts + 1);
  const locus_tensor *self = locus_arg_self(&call, &put.input);
  put.dim = locus_arg_dim(&call, ARG_dim, ndim_of(self), 0);
  put.op = read_op(&call, ARG_op);
  put.afresh = locus_arg_bool(&call, ARG_afresh, false);
  put.base = locus_arg_base(&call, ARG_base);
  if (locus_arg_given(&call, ARG_counts)) put.counts = locus_arg_tensor(&call, ARG_counts);
  locus_arg_tensor_value(&call, ARG_index, LOCUS_i64, &put.index);
  if (lua_type(L, ARG_src + 1) == LUA_TTABLE) locus_arg_tensor_as(&call, ARG_src, self->dtype);
  locus_arg_value(&call, ARG_src, &put.src);
  do status = locus_along_put(&put, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, ARG_input + 1);
  return 1;
}

static int along_put(lua_State *L)
{
  return put(L, "src", false);
}

static int along_put_slices(lua_State *L)
{
  return put(L, "source", true);
}

const locus_entry locus_bind_along[] = {
    {"gather", gather, LOCUS_BOTH},
    {"index_select", index_select, LOCUS_BOTH},
    {"along_put", along_put, LOCUS_INTERNAL},
    {"along_put_slices", along_put_slices, LOCUS_INTERNAL},
    {0},
};
