/* SPDX-License-Identifier: MIT */
/* Rows are numbered in rounds, one behind the other. Where few keys are new, all threads look their
** rows up in the one table, which nobody changes meanwhile; then this thread adds the rows that
** found nothing, in their order:
**
**   rows     | turn 0     | turn 1     | turn 2     | ...      threads take turns
**   ids      | 3 1 1 2 3  | 1 0 2 2 3  | 2 3 1 0 1  | ...      0: not there, added behind the round
**
** So keys lie in memory once, and the numbers are those of the order of first appearance whatever
** the number of threads. Where many rows have a new key, they are numbered by partitions
** (key_parts.h) if there are slots, by bits (key_bits.h) if there is a range; the bits often pay
** with one thread, too.
**
** Whether keys are many shows in the last round. Rounds double while they are few. Measured on two
** cores with 4 million int64 in slots, against one thread: 1e4 names take .60 of the time and 5e5
** names .64 to .70, with 1.1 to 1.2 of its processor time.
**
** Two other ways took longer. All threads were also tried on one table, with priority writes of the
** least row. 5e5 names in a range took 1.5 times as long as one thread alone, and in slots .83 of
** it, because two cores wrote to the same lines of memory. Tables for each piece of rows, joined
** and with their ids renamed, took 1.3 times as long in a range of 5e5 names, with 2.4 times the
** processor time. Every thread would also hold all names. */
#include "text/names/key_share.h"

#include "core/device.h"
#include "core/parallel.h"
#include "text/names/key_bits.h"
#include "text/names/key_blocks.h"
#include "text/names/key_parts.h"
#include "text/names/key_rows.h"

enum { LEAST = 1 << 15, LEAST_IN_TESTS = 1 << 3 }; /* rows that are shared */
/* Rows that are looked up at once, and how many rounds of the least size the largest one is. */
enum { ROUND = 1 << 16, ROUND_IN_TESTS = 1 << 6, MOST_ROUNDS = 1 << 6 };
enum { TURN = 1 << 13, TURN_IN_TESTS = 1 << 4, MOST_TURNS = ROUND / TURN * MOST_ROUNDS };
/* There are many keys if at least one row in this many has a new one. */
enum { MANY_IN_SLOTS = 2, MANY_IN_RANGE = 16, MOST_PLACES = 1 << 30 };

typedef struct key_share {
  locus_key_table *table;
  const key_source *source;
  int32_t *ids;               /* of the rows from begin on */
  int64_t begin, end;         /* the rows of a round */
  bool many, nearly_all, all; /* rows of the round before had a new key */
  int64_t turn;
  bool lacks[MOST_TURNS]; /* whether rows of a turn have no number */
} key_share;

bool locus_keys_may_share(const locus_key_table *t, int64_t rows)
{
  const uint64_t places = t->direct ? t->range : (uint64_t)1 << t->bits;
  const int64_t least = locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
  return (locus_cpu_threads() > 1 || t->direct) && rows >= least && places < MOST_PLACES;
}

/* -- Few new keys ------------------------------------------------------------------------------ */

