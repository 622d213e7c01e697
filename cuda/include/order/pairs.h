/* SPDX-License-Identifier: MIT */
/* Keys and the values that go with them, sorted together: stably, through CUB. */
#ifndef LOCUS_CUDA_PAIRS_H
#define LOCUS_CUDA_PAIRS_H

#include "cuda/include/host/call.h"

namespace locus
{

/* Memory for n pairs, twice. Keys are 4 or 8 bytes wide; one sort may differ from the next. */
template <class V> class pairs
{
public:
  /* Takes the memory from the call; `width` is that of the widest keys. */
  pairs(call &c, int64_t n, int width);

  template <class K> K *keys() const
  {
    return (K *)key[now];
  }

  V *values() const
  {
    return value[now];
  }

  /* By the lowest `bits` bits of the keys; what keys() and values() gave before is then stale. */
  template <class K> void sort(int bits);

private:
  call &c;
  int64_t n;
  int now;
  void *key[2];
  V *value[2];
};

/* How many bits the numbers 0 .. n - 1 need. */
inline int bits_below(uint64_t n)
{
  int bits = 0;
  while (bits < 64 && n > 0 && (n - 1) >> bits != 0) bits++;
  return bits;
}

/* Calls f with a type for the positions of n elements. */
template <class F> void by_positions(int64_t n, F f)
{
  if (n <= SIMT_SIZE(INT64_C(0xffffffff), 3000)) f(uint32_t());
  else f(int64_t());
}

} // namespace locus

#endif
