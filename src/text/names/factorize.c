/* SPDX-License-Identifier: MIT */
/* Factorize by hashing, block by block: key_table.h has the tables and the Bloom filter,
** key_blocks.h what happens to a block, key_share.c the threads. factorize.h has the method, its
** picture, its invariants and its sources. */
#include "text/names/factorize.h"

#include <inttypes.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "text/names/key_blocks.h"
#include "text/names/key_numbered.h"
#include "text/names/key_range.h"
#include "text/names/key_rows.h"
#include "text/names/key_share.h"

/* ALONE: rows that one thread looks up. FIRST_ROWS: those that one numbers before others help.
** PAIRS: rows of elements with two parts that are numbered at once. */
enum { ALONE = 1 << 13, FIRST_ROWS = 1 << 14, FIRST_IN_TESTS = 1 << 5, PAIRS = 1 << 17 };

typedef struct factorizer {
  int parts; /* 0: the elements are keys */
  locus_key_table whole, part[2];
  int32_t *pairs[2]; /* numbers of the parts of some elements */
} factorizer;

/* -- A column ---------------------------------------------------------------------------------- */

static int begin(factorizer *f, const key_source *source, locus_context *cx)
{
  bool narrow;

  f->parts = locus_dtype_size(source->dtype) == 16 ? 2 : 0;
  for (int i = 0; i < f->parts; i++) {
    LOCUS_TRY(locus_key_table_begin(&f->part[i], cx));
    f->pairs[i] = locus_memory_alloc(PAIRS * sizeof *f->pairs[i]);
    if (!f->pairs[i]) return locus_fail_memory(cx, PAIRS * sizeof *f->pairs[i]);
  }
  LOCUS_TRY(locus_key_range(source, &f->whole.low, &f->whole.range, &narrow, cx));
  if (!narrow) return locus_key_table_begin(&f->whole, cx);
  return locus_key_table_direct(&f->whole, cx);
}

static void end(factorizer *f)
{
  locus_key_table_end(&f->whole);
  for (int i = 0; i < f->parts; i++) {
    locus_key_table_end(&f->part[i]);
    locus_memory_free(f->pairs[i], PAIRS * sizeof *f->pairs[i]);
  }
}

/* -- Numbers ----------------------------------------------------------------------------------- */

static int number_rows(locus_key_table *t, const key_source *source, int32_t *ids,
                       locus_tensor *firsts, locus_context *cx)
{
  const int64_t first = locus_small_pieces() ? FIRST_IN_TESTS : FIRST_ROWS;
  int64_t row = 0;

  if (locus_keys_may_share(t, source->count)) {
    const int64_t alone = first < source->count ? first : source->count;
    if (source->before == 0) LOCUS_TRY(locus_keys_number(t, source, &row, alone, ids, firsts, cx));
    LOCUS_TRY(locus_keys_share(t, source, &row, ids, firsts, cx));
  }
  return locus_keys_number(t, source, &row, source->count, ids, firsts, cx);
}

/* Rows whose keys are pairs of numbers. */
static key_source pairs_of(int32_t *const *pairs, key_digit *digits, int64_t count)
{
  for (int i = 0; i < 2; i++)
    digits[i] = (key_digit){
        .dtype = LOCUS_i32, .elements = (const char *)pairs[i], .count = (uint64_t)1 << 31};
  return (key_source){.dtype = LOCUS_i64, .digits = digits, .digit_count = 2, .count = count};
}

/* Some of the rows of a source: those in front of them were numbered. */
static key_source part_of(const key_source *source, int64_t begin, int64_t count)
{
  key_source part = *source;

  if (source->elements) part.elements += begin * locus_dtype_size(source->dtype);
  part.count = count;
  part.before += begin;
  part.behind += source->count - begin - count;
  return part;
}

/* The key of an element of two parts is the pair of the parts' numbers. */
static int number_all(factorizer *f, const key_source *source, int32_t *ids, locus_tensor *firsts,
                      locus_context *cx)
{
  key_digit digits[2];

  if (!f->parts) return number_rows(&f->whole, source, ids, firsts, cx);
  for (int64_t i = 0; i < source->count; i += PAIRS) {
    key_source some = part_of(source, i, source->count - i < PAIRS ? source->count - i : PAIRS);
    for (some.part = 0; some.part < 2; some.part++)
      LOCUS_TRY(number_rows(&f->part[some.part], &some, f->pairs[some.part], NULL, cx));
    key_source pairs = pairs_of(f->pairs, digits, some.count);
    pairs.before = some.before, pairs.behind = some.behind;
    LOCUS_TRY(number_rows(&f->whole, &pairs, ids ? ids + i : NULL, firsts, cx));
  }
  return 0;
}

/* -- Finding ----------------------------------------------------------------------------------- */

typedef struct key_search {
  const locus_key_table *table;
  const key_source *source;
  int32_t *ids; /* NULL: `there` is asked for */
  bool *there;
} key_search;

