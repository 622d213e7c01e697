/* SPDX-License-Identifier: MIT */
/* The rows of core/compare.def as Lua functions and methods; between, equal and allclose. */
#include <string.h>

#include "bind/bind.h"

/* lt, le, gt, ge, eq, ne (input, other, {out=}): bool; the two broadcast, either may be a tensor,
** table, number, boolean or cdata, two scalars give a Lua boolean. Tensors of different dtypes, and
** integer tensors with any number, are compared exactly; a scalar or 0-d tensor beside a float
** tensor of higher rank is rounded to its dtype first. NaN equals nothing.
** Errors: sizes that do not broadcast; complex values other than in eq and ne; 'out' not bool, of
** another size, or overlapping an operand in part. */
#define COMPARE_PARAMS(P)        \
  P(input, LOCUS_REQUIRED, Data) \
  P(other, LOCUS_REQUIRED, Data) \
  P(out, LOCUS_NAMED, Tensor = nil)
static int compare(lua_State *L, const char *name, locus_compare op)
{
  LOCUS_PARAMS(COMPARE_PARAMS, any);
  locus_call call;
  locus_value input, other;
  int status;

  locus_call_begin(&call, L, name, params);
  locus_arg_value(&call, ARG_input, &input);
  locus_arg_value(&call, ARG_other, &other);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_apply_compare(op, &input, &other, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, !input.tensor && !other.tensor);
}

