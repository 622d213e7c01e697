/* SPDX-License-Identifier: MIT */
/* Times, dates and addresses as text, one at a time, by the same functions that read and write
** columns. */
#include <string.h>

#include "bind/bind.h"
#include "bind/text/zones.h"
#include "text/time/address.h"
#include "text/time/duration.h"
#include "text/time/format.h"
#include "text/time/pattern.h"
#include "text/time/span.h"
#include "text/time/time.h"

/* -- From text --------------------------------------------------------------------------------- */

static const char *arg_text(locus_call *call, int i, size_t *length)
{
  if (lua_type(call->L, i + 1) != LUA_TSTRING) locus_arg_expected(call, i, "a string");
  return lua_tolstring(call->L, i + 1, length);
}

static int64_t arg_per_second(locus_call *call, int i)
{
  const char *const unit = locus_arg_string(call, i, "us");

  if (strcmp(unit, "s") == 0) return 1;
  if (strcmp(unit, "ms") == 0) return 1000;
  if (strcmp(unit, "us") == 0) return 1000000;
  if (strcmp(unit, "ns") == 0) return 1000000000;
  return locus_arg_expected(call, i, "one of s ms us ns");
}

/* NULL where none was given. One for output need not give the whole time. */
static const char *arg_pattern(locus_call *call, int i, bool output)
{
  const char *const pattern = locus_arg_string(call, i, NULL);
  const char *const wrong = !pattern ? NULL
                            : output ? locus_check_output_pattern(pattern)
                                     : locus_check_pattern(pattern);

  if (wrong) locus_call_error(call, "the pattern '%s' %s", pattern, wrong);
  return pattern;
}

/* Pushes the value, or nil and the error. */
static int push_parsed(lua_State *L, const char *wrong, int64_t value)
{
  if (!wrong) {
    locus_push_int64(L, value);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, wrong);
  return 2;
}

/* parse_time(text, {unit="us", pattern=nil, after=nil, zone=nil, ambiguous=nil, missing=nil}): the
** time in units since 1970, or nil and the error. `after` is the time that was read before it. */
#define PARSE_TIME_PARAMS(P)     \
  P(text, LOCUS_REQUIRED, any)   \
  P(unit, LOCUS_NAMED, any)      \
  P(pattern, LOCUS_NAMED, any)   \
  P(after, LOCUS_NAMED, any)     \
  P(zone, LOCUS_NAMED, any)      \
  P(ambiguous, LOCUS_NAMED, any) \
  P(missing, LOCUS_NAMED, any)
static int parse_time(lua_State *L)
{
  LOCUS_PARAMS(PARSE_TIME_PARAMS, any);
  size_t length;
  int64_t value = 0;
  locus_call call;

  locus_call_begin(&call, L, "parse_time", params);
  text_clock clock = {.per_second = arg_per_second(&call, ARG_unit),
                      .pattern = arg_pattern(&call, ARG_pattern, false)};
  const locus_bound_zone *const zone = locus_test_zone(L, ARG_zone + 1);
  clock.zone = zone ? zone->zone : NULL;
  clock.choice = locus_arg_clock_choice(&call, ARG_ambiguous, ARG_missing);
  if (locus_arg_given(&call, ARG_after)) {
    const char *const after = arg_text(&call, ARG_after, &length);
    locus_parse_time(&clock, after, after + length, &value);
  }
  const char *const text = arg_text(&call, ARG_text, &length);
  const char *const wrong = locus_parse_time(&clock, text, text + length, &value);
  return push_parsed(L, wrong, value);
}

/* parse_date(text, {pattern=nil}): the date in days since 1970, or nil and the error. */
#define PARSE_DATE_PARAMS(P)   \
  P(text, LOCUS_REQUIRED, any) \
  P(pattern, LOCUS_NAMED, any)
static int parse_date(lua_State *L)
{
  LOCUS_PARAMS(PARSE_DATE_PARAMS, any);
  size_t length;
  int64_t value = 0;
  locus_call call;

  locus_call_begin(&call, L, "parse_date", params);
  const char *const text = arg_text(&call, ARG_text, &length);
  const char *const pattern = arg_pattern(&call, ARG_pattern, false);
  const char *const wrong = locus_parse_date(pattern, text, text + length, &value);
  return push_parsed(L, wrong, value);
}

