/* SPDX-License-Identifier: MIT */
/* Numbers as text, one at a time, by the same functions that read and write columns. */
#include <string.h>

#include "bind/bind.h"
#include "text/number/parse.h"

static locus_dtype arg_real(locus_call *call, int i)
{
  const locus_dtype dtype = locus_arg_dtype(call, i, LOCUS_f64);
  if (locus_dtype_kind(dtype) != LOCUS_INTEGER && !locus_float_format(dtype))
    locus_arg_expected(call, i, "a dtype of integers or floats");
  return dtype;
}

/* parse_number(text, dtype, point="."): the number that the whole text spells; nil if it is no
** number of the dtype. Floats are rounded to the nearest, integers must be in range. */
#define PARSE_NUMBER_PARAMS(P)  \
  P(text, LOCUS_REQUIRED, any)  \
  P(dtype, LOCUS_REQUIRED, any) \
  P(point, LOCUS_OPTIONAL, string)
static int parse_number(lua_State *L)
{
  LOCUS_PARAMS(PARSE_NUMBER_PARAMS, any);
  locus_call call;
  int64_t integer;
  uint64_t bits;

  locus_call_begin(&call, L, "parse_number", params);
  const locus_dtype dtype = arg_real(&call, ARG_dtype);
  const char *point = locus_arg_string(&call, ARG_point, ".");
  if (lua_type(L, ARG_text + 1) != LUA_TSTRING) locus_arg_expected(&call, ARG_text, "a string");
  if (strlen(point) != 1) locus_arg_expected(&call, ARG_point, "one character");

  const size_t length = lua_objlen(L, ARG_text + 1);
  lua_pushlstring(L, "        ", READ_BEFORE);
  lua_pushvalue(L, ARG_text + 1);
  lua_concat(L, 2);
  const char *const text = lua_tostring(L, -1) + READ_BEFORE;
  const float_format *const format = locus_float_format(dtype);
  if (format) {
    if (locus_parse_float(text, text + length, *point, format, &bits))
      locus_push_element(L, dtype, &bits);
    else lua_pushnil(L);
    return 1;
  }
  const locus_range range = locus_dtype_range(dtype);
  if (locus_parse_i64(text, text + length, &integer) && integer >= range.low &&
      integer <= range.high)
    locus_push_int64(L, integer);
  else lua_pushnil(L);
  return 1;
}

/* format_number(value, dtype, places): the shortest text that reads back as the same number of the
** dtype, or a float with that many decimal places. */
#define FORMAT_NUMBER_PARAMS(P) \
  P(value, LOCUS_REQUIRED, any) \
  P(dtype, LOCUS_REQUIRED, any) \
  P(places, LOCUS_OPTIONAL, integer)
