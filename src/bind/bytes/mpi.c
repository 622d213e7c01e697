/* SPDX-License-Identifier: MIT */
/* Messages between ranks, for the files of lua/locus/mpi/. They check everything, and agree on it,
** before they call a function that moves elements. Tensors are dense and on the CPU. */
#include <string.h>

#include "bind/bind.h"
#include "core/mpi.h"

static void check(locus_call *call, int status)
{
  if (status != 0) locus_call_error(call, "%s", call->cx.error.message);
}

/* The module; raises why there is none. */
static const locus_mpi *module_of(locus_call *call)
{
  const locus_mpi *mpi = locus_mpi_module(&call->cx);
  check(call, mpi ? 0 : -1);
  return mpi;
}

/* why(): the sentence that says why there is no MPI, nil if it can be started. */
static int why(lua_State *L)
{
  LOCUS_NO_PARAMS(any);
  locus_call call;

  locus_call_begin(&call, L, "why", params);
  if (locus_mpi_module(&call.cx)) lua_pushnil(L);
  else lua_pushstring(L, call.cx.error.message);
  return 1;
}

/* begin(): starts MPI at the first call; gives the rank and the number of ranks. */
static int begin(lua_State *L)
{
  LOCUS_NO_PARAMS(any);
  locus_call call;
  int rank, size;

  locus_call_begin(&call, L, "begin", params);
  check(&call, module_of(&call)->begin(&rank, &size, &call.cx));
  lua_pushnumber(L, rank);
  lua_pushnumber(L, size);
  return 2;
}

static int finish(lua_State *L)
{
  LOCUS_NO_PARAMS(any);
  locus_call call;

  locus_call_begin(&call, L, "finish", params);
  check(&call, module_of(&call)->finish(&call.cx));
  return 0;
}

/* agree(signature, complaint): nil if all ranks came with this signature and without a complaint;
** else the sentence that all get. */
#define AGREE_PARAMS(P)                \
  P(signature, LOCUS_REQUIRED, string) \
  P(complaint, LOCUS_OPTIONAL, string)
static int agree(lua_State *L)
{
  LOCUS_PARAMS(AGREE_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "agree", params);
  const char *signature = locus_arg_string(&call, ARG_signature, NULL);
  const char *complaint = locus_arg_string(&call, ARG_complaint, NULL);
  if (module_of(&call)->agree(signature, complaint, &call.cx) == 0) lua_pushnil(L);
  else lua_pushstring(L, call.cx.error.message);
  return 1;
}

/* -- Elements ---------------------------------------------------------------------------------- */

static int width_of(const locus_tensor *tensor)
{
  return (int)locus_dtype_size(tensor->dtype);
}

/* The elements of an argument that may be absent. */
static void *data_of(const locus_call *call, int i)
{
  return call->tensors[i] ? call->tensors[i]->data : NULL;
}

/* int64, by rank. */
static const int64_t *counts_of(const locus_call *call, int i)
{
  return (const int64_t *)call->tensors[i]->data;
}

static int root_of(locus_call *call, int i)
{
  return (int)locus_arg_int(call, i, LOCUS_ALL_RANKS);
}

/* bcast(x, root): x becomes the root's. */
#define BCAST_PARAMS(P)        \
  P(x, LOCUS_REQUIRED, Tensor) \
  P(root, LOCUS_REQUIRED, any)
static int bcast(lua_State *L)
{
  LOCUS_PARAMS(BCAST_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "bcast", params);
  const locus_tensor *x = locus_arg_tensor(&call, ARG_x);
  check(&call,
        module_of(&call)->bcast(x->data, x->numel, width_of(x), root_of(&call, 1), &call.cx));
  return 0;
}

/* gather(from, to, counts, root): counts[r] elements of rank r into `to`, which is nil where
** they do not arrive; without a root they arrive everywhere. */
#define GATHER_PARAMS(P)         \
  P(from, LOCUS_REQUIRED, any)   \
  P(to, LOCUS_OPTIONAL, any)     \
  P(counts, LOCUS_REQUIRED, any) \
  P(root, LOCUS_OPTIONAL, any)
static int gather(lua_State *L)
{
  LOCUS_PARAMS(GATHER_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "gather", params);
  const locus_tensor *from = locus_arg_tensor(&call, ARG_from);
  check(&call,
        module_of(&call)->gather(from->data, data_of(&call, ARG_to), counts_of(&call, ARG_counts),
                                 width_of(from), root_of(&call, ARG_root), &call.cx));
  return 0;
}

/* scatter(from, to, counts, root): counts[r] elements of the root's `from` into rank r's `to`;
** elsewhere `from` is nil. */
#define SCATTER_PARAMS(P)        \
  P(from, LOCUS_OPTIONAL, any)   \
  P(to, LOCUS_REQUIRED, Tensor)  \
  P(counts, LOCUS_REQUIRED, any) \
  P(root, LOCUS_REQUIRED, any)
static int scatter(lua_State *L)
{
  LOCUS_PARAMS(SCATTER_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "scatter", params);
  const locus_tensor *to = locus_arg_tensor(&call, ARG_to);
  check(&call,
        module_of(&call)->scatter(data_of(&call, ARG_from), to->data, counts_of(&call, ARG_counts),
                                  width_of(to), root_of(&call, ARG_root), &call.cx));
  return 0;
}

/* alltoall(from, to): every rank gets as many elements of `from`, in the order of ranks. */
#define ALLTOALL_PARAMS(P)        \
  P(from, LOCUS_REQUIRED, Tensor) \
  P(to, LOCUS_REQUIRED, any)
