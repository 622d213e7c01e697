/* SPDX-License-Identifier: MIT */
/* How a job is searched: by which kernel, over which keys, with how large a tree. */
#ifndef LOCUS_CUDA_SEARCH_PLAN_H
#define LOCUS_CUDA_SEARCH_PLAN_H

#include "cuda/search_levels.h"

namespace locus {

typedef enum search_way {
  SEARCH_DIRECT, /* every value by itself, among elements where they lie */
  SEARCH_TREE,   /* by a tree of the row's keys in shared memory, then among keys */
  SEARCH_LEVELS, /* by a tree over all keys */
} search_way;

enum {
  SEARCH_BLOCKS = 3,                            /* for each processor */
  FEW_VALUES = SIMT_SIZE(65536, 64),            /* not worth a tree */
  TREE_BYTES = SIMT_SIZE(65536, 256),           /* of shared memory */
  LEAST_TREE = SIMT_SIZE(16, 4),                /* values that a tree should serve */
  PAST_CACHE = SIMT_SIZE(40 << 20, 1024),       /* bytes of keys that no cache holds */
};

struct search_plan {
  search_way way;
  bool copied; /* keys are first copied, to be contiguous */
  int64_t rows;
  search_cut cut;
};

/* The least k with 2^k >= x, and the greatest with 2^k <= x. */
inline int log2_up(int64_t x)
{
  int k = 0;
  while ((int64_t)1 << k < x) k++;
  return k;
}

inline int log2_down(int64_t x)
{
  return log2_up(x / 2 + 1);
}

/* Whether the keys of every row are contiguous as they lie. */
inline bool keys_lie_plain(const locus_search_job *job, locus_dtype key)
{
  return !job->sorter.data && job->sequence_step == 1 && job->sequence.dtype == key;
}

/* Whether a row of n keys is more than the second-level cache holds. */
inline bool past_cache(int64_t n, int64_t item)
{
  return n * item > PAST_CACHE;
}

/* Cuts the values of each row into as many parts as keep all processors busy. A tree gets no more
** nodes than it serves values. */
inline void plan_cut(search_plan *plan, int64_t n, int64_t item, int processors)
{
  search_cut *const cut = &plan->cut;
  const int64_t blocks = (int64_t)processors * SEARCH_BLOCKS;
  int64_t parts = blocks / plan->rows;
  const int64_t most = cut->along / LEAST_TREE;

  if (parts > most) parts = most;
  if (parts < 1) parts = 1;
  cut->part = parts_of(cut->along, parts);
  cut->parts = divisor_of(parts_of(cut->along, cut->part));
  cut->units = plan->rows * cut->parts.number;
  cut->levels = log2_down(TREE_BYTES / item);
  if (cut->levels > log2_up(n + 1)) cut->levels = log2_up(n + 1);
  if (cut->levels > log2_down(cut->part)) cut->levels = log2_down(cut->part);
  cut->steps = n >> cut->levels > 0 ? log2_down(n >> cut->levels) + 1 : 0;
}

/* THE decision table: m values in all, `along` for each row of n keys of `item` bytes. Copying a
** key costs four steps of a search, building the levels a search for every 256 keys; `levels` says
** that they are there. */
inline search_plan plan_search(const locus_search_job *job, locus_dtype key, int64_t item,
                               bool levels, int processors)
{
  const int64_t n = job->n, m = job->grid.numel, along = job->along;
  search_plan plan = {};

  plan.way = SEARCH_DIRECT;
  plan.rows = m / along;
  plan.cut.along = along;
  if (m < FEW_VALUES || along < LEAST_TREE || n < 2) return plan;
  plan.copied = !keys_lie_plain(job, key);
  if (plan.copied && plan.rows * 4.0 * (double)n > (double)m * log2_up(n)) {
    plan.copied = false;
    return plan;
  }
  plan_cut(&plan, n, item, processors);
  plan.way = SEARCH_TREE;
  if (plan.rows == 1 && past_cache(n, item) && (levels || m > n / 256)) plan.way = SEARCH_LEVELS;
  return plan;
}

} // namespace locus

#endif
