/* SPDX-License-Identifier: MIT */
/* Factorize by hashing, block by block; key_table.h has the tables and the Bloom filter.
** factorize.h has the method, its picture, its invariants and its sources. */
#include "text/names/factorize.h"

#include <inttypes.h>

#include "core/once.h"
#include "text/names/key_table.h"
#include "text/names/keys.h"

enum { BLOCKS_PER_POLL = 256 };

typedef struct factorizer {
  locus_dtype dtype;
  int parts; /* 0: the elements are keys */
  locus_key_table whole, part[2];
} factorizer;

/* -- A block of keys --------------------------------------------------------------------------- */

/* Finds the slot where the search for each key begins, and prefetches the slots of all. */
static void prepare(const locus_key_table *t, const uint64_t *keys, int n, uint64_t *places)
{
  for (int i = 0; i < n; i++) places[i] = locus_key_place(t, keys[i]);
  if (t->bits <= NEAR_BITS) return;
  for (int i = 0; i < n; i++) __builtin_prefetch(&t->slots[places[i]]);
}

/* A new number; firsts, unless it is NULL, gets its row. */
static inline int32_t number(locus_key_table *t, int64_t row, int64_t *firsts)
{
  if (firsts) firsts[t->count] = row;
  return ++t->count;
}

/* The same for a table of a range. A key may have left the range since, if another thread writes to
** the elements: check_keys finds that. */
static void add_direct(locus_key_table *t, const uint64_t *keys, int n, int32_t *ids, int64_t row,
                       int64_t *firsts)
{
  int32_t *const direct = t->direct;
  const uint64_t low = t->low, range = t->range;

  for (int i = 0; i < n; i++) {
    const uint64_t own = LOCUS_ONCE(keys[i]) - low, at = own < range ? own : range;
    int32_t id = direct[at];
    if (!id) direct[at] = id = number(t, row + i, firsts);
    ids[i] = id;
  }
}

/* ids[i] = the number of keys[i], a new one where it has none. There is room for all. */
static void add_block(locus_key_table *t, const uint64_t *keys, int n, int32_t *ids, int64_t row,
                      int64_t *firsts)
{
  uint64_t places[KEY_BLOCK];

  prepare(t, keys, n, places);
  for (int i = 0; i < n; i++) {
    locus_key_slot *const s = locus_key_find(t, keys[i], places[i]);
    if (!s->id) *s = (locus_key_slot){keys[i], number(t, row + i, firsts)};
    ids[i] = s->id;
  }
}

/* Collects the keys, among n, that may be in the table, and their places; returns their count. */
static int pass(const locus_key_table *t, const uint64_t *keys, int n, int32_t *passed,
                uint64_t *places)
{
  const int shift = 64 - t->bits - FILTER_BITS;
  uint64_t bits[KEY_BLOCK];
  int count = 0;

  for (int i = 0; i < n; i++) bits[i] = locus_key_hash(t, keys[i]) >> shift;
  for (int i = 0; i < n; i++) {
    passed[count] = i;
    places[count] = bits[i] >> FILTER_BITS;
    count += (int)(t->filter[bits[i] / 64] >> bits[i] % 64 & 1);
  }
  return count;
}

static void find_filtered(const locus_key_table *t, const uint64_t *keys, int n, int32_t *ids)
{
  int32_t passed[KEY_BLOCK];
  uint64_t places[KEY_BLOCK];
  const int count = pass(t, keys, n, passed, places);

  memset(ids, 0, (size_t)n * sizeof *ids);
  for (int i = 0; t->bits > NEAR_BITS && i < count; i++) __builtin_prefetch(&t->slots[places[i]]);
  for (int i = 0; i < count; i++)
    ids[passed[i]] = locus_key_find(t, keys[passed[i]], places[i])->id;
}

static void find_block(const locus_key_table *t, const uint64_t *keys, int n, int32_t *ids)
{
  uint64_t places[KEY_BLOCK];

  if (t->filter) {
    find_filtered(t, keys, n, ids);
    return;
  }
  if (t->direct) {
    for (int i = 0; i < n; i++) {
      const uint64_t at = keys[i] - t->low;
      ids[i] = at < t->range ? t->direct[at] : 0;
    }
    return;
  }
  prepare(t, keys, n, places);
  for (int i = 0; i < n; i++) ids[i] = locus_key_find(t, keys[i], places[i])->id;
}

