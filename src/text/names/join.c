/* SPDX-License-Identifier: MIT */
/* A join by counting. The rows of the other side are sorted by their number, stably, with a table
** of counts for each piece of them; then the own side's rows are counted, and filled in where those
** before them end:
**
**   others   2 1 | 2 3      counts  0 1 1 0 | 0 0 1 1      order  2 | 1 3 | 4     (by number)
**   own      3 2 | 0 2      pairs   1 + 2   | 0 + 2        before 0 | 3
**   rows     1 2 2 | 4 4    matched 4 1 3 | 1 3
**
** Invariant: each piece of rows writes where the pieces before it end, so that pairs come in the
** order of the rows, however they are cut. */
#include "text/names/join.h"

#include <string.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/once.h"
#include "core/parallel.h"

/* ROWS: of the own side in a block, at most. TABLE: bytes of counts for each thread. */
enum { ROWS = 1 << 14, BLOCKS = 1 << 8, KEYS = 1 << 14, TABLE = 1 << 23, POLL = 1 << 16 };

typedef struct joining {
  const locus_join *join;
  int64_t pieces, piece;     /* of the other side's rows */
  int64_t blocks, block;     /* of the own side's */
  int64_t spans;             /* of numbers */
  uint32_t *counts;          /* of each number in each piece; later where its rows go on */
  uint32_t *order;           /* the other side's rows, counted from 0, by number */
  int64_t *before, *spanned; /* pairs before a block; rows of the numbers before a span */
  int64_t *rows, *matched;
} joining;

static int64_t at_most(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* -- The other side by number ------------------------------------------------------------------ */

static int count_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;
  const uint32_t count = (uint32_t)j->join->count;

  for (int64_t p = begin; p < end; p++) {
    uint32_t *const counts = j->counts + p * j->join->count;
    const int64_t last = at_most(j->join->other_rows, (p + 1) * j->piece);
    memset(counts, 0, (size_t)count * sizeof *counts);
    for (int64_t i = p * j->piece; i < last; i++) {
      const uint32_t number = (uint32_t)LOCUS_ONCE(j->join->others[i]) - 1;
      if (number >= count) return locus_fail_changed(cx, "ids");
      counts[number]++;
      if (i % POLL == 0) LOCUS_TRY(locus_poll(cx));
    }
  }
  return 0;
}

static int span_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;
  const int64_t count = j->join->count;

  for (int64_t s = begin; s < end; s++) {
    int64_t sum = 0;
    for (int64_t p = 0; p < j->pieces; p++)
      for (int64_t k = s * KEYS; k < at_most(count, (s + 1) * KEYS); k++)
        sum += j->counts[p * count + k];
    j->spanned[s] = sum;
  }
  return locus_poll(cx);
}

/* Counts become the places of the first rows. */
static int place_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;
  const int64_t count = j->join->count;

  for (int64_t s = begin; s < end; s++) {
    uint32_t place = (uint32_t)j->spanned[s];
    for (int64_t k = s * KEYS; k < at_most(count, (s + 1) * KEYS); k++) {
      for (int64_t p = 0; p < j->pieces; p++) {
        uint32_t *const at = &j->counts[p * count + k], own = *at;
        *at = place;
        place += own;
      }
    }
  }
  return locus_poll(cx);
}

static int order_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;
  const uint32_t count = (uint32_t)j->join->count;
  const int64_t rows = j->join->other_rows;

  for (int64_t p = begin; p < end; p++) {
    uint32_t *const next = j->counts + p * j->join->count;
    for (int64_t i = p * j->piece; i < at_most(rows, (p + 1) * j->piece); i++) {
      const uint32_t number = (uint32_t)LOCUS_ONCE(j->join->others[i]) - 1;
      if (number >= count || next[number] >= rows) return locus_fail_changed(cx, "ids");
      j->order[next[number]++] = (uint32_t)i;
      if (i % POLL == 0) LOCUS_TRY(locus_poll(cx));
    }
  }
  return 0;
}

static void sum_up(int64_t *sums, int64_t count)
{
  int64_t sum = 0;

  for (int64_t k = 0; k < count; k++) {
    const int64_t own = sums[k];
    sums[k] = sum;
    sum += own;
  }
  sums[count] = sum;
}

static int sort_others(joining *j, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(count_part, j, j->pieces, 1, cx));
  LOCUS_TRY(locus_parallel(span_part, j, j->spans, 4, cx));
  sum_up(j->spanned, j->spans);
  LOCUS_TRY(locus_parallel(place_part, j, j->spans, 4, cx));
  return locus_parallel(order_part, j, j->pieces, 1, cx);
}

/* -- Pairs ------------------------------------------------------------------------------------- */

/* The rows of the other side with that number: their count, and where they begin in the order. When
** all are in order, a number's rows end where the last piece would go on, and the next number's
** begin there. */
static inline int64_t matches(const joining *j, uint32_t number, int64_t *first)
{
  const uint32_t *const ends = j->counts + (j->pieces - 1) * j->join->count;

  *first = 0;
  if (number == 0) return 0;
  *first = number > 1 ? ends[number - 2] : 0;
  return ends[number - 1] - *first;
}

/* The pairs of n rows; -1 if one has no number of these. */
static int64_t count_pairs(const joining *j, const int32_t *own, int64_t n)
{
  const uint32_t count = (uint32_t)j->join->count;
  const int32_t all = j->join->all;
  int64_t pairs = 0, first;

  for (int64_t i = 0; i < n; i++) {
    const uint32_t number = (uint32_t)LOCUS_ONCE(own[i]);
    if (number > count) return -1;
    if (j->join->others) {
      const int64_t found = matches(j, number, &first);
      pairs += found ? found : all;
    } else {
      pairs += (number > 0) | all;
    }
  }
  return pairs;
}

