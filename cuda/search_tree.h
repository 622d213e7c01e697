/* SPDX-License-Identifier: MIT */
/* Search by way of a tree in shared memory. Its 2^levels - 1 nodes hold the ranks of keys that part
** a row evenly, in the order of a breadth-first walk: node i has its children at 2i and 2i + 1, and
** the first levels, which all lanes meet, are in different banks. What is left between two of these
** keys is bisected where it lies; where the tree has a node for every key, nothing is left. */
#ifndef LOCUS_CUDA_SEARCH_TREE_H
#define LOCUS_CUDA_SEARCH_TREE_H

#include "cuda/search_job.h"

namespace locus {

enum {
  SEARCH_THREADS = SIMT_SIZE(512, 64),
  SEARCH_TOGETHER = 4, /* values that a thread has in flight */
};

/* How the values of each row are shared out. */
struct search_cut {
  int levels, steps; /* of the tree, and of the bisection behind it */
  int64_t along, part, units;
  divisor parts; /* of a row, `part` values each but the last */
};

/* Which key node number j in the order of keys is, of n keys in a tree of 2^levels - 1 nodes. */
SIMT_DEVICE int64_t tree_key(int64_t j, int64_t n, int levels)
{
  return j * n >> levels;
}

/* All threads must take part; the tree is ready on return. n > 0. */
template <class K>
SIMT_DEVICE void fill_tree(rank_of<K> *node, const typename K::stored *keys, int64_t n, int levels)
{
  for (unsigned i = threadIdx.x; i < 1u << levels; i += blockDim.x) {
    if (i == 0) continue;
    const int level = 31 - __clz((int)i);
    const int64_t j = (int64_t)(2 * (i - (1u << level)) + 1) << (levels - 1 - level);
    node[i] = key_rank<K>(keys[tree_key(j, n, levels)]);
  }
  __syncthreads();
}

/* How many nodes count for each of Q probes. */
template <int Q, class R>
SIMT_DEVICE void descend(const R *node, int levels, const probe<R> *p, uint32_t *count)
{
  SIMT_UNROLL
  for (int q = 0; q < Q; q++) count[q] = 1;
  for (int level = 0; level < levels; level++) {
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) count[q] = 2 * count[q] + p[q].counts(node[count[q]]);
  }
  SIMT_UNROLL
  for (int q = 0; q < Q; q++) count[q] -= 1u << levels;
}

/* How many keys count for each of Q probes, of which the tree has found its share. */
template <int Q, class K>
SIMT_DEVICE void bisect(const typename K::stored *keys, int64_t n, const search_cut &cut,
                        const probe<rank_of<K>> *p, const uint32_t *found, int64_t *count)
{
  const uint32_t last = (1u << cut.levels) - 1;
  int64_t left[Q];

  SIMT_UNROLL
  for (int q = 0; q < Q; q++) {
    count[q] = found[q] > 0 ? tree_key(found[q], n, cut.levels) + 1 : 0;
    left[q] = (found[q] < last ? tree_key(found[q] + 1, n, cut.levels) : n) - count[q];
  }
  for (int step = 0; step < cut.steps; step++) {
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) {
      if (left[q] <= 0) continue;
      const int64_t half = left[q] - left[q] / 2;
      if (p[q].counts(key_rank<K>(keys[count[q] + half - 1]))) count[q] += half;
      left[q] -= half;
    }
  }
}

/* Values `first`, first + step, ... before `end`, all in one row. */
template <class K, bool PLAIN>
SIMT_DEVICE void search_together(const rank_of<K> *node, const typename K::stored *keys,
                                 const search_sides &s, const search_cut &cut, int64_t first,
                                 int64_t step, int64_t end)
{
  constexpr int Q = SEARCH_TOGETHER;
  typedef search_io<K, PLAIN> io;
  typename io::value value[Q];

  SIMT_UNROLL
  for (int q = 0; q < Q; q++)
    value[q] = io::read(s, first + q * step < end ? first + q * step : first);
  for (int side = 0; side < 2; side++) {
    if (!s.answers[side]) continue;
    probe<rank_of<K>> p[Q];
    uint32_t found[Q];
    int64_t count[Q];
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) p[q] = io::side_of(value[q], side == 1);
    descend<Q>(node, cut.levels, p, found);
    bisect<Q, K>(keys, s.n, cut, p, found, count);
    SIMT_UNROLL
    for (int q = 0; q < Q; q++)
      if (first + q * step < end)
        io::write(s, side, first + q * step, p[q].all ? s.n : count[q]);
  }
}

template <class K, bool PLAIN>
SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS)
tree_search(search_keys<K> keys, search_sides sides, search_cut cut)
{
  SIMT_SHARED(rank_of<K>, node);
  const int64_t together = SEARCH_TOGETHER * (int64_t)blockDim.x;

  for (int64_t unit = blockIdx.x; unit < cut.units; unit += gridDim.x) {
    const int64_t row = cut.parts.quotient(unit), part = unit - row * cut.parts.number;
    const int64_t begin = part * cut.part, stop = begin + cut.part;
    const int64_t end = row * cut.along + (stop < cut.along ? stop : cut.along);
    const typename K::stored *const own = keys.row(row);
    fill_tree<K>(node, own, keys.n, cut.levels);
    for (int64_t i = row * cut.along + begin + threadIdx.x; i < end; i += together)
      search_together<K, PLAIN>(node, own, sides, cut, i, blockDim.x, end);
    __syncthreads();
  }
}

} // namespace locus

#endif
