/* SPDX-License-Identifier: MIT */
/* Runner of bincount. Weights are added in the order of the input. */
#include "cpu/block/block.h"

int ISA(bincount)(const locus_bincount_job *job, locus_context *cx)
{
  int64_t *counts = (int64_t *)job->out;
  double *sums = (double *)job->out;
  cursor in, weights;
  walk w;

  cursor_open(&in, &job->grid, &job->in, LOCUS_i64);
  if (job->has_weights) cursor_open(&weights, &job->grid, &job->weights, LOCUS_f64);
  walk_begin(&w, &job->grid, (const cursor *[]){&in, &weights}, job->has_weights ? 2 : 1);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const int64_t *value = cursor_read(&in, &w);
    if (job->has_weights) {
      const double *weight = cursor_read(&weights, &w);
      for (int64_t i = 0; i < w.count; i++) sums[value[i] - job->base] += weight[i];
    } else {
      for (int64_t i = 0; i < w.count; i++) counts[value[i] - job->base]++;
    }
  }
  return 0;
}
