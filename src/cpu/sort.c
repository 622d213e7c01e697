/* SPDX-License-Identifier: MIT */
/* Runner of sort: each row becomes ranks, which are sorted together with their positions, by
** insertion when there are few, else digit by digit from the lowest (radix). */
#include "cpu/block.h"
#include "cpu/rank.h"

#define TEMPLATE "cpu/ranks.inc"
#include "cpu/each_real.h"

#define WIDTH 1
#include "cpu/sort.inc"
#undef WIDTH
#define WIDTH 2
#include "cpu/sort.inc"
#undef WIDTH
#define WIDTH 4
#include "cpu/sort.inc"
#undef WIDTH
#define WIDTH 8
#include "cpu/sort.inc"
#undef WIDTH

enum { FEW = 64, CHUNK = 64 * 1024 }; /* elements: the longest insertion sort; between two polls */

/* What depends on the width of a rank, which is that of an element. */
typedef struct by_width {
  void (*insertion_sort)(void *ranks, int64_t *index, int64_t n);
  void (*count_digits)(const void *ranks, int64_t n, int64_t (*counts)[256]);
  void (*distribute)(void *ranks, int64_t *index, const void *from_ranks, const int64_t *from_index,
                     int64_t n, int d, int64_t *place);
  void (*pick)(void *out, int64_t step, const void *elements, const int64_t *index, int64_t n);
} by_width;

#define BY_WIDTH(width) \
  {insertion_sort_##width, count_digits_##width, distribute_##width, pick_##width}
static const by_width by_widths[] = {
    [1] = BY_WIDTH(1), [2] = BY_WIDTH(2), [4] = BY_WIDTH(4), [8] = BY_WIDTH(8)};

typedef void rank_run(void *out, const void *in, int64_t n, bool descending);
static rank_run *const rank_runs[LOCUS_DTYPES] = BY_REAL(rank_run);

/* A row being sorted: its elements side by side, and ranks and positions, now in one pair of
** arrays, now in the other. */
typedef struct sorting {
  const locus_sort_job *job;
  by_width by;
  int64_t item;
  char *row, *ranks, *spare_ranks;
  int64_t *index, *spare_index;
  int64_t counts[8][256];
} sorting;

/* Reads a row, and counts the digits of its ranks where that will be needed. */
static int read_row(sorting *s, const char *data, locus_context *cx)
{
  const locus_sort_job *job = s->job;

  if (job->n > FEW) memset(s->counts, 0, (size_t)s->item * sizeof s->counts[0]);
  for (int64_t at = 0, n; at < job->n; at += n) {
    LOCUS_TRY(locus_poll(cx));
    n = least(CHUNK, job->n - at);
    char *elements = s->row + at * s->item, *ranks = s->ranks + at * s->item;
    gather_run(elements, data + at * job->in_step * s->item, job->in_step, n, s->item);
    rank_runs[job->in.dtype](ranks, elements, n, job->descending);
    for (int64_t i = at; i < at + n; i++) s->index[i] = i;
    if (job->n > FEW) s->by.count_digits(ranks, n, s->counts);
  }
  return 0;
}

/* Counts become places: each digit's first. False when all ranks share one digit. */
static bool find_places(int64_t *counts, int64_t n)
{
  int64_t place = 0;
  for (int v = 0; v < 256; v++) {
    int64_t count = counts[v];
    if (count == n) return false;
    counts[v] = place;
    place += count;
  }
  return true;
}

static int radix_sort(sorting *s, locus_context *cx)
{
  const int64_t n = s->job->n;

  for (int d = 0; d < s->item; d++) {
    if (!find_places(s->counts[d], n)) continue;
    for (int64_t at = 0; at < n; at += CHUNK) {
      LOCUS_TRY(locus_poll(cx));
      s->by.distribute(s->spare_ranks, s->spare_index, s->ranks + at * s->item, s->index + at,
                       least(CHUNK, n - at), d, s->counts[d]);
    }
    char *ranks = s->ranks;
    int64_t *index = s->index;
    s->ranks = s->spare_ranks;
    s->index = s->spare_index;
    s->spare_ranks = ranks;
    s->spare_index = index;
  }
  return 0;
}

static int write_row(const sorting *s, char *values, int64_t *positions, locus_context *cx)
{
  const locus_sort_job *job = s->job;

  for (int64_t at = 0, n; at < job->n; at += n) {
    LOCUS_TRY(locus_poll(cx));
    n = least(CHUNK, job->n - at);
    if (values) {
      s->by.pick(values + at * job->values_step * s->item, job->values_step, s->row,
                 s->index + at, n);
    }
    for (int64_t i = at; positions && i < at + n; i++)
      positions[i * job->index_step] = s->index[i] + job->base;
  }
  return 0;
}

static int sort_rows(sorting *s, locus_context *cx)
{
  const locus_sort_job *job = s->job;
  const char *only = (const char *)&job->in.value;
  walk w;

  walk_begin(&w, &job->rows, NULL, 0);
  w.most = 1;
  while (walk_next(&w)) {
    char *values = job->has_values ? operand_at(&w, &job->values, s->item) : NULL;
    char *positions = job->has_index ? operand_at(&w, &job->index, 8) : NULL;
    LOCUS_TRY(read_row(s, job->in.data ? operand_at(&w, &job->in, s->item) : only, cx));
    if (job->n > FEW) LOCUS_TRY(radix_sort(s, cx));
    else s->by.insertion_sort(s->ranks, s->index, job->n);
    LOCUS_TRY(write_row(s, values, (int64_t *)positions, cx));
  }
  return 0;
}

static int sort(const locus_sort_job *job, locus_context *cx)
{
  const int64_t item = locus_dtype_size(job->in.dtype), n = job->n;
  const int64_t bytes = n * (2 * 8 + 3 * item);
  sorting s;

  if (n == 0 || job->rows.numel == 0) return 0;
  char *block = locus_memory_alloc(bytes);
  if (!block) return locus_fail_memory(cx, bytes);
  s.job = job;
  s.by = by_widths[item];
  s.item = item;
  s.index = (int64_t *)block;
  s.spare_index = s.index + n;
  s.ranks = block + 16 * n;
  s.spare_ranks = s.ranks + n * item;
  s.row = s.spare_ranks + n * item;
  int status = sort_rows(&s, cx);
  locus_memory_free(block, bytes);
  return status;
}
