/* SPDX-License-Identifier: MIT */
/* Runner of nearest. */
#include "core/jobs/nearest.h"
#include "cpu/block/block.h"

static void nearest_block(const locus_nearest_job *job, int64_t begin, int64_t end)
{
  const int64_t *sequence_i64 = (const int64_t *)job->sequence;
  const int64_t *value_i64 = (const int64_t *)job->values;
  const double *sequence_f64 = (const double *)job->sequence;
  const double *value_f64 = (const double *)job->values;

  for (int64_t i = begin; i < end; i++) {
    const int64_t before = job->before ? job->before[i] : 0;
    const int64_t after = job->after ? job->after[i] : -1;
    const int64_t row =
        job->exact
            ? locus_nearest_i64(sequence_i64, job->n, value_i64[i], before, after, job->most_i64)
            : locus_nearest_f64(sequence_f64, job->n, value_f64[i], before, after, job->most_f64);
    job->out[i] = job->base + row;
  }
}

static int nearest_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  for (int64_t at = begin; at < end; at += DIRECT_BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    nearest_block(job, at, least(end, at + DIRECT_BLOCK));
  }
  return 0;
}

int ISA(nearest)(const locus_nearest_job *job, locus_context *cx)
{
  return locus_parallel(nearest_part, job, job->m, SLOW_GRAIN / 2 + 1, cx);
}
