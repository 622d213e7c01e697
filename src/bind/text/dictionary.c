/* SPDX-License-Identifier: MIT */
/* Dictionaries, as lua/locus/frame uses them. Their memory comes from the allocator of tensors, so
** the garbage collector keeps pace with it. */
#include "bind/text/dictionary.h"

#include <string.h>

#include "bind/bind.h"
#include "text/names/rank.h"

static const char mark; /* its address marks our userdata */

typedef struct handle {
  const char *mark;
  text_dictionary *dictionary;
  int32_t named; /* strings in the table of names, which is the environment; 0: there is none */
} handle;

static int drop(lua_State *L)
{
  handle *h = lua_touserdata(L, 1);

  locus_dictionary_free(h->dictionary);
  h->dictionary = NULL;
  return 0;
}

text_dictionary **locus_push_dictionary(lua_State *L)
{
  handle *h = lua_newuserdata(L, sizeof *h);

  *h = (handle){.mark = &mark};
  if (luaL_newmetatable(L, "locus.dictionary")) {
    lua_pushcfunction(L, drop);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "dictionary");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  return &h->dictionary;
}

text_dictionary *locus_test_dictionary(lua_State *L, int index)
{
  const handle *h = lua_touserdata(L, index);
  return h && lua_objlen(L, index) == sizeof *h && h->mark == &mark ? h->dictionary : NULL;
}

/* -- Arguments and answers --------------------------------------------------------------------- */

#define DICTIONARY_PARAMS(P)         \
  P(dictionary, LOCUS_REQUIRED, any) \
  P(value, LOCUS_REQUIRED, any)      \
  P(ids, LOCUS_REQUIRED, any)
static const locus_param params[] = {DICTIONARY_PARAMS(LOCUS_PARAM){0}};

static text_dictionary *begin(locus_call *call, lua_State *L, const char *function, int count)
{
  locus_call_begin_plain(call, L, function, params, count);
  text_dictionary *d = locus_test_dictionary(L, 1);
  if (!d) locus_arg_expected(call, 0, "a dictionary");
  return d;
}

static text_dictionary *other_dictionary(locus_call *call)
{
  text_dictionary *d = locus_test_dictionary(call->L, 2);
  if (!d) locus_arg_expected(call, 1, "a dictionary");
  return d;
}

static const char *string_value(locus_call *call, int64_t *length)
{
  size_t size;

  if (lua_type(call->L, 2) != LUA_TSTRING) locus_arg_expected(call, 1, "a string");
  const char *bytes = lua_tolstring(call->L, 2, &size);
  *length = (int64_t)size;
  return bytes;
}

/* Pushes a tensor with an element for each string, and returns the address of its elements. */
static void *push_each(locus_call *call, locus_dtype dtype, const text_dictionary *d)
{
  return locus_push_row(call, dtype, locus_dictionary_count(d))->data;
}

/* -- Strings ----------------------------------------------------------------------------------- */

/* dictionary(): one without strings. */
static int new_dictionary(lua_State *L)
{
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "dictionary", params, 0);
  text_dictionary **made = locus_push_dictionary(L);
  do status = locus_dictionary_new(made, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* dictionary_add(d, s): its number. */
static int add_string(lua_State *L)
{
  locus_call call;
  int64_t length;
  int32_t id;
  int status;

  text_dictionary *d = begin(&call, L, "dictionary_add", 2);
  const char *bytes = string_value(&call, &length);
  do status = locus_dictionary_add(d, bytes, length, &id, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushinteger(L, id);
  return 1;
}

enum { BATCH = 64 }; /* strings of a list that lie on the stack */

/* Pushes the strings first + 1 to first + count of the list, whose name is argument 3. */
static void push_strings(locus_call *call, int first, int count, text_span *spans)
{
  lua_State *L = call->L;
  size_t length;

  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, first + i + 1);
    if (lua_type(L, -1) != LUA_TSTRING) {
      locus_call_error(call, "'%s[%d]' must be a string, got %s", lua_tostring(L, 3), first + i + 1,
                       locus_describe(L, lua_gettop(L)));
    }
    spans[i].bytes = lua_tolstring(L, -1, &length);
    spans[i].length = (int64_t)length;
  }
}

