/* SPDX-License-Identifier: MIT */
/* Radix partitioning. The first bits of a key's place in the table say its partition, a range of
** places that one thread alone touches in a phase; so no two threads wait for one line of memory.
**
**   scatter   each piece of the rows is sorted by partition, into a place of its own:
**                keys   | piece 0: part 0, part 1, ... | piece 1: part 0, part 1, ... |
**                rows   | the same
**   insert    partition by partition, piece by piece, hence in the order of the rows: the number of
**             each key, or its first row in the round as ~row, which a new key gets for now.
**             Searches that leave their partition are put off: one thread does them afterwards
**   spread    the answers go back to their rows. ~row in that row itself: it is a first row
**   number    first rows get numbers in their order, since pieces know how many come before them
**   finish    other rows read the number of their first row,
**   settle    and so do the places of new keys
**
** Invariant: rows of one key lie in one partition, and each phase takes those in their order; so
** numbers are those of the order of first appearance, with any number of threads.
**
** Source: S. Manegold, P. Boncz, M. Kersten, "Optimizing Main-Memory Join on Modern Hardware", IEEE
** TKDE 14 (2002), radix clustering. */
#include "text/names/key_parts.h"

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "text/names/key_blocks.h"
#include "text/names/key_rows.h"

enum { PART_BITS = 6, PARTS = 1 << PART_BITS, PIECE = 1 << 14, PIECE_IN_TESTS = 1 << 5 };
enum { ROWS_PER_THREAD = 1 << 19, MOST_ROWS = 1 << 23, ROW_BYTES = 12 };

typedef struct key_parts {
  locus_key_table *table;
  const key_source *source;
  int64_t begin, count, piece, pieces;
  int shift;    /* of a place: its partition */
  int threads;  /* each of which has partitions of its own */
  int32_t *ids; /* of these rows; NULL: no numbers are asked for */
  int64_t *firsts;
  uint64_t *keys;               /* of the rows; later place and id */
  int32_t *rows;                /* from begin on; ~row where the search is put off */
  int32_t (*starts)[PARTS + 1]; /* of the partitions in each piece */
  int32_t *numbers;             /* first rows in each piece; then the numbers in front of it */
  int32_t fresh[PARTS];
  bool put_off[PARTS];
} key_parts;

/* -- Memory ------------------------------------------------------------------------------------ */

static int64_t piece_rows(void)
{
  return locus_small_pieces() ? PIECE_IN_TESTS : PIECE;
}

int64_t locus_key_parts_most(int threads)
{
  if (locus_small_pieces()) return 8 * PIECE_IN_TESTS;
  return threads < MOST_ROWS / ROWS_PER_THREAD ? (int64_t)threads * ROWS_PER_THREAD : MOST_ROWS;
}

static int64_t memory_bytes(int64_t rows)
{
  const int64_t pieces = (rows - 1) / piece_rows() + 1;
  return rows * ROW_BYTES + pieces * (int64_t)((PARTS + 2) * sizeof(int32_t));
}

void locus_key_parts_end(key_parts_memory *memory)
{
  if (memory->block) locus_memory_free(memory->block, memory_bytes(memory->rows));
}

static int take_memory(key_parts *p, key_parts_memory *memory, locus_context *cx)
{
  const int64_t bytes = memory_bytes(p->count);

  if (memory->rows < p->count) {
    char *block = locus_memory_alloc(bytes);
    if (!block) return locus_fail_memory(cx, bytes);
    locus_key_parts_end(memory);
    *memory = (key_parts_memory){p->count, block};
  }
  p->keys = (uint64_t *)memory->block;
  p->rows = (int32_t *)(p->keys + p->count);
  p->numbers = p->rows + p->count;
  p->starts = (int32_t(*)[PARTS + 1])(p->numbers + p->pieces);
  return 0;
}

/* -- Partitions -------------------------------------------------------------------------------- */

static inline uint64_t place_of(const locus_key_table *t, uint64_t key)
{
  if (!t->direct) return locus_key_place(t, key);
  return key - t->low < t->range ? key - t->low : t->range;
}

static int shift_of(const locus_key_table *t)
{
  int shift = 0;

  if (!t->direct) return t->bits - PART_BITS;
  while (t->range >> shift >= PARTS) shift++;
  return shift;
}

