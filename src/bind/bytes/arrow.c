/* SPDX-License-Identifier: MIT */
/* Arrow's C data interface, for lua/locus/arrow, which walks the structs through the FFI. */
#include "core/exchange/arrow.h"

#include <string.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"
#include "text/names/strings.h"
#include "text/number/decimals.h"

#define STRUCT_PARAMS(P)             \
  P(struct, LOCUS_REQUIRED, any)     \
  P(length, LOCUS_REQUIRED, any)     \
  P(buffers, LOCUS_REQUIRED, any)    \
  P(children, LOCUS_REQUIRED, any)   \
  P(dictionary, LOCUS_REQUIRED, any) \
  P(kind, LOCUS_REQUIRED, any)
static const locus_param struct_params[] = {STRUCT_PARAMS(LOCUS_PARAM){0}};

/* The address that argument i, a void * cdata, holds. */
static void *address(locus_call *call, int i)
{
  void *pointer;
  memcpy(&pointer, lua_topointer(call->L, i + 1), sizeof pointer);
  return pointer;
}

/* The children of a struct, by arguments 4 and 5. */
static locus_arrow_below below(locus_call *call)
{
  return (locus_arrow_below){locus_arg_int(call, 3, 0), lua_toboolean(call->L, 5)};
}

/* arrow_describe(schema, format, name, children, dictionary, kind): fills the schema; kind, a
** text or nil, becomes its metadata. */
static int describe(lua_State *L)
{
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "to_arrow", struct_params, 6);
  const locus_arrow_words words = {luaL_checkstring(L, 2), luaL_checkstring(L, 3),
                                   luaL_optstring(L, 6, NULL)};
  const locus_arrow_below parts = below(&call);
  do status = locus_arrow_describe(address(&call, 0), &words, parts, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* arrow_export(array, length, buffers, children, dictionary): fills the array; buffers is a list of
** tensors, with false for a missing one. */
static int export(lua_State *L)
{
  const locus_tensor *buffers[LOCUS_ARROW_BUFFERS];
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "to_arrow", struct_params, 5);
  const int64_t length = locus_arg_int(&call, 1, 0);
  const int count = (int)lua_objlen(L, 3);
  for (int i = 0; i < count && i < LOCUS_ARROW_BUFFERS; i++) {
    lua_rawgeti(L, 3, i + 1);
    buffers[i] = locus_test_tensor(L, -1);
    lua_pop(L, 1);
  }
  const locus_arrow_below parts = below(&call);
  do status = locus_arrow_export(address(&call, 0), length, buffers, count, parts, &call.cx);
  while (locus_call_again(&call, status));
  return 0;
}

/* arrow_can_keep(tensor): whether its elements stay while an array keeps their storage. */
static int can_keep(lua_State *L)
{
  locus_call call;

  locus_call_begin_plain(&call, L, "to_arrow", struct_params, 1);
  lua_pushboolean(L, locus_arrow_can_keep(locus_arg_tensor(&call, 0)));
  return 1;
}

