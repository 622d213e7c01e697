/* SPDX-License-Identifier: MIT */
/* First rows are found before any number is given. So no row waits for the answer of a table that
** is still being filled, and no branch has to guess whether its key is new:
**
**   mark     each thread goes through a part of the rows, with a bit for each key of the range, set
**            if the table has it: the row's bit is set if its key is new, and the first of the part
**   join     the bits of a part become those of all parts before it
**   settle   a row is the first of all if its key is none of these
**   number   first rows get numbers in their order, which go into the table
**   find     every row reads the number of its key
**
**   keys     | 7 3 7 5 | 3 9 5 9 |      two parts
**   mark       1 1 0 1   1 1 1 0
**   settle     1 1 0 1   0 1 0 0
**   number     1 2   3     4
**   find       1 2 1 3   2 4 3 4
**
** Numbers are written into the table by ranges of keys, one thread for each: lines that two write
** to would go to and fro. The places of the new keys wait in the memory of the answers meanwhile.
**
** Invariant: the bits of a part, and of a word of rows, are set by one thread; each number is that
** of the row's place among first rows. So numbers are those of the order of first appearance. */
#include "text/names/key_bits.h"

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "text/names/key_blocks.h"
#include "text/names/key_rows.h"

/* WORDS: of 64 rows, that a thread settles or finds at once. GRAIN: words of keys that one joins.
 */
enum { WORDS = 1 << 8, GRAIN = 1 << 11, MOST_BYTES = 1 << 23, MOST_ROWS = 1 << 28, PARTS = 16 };

typedef struct key_bits {
  locus_key_table *table;
  int32_t known; /* numbers that there were */
  const key_source *source;
  int64_t begin, count; /* rows */
  int64_t words;        /* of their bits */
  int64_t parts, part;  /* their number, and the words of one */
  int64_t lines;        /* words of the bits of keys */
  int64_t step, blocks; /* words of a block, and how many blocks there are */
  uint64_t *rows, *keys;
  int32_t *fresh; /* in each block; later the numbers in front of it */
  int32_t *ids;
  int64_t *firsts;
  uint32_t *places; /* of new keys */
  int32_t count_fresh;
} key_bits;

static int64_t at_most(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The place of a key: behind the range if it has left it. */
static inline uint64_t place_of(const locus_key_table *t, uint64_t key)
{
  const uint64_t own = key - t->low;
  return own < t->range ? own : t->range;
}

/* The keys of the rows of some words in front of `last`, at most KEY_BLOCK rows. */
static const uint64_t *keys_of(const key_bits *b, int64_t word, int64_t last, int *n,
                               uint64_t *loaded, bool *strays)
{
  const int64_t row = 64 * word;

  *n = (int)at_most(KEY_BLOCK, at_most(b->count, 64 * last) - row);
  return locus_source_keys(b->source, b->begin + row, *n, loaded, strays);
}

/* -- First rows -------------------------------------------------------------------------------- */

/* The bits of up to 64 rows. Bits of keys are set by the byte, with no shift by a variable, which
** would take most of the time. */
static uint64_t mark_word(const locus_key_table *t, const uint64_t *keys, int n, uint8_t *seen)
{
  static const uint8_t bits[] = {1, 2, 4, 8, 16, 32, 64, 128};
  const uint64_t low = t->low, range = t->range;
  uint64_t first = 0;

  for (int i = 0; i < n; i++) {
    const uint64_t own = LOCUS_ONCE(keys[i]) - low, at = own < range ? own : range;
    const uint8_t bit = bits[at % 8], old = seen[at / 8];
    seen[at / 8] = old | bit;
    first = first >> 1 | (uint64_t)((old & bit) == 0) << 63;
  }
  return first >> (64 - n);
}

/* Whether each of 64 keys of the table has a number. */
static uint64_t known_word(const locus_key_table *t, int64_t line)
{
  const int64_t first = 64 * line, rest = (int64_t)t->range + 1 - first;
  uint64_t known = 0;

  for (int i = 0; i < 64 && i < rest; i++) known |= (uint64_t)(t->direct[first + i] != 0) << i;
  return known;
}

static int mark_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false;
  int n;

  for (int64_t part = begin; part < end; part++) {
    uint64_t *const seen = b->keys + part * b->lines;
    const int64_t last = at_most(b->words, (part + 1) * b->part);
    for (int64_t k = 0; k < b->lines; k++) seen[k] = b->known ? known_word(b->table, k) : 0;
    for (int64_t word = part * b->part; word < last; word += KEY_BLOCK / 64) {
      if (word / (KEY_BLOCK / 64) % KEY_BLOCKS_PER_POLL == 0) LOCUS_TRY(locus_poll(cx));
      const uint64_t *keys = keys_of(b, word, last, &n, loaded, &strays);
      if (strays) return locus_keys_fail_stray(b->source, b->begin + 64 * word, n, cx);
      for (int i = 0; i < n; i += 64)
        b->rows[word + i / 64] =
            mark_word(b->table, keys + i, n - i < 64 ? n - i : 64, (uint8_t *)seen);
    }
  }
  return 0;
}

