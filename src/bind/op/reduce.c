/* SPDX-License-Identifier: MIT */
/* Reductions as Lua functions and methods: one or three for each row of reduce.def, by its kind of
** answer. */
#include "bind/bind.h"

#define SUM_PARAMS(P)                         \
  P(input, LOCUS_REQUIRED, Data)              \
  P(dim, LOCUS_OPTIONAL, Dims = nil)          \
  P(keepdim, LOCUS_OPTIONAL, boolean = false) \
  P(out, LOCUS_NAMED, Tensor = nil)           \
  P(dtype, LOCUS_NAMED, Dtype = nil)
/* The others have the first ones; spreads and positions have one of their own at the end. */
LOCUS_FILE_PLACES(SUM_PARAMS);
enum { AT_base = AT_dtype, AT_correction = AT_dtype };
static const locus_param sum_params[] = {SUM_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
#define TRUTH_PARAMS(P)                              \
  P(input, LOCUS_REQUIRED, Data)                     \
  P(dim, LOCUS_OPTIONAL | LOCUS_NO_DIMS, Dims = nil) \
  P(keepdim, LOCUS_OPTIONAL, boolean = false)        \
  P(out, LOCUS_NAMED, Tensor = nil)
static const locus_param truth_params[] = {TRUTH_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
#define PLAIN_PARAMS(P)                       \
  P(input, LOCUS_REQUIRED, Data)              \
  P(dim, LOCUS_OPTIONAL, Dims = nil)          \
  P(keepdim, LOCUS_OPTIONAL, boolean = false) \
  P(out, LOCUS_NAMED, Tensor = nil)
static const locus_param plain_params[] = {PLAIN_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
#define SPREAD_PARAMS(P)                      \
  P(input, LOCUS_REQUIRED, Table)             \
  P(dim, LOCUS_OPTIONAL, Dims = nil)          \
  P(keepdim, LOCUS_OPTIONAL, boolean = false) \
  P(out, LOCUS_NAMED, Tensor = nil)           \
  P(correction, LOCUS_NAMED, number = 1)
static const locus_param spread_params[] = {SPREAD_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
#define ELEMENT_PARAMS(P)                      \
  P(input, LOCUS_REQUIRED, Data)               \
  P(dim, LOCUS_OPTIONAL, Dims = nil)           \
  P(keepdim, LOCUS_OPTIONAL, boolean = false)  \
  P(out, LOCUS_NAMED, Tensor | Tensor[] = nil) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static const locus_param element_params[] = {ELEMENT_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any, any)};
#define POSITION_PARAMS(P)                    \
  P(input, LOCUS_REQUIRED, Data)              \
  P(dim, LOCUS_OPTIONAL, integer = nil)       \
  P(keepdim, LOCUS_OPTIONAL, boolean = false) \
  P(out, LOCUS_NAMED, Tensor = nil)           \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static const locus_param position_params[] = {POSITION_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};
#define COUNT_PARAMS(P) P(input, LOCUS_REQUIRED, Data) P(dim, LOCUS_OPTIONAL, Dims = nil)
static const locus_param count_params[] = {COUNT_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(any)};

static void begin(locus_call *call, lua_State *L, const char *name, locus_reduce op,
                  const locus_param *params, locus_reduction *r)
{
  locus_call_begin(call, L, name, params);
  r->op = op;
  r->dtype = LOCUS_DTYPES;
  r->dims = UINT32_MAX;
  r->keepdim = locus_arg_bool(call, AT_keepdim, false);
  r->base = 0;
  r->correction = 0;
  if (params == spread_params) r->correction = locus_arg_number(call, AT_correction, 1);
  if (params == sum_params) r->dtype = locus_arg_dtype(call, AT_dtype, LOCUS_DTYPES);
  if (params == element_params || params == position_params)
    r->base = locus_arg_base(call, AT_base);
  locus_arg_value(call, AT_input, &r->input);
}

static int ndim_of(const locus_reduction *r)
{
  return r->input.tensor ? r->input.tensor->shape.ndim : 0;
}

/* Whether the result is a Lua value, not a tensor. */
static bool is_whole(const locus_call *call, const locus_reduction *r)
{
  return !locus_arg_given(call, AT_dim) && !locus_arg_given(call, AT_out) && !r->keepdim;
}

static void reduce_whole(locus_call *call, const locus_reduction *r, locus_answer *answer)
{
  int status;
  do status = locus_reduce_whole(r, answer, &call->cx);
  while (locus_call_again(call, status));
}

static void reduce_dims(locus_call *call, const locus_reduction *r, locus_tensor *out,
                        locus_tensor *index)
{
  int status;
  do status = locus_reduce_dims(r, out, index, &call->cx);
  while (locus_call_again(call, status));
}

/* The caller's `out` or a result yet to be made, on top of the stack. */
static locus_tensor *push_out(locus_call *call)
{
  locus_tensor *out;

  if (!locus_arg_given(call, AT_out)) return locus_push_tensor(call->L);
  out = locus_arg_out(call, AT_out);
  lua_pushvalue(call->L, AT_out + 1);
  return out;
}

/* One answer, over any dimensions. */
static int answer_dims(locus_call *call, locus_reduction *r)
{
  locus_answer answer;

  if (is_whole(call, r)) {
    reduce_whole(call, r, &answer);
    const int kind = locus_reduce_kind(r);
    if (kind) locus_push_meaning(call->L, kind, answer.element.i64);
    else locus_push_element(call->L, answer.dtype, &answer.element);
    return 1;
  }
  r->dims = locus_arg_dims(call, AT_dim, ndim_of(r));
  reduce_dims(call, r, push_out(call), NULL);
  return 1;
}

/* The mean of times and the like, which is one: Lua makes it of sums. */
static int mean_of_kind(locus_call *call)
{
  lua_State *L = call->L;

  if (locus_arg_given(call, AT_out))
    locus_call_error(call, "'out' takes no mean of times; write out:copy_(x:mean(...))");
  locus_arg_dims(call, AT_dim, call->tensors[AT_input]->shape.ndim); /* raises for wrong ones */
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_mean);
  lua_pushvalue(L, AT_input + 1);
  lua_pushvalue(L, AT_dim + 1);
  lua_pushboolean(L, locus_arg_bool(call, AT_keepdim, false));
  lua_call(L, 3, 1);
  return 1;
}

static bool is_mean_of_kind(const locus_reduction *r)
{
  return (r->op == LOCUS_REDUCE_mean || r->op == LOCUS_REDUCE_nanmean) && r->input.tensor &&
         r->input.tensor->kind && r->input.tensor->kind != LOCUS_KIND_ipv4 &&
         r->dtype == LOCUS_DTYPES;
}

static int reduce_any_dims(lua_State *L, const char *name, locus_reduce op,
                           const locus_param *params)
{
  locus_reduction r;
  locus_call call;

  begin(&call, L, name, op, params, &r);
  return is_mean_of_kind(&r) ? mean_of_kind(&call) : answer_dims(&call, &r);
}

/* min and max: along one dimension the position too. max(a, b) is PyTorch's other max. */
static int reduce_element(lua_State *L, const char *name, locus_reduce op)
{
  locus_reduction r;
  locus_call call;
  locus_tensor *outs[2];

  begin(&call, L, name, op, element_params, &r);
  if (call.tensors[AT_dim]) {
    locus_call_error(&call, "'dim' must be a dimension, got %s; write locus.%simum(a, b)",
                     locus_describe(L, AT_dim + 1), name);
  }
  if (!locus_arg_given(&call, AT_dim) || lua_type(L, AT_dim + 1) == LUA_TTABLE)
    return answer_dims(&call, &r);
  r.dims = 1u << locus_arg_dim(&call, AT_dim, ndim_of(&r), 0);
  locus_push_outs(&call, AT_out, "{values, indices}", outs);
  reduce_dims(&call, &r, outs[0], outs[1]);
  return 2;
}

/* argmin and argmax: the position alone; without `dim` that in C order. */
static int reduce_position(lua_State *L, const char *name, locus_reduce op)
{
  locus_reduction r;
  locus_call call;
  locus_answer answer;

  begin(&call, L, name, op, position_params, &r);
  if (is_whole(&call, &r)) {
    reduce_whole(&call, &r, &answer);
    locus_push_int64(L, answer.position);
    return 1;
  }
  if (locus_arg_given(&call, AT_dim)) r.dims = 1u << locus_arg_dim(&call, AT_dim, ndim_of(&r), 0);
  reduce_dims(&call, &r, NULL, push_out(&call));
  return 1;
}

/* Without `dim` all give a Lua value over everything. With `dim`, from 1, or from -1 at the end,
** they give a tensor without that dimension, or with keepdim one in which it has size 1. `dim` may
** be a table of dimensions; {} means all of them, to TRUTH none. With `keepdim` or `out` the answer
** over everything is a tensor as well. Errors: a `dim` that is not there or named twice; 'out' of
** another dtype or size, or overlapping 'input'.
**
** SUM   sum(input, dim, keepdim=false, {dtype=, out=}): integers and bool give int64, modulo 2^64;
**       others their dtype. float16, bfloat16 and float32 are added as float64; the order of
**       additions depends on the number of elements alone. Without elements 0. With `dtype` the
**       input is cast to it first, and the answer has it; integers wrap. Errors: an element that
**       `dtype` cannot hold.
** MEAN mean(input, dim, keepdim=false, {dtype=, out=}): integers and bool give the default dtype.
** Without elements NaN. `dtype` as above; an error when it is no float or complex dtype.
**       nansum, nanmean: the same of the elements that are not NaN, or have no part that is.
**       prod: the product, of nothing 1.
** TRUTH any, all(input, dim, keepdim=false, {out=}): bool, of any dtype: is one element, is every
** element nonzero? NaN is. Without elements false and true.
** COUNT count_nonzero(input, dim): int64, how many elements are nonzero.
** ELEMENT min, max(input, dim, keepdim=false, {out=, base=1}): the least or greatest element, and
**       with a number for `dim` the int64 positions as second result, out being {values, indices}.
**       amin, amax(input, dim, keepdim=false, {out=}): the elements alone.
**       argmin, argmax(input, dim, keepdim=false, {out=, base=1}): the positions alone, int64;
**       `dim` is a number, without it they are in C order. NaN wins, and among equal elements the
**       first. Errors: complex; no elements.
** PRESENT nanmin, nanmax(input, dim, keepdim=false, {out=}): amin and amax of the elements that are
**       not NaN; NaN where there is no other.
** TALLY nancount(input, dim, keepdim=false, {out=}): int64, how many elements are not NaN.
** NORM  norm1, norm2(input, dim, keepdim=false, {out=}): the sum of magnitudes, and the root of the
**       sum of squares, of a real dtype, for norm alone. Dtypes as those of MEAN.
** SPREAD var, std, nanvar, nanstd(input, dim, keepdim=false, {out=, correction=1}): for those of
**       Lua alone.
** Sources: https://pytorch.org/docs/stable/torch.html#reduction-ops */
#define BIND_ANY_DIMS(name, op, params)                          \
  static int name(lua_State *L)                                  \
  {                                                              \
    return reduce_any_dims(L, #name, LOCUS_REDUCE_##op, params); \
  }
#define BIND_SUM(name) BIND_ANY_DIMS(name, name, sum_params)
#define BIND_MEAN(name) BIND_ANY_DIMS(name, name, sum_params)
#define BIND_TRUTH(name) BIND_ANY_DIMS(name, name, truth_params)
#define BIND_PRESENT(name) BIND_ANY_DIMS(name, name, plain_params)
#define BIND_TALLY(name) BIND_ANY_DIMS(name, name, plain_params)
#define BIND_NORM(name) BIND_ANY_DIMS(name, name, plain_params)
#define BIND_SPREAD(name) BIND_ANY_DIMS(name, name, spread_params)
#define BIND_COUNT(name) BIND_ANY_DIMS(name, name, count_params)
#define BIND_ELEMENT(name)                                       \
  BIND_ANY_DIMS(a##name, name, plain_params)                     \
  static int name(lua_State *L)                                  \
  {                                                              \
    return reduce_element(L, #name, LOCUS_REDUCE_##name);        \
  }                                                              \
  static int arg##name(lua_State *L)                             \
  {                                                              \
    return reduce_position(L, "arg" #name, LOCUS_REDUCE_##name); \
  }
#define REDUCE(name, answer) BIND_##answer(name)
#include "core/reduce.def"
#undef REDUCE

#define ENTRY_SUM(name) {#name, name, LOCUS_BOTH},
#define ENTRY_MEAN(name) ENTRY_SUM(name)
#define ENTRY_TRUTH(name) ENTRY_SUM(name)
#define ENTRY_COUNT(name) ENTRY_SUM(name)
#define ENTRY_PRESENT(name) ENTRY_SUM(name)
#define ENTRY_TALLY(name) ENTRY_SUM(name)
#define ENTRY_NORM(name) {#name, name, LOCUS_INTERNAL},
#define ENTRY_SPREAD(name) ENTRY_NORM(name)
#define ENTRY_ELEMENT(name) \
  {#name, name, LOCUS_BOTH}, {"a" #name, a##name, LOCUS_BOTH}, {"arg" #name, arg##name, LOCUS_BOTH},
const locus_entry locus_bind_reduce[] = {
#define REDUCE(name, answer) ENTRY_##answer(name)
#include "core/reduce.def"
#undef REDUCE
    {0},
};