/* parse_ipv4(text): the address as a number, or nil and the error. */
#define PARSE_IPV4_PARAMS(P) P(text, LOCUS_REQUIRED, any)
static int parse_ipv4(lua_State *L)
{
  LOCUS_PARAMS(PARSE_IPV4_PARAMS, any);
  size_t length;
  int64_t value = 0;
  locus_call call;

  locus_call_begin(&call, L, "parse_ipv4", params);
  const char *const text = arg_text(&call, 0, &length);
  const char *const wrong = locus_parse_ipv4(text, text + length, &value);
  return push_parsed(L, wrong, value);
}

/* -- To text ----------------------------------------------------------------------------------- */

/* A buffer on the Lua stack with room for any text of the pattern. */
static char *push_room(lua_State *L, const char *pattern, int *room)
{
  *room = locus_pattern_room(pattern);
  return lua_newuserdata(L, (size_t)*room);
}

static int32_t ahead_at(const locus_bound_zone *zone, int64_t value, int64_t per_second)
{
  zone_interval in;

  locus_zone_find(zone->zone, floor_divide(value, per_second), &in);
  return in.offset;
}

/* The text of a number of units. */
#define FORMAT_TIME_PARAMS(P)       \
  P(value, LOCUS_REQUIRED, integer) \
  P(unit, LOCUS_NAMED, any)         \
  P(pattern, LOCUS_NAMED, any)      \
  P(zone, LOCUS_NAMED, any)
