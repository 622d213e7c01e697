/* SPDX-License-Identifier: MIT */
/* Values of several words handed from lane to lane. All lanes of the warp must take part. */
#ifndef LOCUS_CUDA_WARP_H
#define LOCUS_CUDA_WARP_H

#include "cuda/include/block/block.h"

namespace locus
{

/* Calls `pass` on each word of the value, and puts together the words that it returns. */
template <class P, class F> SIMT_DEVICE P by_words(P value, F pass)
{
  constexpr int words = sizeof(P) / sizeof(unsigned long long);
  static_assert(sizeof(P) % sizeof(unsigned long long) == 0, "whole words");
  unsigned long long word[words];

  memcpy(word, &value, sizeof value);
  SIMT_UNROLL
  for (int i = 0; i < words; i++) word[i] = pass(word[i]);
  memcpy(&value, word, sizeof value);
  return value;
}

/* The value of the lane whose number differs from this one's in the bits of `distance`. */
template <class P> SIMT_DEVICE P from_across(P value, int distance)
{
  return by_words(
      value, [=](unsigned long long word) { return __shfl_xor_sync(ALL_LANES, word, distance); });
}

template <class P> SIMT_DEVICE P from_lane(P value, int lane)
{
  return by_words(value,
                  [=](unsigned long long word) { return __shfl_sync(ALL_LANES, word, lane); });
}

} // namespace locus

#endif
