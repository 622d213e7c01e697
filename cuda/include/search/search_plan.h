/* SPDX-License-Identifier: MIT */
/* How a job is searched: by which kernel, over which keys, with how large a tree. */
#ifndef LOCUS_CUDA_SEARCH_PLAN_H
#define LOCUS_CUDA_SEARCH_PLAN_H

#include <algorithm>

#include "cuda/include/search/search_levels.h"

namespace locus
{

typedef enum search_strategy {
  SEARCH_DIRECT, /* every value by itself, among elements where they lie */
  SEARCH_TREE,   /* by a tree of the row's keys in shared memory, then among keys */
  SEARCH_LEVELS, /* by a tree over all keys */
} search_strategy;

/* Sizes at which the strategy changes. The cases of bench/cuda/cases.py beside them decide them on
** a GPU: at the border both strategies should take equally long. */
enum {
  /* Values in all that are worth a tree: "searchsorted float32 n=1e6 m=65536". */
  FEW_VALUES = SIMT_SIZE(65536, 64),
  /* Values that a tree must serve: "searchsorted float32 rows of n=1000 m=256". */
  LEAST_TREE = SIMT_SIZE(256, 4),
  /* Bytes of a tree, at most: "searchsorted float32 n=1e4 m=1e8", and n=1e6. */
  TREE_BYTES = SIMT_SIZE(65536, 256),
  /* The steps of a search that copying a key costs: "searchsorted float16 n=1e6 m=2e5". */
  COPY_STEPS = 4,
  /* Bytes of keys that no cache holds: "searchsorted float32 n=1e7 m=1e8", and n=1e8. */
  PAST_CACHE = SIMT_SIZE(40 << 20, 1024),
  /* Keys over which levels are made in the time of a search: "searchsorted float32 n=1e9 m=4e6". */
  LEVEL_KEYS = 256,
};

struct search_plan {
  search_strategy strategy;
  bool copied; /* keys are first copied, to be contiguous */
  int64_t rows;
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

/* Whether 32 bits number the keys of a row, as searches of plain keys and by a tree do. */
inline bool narrow(int64_t n)
{
  return n <= INT32_MAX;
}

/* Whether a row of n keys is more than the second-level cache holds. */
inline bool past_cache(int64_t n, int64_t item)
{
  return n * item > PAST_CACHE;
}

/* The levels of the largest tree over n keys of `item` bytes. */
inline int most_levels(int64_t n, int64_t item)
{
  return std::min(log2_down(TREE_BYTES / item), log2_up(n + 1));
}

/* Shares m values out evenly, `along` for each row, among that many blocks: rows may be fewer or
** more. A share is of whole warps, and a tree gets no more nodes than it serves values. */
inline search_cut cut_values(int64_t m, int64_t along, int levels, int64_t blocks)
{
  search_cut cut;

  cut.share = std::max<int64_t>(parts_of(m, blocks), LEAST_TREE);
  cut.share = parts_of(cut.share, WARP_LANES) * WARP_LANES;
  cut.along = divisor_of(along);
  cut.levels = std::min(levels, log2_down(std::min(along, cut.share)));
  return cut;
}

/* THE decision table: m values in all, `along` for each row of n keys of `item` bytes. Where a row
** has few values, those of many rows are searched side by side. `levels` says that levels over the
** keys are there. */
inline search_plan plan_search(const locus_search_job *job, locus_dtype key, int64_t item,
                               bool levels)
{
  const int64_t n = job->n, m = job->grid.numel, along = job->along;
  search_plan plan = {SEARCH_DIRECT, false, m / along};

  if (m < FEW_VALUES || along < LEAST_TREE || n < 2) return plan;
  if (!keys_lie_plain(job, key)) {
    if ((double)COPY_STEPS * plan.rows * (double)n > (double)m * log2_up(n)) return plan;
    plan.copied = true;
  }
  if (plan.rows == 1 && past_cache(n, item) && (levels || m > n / LEVEL_KEYS))
    plan.strategy = SEARCH_LEVELS;
  else if (narrow(n)) plan.strategy = SEARCH_TREE;
  return plan;
}

} // namespace locus

#endif
