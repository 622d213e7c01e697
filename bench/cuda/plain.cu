// SPDX-License-Identifier: MIT
// The plain forms of the three operations, as general libraries launch them: a thread a value that
// bisects in global memory, nonzero in two passes over its input, where element by element. What
// bench/cuda/counts counts beside kernels of locus; bench/cuda/plain.lua calls them. Positions
// count from 0. The arrays are those of whole blocks of threads or end earlier.
#include <cstdint>
#include <cuda_runtime.h>

enum { THREADS = 256, WARPS = THREADS / 32, ROUNDS = 8, TILE = THREADS * ROUNDS };

static unsigned blocks_of(int64_t n, int64_t each)
{
  return (unsigned)((n + each - 1) / each);
}

// How many keys are less than each value.
__global__ void __launch_bounds__(THREADS)
    plain_bisect(const float *keys, int64_t n, const float *values, int64_t m, int64_t *out)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= m) return;
  const float value = values[i];
  int64_t begin = 0, end = n;
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (keys[middle] < value) begin = middle + 1;
    else end = middle;
  }
  out[i] = begin;
}

// -- nonzero: a warp has 256 neighbours of a tile, 32 at a time
// ------------------------------------

// Element `round` of a lane, false past the last one.
template <class T> static __device__ bool flag_at(const T *x, int64_t n, int round)
{
  const int64_t warp = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
  const int64_t i = (warp * ROUNDS + round) * 32 + threadIdx.x % 32;
  return i < n && x[i] != T(0);
}

// The sums of the counts of the warps before this one, and of all.
static __device__ int sum_of_warps(int own, int *all)
{
  __shared__ int count[WARPS];
  int before = 0;
  if (threadIdx.x % 32 == 0) count[threadIdx.x / 32] = own;
  __syncthreads();
  *all = 0;
  for (int w = 0; w < WARPS; w++) {
    if (w < threadIdx.x / 32) before += count[w];
    *all += count[w];
  }
  return before;
}

// First pass: how many of a tile are not zero.
template <class T>
__global__ void __launch_bounds__(THREADS) plain_count(const T *x, int64_t n, int64_t *counts)
{
  int own = 0, all;
  for (int round = 0; round < ROUNDS; round++) own += flag_at(x, n, round);
  for (int distance = 16; distance > 0; distance /= 2) own += __shfl_down_sync(~0u, own, distance);
  sum_of_warps(own, &all);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// Counts to sums of those before, and that of all behind them, by one warp.
__global__ void plain_scan(int64_t *counts, int64_t n)
{
  int64_t before = 0;
  for (int64_t at = 0; at < n; at += 32) {
    const int64_t i = at + threadIdx.x, own = i < n ? counts[i] : 0;
    int64_t through = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int64_t left = __shfl_up_sync(~0u, through, distance);
      if (threadIdx.x >= distance) through += left;
    }
    if (i < n) counts[i] = before + through - own;
    before += __shfl_sync(~0u, through, 31);
  }
  if (threadIdx.x == 0) counts[n] = before;
}

// Second pass: reads the input again, and writes the place of what is not zero.
template <class T>
__global__ void __launch_bounds__(THREADS)
    plain_select(const T *x, int64_t n, const int64_t *counts, int64_t *out)
{
  unsigned flags[ROUNDS];
  int own = 0, all;
  for (int round = 0; round < ROUNDS; round++) {
    flags[round] = __ballot_sync(~0u, flag_at(x, n, round));
    own += __popc(flags[round]);
  }
  int64_t at = counts[blockIdx.x] + sum_of_warps(own, &all);
  const unsigned lane = threadIdx.x % 32;
  const int64_t first = ((int64_t)blockIdx.x * WARPS + threadIdx.x / 32) * ROUNDS * 32 + lane;
  for (int round = 0; round < ROUNDS; round++) {
    if (flags[round] >> lane & 1)
      out[at + __popc(flags[round] & ((1u << lane) - 1))] = first + round * 32;
    at += __popc(flags[round]);
  }
}

// Flat places to rows and columns.
__global__ void __launch_bounds__(THREADS)
    plain_divide(const int64_t *places, int64_t n, int64_t columns, int64_t *out)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  out[2 * i] = places[i] / columns;
  out[2 * i + 1] = places[i] % columns;
}

// -- where
// -----------------------------------------------------------------------------------------

template <class T>
__global__ void __launch_bounds__(THREADS)
    plain_choose(const bool *cond, const T *x, const T *y, T *out, int64_t n)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const T from_x = x[i], from_y = y[i];
  out[i] = cond[i] ? from_x : from_y;
}

__global__ void __launch_bounds__(THREADS)
    plain_choose4(const uchar4 *cond, const float4 *x, const float4 *y, float4 *out, int64_t n)
{
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const uchar4 c = cond[i];
  const float4 a = x[i], b = y[i];
  out[i] = {c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w};
}

// -- Calls
// -----------------------------------------------------------------------------------------

template <class T> static void nonzero(const T *x, int64_t n, int64_t *counts, int64_t *out)
{
  const unsigned tiles = blocks_of(n, TILE);
  if (out) {
    plain_select<<<tiles, THREADS>>>(x, n, counts, out);
    return;
  }
  plain_count<<<tiles, THREADS>>>(x, n, counts);
  plain_scan<<<1, 32>>>(counts, tiles);
}

extern "C" {

void plain_search(const float *keys, int64_t n, const float *values, int64_t m, int64_t *out)
{
  plain_bisect<<<blocks_of(m, THREADS), THREADS>>>(keys, n, values, m, out);
}

// How many counts plain_nonzero writes for n elements; the last one is that of all.
int64_t plain_counts(int64_t n)
{
  return blocks_of(n, TILE) + 1;
}

// Without `out` the counts, with it the places.
void plain_nonzero(const void *x, int bytes, int64_t n, int64_t *counts, int64_t *out)
{
  if (bytes == 1) nonzero((const uint8_t *)x, n, counts, out);
  else nonzero((const float *)x, n, counts, out);
}

void plain_split(const int64_t *places, int64_t n, int64_t columns, int64_t *out)
{
  plain_divide<<<blocks_of(n, THREADS), THREADS>>>(places, n, columns, out);
}

void plain_where1(const bool *cond, const void *x, const void *y, void *out, int bytes, int64_t n)
{
  const unsigned blocks = blocks_of(n, THREADS);
  if (bytes == 4)
    plain_choose<<<blocks, THREADS>>>(cond, (const float *)x, (const float *)y, (float *)out, n);
  else
    plain_choose<<<blocks, THREADS>>>(cond, (const double *)x, (const double *)y, (double *)out, n);
}

// Of a multiple of four elements.
void plain_where4(const void *cond, const void *x, const void *y, void *out, int64_t n)
{
  plain_choose4<<<blocks_of(n / 4, THREADS), THREADS>>>((const uchar4 *)cond, (const float4 *)x,
                                                        (const float4 *)y, (float4 *)out, n / 4);
}

} // extern "C"
