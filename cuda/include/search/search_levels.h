/* SPDX-License-Identifier: MIT */
/* Search of a row far larger than the second-level cache, down a static B+ tree without pointers (a
** CSS-tree, as on the CPU: src/cpu/search/tree.inc). Nodes have 64 bytes: two sectors of memory.
**
**   top        | ...  few keys, searched by the tree of cuda/include/search/search_tree.h  ... |
**   level 1    | c f h | k n q | ...         key i is the last key of whole node i of level 0
**   level 0    | a b c | d e f | g h h | i j k | ...      the row itself; no pointer is stored
**
** fill_level builds a level from the one below in a grid-stride loop. A search takes one node per
** level. Were each lane to read a node by itself, a warp would touch 32 lines per load and use 16
** bytes of each. So four lanes, a quad, read the nodes of their four values in turn, 16 bytes each:
**
**                lane 0      lane 1      lane 2      lane 3
**   node of 0  | 16 bytes  | 16 bytes  | 16 bytes  | 16 bytes |      one coalesced read of 64 bytes
**   node of 1  |    ..     |    ..     |    ..     |    ..    |      then counts of four values, a
**   node of 2  |    ..     |    ..     |    ..     |    ..    |      byte each in a word, added by
**   node of 3  |    ..     |    ..     |    ..     |    ..    |      two butterfly shuffles
**
** Invariant: `count`, the number of keys of a level that count for a lane's value, is also the
** number of nodes of the level below that count as a whole. Thus the answer lies in node `count`,
** and the rank in the level below is count * node_keys + the keys that count in that node. A byte
** of the word cannot overflow, because a node has at most 16 keys of 4 bytes.
**
** Sources: J. Rao and K. Ross, "Cache Conscious Indexing for Decision-Support in Main Memory", VLDB
** 1999; M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", 2013,
** https://developer.nvidia.com/blog/cuda-pro-tip-write-flexible-kernels-grid-stride-loops/ */
#ifndef LOCUS_CUDA_SEARCH_LEVELS_H
#define LOCUS_CUDA_SEARCH_LEVELS_H

#include "cuda/include/block/block.h"
#include "cuda/include/search/search_tree.h"
#include "cuda/include/block/width.h"

namespace locus
{

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

template <class K> constexpr int64_t node_keys = NODE_BYTES / (int64_t)sizeof(typename K::stored);

/* The last keys of whole nodes. */
template <class K>
static SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS)
    fill_level(typename K::stored *above, const typename K::stored *below, int64_t size)
{
  for (int64_t i = this_thread(); i < size; i += all_threads())
    above[i] = below[(i + 1) * node_keys<K> - 1];
}

/* A lane's part of a node. */
template <class K> using node_part = vector_of<typename K::stored>;

/* The lane's parts of the nodes that its quad wants, given by each lane in turn. A place past the
** end of the level counts as the last key of all, which counts for no probe. So near an end, and if
** keys are not aligned, the warp reads them one by one. All lanes must take part. */
template <class K>
SIMT_DEVICE void load_parts(const search_levels<K> &levels, int level, int64_t node,
                            node_part<K> *part)
{
  const typename K::stored *const keys = levels.keys[level];
  const int64_t size = levels.size[level];
  int64_t at[QUAD];
  bool whole = level > 0 || levels.vectors;

  SIMT_UNROLL
  for (int q = 0; q < QUAD; q++) {
    at[q] = __shfl_sync(ALL_LANES, node, q, QUAD) * node_keys<K>;
    at[q] += threadIdx.x % QUAD * node_part<K>::size;
    whole &= at[q] + node_part<K>::size <= size;
  }
  if (__all_sync(ALL_LANES, whole)) {
    SIMT_UNROLL
    for (int q = 0; q < QUAD; q++) part[q] = *(const node_part<K> *)(keys + at[q]);
  } else {
    SIMT_UNROLL
    for (int q = 0; q < QUAD; q++)
      for (int e = 0; e < node_part<K>::size; e++)
        part[q].element[e] = at[q] + e < size ? keys[at[q] + e] : last_key<K>();
  }
}

/* How many keys of a node count for the lane's own probe: those of a quad's four nodes are counted
** together, in the bytes of a word. */
template <class K> SIMT_DEVICE uint32_t count_parts(const node_part<K> *part, const probe<K> *p)
{
  uint32_t counts = 0;

  SIMT_UNROLL
  for (int q = 0; q < QUAD; q++)
    for (int e = 0; e < node_part<K>::size; e++)
      counts += p[q].counts(part[q].element[e]) ? 1u << 8 * q : 0;
  for (int distance = 1; distance < QUAD; distance *= 2)
    counts += __shfl_xor_sync(ALL_LANES, counts, distance);
  return counts >> 8 * (threadIdx.x % QUAD) & 0xff;
}

/* From `count`, how many keys of the top level count for each lane's probe, to how many of the row
** do. All lanes must take part. */
template <class K>
SIMT_DEVICE int64_t descend_levels(const search_levels<K> &levels, const probe<K> &own,
                                   int64_t count)
{
  probe<K> p[QUAD];
  node_part<K> part[QUAD];

  SIMT_UNROLL
  for (int q = 0; q < QUAD; q++) p[q] = {__shfl_sync(ALL_LANES, own.bound, q, QUAD), false};
  for (int level = levels.count - 2; level >= 0; level--) {
    load_parts(levels, level, count, part);
    count = count * node_keys<K> + count_parts<K>(part, p);
  }
  return count;
}

/* Whole warps loop together: a lane past the last value searches for that one again. */
template <class K, bool PLAIN>
static SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS, 2)
    levels_search(search_levels<K> levels, search_sides s, int tree_levels)
{
  SIMT_SHARED(typename K::stored, node);
  const int top = levels.count - 1;

  fill_tree<K>(node, levels.keys[top], levels.size[top], tree_levels);
  for (int64_t i = this_thread(); i - threadIdx.x % WARP_LANES < s.numel; i += all_threads()) {
    const search_spot spot = spot_of<PLAIN>(s, i < s.numel ? i : s.numel - 1);
    for (int side = 0; side < 2; side++) {
      if (!s.answers[side]) continue;
      const probe<K> p = read_value<K, PLAIN>(s, spot, side == 1);
      uint32_t found;
      descend<1, K>(node, tree_levels, &p, &found);
      const int64_t top_count = tree_key((int64_t)found + 1, levels.size[top], tree_levels);
      const int64_t count = descend_levels(levels, p, top_count);
      if (i < s.numel) write_answer(s, spot, side, p.all ? s.n : count);
    }
  }
}

} // namespace locus

#endif
