/* SPDX-License-Identifier: MIT */
/* Runner of segment_runs. Elements of a segment are joined one after the other. Several segments
** are taken side by side, so that none waits for its own last sum. */
#include "core/number/rescale.h"
#include "cpu/block/rows.h"
#include "cpu/order/rank.h"

enum { ABREAST = 8, BATCH = 8 * ABREAST, LONG_RUN = 64 * ABREAST };

/* Answers for the segments first .. end - 1. */
typedef void runs_run(const locus_segment_runs_job *job, int64_t first, int64_t end);

typedef struct runs_method {
  runs_run *sum, *product, *real_sum, *least, *greatest;
  double (*mean)(const locus_segment_runs_job *job, int64_t s, int64_t k, double mean);
} runs_method;

#define TEMPLATE "cpu/reduce/segment_runs.inc"
#include "cpu/block/each_real.h"

static const runs_method *const methods[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &method_##id,
#include "core/dtype.def"
};

static runs_run *run_of(const locus_segment_runs_job *job)
{
  const runs_method *method = methods[job->dtype];

  switch (job->how) {
  case LOCUS_SEGMENT_sum: return method->sum;
  case LOCUS_SEGMENT_prod: return method->product;
  case LOCUS_SEGMENT_mean: return method->real_sum;
  case LOCUS_SEGMENT_min: return method->least;
  case LOCUS_SEGMENT_max: return method->greatest;
  case LOCUS_SEGMENT_std:
  case LOCUS_SEGMENT_var:
  case LOCUS_SEGMENT_first:
  case LOCUS_SEGMENT_last:
  case LOCUS_SEGMENT_any:
  case LOCUS_SEGMENT_all:
  case LOCUS_SEGMENT_count:
  case LOCUS_SEGMENTS: break;
  }
  return NULL;
}

static void divide(const locus_segment_runs_job *job, int64_t first, int64_t end)
{
  double *mean = (double *)job->out + first * job->inner;

  for (int64_t s = first; s < end; s++) {
    const int64_t n = job->starts[s + 1] - job->starts[s];
    for (int64_t k = 0; k < job->inner; k++, mean++) {
      *mean /= (double)n;
      if (n > 0) *mean = methods[job->dtype]->mean(job, s, k, *mean);
    }
  }
}

static int runs_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_segment_runs_job *job = given;
  runs_run *const run = run_of(job);

  for (int64_t s = begin; s < end; s += BATCH) {
    const int64_t past = least(end, s + BATCH);
    LOCUS_TRY(locus_poll(cx));
    run(job, s, past);
    if (job->how == LOCUS_SEGMENT_mean) divide(job, s, past);
  }
  return 0;
}

int ISA(segment_runs)(const locus_segment_runs_job *job, locus_context *cx)
{
  const int64_t values = (job->starts[job->segments] - job->starts[0]) * job->inner;

  if (job->segments == 0) return 0;
  return locus_parallel(runs_part, job, job->segments,
                        rows_worth(SLOW_GRAIN, values / job->segments), cx);
}