static int pairs_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;

  for (int64_t b = begin; b < end; b++) {
    const int64_t at = b * j->block, last = at_most(j->join->own_rows, at + j->block);
    j->before[b] = count_pairs(j, j->join->own + at, last - at);
    if (j->before[b] < 0) return locus_fail_changed(cx, "ids");
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* The pairs of one row, from `at` on. */
static int fill_row(const joining *j, int64_t row, int64_t first, int64_t count, int64_t at,
                    locus_context *cx)
{
  if (count == 0) {
    j->rows[at] = row + 1;
    j->matched[at] = 0;
    return 0;
  }
  for (int64_t k = 0; k < count; k++) {
    j->rows[at + k] = row + 1;
    j->matched[at + k] = (int64_t)j->order[first + k] + 1;
    if (k % POLL == POLL - 1) LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* The pairs of a block, which end at `end`; -1 if they would end elsewhere. */
static int fill_block(const joining *j, int64_t row, int64_t last, int64_t at, int64_t end,
                      locus_context *cx)
{
  const uint32_t count = (uint32_t)j->join->count;
  int64_t first;

  for (; row < last; row++) {
    const uint32_t number = (uint32_t)LOCUS_ONCE(j->join->own[row]);
    if (number > count) return locus_fail_changed(cx, "ids");
    const int64_t own = matches(j, number, &first), pairs = own ? own : j->join->all;
    if (pairs > end - at) return locus_fail_changed(cx, "ids");
    if (pairs) LOCUS_TRY(fill_row(j, row, first, own, at, cx));
    at += pairs;
  }
  return at < end ? locus_fail_changed(cx, "ids") : 0;
}

/* The same where a number is a row: each row is written, and stays where it has a pair. */
static int fill_single(const joining *j, int64_t row, int64_t last, int64_t at, int64_t end,
                       locus_context *cx)
{
  const int32_t *const own = j->join->own;
  const int64_t all = j->join->all;
  int64_t *const rows = j->rows, *const matched = j->matched;

  for (; row < last && at < end; row++) {
    const int32_t number = LOCUS_ONCE(own[row]);
    rows[at] = row + 1;
    matched[at] = number;
    at += (number != 0) | all;
  }
  return at < end ? locus_fail_changed(cx, "ids") : 0;
}

static int fill_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const joining *j = job;

  for (int64_t b = begin; b < end; b++) {
    const int64_t row = b * j->block, last = at_most(j->join->own_rows, row + j->block);
    LOCUS_TRY((j->join->others ? fill_block : fill_single)(j, row, last, j->before[b],
                                                           j->before[b + 1], cx));
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* -- The join ---------------------------------------------------------------------------------- */

static void lay_out(joining *j)
{
  const locus_join *join = j->join;
  const bool small = locus_small_pieces();
  const int64_t least = small ? 4 : ROWS, threads = locus_cpu_threads();
  const int64_t tables = threads * TABLE / ((join->count + 1) * (int64_t)sizeof *j->counts);

  j->pieces = at_most(at_most(threads, tables), join->other_rows / least);
  if (!join->others || j->pieces < 1) j->pieces = 1;
  j->piece = join->others ? (join->other_rows - 1) / j->pieces + 1 : 0;
  j->block = at_most(least, join->own_rows / BLOCKS + 1);
  j->blocks = (join->own_rows + j->block - 1) / j->block;
  j->spans = join->others ? (join->count + KEYS - 1) / KEYS : 0;
}

/* Whether there is so little to do that this thread does it. */
static int64_t grain_of(const joining *j, int64_t pairs)
{
  const bool few = !locus_small_pieces() && j->join->own_rows + pairs < ROWS;
  return few ? j->blocks : 1;
}

static int join_rows(joining *j, int64_t most, int64_t *total, locus_tensor *rows,
                     locus_tensor *matched, locus_context *cx)
{
  if (j->join->others) LOCUS_TRY(sort_others(j, cx));
  LOCUS_TRY(locus_parallel(pairs_part, j, j->blocks, grain_of(j, 0), cx));
  sum_up(j->before, j->blocks);
  *total = j->before[j->blocks];
  if (*total > most) return 0;
  LOCUS_TRY(locus_tensor_resize(rows, *total, cx));
  LOCUS_TRY(locus_tensor_resize(matched, *total, cx));
  j->rows = (int64_t *)rows->data;
  j->matched = (int64_t *)matched->data;
  return locus_parallel(fill_part, j, j->blocks, grain_of(j, *total), cx);
}

int locus_join_rows(const locus_join *join, int64_t most, int64_t *total, locus_tensor *rows,
                    locus_tensor *matched, locus_context *cx)
{
  joining joined = {.join = join};
  joining *const j = &joined;

  lay_out(j);
  const int64_t sums = j->blocks + j->spans + 2;
  const int64_t counts = join->others ? j->pieces * join->count : 0;
  const int64_t ordered = join->others ? join->other_rows : 0;
  const int64_t bytes =
      sums * (int64_t)sizeof *j->before + (counts + ordered) * (int64_t)sizeof *j->counts;
  j->before = locus_memory_alloc(bytes);
  if (!j->before) return locus_fail_memory(cx, bytes);
  j->spanned = j->before + j->blocks + 1;
  j->counts = (uint32_t *)(j->before + sums);
  j->order = join->others ? j->counts + counts : NULL;
  const int status = join_rows(j, most, total, rows, matched, cx);
  locus_memory_free(j->before, bytes);
  return status;
}
