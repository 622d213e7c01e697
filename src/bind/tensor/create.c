/* SPDX-License-Identifier: MIT */
/* Making tensors: tensor, empty zeros ones full, arange range linspace, *_like, and Torch7's typed
** constructors. */
#include "bind/bind.h"

/* The options that each of them takes by name, after its own arguments. */
#define MAKING(P)                      \
  P(dtype, LOCUS_NAMED, Dtype = nil)   \
  P(device, LOCUS_NAMED, string = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)

typedef struct making {
  locus_dtype dtype;
  locus_device device;
  locus_tensor *out;
  int result; /* its stack index */
} making;

/* Reads dtype, device and out, arguments `first` and behind; a given `out` decides the ones that
** are missing. */
static making read_making(locus_call *call, int first, locus_dtype dtype)
{
  locus_device device = call->cx.home;
  making m = {.out = locus_arg_out(call, first + 2), .result = first + 3};

  if (m.out->storage) {
    dtype = m.out->dtype;
    device = locus_tensor_device(m.out);
  }
  m.dtype = locus_arg_dtype(call, first, dtype);
  m.device = locus_arg_device(call, first + 1, device);
  return m;
}

static int fill(locus_call *call, const making *m, const locus_shape *shape,
                const locus_value *value)
{
  int status;

  do status = locus_full(shape, value, m->dtype, m->device, m->out, &call->cx);
  while (locus_call_again(call, status));
  lua_pushvalue(call->L, m->result);
  return 1;
}

static const locus_value zero = {.name = "0", .scalar = LOCUS_SCALAR_INT64, .element.i64 = 0};
static const locus_value one = {.name = "1", .scalar = LOCUS_SCALAR_INT64, .element.i64 = 1};

#define MAKE_SIZED_PARAMS(P) \
  P(size, LOCUS_SIZES, Dims) \
  MAKING(P)
static int make_sized(lua_State *L, const char *function, const locus_value *value)
{
  LOCUS_PARAMS(MAKE_SIZED_PARAMS, Tensor);
  locus_call call;
  locus_shape shape;

  locus_call_begin(&call, L, function, params);
  locus_arg_shape(&call, ARG_size, &shape, false);
  making m = read_making(&call, ARG_dtype, call.cx.default_dtype);
  return fill(&call, &m, &shape, value);
}

/* empty(size..., {dtype=, device=, out=}): a tensor of these sizes (numbers or one table; {} is
** 0-d) of the default dtype, with arbitrary contents. Errors: a negative or fractional size; more
** bytes than 2^62.
** Source: https://pytorch.org/docs/stable/generated/torch.empty.html */
static int empty(lua_State *L)
{
  return make_sized(L, "empty", NULL);
}

/* zeros(size..., {dtype=, device=, out=}): as empty, all 0. */
static int zeros(lua_State *L)
{
  return make_sized(L, "zeros", &zero);
}

/* ones(size..., {dtype=, device=, out=}): as empty, all 1. */
static int ones(lua_State *L)
{
  return make_sized(L, "ones", &one);
}

/* A value; a text or an element is one of the kind that the tensors of the call have. */
static void read_scalar(locus_call *call, int i, locus_value *value)
{
  value->name = call->params[i].name;
  value->tensor = NULL;
  if (locus_read_scalar(call->L, i + 1, value)) locus_adapt_meaning(call, value);
  else if (!locus_read_meaning(call, i + 1, value->name, value))
    locus_arg_expected(call, i, "a number, a boolean or a cdata");
}

/* full(size, fill_value, {dtype=, device=, out=}): as empty, all fill_value; the dtype is the
** value's: default for a number, int64, bool or complex. Errors: a value the dtype cannot hold.
** Source: https://pytorch.org/docs/stable/generated/torch.full.html */
#define FULL_PARAMS(P)                  \
  P(size, LOCUS_REQUIRED, Dims)         \
  P(fill_value, LOCUS_REQUIRED, Scalar) \
  MAKING(P)
