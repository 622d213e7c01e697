/* SPDX-License-Identifier: MIT */
#include "bind/ground/gathered.h"

#include "bind/ground/handle.h"
#include "bind/ground/raise.h"
#include "bind/ground/read.h"
#include "bind/ground/surplus.h"

locus_gathered *locus_push_gathered(locus_call *call, int i, int *count)
{
  lua_State *L = call->L;

  *count = lua_istable(L, i + 1) ? locus_arg_list_length(call, i) : 0;
  if (*count == 0) locus_arg_expected(call, i, "a list of tensors");
  locus_gathered *columns = lua_newuserdata(L, (size_t)*count * sizeof *columns);
  lua_createtable(L, *count, 0);
  const int results = lua_gettop(L);
  for (int k = 0; k < *count; k++) {
    locus_gathered *column = &columns[k];
    lua_rawgeti(L, i + 1, k + 1);
    column->input = (locus_value){.name = "input", .tensor = locus_test_tensor(L, results + 1)};
    column->has_missing = false;
    if (!column->input.tensor) locus_arg_expected(call, i, "a list of tensors");
    if (!column->input.tensor->storage) {
      locus_call_error(call, "'input' has been freed%s", locus_freed_by(column->input.tensor));
    }
    column->out = locus_push_tensor(L);
    lua_rawseti(L, results, k + 1);
    lua_settop(L, results);
  }
  return columns;
}
