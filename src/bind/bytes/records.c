/* SPDX-License-Identifier: MIT */
/* Rows of bytes in files, as NumPy writes records and strings, for lua/locus/files. */
#include <string.h>

#include "bind/bind.h"
#include "bind/text/dictionary.h"
#include "text/names/strings.h"

enum { BETWEEN_POLLS = 4096 };

/* copy_field(rows, size, offset, out, first): of each row of `size` bytes those from `offset` on go
** to one of the elements of `out`, from position `first` on; of as many bytes as `width`. */
/* clang-format off */
#define COPY_FIELD_PARAMS(P)                                         \
  P(rows, LOCUS_REQUIRED, Tensor) P(size, LOCUS_REQUIRED, integer)   \
  P(offset, LOCUS_REQUIRED, integer) P(out, LOCUS_REQUIRED, Tensor)  \
  P(first, LOCUS_REQUIRED, integer) P(width, LOCUS_REQUIRED, integer)
/* clang-format on */
static int copy_field(lua_State *L)
{
  LOCUS_PARAMS(COPY_FIELD_PARAMS, any);
  locus_call call;
  int status = 0;

  locus_call_begin_plain(&call, L, "load", params, 6);
  const locus_tensor *rows = locus_arg_tensor(&call, ARG_rows);
  const int64_t size = locus_arg_int(&call, ARG_size, 0), count = rows->numel / size;
  const int64_t width = locus_arg_int(&call, ARG_width, 0);
  const char *from = rows->data + locus_arg_int(&call, ARG_offset, 0);
  char *to =
      locus_arg_tensor(&call, ARG_out)->data + (locus_arg_int(&call, ARG_first, 0) - 1) * width;
  for (int64_t i = 0; i < count && !status; i++) {
    if (i % BETWEEN_POLLS == 0) status = locus_poll(&call.cx);
    if (!status) memcpy(to + i * width, from + i * size, (size_t)width);
  }
  if (status) locus_call_again(&call, status);
  return 0;
}

/* utf8_of_codes(codes, width): turns rows of so many code points into strings, in place; the
** position of the first row that has none, or nil. */
#define UTF8_PARAMS(P) P(codes, LOCUS_REQUIRED, Tensor) P(width, LOCUS_REQUIRED, integer)
static int utf8_of_codes(lua_State *L)
{
  LOCUS_PARAMS(UTF8_PARAMS, any);
  locus_call call;
  int64_t wrong;

  locus_call_begin_plain(&call, L, "load", params, 2);
  const locus_tensor *codes = locus_arg_tensor(&call, ARG_codes);
  const int64_t width = locus_arg_int(&call, ARG_width, 0), count = codes->numel / width;
  const int status = locus_utf8_of_codes((uint32_t *)codes->data, count, width, &wrong, &call.cx);
  if (status) locus_call_again(&call, status);
  if (wrong < 0) return 0;
  lua_pushnumber(L, (lua_Number)(wrong + 1));
  return 1;
}

/* dictionary_add_padded(dictionary, bytes, width): numbers of strings of so many bytes each,
** without the zeros at their end. */
/* clang-format off */
#define ADD_PADDED_PARAMS(P)                                          \
  P(dictionary, LOCUS_REQUIRED, any) P(bytes, LOCUS_REQUIRED, Tensor) \
  P(width, LOCUS_REQUIRED, integer)
/* clang-format on */
static int add_padded(lua_State *L)
{
  LOCUS_PARAMS(ADD_PADDED_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "load", params, 3);
  text_dictionary *d = locus_test_dictionary(L, 1);
  if (!d) locus_arg_expected(&call, 0, "a dictionary");
  const locus_tensor *bytes = locus_arg_tensor(&call, ARG_bytes);
  const int64_t width = locus_arg_int(&call, ARG_width, 0);
  const text_strings strings = {.count = bytes->numel * locus_dtype_size(bytes->dtype) / width,
                                .width = width,
                                .bytes = bytes->data};
  int32_t *ids = (int32_t *)locus_push_row(&call, LOCUS_i32, strings.count)->data;
  do status = locus_dictionary_add_strings(d, &strings, ids, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_records[] = {
    {"copy_field", copy_field, LOCUS_INTERNAL},
    {"utf8_of_codes", utf8_of_codes, LOCUS_INTERNAL},
    {"dictionary_add_padded", add_padded, LOCUS_INTERNAL},
    {0},
};
