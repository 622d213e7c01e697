/* SPDX-License-Identifier: MIT */
/* Running answers as Lua functions and methods: cum<name> for each row of scan.def. */
#include "bind/bind.h"

/* Sums and products: a number gives a Lua value. */
#define SCAN_SUMS_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, Data)     \
  P(dim, LOCUS_REQUIRED, integer)    \
  P(dtype, LOCUS_NAMED, Dtype = nil) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int scan_sums(lua_State *L, const char *name, locus_scan op)
{
  LOCUS_PARAMS(SCAN_SUMS_PARAMS, any);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_value(&call, ARG_input, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.tensor ? input.tensor->shape.ndim : 0, 0);
  locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_scan_sums(op, &input, dim, dtype, out, false, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, !input.tensor);
}

#define SCAN_IN_PLACE_PARAMS(P)    \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(dim, LOCUS_REQUIRED, integer)
static int scan_in_place(lua_State *L, const char *name, locus_scan op)
{
  LOCUS_PARAMS(SCAN_IN_PLACE_PARAMS, Tensor);
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_tensor *self = locus_arg_self(&call, &input);
  const locus_dtype dtype = self->dtype;
  const int dim = locus_arg_dim(&call, ARG_dim, self->shape.ndim, 0);
  do status = locus_scan_sums(op, &input, dim, dtype, self, true, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushvalue(L, 1);
  return 1;
}

#define SCAN_ELEMENTS_PARAMS(P)                \
  P(input, LOCUS_REQUIRED, Data)               \
  P(dim, LOCUS_REQUIRED, integer)              \
  P(out, LOCUS_NAMED, Tensor | Tensor[] = nil) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int scan_elements(lua_State *L, const char *name, locus_scan op)
{
  LOCUS_PARAMS(SCAN_ELEMENTS_PARAMS, Tensor, Tensor);
  locus_tensor *outs[2];
  locus_call call;
  locus_value input;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_value(&call, ARG_input, &input);
  int dim = locus_arg_dim(&call, ARG_dim, input.tensor ? input.tensor->shape.ndim : 0, 0);
  int64_t base = locus_arg_base(&call, ARG_base);
  locus_push_outs(&call, ARG_out, "{values, indices}", outs);
  do status = locus_scan_elements(op, &input, dim, base, outs[0], outs[1], &call.cx);
  while (locus_call_again(&call, status));
  return 2;
}

/* `dim` counts from 1, or from -1 at the end; answers have the input's size. Errors: a `dim` that
** is not there; 'out' of another dtype or size, or overlapping 'input'.
**
** SUM     cumsum, cumprod(input, dim, {dtype=, out=}): at each place the sum or the product of the
**         elements along `dim` up to this one. Integers and bool give int64, modulo 2^64; floats
**         keep their dtype and are computed as float64; with `dtype` the input is cast to it first,
**         and the answer has it. A number gives a Lua value. Errors: an element that `dtype` cannot
**         hold. cumsum_, cumprod_(input, dim): in place; the dtype stays, and integers wrap in it.
** ELEMENT cummin, cummax(input, dim, {out=, base=1}): the least or greatest of these elements, and
**         its int64 position along `dim`, out being {values, indices}. NaN wins, and among equal
**         elements the last. Errors: complex.
** Sources: https://pytorch.org/docs/stable/torch.html#other-operations */
#define BIND_SUM(name)                                           \
  static int cum##name(lua_State *L)                             \
  {                                                              \
    return scan_sums(L, "cum" #name, LOCUS_SCAN_##name);         \
  }                                                              \
  static int cum##name##_in_place(lua_State *L)                  \
  {                                                              \
    return scan_in_place(L, "cum" #name "_", LOCUS_SCAN_##name); \
  }
#define BIND_ELEMENT(name)                                   \
  static int cum##name(lua_State *L)                         \
  {                                                          \
    return scan_elements(L, "cum" #name, LOCUS_SCAN_##name); \
  }
#define SCAN(name, answer) BIND_##answer(name)
#include "core/scan.def"
#undef SCAN

#define ENTRY_SUM(name) ENTRY_ELEMENT(name){"cum" #name "_", cum##name##_in_place, LOCUS_BOTH},
#define ENTRY_ELEMENT(name) {"cum" #name, cum##name, LOCUS_BOTH},
const locus_entry locus_bind_scan[] = {
#define SCAN(name, answer) ENTRY_##answer(name)
#include "core/scan.def"
#undef SCAN
    {0},
};
