/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers, for the functions of lua/locus/derived/chance.lua. */
#include "bind/bind.h"

#include <string.h>

/* The distributions, by their names in Lua. */
enum { BITS = LOCUS_CHANCE_INTEGER + 1, NATURAL, DISTRIBUTIONS };

static int read_distribution(locus_call *call, int i)
{
  static const char *const names[DISTRIBUTIONS] = {
      [LOCUS_CHANCE_UNIFORM] = "uniform",
      [LOCUS_CHANCE_NORMAL] = "normal",
      [LOCUS_CHANCE_EXPONENTIAL] = "exponential",
      [LOCUS_CHANCE_INTEGER] = "integer",
      [BITS] = "bits",
      [NATURAL] = "natural",
  };
  const char *given = locus_arg_string(call, i, NULL);

  for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++)
    if (strcmp(names[distribution], given) == 0) return distribution;
  return locus_arg_expected(call, i, "a distribution");
}

/* Reads the distribution's parameters a and b. */
static void read_ends(locus_call *call, int distribution, int a, int b, locus_dtype dtype,
                      locus_draw *draw)
{
  draw->how = distribution < BITS ? (locus_chance)distribution : LOCUS_CHANCE_INTEGER;
  if (distribution == LOCUS_CHANCE_INTEGER) {
    draw->low = locus_arg_int(call, a, 0);
    draw->high = locus_arg_int(call, b, 0);
  } else if (distribution == BITS) {
    draw->low = 0; /* and on from there, modulo 2^64 */
    draw->high = -1;
  } else if (distribution == NATURAL) {
    draw->high = locus_most_integer(dtype);
  } else {
    draw->a = locus_arg_number(call, a, 0);
    draw->b = locus_arg_number(call, b, 0);
  }
}

/* random(input, how, high, low, first, a, b): every element of a tensor becomes a number of the
** generator whose key has these two halves, beginning with block `first`. how: "uniform" from a to
** b; "normal" with mean a and deviation b; "exponential" with rate b; "integer" from a to b, both
** included; "natural", an integer from 0 to the dtype's greatest; "bits", any int64. Returns the
** number of blocks used. If `input` is the name of a dtype, this only checks that it can have such
** numbers. */
#define RANDOM_NUMBERS_PARAMS(P)    \
  P(input, LOCUS_REQUIRED, Dtype)   \
  P(how, LOCUS_REQUIRED, any)       \
  P(high, LOCUS_REQUIRED, integer)  \
  P(low, LOCUS_REQUIRED, integer)   \
  P(first, LOCUS_REQUIRED, integer) \
  P(a, LOCUS_OPTIONAL, any)         \
  P(b, LOCUS_OPTIONAL, any)
static int random_numbers(lua_State *L)
{
  LOCUS_PARAMS(RANDOM_NUMBERS_PARAMS, any);
  locus_call call;
  locus_value input = {0};
  locus_draw draw = {0};
  uint64_t blocks = 0;
  int status;

  locus_call_begin(&call, L, "random", params);
  const bool asks = lua_type(L, ARG_input + 1) == LUA_TSTRING;
  const locus_tensor *to = asks ? NULL : locus_arg_self(&call, &input);
  const locus_dtype dtype = asks ? locus_arg_dtype(&call, ARG_input, LOCUS_DTYPES) : to->dtype;
  draw.key = (uint64_t)locus_arg_int(&call, ARG_high, 0) << 32 |
             (uint64_t)locus_arg_int(&call, ARG_low, 0);
  draw.first = (uint64_t)locus_arg_int(&call, ARG_first, 0);
  read_ends(&call, read_distribution(&call, ARG_how), ARG_a, ARG_b, dtype, &draw);
  do
    status = asks ? locus_check_draw(&draw, dtype, &call.cx)
                  : locus_draw_into(&draw, to, &blocks, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushnumber(L, (lua_Number)blocks);
  return 1;
}

const locus_entry locus_bind_random[] = {{"random", random_numbers, LOCUS_INTERNAL}, {0}};
