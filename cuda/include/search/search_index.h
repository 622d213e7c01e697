/* SPDX-License-Identifier: MIT */
/* The preparation of a sequence before it is searched, for one call, or once for all by
** search_index. It makes contiguous keys if they are strided, and the levels of a static tree over
** a single row far larger than the second-level cache. */
#ifndef LOCUS_CUDA_SEARCH_INDEX_H
#define LOCUS_CUDA_SEARCH_INDEX_H

#include "cuda/include/host/call.h"
#include "cuda/include/search/search_plan.h"

namespace locus
{

/* The part of an index for each row: `bytes`, the keys first. */
struct index_layout {
  locus_dtype key;
  int64_t item; /* bytes of a key */
  bool keys, levels;
  int64_t levels_at, bytes;
};

/* Calls f with the element type of the keys of a sequence. */
template <class F> void by_key(locus_dtype sequence, F f)
{
  by_real(sequence, [&](auto e) { f(typename key_of<decltype(e)>::type()); });
}

/* Rounded up to whole nodes, so that the next part begins aligned. */
inline int64_t whole_nodes(int64_t bytes)
{
  return parts_of(bytes, NODE_BYTES) * NODE_BYTES;
}

/* Whether a level of that many keys has another one above it. */
inline bool needs_level(int64_t size, int64_t item)
{
  return size > TREE_BYTES / item - 1;
}

/* The bytes of all levels over a row of n keys. */
inline int64_t levels_bytes(int64_t n, int64_t item)
{
  int64_t bytes = 0;

  for (int64_t size = n; needs_level(size, item);) {
    size /= NODE_BYTES / item;
    bytes += whole_nodes(size * item);
  }
  return bytes;
}

/* Depends only on facts that every search of the same sequence knows, too. */
inline index_layout layout_of(const locus_search_job *job, int64_t rows)
{
  index_layout layout = {};

  by_key(job->sequence.dtype, [&](auto k) { layout.key = decltype(k)::dtype; });
  layout.item = locus_dtype_size(layout.key);
  layout.keys = !keys_lie_plain(job, layout.key);
  layout.levels = rows == 1 && past_cache(job->n, layout.item);
  if (layout.keys) layout.levels_at = whole_nodes(job->n * layout.item);
  layout.bytes = layout.levels_at;
  if (layout.levels) layout.bytes += levels_bytes(job->n, layout.item);
  return layout;
}

/* Writes the keys of the rows contiguously, each row `step` keys behind the one before. */
void gather_keys(call &c, const locus_search_job *job, int64_t rows, void *keys, int64_t step);

/* The levels over a row, in memory of levels_bytes; `already` says that they are there. */
template <class K>
search_levels<K> levels_over(call &c, const typename K::stored *keys, int64_t n, char *memory,
                             bool already)
{
  typedef typename K::stored T;
  search_levels<K> levels;

  levels.count = 1;
  levels.keys[0] = keys;
  levels.size[0] = n;
  levels.vectors = aligned(keys, VECTOR_BYTES);
  for (int64_t size = n; needs_level(size, sizeof(T)); levels.count++) {
    T *const above = (T *)memory;
    size /= node_keys<K>;
    if (!already) {
      c.launch_over(size, fill_level<K>, SEARCH_THREADS, 0, above, levels.keys[levels.count - 1],
                    size);
    }
    levels.keys[levels.count] = above;
    levels.size[levels.count] = size;
    memory += whole_nodes(size * (int64_t)sizeof(T));
  }
  return levels;
}

} // namespace locus

#endif