/* arrow_borrow(): the holder of an array while its views are made. */
static int borrow(lua_State *L)
{
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "from_arrow", struct_params, 0);
  locus_tensor *holder = locus_push_tensor(L);
  do status = locus_arrow_borrow(holder, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* arrow_view(address, holder, dtype, count): elements of an array. */
/* clang-format off */
#define VIEW_PARAMS(P)                                              \
  P(address, LOCUS_REQUIRED, any) P(holder, LOCUS_REQUIRED, Tensor) \
  P(dtype, LOCUS_REQUIRED, Dtype) P(count, LOCUS_REQUIRED, integer)
/* clang-format on */
static int view(lua_State *L)
{
  LOCUS_PARAMS(VIEW_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "from_arrow", params, 4);
  const locus_tensor *holder = locus_arg_tensor(&call, ARG_holder);
  const locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  const int64_t count = locus_arg_int(&call, ARG_count, 0);
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_arrow_view(out, holder, address(&call, 0), dtype, count, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* arrow_take(array, holder): hands the array over to its views. */
static int take(lua_State *L)
{
  locus_call call;

  locus_call_begin_plain(&call, L, "from_arrow", struct_params, 2);
  locus_arrow_take(locus_arg_tensor(&call, 1), address(&call, 0));
  return 0;
}

/* -- Strings ----------------------------------------------------------------------------------- */

/* Adds the strings to the dictionary, argument 1, and pushes their numbers. */
static int push_ids(locus_call *call, const text_strings *strings)
{
  text_dictionary *d = locus_test_dictionary(call->L, 1);
  int status;

  if (!d) locus_arg_expected(call, 0, "a dictionary");
  int32_t *ids = (int32_t *)locus_push_row(call, LOCUS_i32, strings->count)->data;
  do status = locus_dictionary_add_strings(d, strings, ids, &call->cx);
  while (locus_call_again(call, status));
  return 1;
}

/* The bools of argument i, where it is given. */
static const uint8_t *present(locus_call *call, int i)
{
  return lua_isnil(call->L, i + 1) ? NULL : (const uint8_t *)locus_arg_tensor(call, i)->data;
}

/* dictionary_add_offsets(d, offsets, bytes, present): numbers of strings that lie one behind the
** other; offsets is int32 or int64. */
/* clang-format off */
#define ADD_OFFSETS_PARAMS(P)                                           \
  P(dictionary, LOCUS_REQUIRED, any) P(offsets, LOCUS_REQUIRED, Tensor) \
  P(bytes, LOCUS_REQUIRED, Tensor) P(present, LOCUS_REQUIRED, any)
/* clang-format on */
static int add_offsets(lua_State *L)
{
  LOCUS_PARAMS(ADD_OFFSETS_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "from_arrow", params, 4);
  const locus_tensor *offsets = locus_arg_tensor(&call, ARG_offsets),
                     *bytes = locus_arg_tensor(&call, ARG_bytes);
  text_strings strings = {.present = present(&call, 3),
                          .count = offsets->numel - 1,
                          .bytes = bytes->data,
                          .lengths = &bytes->numel};
  if (offsets->dtype == LOCUS_i32) strings.offsets = (const int32_t *)offsets->data;
  else strings.wide_offsets = (const int64_t *)offsets->data;
  return push_ids(&call, &strings);
}

/* dictionary_add_views(d, views, buffers, lengths, present): the numbers of strings that are views;
** int32, and int64 for the addresses and lengths of the buffers. */
/* clang-format off */
#define ADD_VIEWS_PARAMS(P)                                             \
  P(dictionary, LOCUS_REQUIRED, any) P(views, LOCUS_REQUIRED, Tensor)   \
  P(buffers, LOCUS_REQUIRED, Tensor) P(lengths, LOCUS_REQUIRED, Tensor) \
  P(present, LOCUS_REQUIRED, any)
/* clang-format on */
static int add_views(lua_State *L)
{
  LOCUS_PARAMS(ADD_VIEWS_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "from_arrow", params, 5);
  const locus_tensor *views = locus_arg_tensor(&call, ARG_views),
                     *buffers = locus_arg_tensor(&call, ARG_buffers);
  const text_strings strings = {.present = present(&call, 4),
                                .count = views->numel / 4,
                                .views = (const int32_t *)views->data,
                                .buffers = (const char *const *)buffers->data,
                                .lengths =
                                    (const int64_t *)locus_arg_tensor(&call, ARG_lengths)->data,
                                .buffer_count = buffers->numel};
  return push_ids(&call, &strings);
}

/* -- Decimals ---------------------------------------------------------------------------------- */

/* arrow_decimals(bytes, width, scale, present, dtype): decimals of that many bytes as float64, or
** their whole numbers as int64: then nil, and the position of the first one that does not fit. */
/* clang-format off */
#define DECIMALS_PARAMS(P)                                            \
  P(bytes, LOCUS_REQUIRED, Tensor) P(width, LOCUS_REQUIRED, integer)  \
  P(scale, LOCUS_REQUIRED, integer) P(present, LOCUS_REQUIRED, any)   \
  P(dtype, LOCUS_REQUIRED, Dtype)
/* clang-format on */
static int decimals(lua_State *L)
{
  LOCUS_PARAMS(DECIMALS_PARAMS, any);
  locus_call call;
  int64_t past = -1;
  int status;

  locus_call_begin_plain(&call, L, "from_arrow", params, 5);
  const locus_tensor *bytes = locus_arg_tensor(&call, ARG_bytes);
  const int width = (int)locus_arg_int(&call, ARG_width, 0);
  const text_decimals d = {.present = present(&call, ARG_present),
                           .bytes = bytes->data,
                           .count = bytes->numel / width,
                           .width = width,
                           .scale = (int)locus_arg_int(&call, ARG_scale, 0)};
  const locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  locus_tensor *out = locus_push_row(&call, dtype, d.count);
  do {
    status = dtype == LOCUS_f64 ? locus_decimals_f64(&d, (double *)out->data, &call.cx)
                                : locus_decimals_i64(&d, (int64_t *)out->data, &past, &call.cx);
  } while (locus_call_again(&call, status));
  if (past < 0) return 1;
  lua_pushnil(L);
  lua_pushnumber(L, (lua_Number)(past + 1));
  return 2;
}

/* is_utf8(s): whether a string, or each string of a dictionary, is UTF-8. */
static int is_utf8(lua_State *L)
{
  const text_dictionary *d = locus_test_dictionary(L, 1);
  const int32_t count = d ? locus_dictionary_count(d) : 0;
  bool all = true;
  int64_t length;
  size_t size;

  if (!d) {
    const char *bytes = luaL_checklstring(L, 1, &size);
    all = locus_is_utf8(bytes, (int64_t)size);
  }
  for (int32_t id = 1; id <= count && all; id++) {
    const char *bytes = locus_dictionary_name(d, id, &length);
    all = locus_is_utf8(bytes, length);
  }
  lua_pushboolean(L, all);
  return 1;
}

const locus_entry locus_bind_arrow[] = {
    {"arrow_describe", describe, LOCUS_INTERNAL},
    {"arrow_export", export, LOCUS_INTERNAL},
    {"arrow_can_keep", can_keep, LOCUS_INTERNAL},
    {"arrow_borrow", borrow, LOCUS_INTERNAL},
    {"arrow_view", view, LOCUS_INTERNAL},
    {"arrow_take", take, LOCUS_INTERNAL},
    {"dictionary_add_offsets", add_offsets, LOCUS_INTERNAL},
    {"dictionary_add_views", add_views, LOCUS_INTERNAL},
    {"arrow_decimals", decimals, LOCUS_INTERNAL},
    {"is_utf8", is_utf8, LOCUS_INTERNAL},
    {0},
};
