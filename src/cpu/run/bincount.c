/* SPDX-License-Identifier: MIT */
/* Runner of bincount. Weights are added in the order of the input. */
#include "cpu/block/places.h"

/* The extremes of values without a counter, from their places. */
static void note_extremes(locus_bincount_progress *progress, const int64_t *place, int64_t n,
                          int64_t base)
{
  progress->least = INT64_MAX;
  progress->greatest = INT64_MIN;
  for (int64_t i = 0; i < n; i++) {
    const int64_t value = (int64_t)((uint64_t)place[i] + (uint64_t)base);
    progress->least = least(progress->least, value);
    progress->greatest = value > progress->greatest ? value : progress->greatest;
  }
}

int ISA(bincount)(const locus_bincount_job *job, locus_context *cx)
{
  locus_bincount_progress *progress = job->progress;
  const int64_t base = job->base;
  int64_t *counts = (int64_t *)job->out;
  double *sums = (double *)job->out;
  int64_t place[BLOCK];
  cursor in, weights;
  walk w;

  cursor_open(&in, &job->grid, &job->in, LOCUS_i64);
  if (job->has_weights) cursor_open(&weights, &job->grid, &job->weights, LOCUS_f64);
  walk_begin(&w, &job->grid, (const cursor *[]){&in, &weights}, job->has_weights ? 2 : 1);
  w.most = BLOCK;
  if (progress) walk_within(&w, progress->seen, job->grid.numel);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    if (!read_places(place, cursor_read(&in, &w), w.count, base,
                     progress ? progress->bins : job->bins)) {
      if (!progress) return locus_fail_changed(cx, "numbers");
      note_extremes(progress, place, w.count, base);
      return 0;
    }
    if (job->has_weights) {
      const double *weight = cursor_read(&weights, &w);
      for (int64_t i = 0; i < w.count; i++) sums[place[i]] += weight[i];
      continue;
    }
    for (int64_t i = 0; i < w.count; i++) counts[place[i]]++;
    if (progress) progress->seen += w.count;
  }
  return 0;
}
