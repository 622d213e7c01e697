/* SPDX-License-Identifier: MIT */
/* `out` of functions that are written in Lua. */
#include "bind/bind.h"

/* deliver(input, out, values, index, name): `out`, the one that the caller of a declared function
** gave, becomes the values; with index it is {values, indices}. The rules and messages are those of
** ops: dtype and size must be right, out must lie apart from the input, and an error changes
** nothing. `name` is the input's name in messages. */
#define DELIVER_PARAMS(P)          \
  P(input, LOCUS_REQUIRED, Table)  \
  P(out, LOCUS_REQUIRED, Tensor)   \
  P(values, LOCUS_REQUIRED, Table) \
  P(index, LOCUS_OPTIONAL, Table)  \
  P(name, LOCUS_OPTIONAL, string)
static int deliver(lua_State *L)
{
  LOCUS_PARAMS(DELIVER_PARAMS, any);
  locus_value input, answers[2] = {{.name = "values"}, {.name = "index"}};
  locus_tensor *outs[2] = {NULL, NULL};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "deliver", params);
  locus_arg_tensor_value(&call, ARG_input, LOCUS_DTYPES, &input);
  input.name = locus_arg_string(&call, ARG_name, input.name);
  locus_arg_tensor_value(&call, ARG_values, LOCUS_DTYPES, &answers[0]);
  if (locus_arg_given(&call, ARG_index)) {
    locus_arg_tensor_value(&call, ARG_index, LOCUS_DTYPES, &answers[1]);
    locus_push_outs(&call, ARG_out, "{values, indices}", outs);
  } else {
    outs[0] = locus_arg_out(&call, ARG_out);
  }
  do status = locus_deliver(&input, answers, outs, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* apart(out, input, name, same_ok): raises where `out` shares memory with `input`, which may be
** anything and has that name; where same_ok, the two may be exactly the same. */
#define APART_PARAMS(P)           \
  P(out, LOCUS_REQUIRED, Tensor)  \
  P(input, LOCUS_OPTIONAL, any)   \
  P(name, LOCUS_REQUIRED, string) \
  P(same_ok, LOCUS_OPTIONAL, boolean)
static int apart(lua_State *L)
{
  LOCUS_PARAMS(APART_PARAMS, any);
  locus_call call;

  locus_call_begin(&call, L, "apart", params);
  const locus_value input = {.name = locus_arg_string(&call, ARG_name, NULL),
                             .tensor = call.tensors[ARG_input]};
  if (input.tensor && !input.tensor->storage)
    locus_call_error(&call, "'%s' has been freed%s", input.name, locus_freed_by(input.tensor));
  const locus_tensor *out = locus_arg_out(&call, ARG_out);
  const bool same_ok = locus_arg_bool(&call, ARG_same_ok, false);
  locus_call_again(&call, locus_result_apart(out, "out", &input, same_ok, &call.cx));
  return 0;
}

const locus_entry locus_bind_deliver[] = {
    {"deliver", deliver, LOCUS_INTERNAL}, {"apart", apart, LOCUS_INTERNAL}, {0}};