#define COMPARE(op, relation, swapped)          \
  static int op(lua_State *L)                   \
  {                                             \
    return compare(L, #op, LOCUS_COMPARE_##op); \
  }
#include "core/compare.def"
#undef COMPARE

/* compare_ids(input, other, names, other_names, differ): eq, or ne, of ids of strings, int32
** tensors or numbers, that are 1..names and 1..other_names. An error where an id that was compared
** is none of these; other_names may be nil for any. */
#define COMPARE_IDS_PARAMS(P)             \
  P(input, LOCUS_REQUIRED, Tensor)        \
  P(other, LOCUS_REQUIRED, Data)          \
  P(names, LOCUS_REQUIRED, integer)       \
  P(other_names, LOCUS_OPTIONAL, integer) \
  P(differ, LOCUS_OPTIONAL, boolean = false)
static int compare_ids(lua_State *L)
{
  LOCUS_PARAMS(COMPARE_IDS_PARAMS, any);
  locus_call call;
  locus_value ids[2];
  int status;

  locus_call_begin(&call, L, "compare_ids", params);
  locus_arg_value(&call, ARG_input, &ids[0]);
  locus_arg_value(&call, ARG_other, &ids[1]);
  const uint32_t behind[2] = {(uint32_t)locus_arg_int(&call, ARG_names, 0) + 1,
                              (uint32_t)locus_arg_int(&call, ARG_other_names, -1) + 1};
  const bool differ = locus_arg_bool(&call, ARG_differ, false);
  locus_tensor *out = locus_push_tensor(L);
  do
    status =
        locus_compare_ids(differ ? LOCUS_COMPARE_ne : LOCUS_COMPARE_eq, ids, behind, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* find_stray(ids, names): the position and the value of the first element outside 1..names; nothing
** if there is none. */
#define FIND_STRAY_PARAMS(P)     \
  P(ids, LOCUS_REQUIRED, Tensor) \
  P(names, LOCUS_REQUIRED, integer)
static int find_stray(lua_State *L)
{
  LOCUS_PARAMS(FIND_STRAY_PARAMS, any);
  locus_call call;
  locus_value ids, bad;
  int64_t position;
  int status;

  locus_call_begin(&call, L, "find_stray", params);
  locus_arg_value(&call, ARG_ids, &ids);
  const int64_t names = locus_arg_int(&call, ARG_names, 0);
  do status = locus_find_stray(&ids, names, &position, &bad, &call.cx);
  while (locus_call_again(&call, status));
  if (position < 0) return 0;
  locus_push_int64(L, position + 1);
  locus_push_int64(L, bad.element.i64);
  return 2;
}

/* The comparisons that hold for an element between its bounds. */
static void read_inclusive(locus_call *call, int at, locus_compare op[2])
{
  const char *inclusive = locus_arg_string(call, at, "both");
  const bool both = strcmp(inclusive, "both") == 0;
  const bool left = both || strcmp(inclusive, "left") == 0;
  const bool right = both || strcmp(inclusive, "right") == 0;

  if (!left && !right && strcmp(inclusive, "neither") != 0)
    locus_arg_expected(call, at, "one of both, neither, left or right");
  op[0] = left ? LOCUS_COMPARE_ge : LOCUS_COMPARE_gt;
  op[1] = right ? LOCUS_COMPARE_le : LOCUS_COMPARE_lt;
}

/* between(input, low, high, {inclusive="both", out=nil}): bool, whether each element lies between
** two bounds; all three broadcast and may be tensors, tables or numbers, three scalars give a Lua
** boolean. inclusive says which bounds lie between: "both", "neither", "left" or "right". Compared
** as by ge and le, so that NaN never does. Errors: as of those.
** Source: https://pandas.pydata.org/docs/reference/api/pandas.Series.between.html */
#define BETWEEN_PARAMS(P)                       \
  P(input, LOCUS_REQUIRED, Data)                \
  P(low, LOCUS_REQUIRED, Data)                  \
  P(high, LOCUS_REQUIRED, Data)                 \
  P(inclusive, LOCUS_NAMED, Inclusive = "both") \
  P(out, LOCUS_NAMED, Tensor = nil)
static int between(lua_State *L)
{
  LOCUS_PARAMS(BETWEEN_PARAMS, any);
  locus_call call;
  locus_compare op[2];
  locus_value input, low, high;
  int status;

  locus_call_begin(&call, L, "between", params);
  read_inclusive(&call, ARG_inclusive, op);
  locus_arg_value(&call, ARG_input, &input);
  locus_arg_value(&call, ARG_low, &low);
  locus_arg_value(&call, ARG_high, &high);
  locus_tensor *out = locus_arg_out(&call, ARG_out);
  do status = locus_between(op, &input, &low, &high, out, &call.cx);
  while (locus_call_again(&call, status));
  return locus_push_result(&call, ARG_out, !input.tensor && !low.tensor && !high.tensor);
}

/* equal(input, other): a Lua boolean, whether both have the same size and eq holds everywhere; NaN
** equals nothing. Source: https://pytorch.org/docs/stable/generated/torch.equal.html */
#define EQUAL_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, Data) \
  P(other, LOCUS_REQUIRED, Data)
static int equal(lua_State *L)
{
  LOCUS_PARAMS(EQUAL_PARAMS, boolean);
  locus_call call;
  locus_value input, other;
  bool answer = false;
  int status;

  locus_call_begin(&call, L, "equal", params);
  locus_arg_value(&call, ARG_input, &input);
  locus_arg_value(&call, ARG_other, &other);
  do status = locus_equal(&input, &other, &answer, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushboolean(L, answer);
  return 1;
}

/* allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=false): a Lua boolean, whether
** |input - other| <= atol + rtol * |other| everywhere, in float64; the two broadcast. Infinities
** are close to themselves alone. Errors: sizes that do not broadcast; a negative or NaN tolerance.
** Source: https://pytorch.org/docs/stable/generated/torch.allclose.html */
#define ALLCLOSE_PARAMS(P)               \
  P(input, LOCUS_REQUIRED, Data)         \
  P(other, LOCUS_REQUIRED, Data)         \
  P(rtol, LOCUS_OPTIONAL, number = 1e-5) \
  P(atol, LOCUS_OPTIONAL, number = 1e-8) \
  P(equal_nan, LOCUS_OPTIONAL, boolean = false)
static int allclose(lua_State *L)
{
  LOCUS_PARAMS(ALLCLOSE_PARAMS, boolean);
  locus_call call;
  locus_value input, other;
  bool answer = false;
  int status;

  locus_call_begin(&call, L, "allclose", params);
  double relative = locus_arg_number(&call, ARG_rtol, 1e-5);
  double absolute = locus_arg_number(&call, ARG_atol, 1e-8);
  bool equal_nan = locus_arg_bool(&call, ARG_equal_nan, false);
  locus_arg_value(&call, ARG_input, &input);
  locus_arg_value(&call, ARG_other, &other);
  do status = locus_allclose(&input, &other, relative, absolute, equal_nan, &answer, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushboolean(L, answer);
  return 1;
}

const locus_entry locus_bind_compare[] = {
#define COMPARE(op, relation, swapped) {#op, op, LOCUS_BOTH},
#include "core/compare.def"
#undef COMPARE
    {"compare_ids", compare_ids, LOCUS_INTERNAL},
    {"find_stray", find_stray, LOCUS_INTERNAL},
    {"between", between, LOCUS_BOTH},
    {"equal", equal, LOCUS_BOTH},
    {"allclose", allclose, LOCUS_BOTH},
    {0},
};
