/* SPDX-License-Identifier: MIT */
/* Dictionaries as tensors of bytes and ends, as files and other libraries have them. */
#include <string.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"

#define IDS_PARAMS(P) P(dictionary, LOCUS_REQUIRED, any) P(ids, LOCUS_REQUIRED, any)
static const locus_param ids_params[] = {IDS_PARAMS(LOCUS_PARAM){0}};

static text_dictionary *begin(locus_call *call, lua_State *L, const char *function, int count)
{
  locus_call_begin_plain(call, L, function, ids_params, count);
  text_dictionary *d = locus_test_dictionary(L, 1);
  if (!d) locus_arg_expected(call, 0, "a dictionary");
  return d;
}

/* Pushes the bytes of strings one behind the other. `ends` holds the strings' numbers and gets the
** end of each string among the bytes. */
static int push_texts(locus_call *call, const text_dictionary *d, locus_tensor *ends)
{
  int64_t *end = (int64_t *)ends->data, length, bytes = 0;

  for (int64_t i = 0; i < ends->numel; i++) {
    locus_dictionary_name(d, (int32_t)end[i], &length);
    bytes += length;
  }
  char *to = locus_push_row(call, LOCUS_u8, bytes)->data;
  bytes = 0;
  for (int64_t i = 0; i < ends->numel; i++) {
    const char *name = locus_dictionary_name(d, (int32_t)end[i], &length);
    memcpy(to + bytes, name, (size_t)length);
    end[i] = bytes += length;
  }
  lua_insert(call->L, -2);
  return 2;
}

/* dictionary_texts(d): the bytes of all strings, one behind the other, as a uint8 tensor; and the
** end of each string among them, int64. */
static int texts(lua_State *L)
{
  locus_call call;

  const text_dictionary *d = begin(&call, L, "dictionary_texts", 1);
  locus_tensor *ends = locus_push_row(&call, LOCUS_i64, locus_dictionary_count(d));
  for (int64_t i = 0; i < ends->numel; i++) ((int64_t *)ends->data)[i] = i + 1;
  return push_texts(&call, d, ends);
}

/* dictionary_texts_of(d, ids): the same for the strings that the ids name, a contiguous int32
** tensor on the CPU. */
static int texts_of(lua_State *L)
{
  locus_call call;

  const text_dictionary *d = begin(&call, L, "dictionary_texts_of", 2);
  const locus_tensor *ids = locus_arg_tensor(&call, 1);
  if (ids->dtype != LOCUS_i32 || locus_tensor_device(ids) != LOCUS_CPU ||
      !locus_tensor_contiguous(ids))
    locus_arg_expected(&call, 1, "a contiguous int32 tensor on the CPU");
  locus_tensor *ends = locus_push_row(&call, LOCUS_i64, ids->numel);
  for (int64_t i = 0; i < ids->numel; i++) {
    const int32_t id = ((const int32_t *)ids->data)[i];
    if (id < 1 || id > locus_dictionary_count(d)) {
      locus_call_error(&call, "a column has the id %d, and there are %d names", (int)id,
                       (int)locus_dictionary_count(d));
    }
    ((int64_t *)ends->data)[i] = id;
  }
  return push_texts(&call, d, ends);
}

/* dictionary_of(bytes, ends): the dictionary of such strings; nil if these are none. Files with a
** damaged index may hold a string twice. The dictionary then has it once, and the second result is
** an int32 tensor with the number of each string in it. An empty string may be repeated only if the
** strings cover all bytes; else its end was overwritten with zeros. */
#define OF_TEXTS_PARAMS(P) P(bytes, LOCUS_REQUIRED, Tensor) P(ends, LOCUS_REQUIRED, Tensor)
static int of_texts(lua_State *L)
{
  LOCUS_PARAMS(OF_TEXTS_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "dictionary_of", params, 2);
  const locus_tensor *bytes = locus_arg_tensor(&call, ARG_bytes),
                     *ends = locus_arg_tensor(&call, ARG_ends);
  const int64_t *end = (const int64_t *)ends->data;
  const bool is_whole = ends->numel == 0 || end[ends->numel - 1] == bytes->numel;
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, ends->numel)->data;
  text_dictionary **made = locus_push_dictionary(L);
  do status = locus_dictionary_new(made, &call.cx);
  while (locus_call_again(&call, status));
  for (int64_t i = 0, start = 0; i < ends->numel; start = end[i++]) {
    if (i % LOCUS_POLL_EVERY == 0) locus_call_poll(&call);
    if (end[i] < start || end[i] > bytes->numel || i >= INT32_MAX) return 0;
    const int32_t last = locus_dictionary_count(*made);
    do status = locus_dictionary_add(*made, bytes->data + start, end[i] - start, &ids[i], &call.cx);
    while (locus_call_again(&call, status));
    if (!is_whole && end[i] == start && ids[i] <= last) return 0;
  }
  if (locus_dictionary_count(*made) == ends->numel) return 1;
  lua_pushvalue(L, -2);
  return 2;
}

const locus_entry locus_bind_texts[] = {
    {"dictionary_texts", texts, LOCUS_INTERNAL},
    {"dictionary_texts_of", texts_of, LOCUS_INTERNAL},
    {"dictionary_of", of_texts, LOCUS_INTERNAL},
    {0},
};
