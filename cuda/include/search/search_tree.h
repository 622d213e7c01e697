/* SPDX-License-Identifier: MIT */
/* Search by a tree in shared memory. Its 2^levels - 1 nodes are keys that part a row evenly, in the
** order of a breadth-first walk. Node i has its children at 2i and 2i + 1. The first levels, which
** all lanes read, are in different banks. The keys between two of these are bisected where they
** lie; where the tree has a node for every key, nothing is left. */
#ifndef LOCUS_CUDA_SEARCH_TREE_H
#define LOCUS_CUDA_SEARCH_TREE_H

#include "cuda/include/block/block.h"
#include "cuda/include/search/search_job.h"

namespace locus
{

enum {
  SEARCH_THREADS = SIMT_SIZE(512, 64),
  SEARCH_TOGETHER = 4, /* loads that a thread has in flight */
};

/* How values are shared out: each block takes its share of them, of as many rows as these are. */
struct search_cut {
  int levels; /* of the tree */
  int64_t share;
  divisor along; /* values of a row */
};

/* Which key node number j in the order of keys is, of n keys in a tree of 2^levels - 1 nodes. */
SIMT_DEVICE int64_t tree_key(int64_t j, int64_t n, int levels)
{
  return j * n >> levels;
}

/* All threads must take part; the tree is ready on return. n > 0. Node 0 is not used: it becomes
** number 0 in the order of keys. */
template <class K>
SIMT_DEVICE void fill_tree(typename K::stored *node, const typename K::stored *keys, int64_t n,
                           int levels)
{
  const unsigned size = 1u << levels;

  for (unsigned first = threadIdx.x; first < size; first += SEARCH_TOGETHER * blockDim.x) {
    typename K::stored key[SEARCH_TOGETHER] = {};
    SIMT_UNROLL
    for (unsigned q = 0; q < SEARCH_TOGETHER; q++) {
      const unsigned i = first + q * blockDim.x;
      const int below = levels - 32 + __clz((int)i);
      if (i < size) key[q] = keys[tree_key(((2 * (int64_t)i + 1) << below) - size, n, levels)];
    }
    SIMT_UNROLL
    for (unsigned q = 0; q < SEARCH_TOGETHER; q++)
      if (first + q * blockDim.x < size) node[first + q * blockDim.x] = key[q];
  }
  __syncthreads();
}

/* How many nodes count for each of Q probes. */
template <int Q, class K>
SIMT_DEVICE void descend(const typename K::stored *node, int levels, const probe<K> *p,
                         uint32_t *count)
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

/* The number of n < 2^31 keys that count for each of Q probes; the tree has found its share of it.
** Between two nodes lie n >> levels keys, or one fewer. Every probe bisects n >> levels keys, the
** last ones before the next node, so that all take the same steps. If that is one too many, the
** first of them is the node before, which counts. */
template <int Q, class K>
SIMT_DEVICE void bisect(const typename K::stored *keys, uint32_t n, int levels, const probe<K> *p,
                        const uint32_t *found, uint32_t *count)
{
  typename K::stored key[Q];

  SIMT_UNROLL
  for (int q = 0; q < Q; q++)
    count[q] = (uint32_t)tree_key((int64_t)found[q] + 1, n, levels) - (n >> levels);
  for (uint32_t left = n >> levels, half; left > 0; left -= half) {
    half = left - left / 2;
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) key[q] = keys[count[q] + half - 1];
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) count[q] += p[q].counts(key[q]) ? half : 0;
  }
  SIMT_UNROLL
  for (int q = 0; q < Q; q++) count[q] = p[q].all ? n : count[q];
}

/* How many values a thread has in flight. Finding strided ones takes the registers of others. */
template <bool PLAIN> constexpr int search_together = PLAIN ? SEARCH_TOGETHER : 1;

/* Values `first`, first + step, ... before `end`, all in one row. */
template <class K, bool PLAIN>
SIMT_DEVICE void search_values(const typename K::stored *node, const typename K::stored *keys,
                               const search_sides &s, int levels, int64_t first, unsigned step,
                               int64_t end)
{
  constexpr int Q = search_together<PLAIN>;
  search_spot spot[Q];

  SIMT_UNROLL
  for (int q = 0; q < Q; q++)
    spot[q] = spot_of<PLAIN>(s, first + q * step < end ? first + q * step : first);
  for (int side = 0; side < 2; side++) {
    if (!s.answers[side]) continue;
    probe<K> p[Q];
    uint32_t found[Q], count[Q];
    SIMT_UNROLL
    for (int q = 0; q < Q; q++) p[q] = read_value<K, PLAIN>(s, spot[q], side == 1);
    descend<Q, K>(node, levels, p, found);
    bisect<Q, K>(keys, (uint32_t)s.n, levels, p, found, count);
    SIMT_UNROLL
    for (int q = 0; q < Q; q++)
      if (first + q * step < end) write_answer(s, spot[q], side, count[q]);
  }
}

/* How many threads share that many values, each some together: whole warps, with none to spare. */
SIMT_DEVICE unsigned step_of(int64_t values, unsigned together)
{
  const unsigned each = WARP_LANES * together, most = blockDim.x * together;
  const unsigned few = values < most ? (unsigned)values : most;
  return (few + each - 1) / each * WARP_LANES;
}

/* Its bounds ask for no more than two blocks a processor: to fit a third, the compiler would spare
** registers and load one key after the other. */
template <class K, bool PLAIN>
static SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS, 2)
    tree_search(search_keys<K> keys, search_sides s, search_cut cut)
{
  SIMT_SHARED(typename K::stored, node);
  int64_t begin = blockIdx.x * cut.share;
  const int64_t stop = begin + cut.share < s.numel ? begin + cut.share : s.numel;

  while (begin < stop) {
    const int64_t number = cut.along.quotient(begin), past = (number + 1) * cut.along.number;
    const int64_t end = past < stop ? past : stop;
    const unsigned step = step_of(end - begin, search_together<PLAIN>);
    const typename K::stored *const row = keys.row(number);
    fill_tree<K>(node, row, keys.n, cut.levels);
    if (threadIdx.x < step)
      for (int64_t i = begin + threadIdx.x; i < end; i += search_together<PLAIN> * step)
        search_values<K, PLAIN>(node, row, s, cut.levels, i, step, end);
    __syncthreads();
    begin = end;
  }
}

} // namespace locus

#endif
