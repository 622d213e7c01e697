/* SPDX-License-Identifier: MIT */
/* Runners of searchsorted and unsorted: a block of values becomes keys of the sequence's dtype,
** and a binary search finds each key in its row. */
#include "cpu/block.h"
#include "cpu/exact.h"
#include "cpu/rank.h"

/* One row of the sequence, in the order of its sorter where there is one. */
typedef struct search_row {
  int64_t n, step, sorter_step, base;
  const char *elements, *sorter; /* sorter NULL: none */
  bool sorter_is_i64;            /* else i32 */
} search_row;

/* Where element j of the row lies, counted from its first one in memory. */
static inline int64_t row_place(const search_row *r, int64_t j)
{
  if (!r->sorter) return j * r->step;
  const int64_t at = j * r->sorter_step;
  const int64_t *wide = (const int64_t *)r->sorter;
  const int32_t *narrow = (const int32_t *)r->sorter;
  return ((r->sorter_is_i64 ? wide[at] : narrow[at]) - r->base) * r->step;
}

/* Moves the row to where a walk stands. */
static void row_move(search_row *r, const walk *w, const locus_operand *sequence,
                     const locus_operand *order)
{
  r->elements = operand_at(w, sequence, locus_dtype_size(sequence->dtype));
  if (!order->data) return;
  r->sorter = operand_at(w, order, locus_dtype_size(order->dtype));
  r->sorter_is_i64 = order->dtype == LOCUS_i64;
}

#define TEMPLATE "cpu/search_key.inc"
#include "cpu/each_real.h"
#define TEMPLATE "cpu/searchsorted.inc"
#include "cpu/each_real.h"

typedef void make_keys(void *keys, bool *inclusive, const void *values, int64_t n, bool right);
typedef void count_row(const search_row *r, const void *keys, const bool *inclusive, int64_t n,
                       int64_t *counts);
typedef int64_t unsorted_row(const search_row *r, int64_t begin, int64_t end, bool descending);

/* By the sequence's dtype. */
static make_keys *const makers_from_f64[LOCUS_DTYPES] = BY_REAL(keys_from_f64);
static make_keys *const makers_from_i64[LOCUS_DTYPES] = BY_REAL(keys_from_i64);
static count_row *const count_rows[LOCUS_DTYPES] = BY_REAL(count_row);
static unsorted_row *const unsorted_rows[LOCUS_DTYPES] = BY_REAL(unsorted_row);

/* The answers of one side for a block of values, loaded as f64 or i64: row by row, counts, from
** the end where asked, plus base. */
static void search_block(const locus_search_job *job, const walk *w, const char *values, bool right,
                         int64_t *answers)
{
  const bool floats = locus_dtype_kind(job->values.dtype) == LOCUS_FLOAT;
  const int inner = job->grid.ndim - 1;
  make_keys *const keys_of = (floats ? makers_from_f64 : makers_from_i64)[job->sequence.dtype];
  count_row *const count = count_rows[job->sequence.dtype];
  _Alignas(64) char keys[BLOCK * 8];
  bool inclusive[BLOCK];
  search_row r = {.n = job->n, .base = job->base};
  walk at = *w;

  r.step = job->sequence_step;
  r.sorter_step = job->sorter_step;
  for (int64_t done = 0; done < w->count; done += at.count) {
    if (done) walk_advance(&at);
    at.count = least(w->count - done, job->grid.size[inner] - at.index[inner]);
    row_move(&r, &at, &job->sequence, &job->sorter);
    keys_of(keys, inclusive, values + done * 8, at.count, right);
    count(&r, keys, inclusive, at.count, answers + done);
  }
  for (int64_t i = 0; i < w->count; i++)
    answers[i] = job->base + (job->from_end ? job->n - answers[i] : answers[i]);
}

static int searchsorted(const locus_search_job *job, locus_context *cx)
{
  const bool floats = locus_dtype_kind(job->values.dtype) == LOCUS_FLOAT;
  stream values, left, right;
  walk w;

  stream_open(&values, &job->grid, &job->values, floats ? LOCUS_f64 : LOCUS_i64);
  if (job->has_left) stream_open(&left, &job->grid, &job->left, LOCUS_i64);
  if (job->has_right) stream_open(&right, &job->grid, &job->right, LOCUS_i64);
  walk_begin(&w, &job->grid, NULL, 0);
  w.most = BLOCK; /* keys have buffers */
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *block = stream_read(&values, &w);
    if (job->has_left) {
      search_block(job, &w, block, false, stream_target(&left, &w));
      stream_write(&left, &w);
    }
    if (job->has_right) {
      search_block(job, &w, block, true, stream_target(&right, &w));
      stream_write(&right, &w);
    }
  }
  return 0;
}

static int unsorted(const locus_unsorted_job *job, locus_context *cx)
{
  search_row r = {.n = job->n, .base = job->base};
  walk w;

  *job->position = -1;
  if (job->n < 2) return 0;
  r.step = job->sequence_step;
  r.sorter_step = job->sorter_step;
  walk_begin(&w, &job->rows, NULL, 0);
  w.most = 1;
  while (walk_next(&w)) {
    row_move(&r, &w, &job->sequence, &job->sorter);
    for (int64_t j = 1; j < job->n; j += DIRECT_BLOCK) {
      LOCUS_TRY(locus_poll(cx));
      int64_t end = least(job->n, j + DIRECT_BLOCK);
      int64_t at = unsorted_rows[job->sequence.dtype](&r, j, end, job->descending);
      if (at < end) {
        *job->position = w.at * job->n + at;
        return 0;
      }
    }
  }
  return 0;
}
