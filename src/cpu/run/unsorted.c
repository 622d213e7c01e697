/* SPDX-License-Identifier: MIT */
/* Runner of unsorted: threads look at pieces of a row in its order. */
#include <stdatomic.h>

#include "cpu/order/rank.h"
#include "cpu/search/row.h"

enum { UNSORTED_RUN = 512 }; /* elements that are looked at together */

#define TEMPLATE "cpu/order/unsorted.inc"
#include "cpu/block/each_real.h"

typedef int64_t unsorted_row(const search_row *r, int64_t begin, int64_t end, bool descending);
static unsorted_row *const unsorted_rows[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = unsorted_row_##id,
#include "core/dtype.def"
};

typedef struct row_scan {
  const locus_unsorted_job *job;
  const search_row *row;
  atomic_int_fast64_t *first; /* place that is out of order among those that were looked at */
} row_scan;

static int scan_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const row_scan *scan = given;
  const locus_unsorted_job *job = scan->job;

  for (int64_t j = begin; j < end && j < atomic_load(scan->first); j += DIRECT_BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    const int64_t stop = least(end, j + DIRECT_BLOCK), from = j == 0 ? 1 : j;
    const int64_t at = unsorted_rows[job->sequence.dtype](scan->row, from, stop, job->descending);
    if (at == stop) continue;
    int_fast64_t before = atomic_load(scan->first);
    while (at < before && !atomic_compare_exchange_weak(scan->first, &before, at)) continue;
    return 0;
  }
  return 0;
}

int ISA(unsorted)(const locus_unsorted_job *job, locus_context *cx)
{
  search_row r = {.n = job->n,
                  .sequence = &job->sequence,
                  .step = job->sequence_step,
                  .order = &job->sorter,
                  .sorter_step = job->sorter_step,
                  .base = job->base};
  atomic_int_fast64_t first;
  const row_scan scan = {job, &r, &first};
  walk w;

  *job->position = -1;
  if (job->n < 2) return 0;
  walk_begin(&w, &job->rows, NULL, 0);
  w.most = 1;
  while (walk_next(&w)) {
    row_move(&r, &job->rows, job->rows.ndim, w.at);
    atomic_init(&first, job->n);
    LOCUS_TRY(locus_parallel(scan_part, &scan, job->n, SLOW_GRAIN, cx));
    const int64_t at = atomic_load(&first);
    if (at == job->n) continue;
    *job->position = w.at * job->n + at;
    return 0;
  }
  return 0;
}