/* A piece's rows by partition. The key that is kept decides, whatever it was at the first look. */
static int scatter_piece(const key_parts *p, int64_t k, locus_context *cx)
{
  const int64_t first = k * p->piece, rest = p->count - first;
  const int count = (int)(rest < p->piece ? rest : p->piece);
  int32_t *const starts = p->starts[k], next[PARTS];
  uint64_t loaded[KEY_BLOCK];
  uint8_t part[PIECE];
  bool strays = false;

  memset(starts, 0, sizeof p->starts[k]);
  for (int i = 0; i < count; i += KEY_BLOCK) {
    const int n = count - i < KEY_BLOCK ? count - i : KEY_BLOCK;
    const int64_t row = p->begin + first + i;
    const uint64_t *keys = locus_source_keys(p->source, row, n, loaded, &strays);
    if (strays) return locus_keys_fail_stray(p->source, row, n, cx);
    for (int j = 0; j < n; j++) {
      part[i + j] = (uint8_t)(place_of(p->table, LOCUS_ONCE(keys[j])) >> p->shift);
      starts[part[i + j] + 1]++;
    }
  }
  for (int i = 0; i < PARTS; i++) {
    next[i] = (int32_t)first + starts[i];
    starts[i + 1] += starts[i];
  }
  for (int i = 0; i < count; i += KEY_BLOCK) {
    const int n = count - i < KEY_BLOCK ? count - i : KEY_BLOCK;
    const uint64_t *keys = locus_source_keys(p->source, p->begin + first + i, n, loaded, &strays);
    for (int j = 0; j < n; j++) {
      const int32_t at = next[part[i + j]]++;
      p->keys[at] = LOCUS_ONCE(keys[j]);
      p->rows[at] = (int32_t)first + i + j;
    }
  }
  return locus_poll(cx);
}

static int scatter_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  for (int64_t k = begin; k < end; k++) LOCUS_TRY(scatter_piece(job, k, cx));
  return 0;
}

/* -- Numbers of keys --------------------------------------------------------------------------- */

/* The provisional number of a new key. */
static inline int32_t claim_of(const key_parts *p, int32_t row)
{
  return p->ids ? ~row : 1;
}

/* locus_key_find in front of a line of slots; NULL where it would go on there. */
static inline locus_key_slot *find_before(const locus_key_table *t, uint64_t key, uint64_t at,
                                          uint64_t last)
{
  for (uint64_t line = at / LINE_SLOTS; line < last; line++) {
    for (uint64_t k = 0; k < LINE_SLOTS; k++) {
      locus_key_slot *s = &t->slots[line * LINE_SLOTS + (at + k) % LINE_SLOTS];
      if (!s->id || s->key == key) return s;
    }
  }
  return NULL;
}

/* The answer for a row: the place of its key, and its number or first row. */
static inline uint64_t answer(uint64_t place, int32_t id)
{
  return place << 32 | (uint32_t)id;
}

static void insert_slot(key_parts *p, int64_t i, locus_key_slot *s, int32_t *fresh)
{
  if (!s->id) {
    *s = (locus_key_slot){p->keys[i], claim_of(p, p->rows[i])};
    ++*fresh;
  }
  p->keys[i] = answer((uint64_t)(s - p->table->slots), s->id);
}

static void insert_slots(key_parts *p, int64_t part, int64_t begin, int n)
{
  const locus_key_table *t = p->table;
  const uint64_t last = (((uint64_t)part + 1) << p->shift) / LINE_SLOTS;
  uint64_t places[KEY_BLOCK];
  int32_t fresh = 0;

  for (int i = 0; i < n; i++) {
    places[i] = locus_key_place(t, p->keys[begin + i]);
    __builtin_prefetch(&t->slots[places[i]], 1);
  }
  for (int i = 0; i < n; i++) {
    const bool own = places[i] >> p->shift == (uint64_t)part;
    locus_key_slot *s = own ? find_before(t, p->keys[begin + i], places[i], last) : NULL;
    if (s) {
      insert_slot(p, begin + i, s, &fresh);
    } else {
      p->rows[begin + i] = ~p->rows[begin + i];
      p->put_off[part] = true;
    }
  }
  p->fresh[part] += fresh;
}

static void insert_direct(key_parts *p, int64_t part, int64_t begin, int n)
{
  const locus_key_table *t = p->table;
  int32_t fresh = 0;

  for (int64_t i = begin; i < begin + n; i++) {
    const uint64_t at = place_of(t, p->keys[i]);
    if (at >> p->shift != (uint64_t)part) {
      p->rows[i] = ~p->rows[i];
      p->put_off[part] = true;
      continue;
    }
    fresh += !t->direct[at];
    if (!t->direct[at]) t->direct[at] = claim_of(p, p->rows[i]);
    p->keys[i] = answer(at, t->direct[at]);
  }
  p->fresh[part] += fresh;
}

