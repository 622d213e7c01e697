/* SPDX-License-Identifier: MIT */
/* Reductions as Lua functions and methods: for each row of reduce.def one or two, by its kind of
** answer. */
#include "bind/bind.h"

/* The places of the parameters; not every reduction has all of them. */
enum { INPUT, DIM, KEEPDIM, OUT, BASE };

static int ndim_of(const locus_value *input)
{
  return input->tensor ? input->tensor->shape.ndim : 0;
}

/* Whether `dim` was given; raises when it was not and something that needs it was. */
static bool has_dim(locus_call *call)
{
  if (locus_arg_given(call, DIM)) return true;
  if (locus_arg_bool(call, KEEPDIM, false))
    locus_call_error(call, "'keepdim' cannot be given without 'dim'");
  if (locus_arg_given(call, OUT)) locus_call_error(call, "'out' cannot be given without 'dim'");
  return false;
}

static void reduce_whole(locus_call *call, locus_reduce op, const locus_value *input,
                         locus_answer *answer)
{
  int status;
  do status = locus_reduce_whole(op, input, answer, &call->cx);
  while (locus_call_again(call, status));
}

/* The caller's `out` or a result waiting to be made, on top of the stack. */
static locus_tensor *push_out(locus_call *call)
{
  locus_tensor *out;

  if (!locus_arg_given(call, OUT)) return locus_push_tensor(call->L);
  out = locus_arg_out(call, OUT);
  lua_pushvalue(call->L, OUT + 1);
  return out;
}