/* dictionary_add_list(d, list, name): the numbers of the strings in the list, an int32 tensor.
** Errors, which call the list by that name: no list, or a list that does not hold strings alone. */
static int add_list(lua_State *L)
{
  locus_call call;
  text_span spans[BATCH];
  int status;

  text_dictionary *d = begin(&call, L, "dictionary_add_list", 3);
  const char *name = luaL_checkstring(L, 3);
  const int n = lua_type(L, 2) == LUA_TTABLE ? locus_list_length(L, 2) : -1;
  if (n < 0)
    locus_call_error(&call, "'%s' must be a list of strings, got %s", name, locus_describe(L, 2));
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, n)->data;
  luaL_checkstack(L, BATCH + 8, name);
  for (int i = 0; i < n; i += BATCH) {
    const int top = lua_gettop(L), count = n - i < BATCH ? n - i : BATCH;
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    push_strings(&call, i, count, spans);
    do status = locus_dictionary_add_many(d, spans, count, ids + i, &call.cx);
    while (locus_call_again(&call, status));
    lua_settop(L, top);
  }
  return 1;
}

/* dictionary_find(d, s): its number, nil when it is not there. */
static int find_string(lua_State *L)
{
  locus_call call;
  int64_t length;

  const text_dictionary *d = begin(&call, L, "dictionary_find", 2);
  const char *bytes = string_value(&call, &length);
  const int32_t id = locus_dictionary_find(d, bytes, length);
  if (id) lua_pushinteger(L, id);
  else lua_pushnil(L);
  return 1;
}

static void push_name(lua_State *L, const text_dictionary *d, int32_t id)
{
  int64_t length;
  const char *name = locus_dictionary_name(d, id, &length);
  lua_pushlstring(L, name, (size_t)length);
}

/* dictionary_name(d, id): the string of that number. */
static int name_of(lua_State *L)
{
  locus_call call;
  int64_t id;

  const text_dictionary *d = begin(&call, L, "ids", 2);
  const int32_t count = locus_dictionary_count(d);
  if (!locus_read_int64(L, 2, &id) || id < 1 || id > count)
    locus_call_error(&call, "%s is none of the %d names", locus_describe(L, 2), (int)count);
  push_name(L, d, (int32_t)id);
  return 1;
}

static void push_names(locus_call *call, const text_dictionary *d)
{
  lua_State *L = call->L;
  const int32_t count = locus_dictionary_count(d);

  lua_createtable(L, count, 0);
  for (int32_t id = 1; id <= count; id++) {
    if (id % LOCUS_POLL_EVERY == 0) locus_call_poll(call);
    push_name(L, d, id);
    lua_rawseti(L, -2, id);
  }
}

/* dictionary_names(d): all of them, in a new table. */
static int all_names(lua_State *L)
{
  locus_call call;

  push_names(&call, begin(&call, L, "dictionary_names", 1));
  return 1;
}

/* dictionary_kept_names(d): the same in a table that is kept until there are more. Users have it
** and may write to it: nothing is read from there. */
static int kept_names(lua_State *L)
{
  locus_call call;

  const text_dictionary *d = begin(&call, L, "dictionary_kept_names", 1);
  handle *h = lua_touserdata(L, 1);
  if (h->named > 0 && h->named == locus_dictionary_count(d)) {
    lua_getfenv(L, 1);
    return 1;
  }
  push_names(&call, d);
  lua_pushvalue(L, -1);
  lua_setfenv(L, 1);
  h->named = locus_dictionary_count(d);
  return 1;
}

static int count_of(lua_State *L)
{
  locus_call call;
  lua_pushinteger(L, locus_dictionary_count(begin(&call, L, "dictionary_count", 1)));
  return 1;
}

