/* SPDX-License-Identifier: MIT */
/* Sorting pairs: the only file that is compiled with CUB's radix sort. */
#include "cuda/include/order/pairs.h"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#else
#include "cuda/emu/cub.h"
#endif

namespace locus
{

template <class V> pairs<V>::pairs(call &call, int64_t count, int width) : c(call), n(count), now(0)
{
  for (int i = 0; i < 2; i++) {
    key[i] = c.temporary(n * width);
    value[i] = c.temporaries<V>(n);
  }
}

template <class V> template <class K> void pairs<V>::sort(int bits)
{
  cub::DoubleBuffer<K> k((K *)key[now], (K *)key[now ^ 1]);
  cub::DoubleBuffer<V> v(value[now], value[now ^ 1]);
  size_t bytes = 0;

  if (!c.ok() || bits == 0) return;
  device_forget(); /* CUB takes the last error for that of its own launches */
  c.note(cub::DeviceRadixSort::SortPairs(nullptr, bytes, k, v, n, 0, bits, c.stream));
  void *room = c.temporary((int64_t)bytes);
  if (!c.ok()) return;
  c.note(cub::DeviceRadixSort::SortPairs(room, bytes, k, v, n, 0, bits, c.stream));
  if (k.Current() != key[now]) std::swap(key[0], key[1]);
  if (v.Current() != value[now]) std::swap(value[0], value[1]);
}

template class pairs<uint32_t>;
template class pairs<int64_t>;
template void pairs<uint32_t>::sort<uint32_t>(int bits);
template void pairs<uint32_t>::sort<uint64_t>(int bits);
template void pairs<int64_t>::sort<uint32_t>(int bits);
template void pairs<int64_t>::sort<uint64_t>(int bits);

} // namespace locus
