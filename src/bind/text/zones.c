/* SPDX-License-Identifier: MIT */
/* Time zones by name, and from the bytes of files; the choices where clocks are not clear. */
#include "bind/text/zones.h"

#include <string.h>

#include "bind/bind.h"
#include "text/time/tzif.h"
#include "text/time/zone_name.h"

/* A word, or nil for the first one, as its place in the list. */
static int arg_choice(locus_call *call, int i, const char *const words[], const char *expected)
{
  if (!locus_arg_given(call, i)) return 0;
  const char *const word = locus_arg_string(call, i, "");
  for (int k = 1; words[k]; k++)
    if (strcmp(word, words[k]) == 0) return k;
  return locus_arg_expected(call, i, expected);
}

clock_choice locus_arg_clock_choice(locus_call *call, int ambiguous, int missing)
{
  static const char *const twice[] = {"", "first", "second", NULL}, *const gone[] = {"", "forward",
                                                                                     NULL};
  return (clock_choice){(clock_twice)arg_choice(call, ambiguous, twice, "\"first\" or \"second\""),
                        (clock_missing)arg_choice(call, missing, gone, "\"forward\"")};
}

/* zone(name): the zone of that name. */
#define ZONE_PARAMS(P) P(name, LOCUS_REQUIRED, any)
static int zone(lua_State *L)
{
  LOCUS_PARAMS(ZONE_PARAMS, any);
  char place[ZONE_PLACE];
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "zone", params, 1);
  if (lua_type(L, 1) != LUA_TSTRING)
    locus_call_error(&call, "'zone' must be a name such as \"Europe/Berlin\", got %s",
                     locus_describe(L, 1));
  size_t length;
  const char *const name = lua_tolstring(L, 1, &length);
  if (strlen(name) != length || !locus_is_zone_name(name))
    locus_call_error(&call, "'zone' is \"%s\", which is no name such as \"Europe/Berlin\"",
                     locus_push_visible(L, name, length < 60 ? length : 60, true));
  locus_zone_place(name, place);
  lua_pushfstring(L, "%s\n%s", name, place); /* at 2 */
  if (locus_push_kept_zone(L, 2)) return 1;
  locus_bound_zone *const bound = locus_push_zone(L, name);
  do status = locus_zone_open(name, &bound->zone, &call.cx);
  while (locus_call_again(&call, status));
  locus_keep_zone(L, lua_gettop(L), 2);
  return 1;
}

/* parse_zone(bytes, name): the zone of a file's bytes; errors call it by that name. */
#define PARSE_ZONE_PARAMS(P) P(bytes, LOCUS_REQUIRED, any) P(name, LOCUS_REQUIRED, any)
static int parse_zone(lua_State *L)
{
  LOCUS_PARAMS(PARSE_ZONE_PARAMS, any);
  locus_call call;
  size_t length;
  int status;

  locus_call_begin_plain(&call, L, "parse_zone", params, 2);
  const char *const name = luaL_checkstring(L, 2), *bytes = luaL_checklstring(L, 1, &length);
  locus_bound_zone *const bound = locus_push_zone(L, name);
  do
    status = locus_tzif_parse((const unsigned char *)bytes, (int64_t)length, name, &bound->zone,
                              &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_zones[] = {
    {"zone", zone, LOCUS_INTERNAL},
    {"parse_zone", parse_zone, LOCUS_INTERNAL},
    {0},
};
