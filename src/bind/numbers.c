/* SPDX-License-Identifier: MIT */
/* Numbers as text, one at a time, by the same functions that read and write columns. */
#include <string.h>

#include "bind/bind.h"
#include "text/number/number.h"

static locus_dtype arg_real(locus_call *call, int i)
{
  const locus_dtype dtype = locus_arg_dtype(call, i, LOCUS_f64);
  if (locus_dtype_kind(dtype) != LOCUS_INTEGER && !locus_float_format(dtype))
    locus_arg_expected(call, i, "a dtype of integers or floats");
  return dtype;
}

/* parse_number(text, dtype, point="."): the number that the whole text is, nil when it is none of
** the dtype. Floats are rounded to the nearest, integers must be in range. */
static int parse_number(lua_State *L)
{
  enum { TEXT, DTYPE_OF, POINT };
  static const locus_param params[] = {{"text", 0}, {"dtype", 0}, {"point", LOCUS_OPTIONAL}, {0}};
  locus_call call;
  int64_t integer;
  uint64_t bits;

  locus_call_begin(&call, L, "parse_number", params);
  const locus_dtype dtype = arg_real(&call, DTYPE_OF);
  const char *point = locus_arg_string(&call, POINT, ".");
  if (lua_type(L, TEXT + 1) != LUA_TSTRING) locus_arg_expected(&call, TEXT, "a string");
  if (strlen(point) != 1) locus_arg_expected(&call, POINT, "one character");

  const size_t length = lua_objlen(L, TEXT + 1);
  lua_pushlstring(L, "        ", READ_BEFORE);
  lua_pushvalue(L, TEXT + 1);
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
static int format_number(lua_State *L)
{
  enum { VALUE, DTYPE_OF, PLACES };
  static const locus_param params[] = {{"value", 0}, {"dtype", 0}, {"places", LOCUS_OPTIONAL}, {0}};
  char text[FIXED_BYTES];
  locus_element element = {0};
  locus_value value;
  locus_call call;
  int count;

  locus_call_begin(&call, L, "format_number", params);
  const locus_dtype dtype = arg_real(&call, DTYPE_OF);
  const float_format *const format = locus_float_format(dtype);
  const int64_t places = locus_arg_int(&call, PLACES, 0);
  if (places < 0 || places > MOST_PLACES)
    locus_arg_expected(&call, PLACES, "a whole number from 0 to 20");
  if (!locus_read_scalar(L, VALUE + 1, &value)) locus_arg_expected(&call, VALUE, "a number");
  value.tensor = NULL;
  value.name = "value";
  if (locus_value_store(&value, dtype, &element, &call.cx))
    locus_call_error(&call, "%s", call.cx.error.message);

  uint64_t bits = 0;
  memcpy(&bits, &element, (size_t)locus_dtype_size(dtype));
  locus_value_load(&value, dtype, &element);
  if (!format) count = locus_format_i64(text, value.element.i64);
  else if (locus_arg_given(&call, PLACES))
    count = locus_format_fixed(text, value.element.f64, (int)places);
  else count = locus_format_float(text, bits, format);
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

const locus_entry locus_bind_numbers[] = {
    {"parse_number", parse_number, LOCUS_INTERNAL},
    {"format_number", format_number, LOCUS_INTERNAL},
    {0},
};
