/* SPDX-License-Identifier: MIT */
/* Indexes of the names of string columns in files, for lua/locus/files/names.lua, which reads, maps
** and writes their words. */
#include "bind/bind.h"
#include "text/names/index.h"

#define NAME_INDEX_PARAMS(P)    \
  P(words, LOCUS_REQUIRED, any) \
  P(bytes, LOCUS_REQUIRED, any) \
  P(ends, LOCUS_REQUIRED, any)  \
  P(count, LOCUS_REQUIRED, any) \
  P(texts, LOCUS_REQUIRED, any) \
  P(text_ends, LOCUS_REQUIRED, any)
LOCUS_FILE_PLACES(NAME_INDEX_PARAMS);
static const locus_param params[] = {NAME_INDEX_PARAMS(LOCUS_PARAM){0}};

static const locus_tensor *column(locus_call *call, int i, locus_dtype dtype)
{
  const locus_tensor *tensor = locus_arg_tensor(call, i);

  if (tensor->dtype != dtype || tensor->shape.ndim != 1 ||
      locus_tensor_device(tensor) != LOCUS_CPU || !locus_tensor_contiguous(tensor)) {
    locus_arg_expected(call, i, "a contiguous 1-D tensor of its dtype on the CPU");
  }
  return tensor;
}

/* The names of arguments AT_bytes, AT_ends and AT_count. */
static text_names read_names(locus_call *call)
{
  const locus_tensor *bytes = column(call, AT_bytes, LOCUS_u8),
                     *ends = column(call, AT_ends, LOCUS_i64);
  const int64_t count = locus_arg_int(call, AT_count, 0);

  if (count < 0 || count > ends->numel || count > INT32_MAX)
    locus_arg_expected(call, AT_count, "how many of the ends are those of names");
  return (text_names){bytes->data, bytes->numel, (const int64_t *)ends->data, (int32_t)count};
}

/* index_of_names(more, bytes, ends, count): the words of an index of the first `count` names, with
** room for `more`, as an int32 tensor; nil if the bytes and ends are no names. */
static int index_of_names(lua_State *L)
{
  locus_call call;

  locus_call_begin_plain(&call, L, "index_of_names", params, 4);
  const int64_t more = locus_arg_int(&call, AT_words, 0);
  const text_names names = read_names(&call);
  if (more < 0 || more > INT32_MAX) locus_arg_expected(&call, AT_words, "a number of names");
  const int64_t count = locus_index_words(names.count + more);
  int32_t *words = (int32_t *)locus_push_row(&call, LOCUS_i32, count)->data;
  locus_index_begin(words, count);
  int64_t begin = 0;
  for (int32_t id = 1; id <= names.count; id++) {
    const int64_t end = names.ends[id - 1];
    if (id % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    if (end < begin || end > names.length) return 0;
    locus_index_add(words, count, id, names.bytes + begin, end - begin);
    begin = end;
  }
  locus_index_seal(words, count);
  return 1;
}

/* The strings of arguments AT_texts and AT_text_ends; their ends ascend. */
static text_names read_texts(locus_call *call)
{
  const locus_tensor *bytes = column(call, AT_texts, LOCUS_u8);
  const locus_tensor *ends = column(call, AT_text_ends, LOCUS_i64);
  const int64_t *end = (const int64_t *)ends->data;

  for (int64_t i = 0; i < ends->numel; i++)
    if (end[i] < (i > 0 ? end[i - 1] : 0) || end[i] > bytes->numel || i >= INT32_MAX)
      locus_arg_expected(call, AT_text_ends, "where each string ends");
  return (text_names){bytes->data, bytes->numel, end, (int32_t)ends->numel};
}

/* number_names(words, bytes, ends, count, texts, text_ends): the numbers of different strings among
** the first `count` names, int32. New strings get the next numbers and are added to the words;
** readers ignore them until they are published. nil if the words are no index of these names, are
** damaged, or have no room for the new strings, or if the names are damaged. */
static int number_names(lua_State *L)
{
  locus_call call;

  locus_call_begin_plain(&call, L, "number_names", params, 6);
  const locus_tensor *index = column(&call, AT_words, LOCUS_i32);
  const text_names names = read_names(&call), texts = read_texts(&call);
  int32_t *words = (int32_t *)index->data, last = names.count;
  if (!locus_index_holds(words, index->numel, &names, texts.count)) return 0;
  if (texts.count > INT32_MAX - last)
    locus_call_error(&call, "a column has 2147483647 names at most");
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, texts.count)->data;
  for (int32_t i = 0; i < texts.count; i++) {
    const int64_t begin = i > 0 ? texts.ends[i - 1] : 0;
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    ids[i] =
        locus_index_find(words, index->numel, &names, texts.bytes + begin, texts.ends[i] - begin);
    if (ids[i] == LOCUS_INDEX_DAMAGED) return 0;
  }
  for (int32_t i = 0; i < texts.count; i++) {
    const int64_t begin = i > 0 ? texts.ends[i - 1] : 0;
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    if (ids[i]) continue;
    if (last == names.count) locus_index_touch(words);
    ids[i] = ++last;
    locus_index_add(words, index->numel, last, texts.bytes + begin, texts.ends[i] - begin);
  }
  if (last > names.count) locus_index_seal(words, index->numel);
  return 1;
}

const locus_entry locus_bind_name_index[] = {
    {"index_of_names", index_of_names, LOCUS_INTERNAL},
    {"number_names", number_names, LOCUS_INTERNAL},
    {0},
};