static int join_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;

  for (int64_t line = begin; line < end; line++) {
    uint64_t before = b->keys[line];
    for (int64_t part = 1; part < b->parts; part++) {
      uint64_t *const seen = &b->keys[part * b->lines + line], own = *seen;
      *seen = before;
      before |= own;
    }
  }
  return locus_poll(cx);
}

/* Leaves the bits of rows whose key has not come before their part. */
static uint64_t settle_word(const key_bits *b, int64_t word, const uint64_t *keys)
{
  const uint64_t *const before = b->keys + word / b->part * b->lines;
  uint64_t first = 0;

  for (uint64_t left = b->rows[word]; left; left &= left - 1) {
    const int i = __builtin_ctzll(left);
    const uint64_t at = place_of(b->table, LOCUS_ONCE(keys[i]));
    first |= (~before[at / 64] >> at % 64 & 1) << i;
  }
  return first;
}

static int settle_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false;
  int n;

  for (int64_t k = begin; k < end; k++) {
    const int64_t last = at_most(b->words, (k + 1) * b->step);
    const bool asks = k * b->step >= b->part;
    int32_t fresh = 0;
    for (int64_t word = k * b->step; word < last; word += KEY_BLOCK / 64) {
      const int64_t past = at_most(last, word + KEY_BLOCK / 64);
      const uint64_t *keys = asks ? keys_of(b, word, last, &n, loaded, &strays) : NULL;
      for (int64_t w = word; w < past; w++) {
        if (asks) b->rows[w] = settle_word(b, w, keys + 64 * (w - word));
        fresh += __builtin_popcountll(b->rows[w]);
      }
    }
    b->fresh[k] = fresh;
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int find_firsts(key_bits *b, int64_t *fresh, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(mark_part, b, b->parts, 1, cx));
  if (b->parts > 1 || b->table->count) LOCUS_TRY(locus_parallel(join_part, b, b->lines, GRAIN, cx));
  LOCUS_TRY(locus_parallel(settle_part, b, b->blocks, 1, cx));
  for (int64_t k = 0; k < b->blocks; k++) {
    const int32_t own = b->fresh[k];
    b->fresh[k] = (int32_t)*fresh;
    *fresh += own;
  }
  return 0;
}

/* -- Numbers ----------------------------------------------------------------------------------- */