static int format_number(lua_State *L)
{
  LOCUS_PARAMS(FORMAT_NUMBER_PARAMS, any);
  char text[FIXED_BYTES];
  locus_element element = {0};
  locus_value value;
  locus_call call;
  int count;

  locus_call_begin(&call, L, "format_number", params);
  const locus_dtype dtype = arg_real(&call, ARG_dtype);
  const float_format *const format = locus_float_format(dtype);
  const int64_t places = locus_arg_int(&call, ARG_places, 0);
  if (places < 0 || places > MOST_PLACES)
    locus_arg_expected(&call, ARG_places, "a whole number from 0 to 99");
  if (!locus_read_scalar(L, ARG_value + 1, &value))
    locus_arg_expected(&call, ARG_value, "a number");
  value.tensor = NULL;
  value.name = "value";
  if (locus_value_store(&value, dtype, &element, &call.cx))
    locus_call_error(&call, "%s", call.cx.error.message);

  uint64_t bits = 0;
  memcpy(&bits, &element, (size_t)locus_dtype_size(dtype));
  locus_value_load(&value, dtype, &element);
  if (!format) count = locus_format_i64(text, value.element.i64);
  else if (locus_arg_given(&call, ARG_places))
    count = locus_format_fixed(text, value.element.f64, (int)places);
  else count = locus_format_float(text, bits, format);
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

/* -- Formats ----------------------------------------------------------------------------------- */

/* The part of `%5.2f` between the sign and the letter. */
typedef struct directive {
  const char *begin, *end;
  bool left;         /* with blanks behind, not before */
  int width, places; /* -1: not said */
} directive;

static int read_count(const char **text)
{
  int count = 0;
  while (**text >= '0' && **text <= '9') count = count * 10 + (*(*text)++ - '0');
  return count;
}

/* `*` is a number of places that is the next argument. */
static directive read_directive(lua_State *L, const char *begin, int *index)
{
  directive d = {.begin = begin, .places = -1};
  const char *at = begin + 1;

  if (*at == '-') d.left = true, at++;
  d.width = read_count(&at);
  if (*at == '.' && at[1] == '*') at += 2, d.places = (int)luaL_checknumber(L, ++*index);
  else if (*at == '.') at++, d.places = read_count(&at);
  d.end = at + (*at != 0);
  return d;
}

static bool is_plain(const directive *d)
{
  return d->end == d->begin + 2;
}

static void add_float(luaL_Buffer *made, const directive *d, double value)
{
  const int places = d->places < 0 ? 6 : d->places < MOST_PLACES ? d->places : MOST_PLACES;
  const char letter = d->end[-1];
  char text[FIXED_BYTES];
  const int count = letter == 'f'   ? locus_format_fixed(text, value, places)
                    : letter == 'e' ? locus_format_scientific(text, value, places)
                                    : locus_format_general(text, value, places);

  for (int i = count; !d->left && i < d->width; i++) luaL_addchar(made, ' ');
  luaL_addlstring(made, text, (size_t)count);
  for (int i = count; d->left && i < d->width; i++) luaL_addchar(made, ' ');
}

static double number_of(const locus_value *value)
{
  return value->scalar == LOCUS_SCALAR_NUMBER ? value->element.f64 : (double)value->element.i64;
}

/* A value that is no number becomes its text. A buffer keeps pieces on the stack, so nothing but
** this text is left above them. */
static void add_other(lua_State *L, luaL_Buffer *made, const directive *d, int index)
{
  lua_getglobal(L, is_plain(d) && d->end[-1] == 's' ? "tostring" : "string");
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, "format");
    lua_remove(L, -2);
    lua_pushlstring(L, d->begin, (size_t)(d->end - d->begin));
  }
  lua_pushvalue(L, index);
  lua_call(L, lua_isfunction(L, -2) ? 1 : 2, 1);
  luaL_addvalue(made);
}

static void add_argument(lua_State *L, luaL_Buffer *made, const directive *d, int index)
{
  const char letter = d->end[-1];
  char text[LOCUS_VALUE_TEXT];
  locus_value value;

  if (lua_type(L, index) == LUA_TSTRING || !locus_read_scalar(L, index, &value)) {
    add_other(L, made, d, index);
  } else if (letter == 'f' || letter == 'e' || letter == 'g') {
    add_float(made, d, number_of(&value));
  } else if (is_plain(d) && (letter == 's' || letter == 'd')) {
    luaL_addstring(made, locus_value_text(&value, text));
  } else {
    add_other(L, made, d, index);
  }
}

/* format(text, ...): as string.format, whose numbers differ from one LuaJIT to the next. All digits
** of %f, %e and %g are right; %s and %d spell a number as messages do, 0.1 and 1e+300, all digits
** of an int64. */
static int format(lua_State *L)
{
  const char *at = luaL_checkstring(L, 1);
  luaL_Buffer made;
  int index = 1;

  luaL_buffinit(L, &made);
  while (*at) {
    if (*at != '%' || at[1] == '%') {
      luaL_addchar(&made, *at);
      at += 1 + (*at == '%');
      continue;
    }
    const directive d = read_directive(L, at, &index);
    add_argument(L, &made, &d, ++index);
    at = d.end;
  }
  luaL_pushresult(&made);
  return 1;
}

/* spell(value, dtype): the number as messages show it, with the digits that tell it from its
** neighbours in the dtype. */
static int spell(lua_State *L)
{
  char text[LOCUS_VALUE_TEXT];
  locus_value value;

  if (!locus_read_scalar(L, 1, &value)) luaL_argerror(L, 1, "a number");
  if (lua_isstring(L, 2)) locus_dtype_find(lua_tostring(L, 2), &value.dtype);
  lua_pushstring(L, locus_value_text(&value, text));
  return 1;
}

const locus_entry locus_bind_numbers[] = {
    {"parse_number", parse_number, LOCUS_INTERNAL},
    {"format_number", format_number, LOCUS_INTERNAL},
    {"format", format, LOCUS_INTERNAL},
    {"spell", spell, LOCUS_INTERNAL},
    {0},
};
