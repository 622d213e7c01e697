/* SPDX-License-Identifier: MIT */
/* Runner of unsorted: reads each row in its order. */
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

int ISA(unsorted)(const locus_unsorted_job *job, locus_context *cx)
{
  search_row r = {.n = job->n,
                  .sequence = &job->sequence,
                  .step = job->sequence_step,
                  .order = &job->sorter,
                  .sorter_step = job->sorter_step,
                  .base = job->base};
  walk w;

  *job->position = -1;
  if (job->n < 2) return 0;
  walk_begin(&w, &job->rows, NULL, 0);
  w.most = 1;
  while (walk_next(&w)) {
    row_move(&r, &job->rows, job->rows.ndim, w.at);
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