/* The first rows of some blocks, and the places of their keys. */
static int list_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;
  const int64_t before = b->source->before + b->begin;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false;
  int n;

  for (int64_t k = begin; k < end; k++) {
    const int64_t last = at_most(b->words, (k + 1) * b->step);
    int32_t number = b->fresh[k];
    for (int64_t word = k * b->step; word < last; word += KEY_BLOCK / 64) {
      const uint64_t *keys = keys_of(b, word, last, &n, loaded, &strays);
      for (int i = 0; i < n; i += 64) {
        for (uint64_t left = b->rows[word + i / 64]; left; left &= left - 1) {
          const int own = i + __builtin_ctzll(left);
          b->places[number] = (uint32_t)place_of(b->table, LOCUS_ONCE(keys[own]));
          if (b->firsts) b->firsts[b->known + number] = before + 64 * word + own + 1;
          number++;
        }
      }
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* The numbers of new keys in some parts of the range; those of other parts go nowhere. */
static int write_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;
  const uint64_t places = b->table->range + 1, low = places * (uint64_t)begin / (uint64_t)b->parts;
  const uint64_t span = places * (uint64_t)end / (uint64_t)b->parts - low;
  int32_t *const direct = b->table->direct, nowhere[1];

  for (int32_t i = 0; i < b->count_fresh; i++) {
    const bool own = b->places[i] - low < span;
    *(own ? &direct[b->places[i]] : nowhere) = b->known + i + 1;
  }
  return locus_poll(cx);
}

/* The same of all new keys at once, where nobody asks for answers, or there is one thread. */
static int number_alone(key_bits *b, locus_context *cx)
{
  const int64_t before = b->source->before + b->begin;
  locus_key_table *const t = b->table;
  uint64_t loaded[KEY_BLOCK];
  int32_t number = b->known;
  bool strays = false;
  int n;

  for (int64_t word = 0; word < b->words; word += KEY_BLOCK / 64) {
    const uint64_t *keys = keys_of(b, word, b->words, &n, loaded, &strays);
    if (word / (KEY_BLOCK / 64) % KEY_BLOCKS_PER_POLL == 0) LOCUS_TRY(locus_poll(cx));
    for (int i = 0; i < n; i += 64) {
      for (uint64_t left = b->rows[word + i / 64]; left; left &= left - 1) {
        const int own = i + __builtin_ctzll(left);
        if (b->firsts) b->firsts[number] = before + 64 * word + own + 1;
        t->direct[place_of(t, LOCUS_ONCE(keys[own]))] = ++number;
      }
    }
  }
  return 0;
}

static int number_firsts(key_bits *b, locus_context *cx)
{
  if (b->parts == 1 || !b->ids || b->table->range > UINT32_MAX) return number_alone(b, cx);
  b->places = (uint32_t *)b->ids;
  LOCUS_TRY(locus_parallel(list_part, b, b->blocks, 1, cx));
  return locus_parallel(write_part, b, b->parts, 1, cx);
}

/* Whether all of n keys have a number. */
static bool find_block(const locus_key_table *t, const uint64_t *keys, int n, int32_t *ids)
{
  const uint64_t low = t->low, range = t->range;
  const int32_t *const direct = t->direct;
  int32_t lacks = 0;

  for (int i = 0; i < n; i++) {
    const uint64_t own = LOCUS_ONCE(keys[i]) - low;
    const int32_t id = direct[own < range ? own : range];
    ids[i] = id;
    lacks |= id - 1;
  }
  return lacks >= 0;
}

/* The same of up to 64 rows with those bits; *number first rows lie in front of them. */
static bool find_word(const locus_key_table *t, const uint64_t *keys, int n, uint64_t first,
                      int32_t *ids, int32_t *number)
{
  const int32_t before = *number;

  *number += __builtin_popcountll(first);
  if (first != UINT64_MAX) return find_block(t, keys, n, ids);
  for (int i = 0; i < n; i++) ids[i] = before + i + 1;
  return true;
}

static int find_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_bits *b = job;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false, lacks = false;
  int n;

  for (int64_t k = begin; k < end; k++) {
    const int64_t last = at_most(b->words, (k + 1) * b->step);
    int32_t number = b->known + b->fresh[k];
    for (int64_t word = k * b->step; word < last; word += KEY_BLOCK / 64) {
      const uint64_t *keys = keys_of(b, word, last, &n, loaded, &strays);
      for (int i = 0; i < n; i += 64)
        lacks |= !find_word(b->table, keys + i, n - i < 64 ? n - i : 64, b->rows[word + i / 64],
                            b->ids + 64 * word + i, &number);
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return strays || lacks ? locus_fail_changed(cx, "elements") : 0;
}

/* -- A round ----------------------------------------------------------------------------------- */

static int64_t lines_of(const locus_key_table *t)
{
  return (int64_t)(t->range / 64) + 1;
}

int64_t locus_key_bits_most(const locus_key_table *t)
{
  return lines_of(t) * 8 <= MOST_BYTES ? MOST_ROWS : 0;
}

static void lay_out(key_bits *b)
{
  const int64_t threads = at_most(locus_cpu_threads(), PARTS);
  const int64_t whole = locus_small_pieces() ? 1 : WORDS;

  b->words = (b->count - 1) / 64 + 1;
  b->step = at_most(whole, WORDS);
  b->blocks = (b->words - 1) / b->step + 1;
  b->part = ((b->words - 1) / threads / whole + 1) * whole;
  b->parts = (b->words - 1) / b->part + 1;
  b->lines = lines_of(b->table);
}

int locus_key_bits_number(locus_key_table *t, const key_source *source, int64_t begin,
                          int64_t count, int32_t *ids, locus_tensor *firsts, locus_context *cx)
{
  key_bits bits = {.table = t, .source = source, .begin = begin, .count = count, .ids = ids};
  key_bits *const b = &bits;
  int64_t fresh = 0;

  lay_out(b);
  b->known = t->count;
  const int64_t words = b->words + b->parts * b->lines;
  const int64_t bytes = words * (int64_t)sizeof *b->rows + b->blocks * (int64_t)sizeof *b->fresh;
  b->rows = locus_memory_alloc(bytes);
  if (!b->rows) return locus_fail_memory(cx, bytes);
  b->keys = b->rows + b->words;
  b->fresh = (int32_t *)(b->rows + words);
  int status = find_firsts(b, &fresh, cx);
  if (status == 0)
    status = locus_keys_reserve(t, fresh, source->before + begin, source->before + source->count,
                                firsts, cx);
  b->firsts = firsts ? (int64_t *)firsts->data : NULL;
  b->count_fresh = (int32_t)fresh;
  if (status == 0) status = number_firsts(b, cx);
  if (status == 0) t->count += b->count_fresh;
  if (status == 0 && ids) status = locus_parallel(find_part, b, b->blocks, 1, cx);
  locus_memory_free(b->rows, bytes);
  return status;
}
