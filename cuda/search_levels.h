/* SPDX-License-Identifier: MIT */
/* Search of a row far larger than the second-level cache: a static tree is made over it, of nodes
** of 64 bytes. The last key of every whole node of a level is a key of the next one; the top level
** is small enough for the tree of cuda/search_tree.h. Below, four lanes read the node of each of
** their values in turn, 16 bytes each, and add up what they count. */
#ifndef LOCUS_CUDA_SEARCH_LEVELS_H
#define LOCUS_CUDA_SEARCH_LEVELS_H

#include "cuda/block.h"
#include "cuda/search_tree.h"
#include "cuda/width.h"

namespace locus {

enum {
  NODE_BYTES = 64,
  MOST_LEVELS = SIMT_SIZE(12, 24),
  QUAD = 4, /* lanes that share nodes */
};

/* Level 0 is the row. */
template <class K> struct search_levels {
  int count;
  const typename K::stored *keys[MOST_LEVELS];
  int64_t size[MOST_LEVELS];
  bool vectors; /* those of level 0 are aligned; all others are */
};

template <class K>
constexpr int64_t node_keys = NODE_BYTES / (int64_t)sizeof(typename K::stored);

/* The last keys of whole nodes. */
template <class K>
SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS)
fill_level(typename K::stored *above, const typename K::stored *below, int64_t size)
{
  for (int64_t i = this_thread(); i < size; i += all_threads())
    above[i] = below[(i + 1) * node_keys<K> - 1];
}

/* A lane's part of a node. */
template <class K> struct node_part {
  static constexpr int size = NODE_BYTES / QUAD / sizeof(typename K::stored);
  typename K::stored key[size];
  int valid; /* the others are past the end */
};

template <class K>
SIMT_DEVICE node_part<K> load_part(const search_levels<K> &levels, int level, int64_t node)
{
  typedef vector_of<typename K::stored> vector;
  const int64_t at = node * node_keys<K> + threadIdx.x % QUAD * node_part<K>::size;
  const int64_t left = levels.size[level] - at;
  const typename K::stored *const keys = levels.keys[level] + at;
  node_part<K> part;

  part.valid = left >= part.size ? part.size : left > 0 ? (int)left : 0;
  if (part.valid == part.size && (level > 0 || levels.vectors)) {
    const vector v = *(const vector *)keys;
    SIMT_UNROLL
    for (int e = 0; e < part.size; e++) part.key[e] = v.element[e];
  } else {
    SIMT_UNROLL
    for (int e = 0; e < part.size; e++) part.key[e] = e < part.valid ? keys[e] : 0;
  }
  return part;
}

template <class K>
SIMT_DEVICE uint32_t count_part(const node_part<K> &part, const probe<rank_of<K>> &p)
{
  uint32_t count = 0;

  SIMT_UNROLL
  for (int e = 0; e < part.size; e++)
    count += e < part.valid && p.counts(key_rank<K>(part.key[e]));
  return count;
}

/* From `count`, how many keys of the top level count for each lane's probe, to how many of the row
** do. All lanes must take part. The counts of a quad's four nodes travel in the bytes of a word. */
template <class K>
SIMT_DEVICE int64_t descend_levels(const search_levels<K> &levels, const probe<rank_of<K>> &own,
                                   int64_t count)
{
  const int self = threadIdx.x % QUAD;
  probe<rank_of<K>> p[QUAD];

  SIMT_UNROLL
  for (int q = 0; q < QUAD; q++) p[q] = {__shfl_sync(ALL_LANES, own.below, q, QUAD), false};
  for (int level = levels.count - 2; level >= 0; level--) {
    node_part<K> part[QUAD];
    uint32_t counts = 0;
    SIMT_UNROLL
    for (int q = 0; q < QUAD; q++)
      part[q] = load_part(levels, level, __shfl_sync(ALL_LANES, count, q, QUAD));
    SIMT_UNROLL
    for (int q = 0; q < QUAD; q++) counts |= count_part<K>(part[q], p[q]) << 8 * q;
    for (int distance = 1; distance < QUAD; distance *= 2)
      counts += __shfl_xor_sync(ALL_LANES, counts, distance);
    count = count * node_keys<K> + (counts >> 8 * self & 0xff);
  }
  return count;
}

/* Whole warps loop together: a lane past the last value searches for that one again. */
template <class K, bool PLAIN>
SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS)
levels_search(search_levels<K> levels, search_sides s, int tree_levels)
{
  typedef search_io<K, PLAIN> io;
  SIMT_SHARED(rank_of<K>, node);
  const int top = levels.count - 1;

  fill_tree<K>(node, levels.keys[top], levels.size[top], tree_levels);
  for (int64_t i = this_thread(); i - threadIdx.x % WARP_LANES < s.numel; i += all_threads()) {
    for (int side = 0; side < 2; side++) {
      if (!s.answers[side]) continue;
      const typename io::value value = io::read(s, i < s.numel ? i : s.numel - 1);
      const probe<rank_of<K>> p = io::side_of(value, side == 1);
      uint32_t found;
      descend<1>(node, tree_levels, &p, &found);
      const int64_t top_count = found > 0 ? tree_key(found, levels.size[top], tree_levels) + 1 : 0;
      const int64_t count = descend_levels(levels, p, top_count);
      if (i < s.numel) io::write(s, side, i, p.all ? s.n : count);
    }
  }
}

} // namespace locus

#endif
