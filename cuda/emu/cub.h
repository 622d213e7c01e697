/* SPDX-License-Identifier: MIT */
/* Replaces CUB's scans and sorts under the interpreter: the same calls, each run by a kernel of one
** thread, which may touch device memory. */
#ifndef LOCUS_EMU_CUB_H
#define LOCUS_EMU_CUB_H

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/include/block/simt.h"

namespace cub
{

/* Two arrays: one has the elements to be sorted, the other has room for them. */
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;

  DoubleBuffer(T *now, T *spare) : d_buffers{now, spare}, selector(0)
  {
  }

  T *Current() const
  {
    return d_buffers[selector];
  }

  T *Alternate() const
  {
    return d_buffers[selector ^ 1];
  }
};

template <class K, class V>
void sort_pairs_plainly(const K *keys, const V *values, K *sorted_keys, V *sorted_values, int64_t n,
                        K bits)
{
  std::vector<int64_t> order((size_t)n);

  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [=](int64_t a, int64_t b) { return (keys[a] & bits) < (keys[b] & bits); });
  for (int64_t i = 0; i < n; i++) {
    sorted_keys[i] = keys[order[(size_t)i]];
    sorted_values[i] = values[order[(size_t)i]];
  }
}

struct DeviceRadixSort {
  /* Stably, by bits begin .. end - 1 of the keys; without temporary memory, only says how much. */
  template <class K, class V>
  static simt_status SortPairs(void *temporary, size_t &bytes, DoubleBuffer<K> &keys,
                               DoubleBuffer<V> &values, int64_t n, int begin, int end,
                               simt_stream stream)
  {
    const K below_end = (K)((K) ~(K)0 >> (8 * (int)sizeof(K) - end));
    const K bits = (K)(below_end >> begin << begin);

    bytes = 1;
    if (!temporary) return cudaSuccess;
    simt_launch(sort_pairs_plainly<K, V>, 1, 1, 0, stream, keys.Current(), values.Current(),
                keys.Alternate(), values.Alternate(), n, bits);
    keys.selector ^= 1;
    values.selector ^= 1;
    return cudaPeekAtLastError(); /* as CUB does */
  }
};

} // namespace cub

#endif