/* Whether each key has a number, if there is a range; the answer is exact. */
static void is_known(const locus_key_table *t, const uint64_t *keys, int n, bool *there)
{
  const bool *const known = t->known;
  const uint64_t low = t->low, range = t->range;

  for (int i = 0; i < n; i++) {
    const uint64_t at = keys[i] - low;
    there[i] = known[at < range ? at : range];
  }
}

/* -- A column ---------------------------------------------------------------------------------- */

/* Whether the keys lie so close together that direct addressing takes no more memory than slots
** would; and their range. Aligned, since the address of the loop changed the time of a whole column
** by up to 15 %. */
static __attribute__((aligned(64))) int find_range(locus_key_table *t, locus_dtype dtype,
                                                   const key_column *keys, bool *narrow,
                                                   locus_context *cx)
{
  const int64_t size = locus_dtype_size(dtype);
  uint64_t loaded[KEY_BLOCK];
  int64_t low = INT64_MAX, high = INT64_MIN;

  *narrow = false;
  if (keys->count == 0 || size > (locus_dtype_kind(dtype) == LOCUS_FLOAT ? 2 : 8)) return 0;
  if (locus_dtype_kind(dtype) == LOCUS_COMPLEX) return 0;
  for (int64_t i = 0; i < keys->count; i += KEY_BLOCK) {
    const int n = (int)(keys->count - i < KEY_BLOCK ? keys->count - i : KEY_BLOCK);
    const uint64_t *key = locus_load_keys(dtype, keys->elements + i * size, n, 0, loaded);
    if (i % (KEY_BLOCK * BLOCKS_PER_POLL) == 0) LOCUS_TRY(locus_poll(cx));
    for (int k = 0; k < n; k++) {
      low = (int64_t)key[k] < low ? (int64_t)key[k] : low;
      high = (int64_t)key[k] > high ? (int64_t)key[k] : high;
    }
  }
  const uint64_t last = (uint64_t)high - (uint64_t)low;
  *narrow = last < 4 * (uint64_t)keys->count + 64;
  if (*narrow) t->low = (uint64_t)low, t->range = last + 1;
  return 0;
}

static int begin(factorizer *f, locus_dtype dtype, const key_column *keys, locus_context *cx)
{
  bool narrow;

  f->dtype = dtype;
  f->parts = locus_dtype_size(dtype) == 16 ? 2 : 0;
  for (int i = 0; i < f->parts; i++) LOCUS_TRY(locus_key_table_begin(&f->part[i], cx));
  LOCUS_TRY(find_range(&f->whole, dtype, keys, &narrow, cx));
  if (!narrow) return locus_key_table_begin(&f->whole, cx);
  return locus_key_table_direct(&f->whole, cx);
}

static void end(factorizer *f)
{
  locus_key_table_end(&f->whole);
  for (int i = 0; i < f->parts; i++) locus_key_table_end(&f->part[i]);
}

/* Room for n new numbers in every table, and for their rows; `row` of `rows` have been added. */
static int reserve(factorizer *f, int n, int64_t row, int64_t rows, locus_tensor *firsts,
                   locus_context *cx)
{
  const int64_t wanted = f->whole.count + (int64_t)n, more = firsts ? 2 * firsts->numel : 0;

  if (!locus_key_has_room(&f->whole, n)) LOCUS_TRY(locus_key_table_grow(&f->whole, row, rows, cx));
  for (int i = 0; i < f->parts; i++)
    if (!locus_key_has_room(&f->part[i], n))
      LOCUS_TRY(locus_key_table_grow(&f->part[i], row, rows, cx));
  if (wanted > INT32_MAX)
    return locus_fail(cx, "there are more than %d different values", INT32_MAX);
  if (!firsts || wanted <= firsts->numel) return 0;
  return locus_tensor_resize(firsts, wanted > more ? wanted : more, cx);
}