/* dictionary_bytes(d): the bytes of memory that the dictionary holds. */
static int bytes_of(lua_State *L)
{
  locus_call call;
  locus_push_int64(L, locus_dictionary_bytes(begin(&call, L, "dictionary_bytes", 1)));
  return 1;
}

/* -- An answer for each string ----------------------------------------------------------------- */

/* dictionary_translate(from, to): their numbers in the other one, 0 where they are not there. */
static int translate(lua_State *L)
{
  locus_call call;

  const text_dictionary *from = begin(&call, L, "dictionary_translate", 2);
  const text_dictionary *to = other_dictionary(&call);
  int32_t *ids = push_each(&call, LOCUS_i32, from);
  locus_dictionary_translate(from, to, ids);
  return 1;
}

static const locus_tensor *ids_argument(locus_call *call)
{
  const locus_tensor *ids = locus_arg_tensor(call, 2);

  if (ids->dtype != LOCUS_i32 || locus_tensor_device(ids) != LOCUS_CPU ||
      !locus_tensor_contiguous(ids))
    locus_arg_expected(call, 2, "a contiguous int32 tensor on the CPU");
  return ids;
}

/* dictionary_gather(from, to, ids): adds the strings that the ids name, in the order of the ids, a
** contiguous int32 tensor on the CPU. Returns what dictionary_translate does, with 0 for the other
** strings, and the new number of each id. */
static int gather(lua_State *L)
{
  locus_call call;
  int status;

  const text_dictionary *from = begin(&call, L, "dictionary_gather", 3);
  text_dictionary *to = other_dictionary(&call);
  const locus_tensor *ids = ids_argument(&call);
  if (from == to) locus_arg_expected(&call, 2, "a contiguous int32 tensor on the CPU");
  int32_t *translation = push_each(&call, LOCUS_i32, from);
  int32_t *numbers = (int32_t *)locus_push_row(&call, LOCUS_i32, ids->numel)->data;
  do
    status = locus_dictionary_gather(from, to, (const int32_t *)ids->data, ids->numel, translation,
                                     numbers, &call.cx);
  while (locus_call_again(&call, status));
  return 2;
}

/* dictionary_compare(d, s): -1, 0 or 1 for those before, equal to and after that string, int8. */
static int compare(lua_State *L)
{
  locus_call call;
  int64_t length;

  const text_dictionary *d = begin(&call, L, "dictionary_compare", 2);
  const char *bytes = string_value(&call, &length);
  locus_dictionary_compare(d, bytes, length, push_each(&call, LOCUS_i8, d));
  return 1;
}

/* dictionary_rank(d): their places in the order of bytes. */
static int rank(lua_State *L)
{
  locus_call call;
  int status;

  const text_dictionary *d = begin(&call, L, "dictionary_rank", 1);
  int32_t *ranks = push_each(&call, LOCUS_i32, d);
  do status = locus_dictionary_rank(d, ranks, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_dictionary[] = {
    {"dictionary", new_dictionary, LOCUS_INTERNAL},
    {"dictionary_add", add_string, LOCUS_INTERNAL},
    {"dictionary_add_list", add_list, LOCUS_INTERNAL},
    {"dictionary_find", find_string, LOCUS_INTERNAL},
    {"dictionary_name", name_of, LOCUS_INTERNAL},
    {"dictionary_names", all_names, LOCUS_INTERNAL},
    {"dictionary_kept_names", kept_names, LOCUS_INTERNAL},
    {"dictionary_count", count_of, LOCUS_INTERNAL},
    {"dictionary_bytes", bytes_of, LOCUS_INTERNAL},
    {"dictionary_translate", translate, LOCUS_INTERNAL},
    {"dictionary_gather", gather, LOCUS_INTERNAL},
    {"dictionary_compare", compare, LOCUS_INTERNAL},
    {"dictionary_rank", rank, LOCUS_INTERNAL},
    {0},
};
