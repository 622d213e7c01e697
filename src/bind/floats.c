/* SPDX-License-Identifier: MIT */
#include "bind/floats.h"

#include "core/floats.h"

/* Of the thread's callers; a function that one of these calls finds IEEE 754's. */
static _Thread_local uint64_t found;

static __attribute__((noinline)) int call_otherwise(lua_State *L, lua_CFunction function,
                                                    uint64_t before)
{
  found = before;
  const int results = function(L);
  found = 0;
  locus_floats_end(before);
  return results;
}

int locus_call_ieee(lua_State *L, lua_CFunction function)
{
  const uint64_t before = locus_floats_begin();
  return locus_floats_differ(before) ? call_otherwise(L, function, before) : function(L);
}

void locus_floats_give_back(void)
{
  const uint64_t before = found;
  found = 0;
  locus_floats_end(before);
}

uint64_t locus_floats_found(void)
{
  return found;
}
