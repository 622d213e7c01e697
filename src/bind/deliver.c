/* SPDX-License-Identifier: MIT */
/* `out` of functions that are written in Lua. */
#include "bind/bind.h"

/* deliver(input, out, values, index, name): `out`, the one that the caller of a declared function
** gave, becomes the values; with index it is {values, indices}. The rules and messages are those of
** ops: dtype and size must be right, out must lie apart from the input, which is called by `name`
** where that is another one, and an error changes nothing. */
static int deliver(lua_State *L)
{
  enum { INPUT, OUT, VALUES, INDEX, NAME };
  static const locus_param params[] = {
      {"input", 0}, {"out", 0}, {"values", 0}, {"index", LOCUS_OPTIONAL},
      {"name", LOCUS_OPTIONAL}, {0}};
  locus_value input, answers[2] = {{.name = "values"}, {.name = "index"}};
  locus_tensor *outs[2] = {NULL, NULL};
  locus_call call;
  int status;

  locus_call_begin(&call, L, "deliver", params);
  locus_arg_tensor_value(&call, INPUT, LOCUS_DTYPES, &input);
  input.name = locus_arg_string(&call, NAME, input.name);
  locus_arg_tensor_value(&call, VALUES, LOCUS_DTYPES, &answers[0]);
  if (locus_arg_given(&call, INDEX)) {
    locus_arg_tensor_value(&call, INDEX, LOCUS_DTYPES, &answers[1]);
    locus_push_outs(&call, OUT, "{values, indices}", outs);
  } else {
    outs[0] = locus_arg_out(&call, OUT);
  }
  do status = locus_deliver(&input, answers, outs, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* apart(out, input, name, same_ok): raises where `out` shares memory with `input`, which may be
** anything and has that name; where same_ok, the two may be exactly the same. */
static int apart(lua_State *L)
{
  enum { OUT, INPUT, NAME, SAME_OK };
  static const locus_param params[] = {
      {"out", 0}, {"input", LOCUS_OPTIONAL}, {"name", 0}, {"same_ok", LOCUS_OPTIONAL}, {0}};
  locus_call call;

  locus_call_begin(&call, L, "apart", params);
  const locus_value input = {.name = locus_arg_string(&call, NAME, NULL),
                             .tensor = call.tensors[INPUT]};
  if (input.tensor && !input.tensor->storage)
    locus_call_error(&call, "'%s' has been freed%s", input.name, locus_freed_by(input.tensor));
  const locus_tensor *out = locus_arg_out(&call, OUT);
  const bool same_ok = locus_arg_bool(&call, SAME_OK, false);
  locus_call_again(&call, locus_result_apart(out, "out", &input, same_ok, &call.cx));
  return 0;
}

const locus_entry locus_bind_deliver[] = {
    {"deliver", deliver, LOCUS_INTERNAL}, {"apart", apart, LOCUS_INTERNAL}, {0}};