static int alltoall(lua_State *L)
{
  LOCUS_PARAMS(ALLTOALL_PARAMS, any);
  locus_call call;
  int rank, size;

  locus_call_begin(&call, L, "alltoall", params);
  const locus_tensor *from = locus_arg_tensor(&call, ARG_from);
  const locus_mpi *mpi = module_of(&call);
  check(&call, mpi->begin(&rank, &size, &call.cx));
  check(&call,
        mpi->alltoall(from->data, data_of(&call, 1), from->numel / size, width_of(from), &call.cx));
  return 0;
}

/* alltoallv(from, sent, to, received): sent[r] elements of `from` go to rank r, received[r]
** elements of `to` come from it. */
#define ALLTOALLV_PARAMS(P)       \
  P(from, LOCUS_REQUIRED, Tensor) \
  P(sent, LOCUS_REQUIRED, any)    \
  P(to, LOCUS_REQUIRED, any)      \
  P(received, LOCUS_REQUIRED, any)
static int alltoallv(lua_State *L)
{
  LOCUS_PARAMS(ALLTOALLV_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "alltoallv", params);
  const locus_tensor *from = locus_arg_tensor(&call, ARG_from);
  check(&call,
        module_of(&call)->alltoallv(from->data, counts_of(&call, ARG_sent), data_of(&call, ARG_to),
                                    counts_of(&call, ARG_received), width_of(from), &call.cx));
  return 0;
}

/* -- Reductions -------------------------------------------------------------------------------- */

/* The op of core/binary.def of that name. */
static locus_binary op_of(locus_call *call, int i)
{
  static const struct {
    const char *name;
    locus_binary op;
  } ops[] = {{"add", LOCUS_BINARY_add},         {"mul", LOCUS_BINARY_mul},
             {"minimum", LOCUS_BINARY_minimum}, {"maximum", LOCUS_BINARY_maximum},
             {"band", LOCUS_BINARY_band},       {"bor", LOCUS_BINARY_bor}};
  const char *name = locus_arg_string(call, i, "");
  size_t k = 0;

  while (k < sizeof ops / sizeof ops[0] && strcmp(ops[k].name, name) != 0) k++;
  if (k == sizeof ops / sizeof ops[0]) locus_arg_expected(call, i, "an op of reductions");
  return ops[k].op;
}

/* reduce(from, to, op, root): `to`, nil on a rank without an answer, becomes all ranks' `from`
** combined; without a root all ranks get the answer. */
#define REDUCE_PARAMS(P)          \
  P(from, LOCUS_REQUIRED, Tensor) \
  P(to, LOCUS_OPTIONAL, any)      \
  P(op, LOCUS_REQUIRED, any)      \
  P(root, LOCUS_OPTIONAL, any)
static int reduce(lua_State *L)
{
  LOCUS_PARAMS(REDUCE_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "reduce", params);
  const locus_tensor *from = locus_arg_tensor(&call, ARG_from);
  check(&call,
        module_of(&call)->reduce(from->data, data_of(&call, ARG_to), from->numel, from->dtype,
                                 op_of(&call, ARG_op), root_of(&call, ARG_root), &call.cx));
  return 0;
}

/* exscan(from, to, op): the same over the lower ranks only; rank 0's `to` is not written. */
#define EXSCAN_PARAMS(P)          \
  P(from, LOCUS_REQUIRED, Tensor) \
  P(to, LOCUS_REQUIRED, any)      \
  P(op, LOCUS_REQUIRED, any)
static int exscan(lua_State *L)
{
  LOCUS_PARAMS(EXSCAN_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "exscan", params);
  const locus_tensor *from = locus_arg_tensor(&call, ARG_from);
  check(&call, module_of(&call)->exscan(from->data, data_of(&call, ARG_to), from->numel,
                                        from->dtype, op_of(&call, ARG_op), &call.cx));
  return 0;
}

/* -- One to one -------------------------------------------------------------------------------- */

#define MESSAGE_PARAMS(P)      \
  P(x, LOCUS_REQUIRED, any)    \
  P(rank, LOCUS_REQUIRED, any) \
  P(tag, LOCUS_REQUIRED, any)
static const locus_param message_params[] = {MESSAGE_PARAMS(LOCUS_PARAM){0}};

/* send(x, rank, tag) */
static int send(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "send", message_params);
  const locus_tensor *x = locus_arg_tensor(&call, 0);
  check(&call, module_of(&call)->send(x->data, x->numel, width_of(x), root_of(&call, 1),
                                      (int)locus_arg_int(&call, 2, 0), &call.cx));
  return 0;
}

/* receive(x, rank, tag): into x. */
static int receive(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "receive", message_params);
  const locus_tensor *x = locus_arg_tensor(&call, 0);
  check(&call, module_of(&call)->receive(x->data, x->numel, width_of(x), root_of(&call, 1),
                                         (int)locus_arg_int(&call, 2, 0), &call.cx));
  return 0;
}

const locus_entry locus_bind_mpi[] = {
    {"why", why, LOCUS_MPI},
    {"begin", begin, LOCUS_MPI},
    {"finish", finish, LOCUS_MPI},
    {"agree", agree, LOCUS_MPI},
    {"bcast", bcast, LOCUS_MPI},
    {"gather", gather, LOCUS_MPI},
    {"scatter", scatter, LOCUS_MPI},
    {"alltoall", alltoall, LOCUS_MPI},
    {"alltoallv", alltoallv, LOCUS_MPI},
    {"reduce", reduce, LOCUS_MPI},
    {"exscan", exscan, LOCUS_MPI},
    {"send", send, LOCUS_MPI},
    {"receive", receive, LOCUS_MPI},
    {0},
};
