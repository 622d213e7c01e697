/* SPDX-License-Identifier: MIT */
/* Runner of asof: one walk through values and rows together, which keeps the last row that it has
** met of each group. Threads share the values; each walks to its values from the end of the
** rows. */
#include "core/once.h"
#include "cpu/block/block.h"

/* The last row that was met of each group, and the progress of the walk. */
typedef struct rows_met {
  int64_t *row;
  int64_t at;
} rows_met;

/* The last row so far of a group. Numbers of groups have been checked, but others may write to
** their memory: a number that is wrong now means no group. */
static ALWAYS_INLINE int64_t *row_met(const locus_asof_job *job, const rows_met *met,
                                      const int32_t *group)
{
  const int64_t g = LOCUS_ONCE(*group);
  return &met->row[g >= 0 && g <= job->groups ? g : 0];
}

static void backward(const locus_asof_job *job, rows_met *met, int64_t begin, int64_t end)
{
  for (int64_t i = begin; i < end; i++) {
    for (; met->at < job->limits[i]; met->at++)
      *row_met(job, met, job->of_rows + met->at) = met->at;
    job->out[i] = job->base + *row_met(job, met, job->of_values + i);
  }
}

static void forward(const locus_asof_job *job, rows_met *met, int64_t begin, int64_t end)
{
  for (int64_t i = end - 1; i >= begin; i--) {
    for (; met->at > job->limits[i]; met->at--)
      *row_met(job, met, job->of_rows + met->at - 1) = met->at - 1;
    job->out[i] = job->base + *row_met(job, met, job->of_values + i);
  }
}

static int walk_values(const locus_asof_job *job, rows_met *met, int64_t begin, int64_t end,
                       locus_context *cx)
{
  while (begin < end) {
    const int64_t count = least(end - begin, DIRECT_BLOCK);
    LOCUS_TRY(locus_poll(cx));
    if (job->forward) forward(job, met, end - count, end), end -= count;
    else backward(job, met, begin, begin + count), begin += count;
  }
  return 0;
}

static int asof_part(const void *asof, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_asof_job *job = asof;
  const int64_t bytes = (job->groups + 1) * (int64_t)sizeof(int64_t);
  rows_met met = {locus_memory_alloc(bytes), job->forward ? job->n : 0};

  if (!met.row) return locus_fail_memory(cx, bytes);
  for (int64_t g = 0; g <= job->groups; g++) met.row[g] = -1;
  const int status = walk_values(job, &met, begin, end, cx);
  locus_memory_free(met.row, bytes);
  return status;
}

/* A piece must outweigh the rows that are walked again for it. */
int ISA(asof)(const locus_asof_job *job, locus_context *cx)
{
  const int64_t grain = SLOW_GRAIN + 1 + 2 * (job->n + job->groups);
  return locus_parallel(asof_part, job, job->m, grain, cx);
}