/* The key of an element of two parts is the pair of the parts' numbers. */
static const uint64_t *load(factorizer *f, const char *elements, int n, bool adds, uint64_t *keys)
{
  int32_t ids[2][KEY_BLOCK];

  if (!f->parts) return locus_load_keys(f->dtype, elements, n, 0, keys);
  for (int p = 0; p < 2; p++) {
    const uint64_t *part = locus_load_keys(f->dtype, elements, n, p, keys);
    if (adds) add_block(&f->part[p], part, n, ids[p], 0, NULL);
    else find_block(&f->part[p], part, n, ids[p]);
  }
  for (int i = 0; i < n; i++) keys[i] = (uint64_t)ids[0][i] << 32 | (uint64_t)ids[1][i];
  return keys;
}

/* Numbers all elements of a column. An unknown one gets a new number if it `adds`, else 0. `ids`
** may be NULL; `there`, unless it is NULL, gets whether each element has a number. */
static int run(factorizer *f, const key_column *column, bool adds, int32_t *ids, bool *there,
               locus_tensor *firsts, locus_context *cx)
{
  const int64_t size = locus_dtype_size(f->dtype);
  uint64_t loaded[KEY_BLOCK];
  int32_t own[KEY_BLOCK];

  for (int64_t i = 0; i < column->count; i += KEY_BLOCK) {
    const int n = (int)(column->count - i < KEY_BLOCK ? column->count - i : KEY_BLOCK);
    if (i % (KEY_BLOCK * BLOCKS_PER_POLL) == 0) LOCUS_TRY(locus_poll(cx));
    if (adds) LOCUS_TRY(reserve(f, n, i, column->count, firsts, cx));
    const uint64_t *keys = load(f, column->elements + i * size, n, adds, loaded);
    if (there && f->whole.known) {
      is_known(&f->whole, keys, n, there + i);
      continue;
    }
    int32_t *const numbers = ids ? ids + i : own;
    int64_t *const rows = firsts ? (int64_t *)firsts->data : NULL;
    if (adds) (f->whole.direct ? add_direct : add_block)(&f->whole, keys, n, numbers, i + 1, rows);
    else find_block(&f->whole, keys, n, numbers);
    for (int k = 0; there && k < n; k++) there[i + k] = numbers[k] != 0;
  }
  return 0;
}

/* An error if a key is no id of 1 .. names (any key is allowed if `names` is negative), or has left
** the range of the table. */
static int check_keys(const locus_key_table *t, int64_t names, const locus_tensor *firsts,
                      locus_context *cx)
{
  uint64_t key;
  int32_t id;

  if (names >= 0 && locus_key_table_stray(t, (uint64_t)names, &key, &id)) {
    return locus_fail(cx, "id %" PRId64 " is %" PRId64 ", but the names are 1 to %" PRId64,
                      ((const int64_t *)firsts->data)[id - 1], (int64_t)key, names);
  }
  return t->direct && t->direct[t->range] ? locus_fail_changed(cx, "elements") : 0;
}

/* A filter does not pay for fewer keys than the table has. */
static int finish(factorizer *f, const key_column *values, locus_context *cx)
{
  return values->count > f->whole.count ? locus_key_table_filter(&f->whole, cx) : 0;
}

int locus_factorize(locus_dtype dtype, const key_column *keys, int64_t names, int32_t *ids,
                    locus_tensor *firsts, const key_column *values, int32_t *found,
                    locus_context *cx)
{
  factorizer f = {0};
  int status = begin(&f, dtype, keys, cx);

  if (status == 0) status = run(&f, keys, true, ids, NULL, firsts, cx);
  if (status == 0) status = check_keys(&f.whole, names, firsts, cx);
  if (status == 0) status = locus_tensor_resize(firsts, f.whole.count, cx);
  if (status == 0 && values) status = finish(&f, values, cx);
  if (status == 0 && values) status = run(&f, values, false, found, NULL, NULL, cx);
  end(&f);
  return status;
}

int locus_is_among(locus_dtype dtype, const key_column *keys, const key_column *values, bool *there,
                   locus_context *cx)
{
  factorizer f = {0};
  int status = begin(&f, dtype, keys, cx);

  if (status == 0) status = run(&f, keys, true, NULL, NULL, NULL, cx);
  if (status == 0) status = check_keys(&f.whole, -1, NULL, cx);
  if (status == 0)
    status = f.whole.direct ? locus_key_table_known(&f.whole, cx) : finish(&f, values, cx);
  if (status == 0) status = run(&f, values, false, NULL, there, NULL, cx);
  end(&f);
  return status;
}
