/* SPDX-License-Identifier: MIT */
/* What lua/locus/derived/repeats.lua needs. */
#include "bind/bind.h"

/* owners(ends, base): as in op/op.h. */
static int owners(lua_State *L)
{
  enum { ENDS, BASE };
  static const locus_param params[] = {{"ends", 0}, {"base", 0}, {0}};
  locus_call call;
  locus_value ends;
  int status;

  locus_call_begin_plain(&call, L, "owners", params, 2);
  locus_arg_tensor_value(&call, ENDS, LOCUS_i64, &ends);
  const int64_t base = locus_arg_int(&call, BASE, 1);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_owners(&ends, base, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_owners[] = {{"owners", owners, LOCUS_INTERNAL}, {0}};
