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

int locus_ieee(lua_State *L)
{
  locus_state *state = locus_state_of(L);
  const uint64_t found = state->floats_found;

  state->floats_found = 0;
  const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  state->floats_found = found;
  if (status == 0) return lua_gettop(L);
  locus_floats_give_back(L);
  return lua_error(L);
}
