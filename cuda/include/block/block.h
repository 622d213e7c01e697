/* SPDX-License-Identifier: MIT */
/* Results that the threads of a block find together. All of them must take part; `scratch` is
** shared memory of BLOCK_WARPS words, which is free again after the next barrier. */
#ifndef LOCUS_CUDA_BLOCK_H
#define LOCUS_CUDA_BLOCK_H

#include "cuda/include/block/simt.h"

namespace locus
{

enum { WARP_LANES = 32, BLOCK_WARPS = 32 };
constexpr uint32_t ALL_LANES = 0xffffffffu;

/* The sum of the values of the lanes up to this one. */
template <class T> SIMT_DEVICE T warp_scan(T value)
{
  const unsigned lane = threadIdx.x % WARP_LANES;

  for (unsigned distance = 1; distance < WARP_LANES; distance *= 2) {
    const T other = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane >= distance) value += other;
  }
  return value;
}

/* The sum of the values of the threads before this one, and of all. */
template <class T> SIMT_DEVICE T block_scan(T value, T *scratch, T *total)
{
  const unsigned lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
  const T through = warp_scan(value);

  if (lane == WARP_LANES - 1) scratch[warp] = through;
  __syncthreads();
  const T sum = lane < blockDim.x / WARP_LANES ? scratch[lane] : 0, sums = warp_scan(sum);
  *total = __shfl_sync(ALL_LANES, sums, WARP_LANES - 1);
  return through - value + __shfl_sync(ALL_LANES, sums - sum, warp);
}

/* The sum of all values, for the first thread. */
template <class T> SIMT_DEVICE T block_sum(T value, T *scratch)
{
  const unsigned warps = blockDim.x / WARP_LANES;

  for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(ALL_LANES, value, distance);
  if (threadIdx.x % WARP_LANES == 0) scratch[threadIdx.x / WARP_LANES] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned i = 1; i < warps; i++) value += scratch[i];
  return value;
}

} // namespace locus

#endif