static int format_time(lua_State *L)
{
  LOCUS_PARAMS(FORMAT_TIME_PARAMS, any);
  char brief[TIME_BYTES], *text = brief;
  int count, room;
  locus_call call;

  locus_call_begin(&call, L, "format_time", params);
  const int64_t value = locus_arg_int(&call, ARG_value, 0);
  const int64_t per_second = arg_per_second(&call, ARG_unit);
  const char *const pattern = arg_pattern(&call, ARG_pattern, true);
  const locus_bound_zone *const zone = locus_test_zone(L, ARG_zone + 1);
  const int32_t ahead = zone ? ahead_at(zone, value, per_second) : 0;
  if (pattern) {
    text = push_room(L, pattern, &room);
    count = locus_format_pattern(text, room, pattern, value, per_second, ahead);
  } else if (zone) {
    count = locus_format_time_ahead(text, value, per_second, ahead);
  } else {
    count = locus_format_time(text, value, per_second);
  }
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

/* format_date(value, {pattern=nil}) */
#define FORMAT_DATE_PARAMS(P)       \
  P(value, LOCUS_REQUIRED, integer) \
  P(pattern, LOCUS_NAMED, any)
static int format_date(lua_State *L)
{
  LOCUS_PARAMS(FORMAT_DATE_PARAMS, any);
  char brief[TIME_BYTES], *text = brief;
  int count, room;
  locus_call call;

  locus_call_begin(&call, L, "format_date", params);
  const int64_t value = locus_arg_int(&call, ARG_value, 0);
  const char *const pattern = arg_pattern(&call, ARG_pattern, true);
  if (pattern) {
    text = push_room(L, pattern, &room);
    count = locus_format_date_pattern(text, room, pattern, value);
  } else {
    count = locus_format_date(text, value);
  }
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

/* format_ipv4(value) */
#define FORMAT_IPV4_PARAMS(P) P(value, LOCUS_REQUIRED, integer)
static int format_ipv4(lua_State *L)
{
  LOCUS_PARAMS(FORMAT_IPV4_PARAMS, any);
  char text[TIME_BYTES];
  locus_call call;

  locus_call_begin(&call, L, "format_ipv4", params);
  const int count = locus_format_ipv4(text, locus_arg_int(&call, ARG_value, 0));
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

/* "d": 0 units in a second. */
static int64_t arg_span_unit(locus_call *call, int i)
{
  if (!locus_arg_given(call, i) || strcmp(locus_arg_string(call, i, ""), "d") != 0)
    return arg_per_second(call, i);
  return 0;
}

/* format_duration(value, {unit="us"}) */
#define FORMAT_DURATION_PARAMS(P)   \
  P(value, LOCUS_REQUIRED, integer) \
  P(unit, LOCUS_NAMED, any)
static int format_duration(lua_State *L)
{
  LOCUS_PARAMS(FORMAT_DURATION_PARAMS, any);
  char text[TIME_BYTES];
  locus_call call;

  locus_call_begin(&call, L, "format_duration", params);
  const int64_t value = locus_arg_int(&call, ARG_value, 0);
  const int count = locus_format_duration(text, value, arg_span_unit(&call, ARG_unit));
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

/* parse_duration(text, {unit="us"}): the duration in units, or nil and the error. */
#define PARSE_DURATION_PARAMS(P) \
  P(text, LOCUS_REQUIRED, any)   \
  P(unit, LOCUS_NAMED, any)
static int parse_duration(lua_State *L)
{
  LOCUS_PARAMS(PARSE_DURATION_PARAMS, any);
  size_t length;
  int64_t value = 0;
  locus_call call;

  locus_call_begin(&call, L, "parse_duration", params);
  const char *const text = arg_text(&call, ARG_text, &length);
  const int64_t unit = arg_span_unit(&call, ARG_unit);
  const char *const wrong = locus_parse_duration(text, text + length, unit, &value);
  return push_parsed(L, wrong, value);
}

/* check_pattern(pattern, output): its error, or nil. */
static int check_pattern(lua_State *L)
{
  const char *pattern = luaL_checkstring(L, 1);
  const bool output = lua_toboolean(L, 2);

  lua_pushstring(L, output ? locus_check_output_pattern(pattern) : locus_check_pattern(pattern));
  return 1;
}

/* -- Spans ------------------------------------------------------------------------------------- */

/* span(text, unit, name="span"): the whole span as a number of units "s", "ms", "us", "ns" or
** "day". Errors call it by that name. */
#define SPAN_PARAMS(P)         \
  P(text, LOCUS_REQUIRED, any) \
  P(unit, LOCUS_REQUIRED, any) \
  P(name, LOCUS_OPTIONAL, any)
static int span(lua_State *L)
{
  LOCUS_PARAMS(SPAN_PARAMS, any);
  char advice[SPAN_ADVICE];
  time_span found;
  int64_t units;
  size_t length;
  locus_call call;

  locus_call_begin(&call, L, "span", params);
  const char *const name = locus_arg_string(&call, ARG_name, "span");
  const char *const unit = locus_arg_string(&call, ARG_unit, NULL);
  const int64_t per_second = strcmp(unit, "day") == 0 ? 0 : arg_per_second(&call, ARG_unit);
  if (lua_type(L, ARG_text + 1) != LUA_TSTRING)
    locus_call_error(&call, "'%s' must be a span such as \"5m\" or \"1 day\", got %s", name,
                     locus_describe(L, ARG_text + 1));
  const char *const text = lua_tolstring(L, ARG_text + 1, &length);
  const char *wrong = locus_parse_span(text, length, false, &found, advice);
  const char *const shown = locus_push_visible(L, text, length, true);
  if (wrong) locus_call_error(&call, "'%s' is \"%s\"; %s", name, shown, wrong);
  wrong = locus_span_units(&found, per_second, &units);
  if (wrong) locus_call_error(&call, "'%s' is \"%s\", which %s", name, shown, wrong);
  locus_push_int64(L, units);
  return 1;
}

/* clang-format off */
const locus_entry locus_bind_times[] = {
    {"check_pattern", check_pattern, LOCUS_INTERNAL}, {"span", span, LOCUS_INTERNAL},
    {"parse_time", parse_time, LOCUS_INTERNAL},   {"parse_date", parse_date, LOCUS_INTERNAL},
    {"parse_ipv4", parse_ipv4, LOCUS_INTERNAL},   {"format_time", format_time, LOCUS_INTERNAL},
    {"format_date", format_date, LOCUS_INTERNAL}, {"format_ipv4", format_ipv4, LOCUS_INTERNAL},
    {"format_duration", format_duration, LOCUS_INTERNAL},
    {"parse_duration", parse_duration, LOCUS_INTERNAL},
    {0},
};
/* clang-format on */
