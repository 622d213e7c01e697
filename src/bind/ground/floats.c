/* SPDX-License-Identifier: MIT */
#include "bind/ground/floats.h"

#include "bind/ground/state.h"
#include "core/number/floats.h"

static __attribute__((noinline)) int call_otherwise(lua_State *L, lua_CFunction function,
                                                    uint64_t before)
{
  locus_state *state = locus_state_of(L);

  state->floats_found = before;
  const int results = function(L);
  state->floats_found = 0;
  locus_floats_end(before);
  return results;
}

int locus_call_ieee(lua_State *L, lua_CFunction function)
{
  const uint64_t before = locus_floats_begin();
  return locus_floats_differ(before) ? call_otherwise(L, function, before) : function(L);
}

void locus_floats_give_back(lua_State *L)
{
  locus_state *state = locus_state_of(L);
  const uint64_t before = state->floats_found;

  state->floats_found = 0;
  locus_floats_end(before);
}
