/* SPDX-License-Identifier: MIT */
/* Rows by number, block by block; what can fail happens before a block begins. */
#include "text/names/key_rows.h"

#include <inttypes.h>

#include "text/names/key_blocks.h"

int locus_keys_reserve(locus_key_table *t, int64_t more, int64_t row, int64_t rows,
                       locus_tensor *firsts, locus_context *cx)
{
  const int64_t wanted = t->count + more, most = firsts ? 2 * firsts->numel : 0;

  if (locus_key_room(t) < more) LOCUS_TRY(locus_key_table_grow(t, row, rows, cx));
  if (wanted > INT32_MAX)
    return locus_fail(cx, "there are more than %d different values", INT32_MAX);
  if (!firsts || wanted <= firsts->numel) return 0;
  return locus_tensor_resize(firsts, wanted > most ? wanted : most, cx);
}

int locus_keys_fail_stray(const key_source *source, int64_t row, int n, locus_context *cx)
{
  uint64_t loaded[KEY_BLOCK];

  for (int d = 0; d < source->digit_count; d++) {
    const key_digit *digit = &source->digits[d];
    const char *elements = digit->elements + row * locus_dtype_size(digit->dtype);
    const uint64_t *ids = locus_load_keys(digit->dtype, elements, n, 0, loaded);
    for (int i = 0; digit->is_id && i < n; i++) {
      const int64_t id = (int64_t)LOCUS_ONCE(ids[i]);
      if ((uint64_t)id - 1 < digit->count) continue;
      return locus_fail(cx, "id %" PRId64 " is %" PRId64 ", but the names are 1 to %" PRIu64,
                        source->before + row + i + 1, id, digit->count);
    }
  }
  return locus_fail_changed(cx, "elements");
}

int locus_keys_number(locus_key_table *t, const key_source *source, int64_t *row, int64_t end,
                      int32_t *ids, locus_tensor *firsts, locus_context *cx)
{
  const int64_t rows = source->before + source->count + source->behind;
  uint64_t loaded[KEY_BLOCK];
  int32_t own[KEY_BLOCK];
  bool strays = false;

  for (int64_t i = *row; i < end; *row = i) {
    const int n = (int)(end - i < KEY_BLOCK ? end - i : KEY_BLOCK);
    const int64_t before = source->before + i;
    if (i % (KEY_BLOCK * KEY_BLOCKS_PER_POLL) == 0) LOCUS_TRY(locus_poll(cx));
    LOCUS_TRY(locus_keys_reserve(t, n, before, rows, firsts, cx));
    const uint64_t *keys = locus_source_keys(source, i, n, loaded, &strays);
    if (strays) return locus_keys_fail_stray(source, i, n, cx);
    int64_t *const first = firsts ? (int64_t *)firsts->data : NULL;
    (t->direct ? locus_keys_add_direct : locus_keys_add)(t, keys, n, ids ? ids + i : own,
                                                         before + 1, first);
    i += n;
  }
  return 0;
}