static int full(lua_State *L)
{
  LOCUS_PARAMS(FULL_PARAMS, Tensor);
  locus_call call;
  locus_shape shape;
  locus_value value;

  locus_call_begin(&call, L, "full", params);
  locus_arg_shape(&call, ARG_size, &shape, false);
  read_scalar(&call, ARG_fill_value, &value);
  making m = read_making(&call, ARG_dtype, locus_promote(&value, 1, &call.cx));
  return fill(&call, &m, &shape, &value);
}

#define MAKE_LIKE_PARAMS(P)       \
  P(input, LOCUS_REQUIRED, Table) \
  MAKING(P)
static int make_like(lua_State *L, const char *function, const locus_value *value)
{
  LOCUS_PARAMS(MAKE_LIKE_PARAMS, Tensor);
  locus_call call;

  locus_call_begin(&call, L, function, params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  making m = read_making(&call, ARG_dtype, input->dtype);
  return fill(&call, &m, &input->shape, value);
}

/* empty_like(input, {dtype=, device=, out=}): empty, with the sizes, dtype and device of input. */
static int empty_like(lua_State *L)
{
  return make_like(L, "empty_like", NULL);
}

/* zeros_like(input, {dtype=, device=, out=}): zeros, likewise. */
static int zeros_like(lua_State *L)
{
  return make_like(L, "zeros_like", &zero);
}

/* ones_like(input, {dtype=, device=, out=}): ones, likewise. */
static int ones_like(lua_State *L)
{
  return make_like(L, "ones_like", &one);
}

/* full_like(input, fill_value, {dtype=, device=, out=}): full, likewise: the dtype is input's. */
#define FULL_LIKE_PARAMS(P)             \
  P(input, LOCUS_REQUIRED, Table)       \
  P(fill_value, LOCUS_REQUIRED, Scalar) \
  MAKING(P)
static int full_like(lua_State *L)
{
  LOCUS_PARAMS(FULL_LIKE_PARAMS, Tensor);
  locus_call call;
  locus_value value;

  locus_call_begin(&call, L, "full_like", params);
  const locus_tensor *input = locus_arg_tensor(&call, ARG_input);
  read_scalar(&call, ARG_fill_value, &value);
  making m = read_making(&call, ARG_dtype, input->dtype);
  return fill(&call, &m, &input->shape, &value);
}

/* A number or an int64 cdata; `absent` when it was not given. */
static void read_real(locus_call *call, int i, double absent, locus_value *value)
{
  value->name = call->params[i].name;
  value->tensor = NULL;
  value->scalar = LOCUS_SCALAR_NUMBER;
  value->dtype = LOCUS_f64;
  value->element.f64 = absent;
  if (!locus_arg_given(call, i)) return;
  if (!locus_read_scalar(call->L, i + 1, value) ||
      (value->scalar != LOCUS_SCALAR_NUMBER && value->scalar != LOCUS_SCALAR_INT64))
    locus_arg_expected(call, i, "a number");
}

/* range has the same ones. */
#define ARANGE_PARAMS(P)               \
  P(start, LOCUS_OPTIONAL, number = 0) \
  P(end, LOCUS_OPTIONAL, number = nil) \
  P(step, LOCUS_OPTIONAL, number = 1)  \
  MAKING(P)
LOCUS_FILE_PLACES(ARANGE_PARAMS);

/* The dtype comes from those arguments that were given. */
static int make_ramp(locus_call *call, locus_value v[3], bool end_included)
{
  locus_value given[3];
  int count = 0, status;

  for (int i = AT_start; i <= AT_step; i++)
    if (locus_arg_given(call, i)) given[count++] = v[i];
  making m = read_making(call, AT_dtype, locus_promote(given, count, &call->cx));
  do
    status = locus_arange(&v[AT_start], &v[AT_end], &v[AT_step], end_included, m.dtype, m.device,
                          m.out, &call->cx);
  while (locus_call_again(call, status));
  lua_pushvalue(call->L, m.result);
  return 1;
}

static void start_is_end(locus_call *call)
{
  lua_pushvalue(call->L, AT_start + 1);
  lua_replace(call->L, AT_end + 1);
  if (!locus_arg_given(call, AT_start)) return;
  call->given &= ~(1u << AT_start);
  call->given |= 1u << AT_end;
}

/* arange(start, end, step, {dtype=, device=, out=}): the values start, start + step, ... before
** end, ceil((end - start) / step) of them; one argument is the end, start is 0, step 1. int64
** cdata give int64, numbers the default dtype. Errors: a step of 0 or the wrong sign, NaN,
** infinity, a value the dtype cannot hold.
** Source: https://pytorch.org/docs/stable/generated/torch.arange.html */
static int arange(lua_State *L)
{
  LOCUS_PARAMS(ARANGE_PARAMS, Tensor);
  locus_call call;
  locus_value v[3];

  locus_call_begin(&call, L, "arange", params);
  if (call.positions == 1 && !locus_arg_given(&call, AT_end)) start_is_end(&call);
  if (!locus_arg_given(&call, AT_end)) locus_call_error(&call, "'end' is missing");
  for (int i = AT_start; i <= AT_step; i++) read_real(&call, i, i == AT_step, &v[i]);
  return make_ramp(&call, v, false);
}

/* range(start, end, step, {dtype=, device=, out=}): Torch7's: as arange, but end is included when
** a step meets it. */
#define RANGE_PARAMS(P)               \
  P(start, LOCUS_REQUIRED, number)    \
  P(end, LOCUS_REQUIRED, number)      \
  P(step, LOCUS_OPTIONAL, number = 1) \
  MAKING(P)
static int range(lua_State *L)
{
  LOCUS_PARAMS(RANGE_PARAMS, Tensor);
  locus_call call;
  locus_value v[3];

  locus_call_begin(&call, L, "range", params);
  for (int i = AT_start; i <= AT_step; i++) read_real(&call, i, i == AT_step, &v[i]);
  return make_ramp(&call, v, true);
}

/* linspace(start, end, steps, {dtype=, device=, out=}): `steps` values evenly from start to end,
** both included, of the default dtype; an integer dtype truncates those between.
** Source: https://pytorch.org/docs/stable/generated/torch.linspace.html */
#define LINSPACE_PARAMS(P)          \
  P(start, LOCUS_REQUIRED, number)  \
  P(end, LOCUS_REQUIRED, number)    \
  P(steps, LOCUS_REQUIRED, integer) \
  MAKING(P)
static int linspace(lua_State *L)
{
  LOCUS_PARAMS(LINSPACE_PARAMS, Tensor);
  locus_call call;
  locus_value start, end;
  int status;

  locus_call_begin(&call, L, "linspace", params);
  read_real(&call, ARG_start, 0, &start);
  read_real(&call, ARG_end, 0, &end);
  int64_t steps = locus_arg_int(&call, ARG_steps, 0);
  making m = read_making(&call, ARG_dtype, call.cx.default_dtype);
  do status = locus_linspace(&start, &end, steps, m.dtype, m.device, m.out, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, m.result);
  return 1;
}

/* tensor(data, {dtype=, device=}): a new tensor of the data in a table, number, boolean, cdata or
** tensor. Errors: a gap or a ragged table; an element that the dtype cannot hold. */
#define NEW_TENSOR_PARAMS(P)         \
  P(data, LOCUS_REQUIRED, Data)      \
  P(dtype, LOCUS_NAMED, Dtype = nil) \
  P(device, LOCUS_NAMED, string = nil)
static int new_tensor(lua_State *L)
{
  LOCUS_PARAMS(NEW_TENSOR_PARAMS, Tensor);
  locus_call call;
  locus_value value;
  int status;

  locus_call_begin(&call, L, "tensor", params);
  locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  call.cx.home = locus_arg_device(&call, ARG_device, call.cx.home);
  if (lua_type(L, ARG_data + 1) == LUA_TTABLE) {
    locus_table_to_tensor(&call, ARG_data + 1, "data", dtype);
    lua_pushvalue(L, ARG_data + 1);
    return 1;
  }
  locus_arg_value(&call, ARG_data, &value);
  if (dtype == LOCUS_DTYPES) dtype = locus_promote(&value, 1, &call.cx);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_move_to(&value, dtype, call.cx.home, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* A table or a tensor is data. */
#define TYPED_DATA_PARAMS(P) P(data, LOCUS_REQUIRED, Data)
static int typed_data(lua_State *L, const char *function, locus_dtype dtype)
{
  LOCUS_PLACES(TYPED_DATA_PARAMS);
  static const locus_param params[] = {TYPED_DATA_PARAMS(LOCUS_PARAM){0}};
  locus_call call;
  locus_value value = {.name = "data"};
  int status;

  locus_call_begin(&call, L, function, params);
  if (dtype == LOCUS_DTYPES) dtype = call.cx.default_dtype;
  bool table = lua_type(L, 1) == LUA_TTABLE;
  value.tensor = locus_arg_tensor_as(&call, ARG_data, dtype);
  if (table) return 1;
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_convert(&value, dtype, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* FloatTensor(data) and the like: any table, or another tensor, is data; FloatTensor(2, 3):
** numbers are sizes, all 0; FloatTensor() is empty. Torch7's names, each for its dtype. */
#define MAKE_TYPED_PARAMS(P) P(size, LOCUS_SIZES | LOCUS_OPTIONAL, Dims)
static int make_typed(lua_State *L, const char *function, locus_dtype dtype)
{
  LOCUS_PLACES(MAKE_TYPED_PARAMS);
  static const locus_param params[] = {MAKE_TYPED_PARAMS(LOCUS_PARAM){0}};
  locus_call call;
  locus_shape shape = {.ndim = 1, .size = {0}};

  if (lua_type(L, 1) == LUA_TTABLE || locus_test_tensor(L, 1))
    return typed_data(L, function, dtype);
  locus_call_begin(&call, L, function, params);
  if (locus_arg_given(&call, ARG_size)) locus_arg_shape(&call, ARG_size, &shape, false);
  making m = {.dtype = dtype == LOCUS_DTYPES ? call.cx.default_dtype : dtype,
              .device = call.cx.home,
              .out = locus_push_tensor(L),
              .result = lua_gettop(L)};
  return fill(&call, &m, &shape, &zero);
}

#define TYPED(id, name)                     \
  static int typed_##id(lua_State *L)       \
  {                                         \
    return make_typed(L, name, LOCUS_##id); \
  }
#define REAL(id, rank, key, method, constructor) TYPED(id, constructor)
TYPED(DTYPES, "Tensor")
#include "core/dtype.def"

const locus_entry locus_bind_create[] = {
    {"tensor", new_tensor, LOCUS_FUNCTION},
    {"empty", empty, LOCUS_FUNCTION},
    {"zeros", zeros, LOCUS_FUNCTION},
    {"ones", ones, LOCUS_FUNCTION},
    {"full", full, LOCUS_FUNCTION},
    {"empty_like", empty_like, LOCUS_BOTH},
    {"zeros_like", zeros_like, LOCUS_BOTH},
    {"ones_like", ones_like, LOCUS_BOTH},
    {"full_like", full_like, LOCUS_BOTH},
    {"arange", arange, LOCUS_FUNCTION},
    {"range", range, LOCUS_FUNCTION},
    {"linspace", linspace, LOCUS_FUNCTION},
    {"Tensor", typed_DTYPES, LOCUS_FUNCTION},
#define REAL(id, rank, key, method, constructor) {constructor, typed_##id, LOCUS_FUNCTION},
#include "core/dtype.def"
    {NULL, NULL, 0},
};
