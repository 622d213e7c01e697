/* SPDX-License-Identifier: MIT */
/* Runner of bincount. Weights are added in the order of the input. */
#include "cpu/block/block.h"

/* Whether values have no counter; then notes their extremes. */
static bool outside(locus_bincount_progress *progress, const int64_t *value, int64_t n,
                    int64_t base)
{
  uint64_t some = 0;

  for (int64_t i = 0; i < n; i++) some |= (uint64_t)value[i] - (uint64_t)base;
  if (some < (uint64_t)progress->bins) return false;
  progress->least = progress->greatest = value[0];
  for (int64_t i = 1; i < n; i++) {
    progress->least = least(progress->least, value[i]);
    progress->greatest = value[i] > progress->greatest ? value[i] : progress->greatest;
  }
  return true;
}

int ISA(bincount)(const locus_bincount_job *job, locus_context *cx)
{
  locus_bincount_progress *progress = job->progress;
  const int64_t base = job->base;
  int64_t *counts = (int64_t *)job->out;
  double *sums = (double *)job->out;
  cursor in, weights;
  walk w;

  cursor_open(&in, &job->grid, &job->in, LOCUS_i64);
  if (job->has_weights) cursor_open(&weights, &job->grid, &job->weights, LOCUS_f64);
  walk_begin(&w, &job->grid, (const cursor *[]){&in, &weights}, job->has_weights ? 2 : 1);
  if (progress) {
    w.most = BLOCK; /* is in the cache when it is counted */
    walk_within(&w, progress->seen, job->grid.numel);
  }
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const int64_t *value = cursor_read(&in, &w);
    if (job->has_weights) {
      const double *weight = cursor_read(&weights, &w);
      for (int64_t i = 0; i < w.count; i++) sums[value[i] - base] += weight[i];
      continue;
    }
    if (progress && outside(progress, value, w.count, base)) return 0;
    for (int64_t i = 0; i < w.count; i++) counts[value[i] - base]++;
    if (progress) progress->seen += w.count;
  }
  return 0;
}