static int find_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_search *search = job;
  const locus_key_table *t = search->table;
  uint64_t loaded[KEY_BLOCK];
  int32_t own[KEY_BLOCK];
  bool strays = false;

  for (int64_t i = begin; i < end; i += KEY_BLOCK) {
    const int n = (int)(end - i < KEY_BLOCK ? end - i : KEY_BLOCK);
    if ((i - begin) % (KEY_BLOCK * KEY_BLOCKS_PER_POLL) == 0) LOCUS_TRY(locus_poll(cx));
    const uint64_t *keys = locus_source_keys(search->source, i, n, loaded, &strays);
    if (!search->ids && t->known) {
      locus_keys_are_known(t, keys, n, search->there + i);
      continue;
    }
    int32_t *const ids = search->ids ? search->ids + i : own;
    locus_keys_find(t, keys, n, ids);
    for (int k = 0; !search->ids && k < n; k++) search->there[i + k] = ids[k] != 0;
  }
  return 0;
}

static int find_rows(const locus_key_table *t, const key_source *source, int32_t *ids, bool *there,
                     locus_context *cx)
{
  const key_search search = {t, source, ids, there};
  return locus_parallel(find_part, &search, source->count, ALONE, cx);
}

/* The numbers of all rows, 0 where there is none; or whether each has one. */
static int find_all(factorizer *f, const key_source *source, int32_t *ids, bool *there,
                    locus_context *cx)
{
  key_digit digits[2];

  if (!f->parts) return find_rows(&f->whole, source, ids, there, cx);
  for (int64_t i = 0; i < source->count; i += PAIRS) {
    key_source some = part_of(source, i, source->count - i < PAIRS ? source->count - i : PAIRS);
    for (some.part = 0; some.part < 2; some.part++)
      LOCUS_TRY(find_rows(&f->part[some.part], &some, f->pairs[some.part], NULL, cx));
    const key_source pairs = pairs_of(f->pairs, digits, some.count);
    LOCUS_TRY(find_rows(&f->whole, &pairs, ids ? ids + i : NULL, there ? there + i : NULL, cx));
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
static int finish(factorizer *f, int64_t wanted, locus_context *cx)
{
  return wanted > f->whole.count ? locus_key_table_filter(&f->whole, cx) : 0;
}

static key_source source_of(locus_dtype dtype, const key_column *column)
{
  return (key_source){.dtype = dtype, .elements = column->elements, .count = column->count};
}

static int factorize(const key_source *keys, int64_t names, int32_t *ids, locus_tensor *firsts,
                     const key_source *values, int32_t *found, locus_context *cx)
{
  factorizer f = {0};
  int status = begin(&f, keys, cx);

  if (status == 0) status = number_all(&f, keys, ids, firsts, cx);
  if (status == 0) status = check_keys(&f.whole, names, firsts, cx);
  if (status == 0) status = locus_tensor_resize(firsts, f.whole.count, cx);
  if (status == 0 && values) status = finish(&f, values->count, cx);
  if (status == 0 && values) status = find_all(&f, values, found, NULL, cx);
  end(&f);
  return status;
}

int locus_factorize(locus_dtype dtype, const key_column *keys, int64_t names, int32_t *ids,
                    locus_tensor *firsts, const key_column *values, int32_t *found,
                    locus_context *cx)
{
  const key_source source = source_of(dtype, keys);
  bool numbered = false;

  if (values) {
    const key_source wanted = source_of(dtype, values);
    return factorize(&source, names, ids, firsts, &wanted, found, cx);
  }
  if (dtype == LOCUS_i32)
    LOCUS_TRY(locus_keys_are_numbered((const int32_t *)keys->elements, keys->count, ids, firsts,
                                      &numbered, cx));
  if (numbered && (names < 0 || firsts->numel <= names)) return 0;
  LOCUS_TRY(locus_tensor_resize(firsts, 0, cx));
  return factorize(&source, names, ids, firsts, NULL, NULL, cx);
}

int locus_factorize_rows(const key_digit *digits, int count, int64_t rows, int32_t *ids,
                         locus_tensor *firsts, locus_context *cx)
{
  const key_source source = {
      .dtype = LOCUS_i64, .digits = digits, .digit_count = count, .count = rows};
  return factorize(&source, -1, ids, firsts, NULL, NULL, cx);
}

int locus_is_among(locus_dtype dtype, const key_column *keys, const key_column *values, bool *there,
                   locus_context *cx)
{
  const key_source source = source_of(dtype, keys), wanted = source_of(dtype, values);
  factorizer f = {0};
  int status = begin(&f, &source, cx);

  if (status == 0) status = number_all(&f, &source, NULL, NULL, cx);
  if (status == 0) status = check_keys(&f.whole, -1, NULL, cx);
  if (status == 0)
    status = f.whole.direct ? locus_key_table_known(&f.whole, cx) : finish(&f, wanted.count, cx);
  if (status == 0) status = find_all(&f, &wanted, NULL, there, cx);
  end(&f);
  return status;
}