static int insert_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  key_parts *p = *(key_parts *const *)job;

  for (int64_t part = begin * PARTS / p->threads; part < end * PARTS / p->threads; part++) {
    p->fresh[part] = 0;
    p->put_off[part] = false;
    for (int64_t k = 0; k < p->pieces; k++) {
      const int64_t first = k * p->piece, last = first + p->starts[k][part + 1];
      for (int64_t i = first + p->starts[k][part]; i < last; i += KEY_BLOCK) {
        const int n = (int)(last - i < KEY_BLOCK ? last - i : KEY_BLOCK);
        (p->table->direct ? insert_direct : insert_slots)(p, part, i, n);
      }
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* The searches that were put off; returns how many keys are new. */
static int32_t insert_rest(key_parts *p)
{
  const locus_key_table *t = p->table;
  int32_t fresh = 0;
  bool put_off = false;

  for (int part = 0; part < PARTS; part++) {
    fresh += p->fresh[part];
    put_off |= p->put_off[part];
  }
  for (int64_t i = 0; put_off && i < p->count; i++) {
    if (p->rows[i] >= 0) continue;
    p->rows[i] = ~p->rows[i];
    const uint64_t at = place_of(t, p->keys[i]);
    if (!t->direct) {
      insert_slot(p, i, locus_key_find(t, p->keys[i], at), &fresh);
      continue;
    }
    fresh += !t->direct[at];
    if (!t->direct[at]) t->direct[at] = claim_of(p, p->rows[i]);
    p->keys[i] = answer(at, t->direct[at]);
  }
  return fresh;
}

/* -- Numbers of rows --------------------------------------------------------------------------- */

static int64_t piece_end(const key_parts *p, int64_t k)
{
  const int64_t end = (k + 1) * p->piece;
  return end < p->count ? end : p->count;
}

static int spread_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_parts *p = job;

  for (int64_t k = begin; k < end; k++) {
    int32_t count = 0;
    for (int64_t i = k * p->piece; i < piece_end(p, k); i++) {
      const int32_t id = (int32_t)(uint32_t)p->keys[i];
      p->ids[p->rows[i]] = id;
      count += id == ~p->rows[i];
    }
    p->numbers[k] = count;
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int number_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_parts *p = job;
  const int64_t before = p->source->before + p->begin;

  for (int64_t k = begin; k < end; k++) {
    int32_t number = p->numbers[k];
    for (int64_t row = k * p->piece; row < piece_end(p, k); row++) {
      if (p->ids[row] != ~(int32_t)row) continue;
      if (p->firsts) p->firsts[number] = before + row + 1;
      p->ids[row] = ++number;
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int finish_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_parts *p = job;

  for (int64_t k = begin; k < end; k++) {
    for (int64_t row = k * p->piece; row < piece_end(p, k); row++)
      if (p->ids[row] < 0) p->ids[row] = p->ids[~p->ids[row]];
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int settle_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_parts *p = job;
  const locus_key_table *t = p->table;

  for (int64_t part = begin * PARTS / p->threads; part < end * PARTS / p->threads; part++) {
    for (int64_t k = 0; k < p->pieces; k++) {
      const int64_t first = k * p->piece, last = first + p->starts[k][part + 1];
      for (int64_t i = first + p->starts[k][part]; i < last; i++) {
        if ((int32_t)(uint32_t)p->keys[i] != ~p->rows[i]) continue;
        const uint64_t place = p->keys[i] >> 32;
        *(t->direct ? &t->direct[place] : &t->slots[place].id) = p->ids[p->rows[i]];
      }
    }
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int number_rows(key_parts *p, locus_context *cx)
{
  int32_t count = p->table->count;

  LOCUS_TRY(locus_parallel(spread_part, p, p->pieces, 1, cx));
  for (int64_t k = 0; k < p->pieces; k++) {
    const int32_t own = p->numbers[k];
    p->numbers[k] = count;
    count += own;
  }
  if (count == p->table->count) return 0;
  LOCUS_TRY(locus_parallel(number_part, p, p->pieces, 1, cx));
  LOCUS_TRY(locus_parallel(finish_part, p, p->pieces, 1, cx));
  return locus_parallel(settle_part, p, p->threads, 1, cx);
}

int locus_key_parts_number(locus_key_table *t, const key_source *source, int64_t begin,
                           int64_t count, int32_t *ids, locus_tensor *firsts,
                           key_parts_memory *memory, locus_context *cx)
{
  key_parts parts = {.table = t, .source = source, .begin = begin, .count = count, .ids = ids};
  key_parts *const p = &parts;

  p->piece = piece_rows();
  p->threads = locus_cpu_threads() < PARTS ? locus_cpu_threads() : PARTS;
  p->pieces = (count - 1) / p->piece + 1;
  p->shift = shift_of(t);
  LOCUS_TRY(take_memory(p, memory, cx));
  LOCUS_TRY(locus_parallel(scatter_part, p, p->pieces, 1, cx));
  LOCUS_TRY(locus_parallel(insert_part, &p, p->threads, 1, cx));
  const int32_t fresh = insert_rest(p);
  LOCUS_TRY(locus_keys_reserve(t, fresh, source->before + begin, source->before + source->count,
                               firsts, cx));
  p->firsts = firsts ? (int64_t *)firsts->data : NULL;
  if (ids) LOCUS_TRY(number_rows(p, cx));
  t->count += fresh;
  return 0;
}