/* The numbers of the rows of some turns, 0 where keys have none yet. */
static int look_up_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  key_share *share = *(key_share *const *)job;
  uint64_t loaded[KEY_BLOCK];
  bool strays = false;

  for (int64_t k = begin; k < end; k++) {
    const int64_t first = share->begin + k * share->turn, past = first + share->turn;
    const int64_t last = past < share->end ? past : share->end;
    bool lacks = false;
    for (int64_t row = first; row < last; row += KEY_BLOCK) {
      const int n = (int)(last - row < KEY_BLOCK ? last - row : KEY_BLOCK);
      int32_t *const ids = share->ids + (row - share->begin);
      const uint64_t *keys = locus_source_keys(share->source, row, n, loaded, &strays);
      if (strays) return locus_keys_fail_stray(share->source, row, n, cx);
      lacks |= locus_keys_find(share->table, keys, n, ids);
    }
    share->lacks[k] = lacks;
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* Numbers those of n rows from `row` on that have none. */
static int add_rows(const key_share *share, int64_t row, int n, locus_tensor *firsts,
                    locus_context *cx)
{
  const key_source *source = share->source;
  const int64_t before = source->before + row;
  int32_t *const ids = share->ids + (row - share->begin), at[KEY_BLOCK], added[KEY_BLOCK];
  uint64_t loaded[KEY_BLOCK], keys[KEY_BLOCK];
  bool strays = false;
  int count = 0;

  for (int i = 0; i < n; i++) {
    at[count] = i;
    count += ids[i] == 0;
  }
  if (count == 0) return 0;
  const uint64_t *all = locus_source_keys(source, row, n, loaded, &strays);
  if (strays) return locus_keys_fail_stray(source, row, n, cx);
  for (int k = 0; k < count; k++) keys[k] = LOCUS_ONCE(all[at[k]]);
  LOCUS_TRY(locus_keys_reserve(share->table, count, before, before + source->count, firsts, cx));
  const int32_t known = share->table->count;
  int64_t *const first = firsts ? (int64_t *)firsts->data : NULL;
  (share->table->direct ? locus_keys_add_direct : locus_keys_add)(share->table, keys, count, added,
                                                                  0, first);
  for (int64_t i = known; first && i < share->table->count; i++)
    first[i] = before + at[first[i]] + 1;
  for (int k = 0; k < count; k++) ids[at[k]] = added[k];
  return 0;
}

/* A round: all threads look up, this one adds in the order of the rows. */
static int look_up(key_share *share, locus_tensor *firsts, locus_context *cx)
{
  const int64_t rows = share->end - share->begin, turns = (rows - 1) / share->turn + 1;

  LOCUS_TRY(locus_parallel(look_up_part, &share, turns, 1, cx));
  for (int64_t k = 0; k < turns; k++) {
    const int64_t first = share->begin + k * share->turn, past = first + share->turn;
    const int64_t last = past < share->end ? past : share->end;
    if (k % 16 == 0) LOCUS_TRY(locus_poll(cx));
    for (int64_t row = first; share->lacks[k] && row < last; row += KEY_BLOCK) {
      const int n = (int)(last - row < KEY_BLOCK ? last - row : KEY_BLOCK);
      LOCUS_TRY(add_rows(share, row, n, firsts, cx));
    }
  }
  return 0;
}

/* -- Many new keys ----------------------------------------------------------------------------- */

/* A round by partitions, of as many rows as there is room for in the table. */
static int number_parts(key_share *share, int32_t *ids, locus_tensor *firsts,
                        key_parts_memory *memory, locus_context *cx)
{
  const key_source *source = share->source;
  const int64_t before = source->before + share->begin, rest = source->count - share->begin;
  const int64_t most = locus_key_parts_most(locus_cpu_threads());
  const int64_t wanted = rest < most ? rest : most;

  while (locus_key_room(share->table) < (wanted < ROUND ? wanted : ROUND))
    LOCUS_TRY(locus_key_table_grow(share->table, before, before + rest + source->behind, cx));
  const int64_t room = locus_key_room(share->table);
  share->end = share->begin + (wanted < room ? wanted : room);
  return locus_key_parts_number(share->table, source, share->begin, share->end - share->begin,
                                ids ? ids + share->begin : NULL, firsts, memory, cx);
}

/* Whether bits pay. One thread reads keys three times for them, which costs more than it saves
** where keys must be widened each time, or the range is wide. Where nobody asks for answers, and
** all keys are new, no branch has to guess without bits either. */
static bool bits_pay(const key_share *share, bool answers)
{
  const key_source *source = share->source;
  const bool as_they_are = !source->digits && locus_dtype_kind(source->dtype) == LOCUS_INTEGER &&
                           locus_dtype_size(source->dtype) == 8;
  const bool near = share->table->range <= (uint64_t)source->count;

  return (locus_cpu_threads() > 1 || (as_they_are && near)) && (answers || !share->all) &&
         locus_key_bits_most(share->table) > 0;
}

/* Rows of a range by bits: as many as there have been, or all that are left where nearly every key
** was new. */
static int number_bits(key_share *share, int32_t *ids, locus_tensor *firsts, locus_context *cx)
{
  const int64_t rest = share->source->count - share->begin;
  const int64_t most = locus_key_bits_most(share->table);
  int64_t rows = share->source->before + share->begin;

  if (rows < share->end - share->begin) rows = share->end - share->begin;
  if (share->nearly_all || rows > rest) rows = rest;
  if (rows > most) rows = most;
  share->end = share->begin + rows;
  return locus_key_bits_number(share->table, share->source, share->begin, rows,
                               ids ? ids + share->begin : NULL, firsts, cx);
}

/* A round by this thread alone. */
static int number_alone(key_share *share, int32_t *ids, locus_tensor *firsts, locus_context *cx)
{
  int64_t row = share->begin;
  return locus_keys_number(share->table, share->source, &row, share->end, ids, firsts, cx);
}

static int number_round(key_share *share, int32_t *ids, locus_tensor *firsts,
                        key_parts_memory *memory, locus_context *cx)
{
  const bool adds = share->many || !ids;

  if (share->table->direct && adds && bits_pay(share, ids != NULL))
    return number_bits(share, ids, firsts, cx);
  if (locus_cpu_threads() == 1 || (share->table->direct && adds))
    return number_alone(share, ids, firsts, cx);
  if (adds) return number_parts(share, ids, firsts, memory, cx);
  share->ids = ids + share->begin;
  return look_up(share, firsts, cx);
}

/* `rows` rows had `fresh` new keys. */
static void look_back(key_share *share, int64_t fresh, int64_t rows)
{
  const int64_t rare = share->table->direct ? MANY_IN_RANGE : MANY_IN_SLOTS;

  share->many = rare * fresh > rows;
  share->nearly_all = 4 * fresh > 3 * rows;
  share->all = fresh == rows;
}

static int number_rounds(key_share *share, int64_t *row, int32_t *ids, locus_tensor *firsts,
                         key_parts_memory *memory, locus_context *cx)
{
  const locus_key_table *t = share->table;
  const int64_t count = share->source->count, least = locus_small_pieces() ? ROUND_IN_TESTS : ROUND;
  int64_t size = least;

  look_back(share, t->count, share->source->before + *row);
  if (t->direct) share->many = share->nearly_all; /* of few rows, which have most of the new keys */
  for (; *row < count && locus_keys_may_share(t, LEAST); *row = share->end) {
    const int32_t known = t->count;
    share->begin = *row;
    share->end = *row + size < count ? *row + size : count;
    LOCUS_TRY(number_round(share, ids, firsts, memory, cx));
    look_back(share, t->count - known, share->end - share->begin);
    size = share->many ? least : size < least * MOST_ROUNDS ? 2 * size : size;
  }
  return 0;
}

int locus_keys_share(locus_key_table *t, const key_source *source, int64_t *row, int32_t *ids,
                     locus_tensor *firsts, locus_context *cx)
{
  key_share share = {.table = t, .source = source};
  key_parts_memory memory = {0};

  share.turn = locus_small_pieces() ? TURN_IN_TESTS : TURN;
  const int status = number_rounds(&share, row, ids, firsts, &memory, cx);
  locus_key_parts_end(&memory);
  return status;
}