/* One answer, over any dimensions: sum, mean, any, all, count_nonzero. */
static int reduce_dims(lua_State *L, const char *name, locus_reduce op, const locus_param *params)
{
  locus_call call;
  locus_value input;
  locus_answer answer;
  int status;

  locus_call_begin(&call, L, name, params);
  bool by_dim = has_dim(&call), keepdim = locus_arg_bool(&call, KEEPDIM, false);
  locus_arg_value(&call, INPUT, &input);
  if (!by_dim) {
    reduce_whole(&call, op, &input, &answer);
    locus_push_element(L, answer.dtype, &answer.element);
    return 1;
  }
  uint32_t dims = locus_arg_dims(&call, DIM, ndim_of(&input));
  locus_tensor *out = push_out(&call);
  do status = locus_reduce_dims(op, &input, dims, keepdim, out, NULL, 0, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

static const locus_param element_params[] = {{"input", 0},
                                             {"dim", LOCUS_OPTIONAL},
                                             {"keepdim", LOCUS_OPTIONAL},
                                             {"out", LOCUS_NAMED},
                                             {"base", LOCUS_NAMED},
                                             {0}};

/* max(a, b) is PyTorch's other max. */
static uint32_t element_dim(locus_call *call, const locus_value *input)
{
  if (locus_test_tensor(call->L, DIM + 1)) {
    locus_call_error(call, "'dim' must be a dimension, got %s; write locus.%simum(a, b)",
                     locus_describe(call->L, DIM + 1), call->function);
  }
  return 1u << locus_arg_dim(call, DIM, ndim_of(input), 0);
}

/* min and max: the element, and by dimension its position too. */
static int reduce_element(lua_State *L, const char *name, locus_reduce op)
{
  locus_call call;
  locus_value input;
  locus_answer answer;
  locus_tensor *outs[2];
  int status;

  locus_call_begin(&call, L, name, element_params);
  bool by_dim = has_dim(&call), keepdim = locus_arg_bool(&call, KEEPDIM, false);
  int64_t base = locus_arg_base(&call, BASE);
  locus_arg_value(&call, INPUT, &input);
  if (!by_dim) {
    reduce_whole(&call, op, &input, &answer);
    locus_push_element(L, answer.dtype, &answer.element);
    return 1;
  }
  uint32_t dims = element_dim(&call, &input);
  locus_push_outs(&call, OUT, "{values, indices}", outs);
  do status = locus_reduce_dims(op, &input, dims, keepdim, outs[0], outs[1], base, &call.cx);
  while (locus_call_again(&call, status));
  return 2;
}

/* argmin and argmax: the position alone; without `dim` that in C order. */
static int reduce_position(lua_State *L, const char *name, locus_reduce op)
{
  locus_call call;
  locus_value input;
  locus_answer answer;
  int status;

  locus_call_begin(&call, L, name, element_params);
  bool by_dim = has_dim(&call), keepdim = locus_arg_bool(&call, KEEPDIM, false);
  int64_t base = locus_arg_base(&call, BASE);
  locus_arg_value(&call, INPUT, &input);
  if (!by_dim) {
    reduce_whole(&call, op, &input, &answer);
    locus_push_int64(L, answer.position + base);
    return 1;
  }
  uint32_t dims = 1u << locus_arg_dim(&call, DIM, ndim_of(&input), 0);
  locus_tensor *out = push_out(&call);
  do status = locus_reduce_dims(op, &input, dims, keepdim, NULL, out, base, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

static const locus_param sum_params[] = {{"input", 0},
                                         {"dim", LOCUS_OPTIONAL},
                                         {"keepdim", LOCUS_OPTIONAL},
                                         {"out", LOCUS_NAMED},
                                         {0}};
static const locus_param truth_params[] = {{"input", 0},
                                           {"dim", LOCUS_OPTIONAL | LOCUS_NO_DIMS},
                                           {"keepdim", LOCUS_OPTIONAL},
                                           {"out", LOCUS_NAMED},
                                           {0}};
static const locus_param count_params[] = {{"input", 0}, {"dim", LOCUS_OPTIONAL}, {0}};

/* All of them answer without `dim` with a Lua value over everything; with `dim`, from 1, or from
** -1 at the end, with a tensor in which that dimension is gone, or has size 1 with keepdim. `dim`
** of SUM, MEAN, TRUTH and COUNT may be a table of dimensions; {} is all of them, but of TRUTH none.
** `out` needs `dim`. Errors: a `dim` that is not there or named twice; 'out' of another dtype or
** size, or overlapping 'input'.
**
** SUM   sum(input, dim, keepdim=false, {out=}): integers and bool give int64, modulo 2^64; others
**       their dtype. float16, bfloat16 and float32 are added as float64; the order of additions
**       depends on the number of elements alone. Of nothing: 0.
** MEAN  mean(input, dim, keepdim=false, {out=}): integers and bool give the default dtype. Of
**       nothing: NaN.
** TRUTH any, all(input, dim, keepdim=false, {out=}): bool, of any dtype: is one element, is every
**       element nonzero? NaN is. Of nothing: false and true.
** COUNT count_nonzero(input, dim): int64, how many elements are nonzero.
** ELEMENT min, max(input, dim, keepdim=false, {out=, base=1}): the least or greatest element, and
**       with `dim` (a number) the int64 positions as second result, out being {values, indices}.
**       argmin, argmax(input, dim, keepdim=false, {out=, base=1}): the positions alone, int64;
**       without `dim` in C order. NaN wins; of equal elements the first does. Errors: complex;
**       nothing to choose from.
** Sources: https://pytorch.org/docs/stable/torch.html#reduction-ops */
#define BIND_SUM(name)                                                 \
  static int name(lua_State *L)                                        \
  {                                                                    \
    return reduce_dims(L, #name, LOCUS_REDUCE_##name, sum_params);     \
  }
#define BIND_MEAN(name) BIND_SUM(name)
#define BIND_TRUTH(name)                                               \
  static int name(lua_State *L)                                        \
  {                                                                    \
    return reduce_dims(L, #name, LOCUS_REDUCE_##name, truth_params);   \
  }
#define BIND_COUNT(name)                                               \
  static int name(lua_State *L)                                        \
  {                                                                    \
    return reduce_dims(L, #name, LOCUS_REDUCE_##name, count_params);   \
  }
#define BIND_ELEMENT(name)                                             \
  static int name(lua_State *L)                                        \
  {                                                                    \
    return reduce_element(L, #name, LOCUS_REDUCE_##name);              \
  }                                                                    \
  static int arg##name(lua_State *L)                                   \
  {                                                                    \
    return reduce_position(L, "arg" #name, LOCUS_REDUCE_##name);       \
  }
#define REDUCE(name, answer) BIND_##answer(name)
#include "core/reduce.def"
#undef REDUCE

#define ENTRY_SUM(name) {#name, name, LOCUS_BOTH},
#define ENTRY_MEAN(name) ENTRY_SUM(name)
#define ENTRY_TRUTH(name) ENTRY_SUM(name)
#define ENTRY_COUNT(name) ENTRY_SUM(name)
#define ENTRY_ELEMENT(name) {#name, name, LOCUS_BOTH}, {"arg" #name, arg##name, LOCUS_BOTH},
const locus_entry locus_bind_reduce[] = {
#define REDUCE(name, answer) ENTRY_##answer(name)
#include "core/reduce.def"
#undef REDUCE
    {0},
};
