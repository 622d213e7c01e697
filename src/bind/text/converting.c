/* SPDX-License-Identifier: MIT */
/* The strings of a dictionary as values, by the functions that read fields of text. */
#include <string.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"
#include "bind/text/reader.h"
#include "text/number/parse.h"

typedef struct converter {
  const text_dictionary *names;
  text_reader reader; /* with the texts that stand for nothing */
  text_column column; /* whose values are the answers */
  char *room;         /* for the longest name, with READ_BEFORE bytes in front */
} converter;

/* The texts stay in the list at `list`, which Lua keeps. */
static void read_missing(lua_State *L, int list, converter *c)
{
  const int count = (int)lua_objlen(L, list);
  text_span *spans = lua_newuserdata(L, (size_t)count * sizeof *spans + 1);

  c->reader.missing = spans;
  c->reader.missings = count;
  for (int i = 0; i < count; i++) {
    size_t length;
    lua_rawgeti(L, list, i + 1);
    spans[i].bytes = lua_tolstring(L, -1, &length);
    spans[i].length = (int64_t)length;
    lua_pop(L, 1);
  }
}

static void make_room(lua_State *L, converter *c)
{
  int64_t longest = 0;

  for (int32_t id = 1; id <= locus_dictionary_count(c->names); id++) {
    int64_t length;
    locus_dictionary_name(c->names, id, &length);
    if (length > longest) longest = length;
  }
  c->room = lua_newuserdata(L, (size_t)longest + READ_BEFORE + 1);
  memset(c->room, ' ', READ_BEFORE);
}

/* NULL, or the error of the name. */
static const char *convert(converter *c, int32_t id)
{
  char *const text = c->room + READ_BEFORE;
  int64_t length;
  const char *name = locus_dictionary_name(c->names, id, &length);

  memcpy(text, name, (size_t)length);
  text[length] = 0;
  c->reader.rows = id - 1;
  return locus_reader_take(&c->reader, &c->column, text, text + length);
}

#define CONVERT_PARAMS(P)            \
  P(dictionary, LOCUS_REQUIRED, any) \
  P(column, LOCUS_REQUIRED, any)     \
  P(missing, LOCUS_REQUIRED, any)    \
  P(id, LOCUS_OPTIONAL, integer)

/* dictionary_convert(d, column, missing): a tensor with the value of each name, as the column
** (reader.c) reads it, `missing` being a list of texts; and nil, or a mask of the names that do not
** fit. With the id of such a name: its error as the end of a sentence, nil if it merely is not of
** the type. */
static int dictionary_convert(lua_State *L)
{
  LOCUS_PARAMS(CONVERT_PARAMS, any);
  converter *c;
  locus_call call;
  bool any = false;

  locus_call_begin_plain(&call, L, "to", params, 4);
  const int32_t wanted = (int32_t)lua_tointeger(L, 4);
  c = lua_newuserdata(L, sizeof *c);
  memset(c, 0, sizeof *c);
  c->names = locus_test_dictionary(L, 1);
  if (!c->names) locus_arg_expected(&call, 0, "a dictionary");
  locus_read_text_column(L, 2, &c->column);
  read_missing(L, 3, c);
  make_room(L, c);
  const int32_t count = locus_dictionary_count(c->names);
  locus_tensor *const faults = locus_push_row(&call, LOCUS_b8, count);
  locus_tensor *const values = locus_push_row(&call, c->column.values.dtype, count);
  c->column.values.data = values->data;
  memset(values->data, 0, (size_t)(count * locus_dtype_size(values->dtype)));
  if (wanted > 0) {
    const char *const wrong = convert(c, wanted);
    if (!wrong || wrong == locus_not_of_type) return 0;
    lua_pushstring(L, wrong);
    return 1;
  }
  for (int32_t i = 0; i < count; i++) {
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    faults->data[i] = convert(c, i + 1) != NULL;
    any |= faults->data[i] != 0;
  }
  lua_insert(L, -2);
  if (any) return 2;
  lua_pop(L, 1);
  return 1;
}

const locus_entry locus_bind_converting[] = {
    {"dictionary_convert", dictionary_convert, LOCUS_INTERNAL},
    {0},
};
