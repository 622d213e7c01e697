/* SPDX-License-Identifier: MIT */
/* CUDA's words for kernels, over the interpreter of cuda/emu/fibers.h. Included by
** cuda/include/block/simt.h. */
#ifndef LOCUS_EMU_SIMT_H
#define LOCUS_EMU_SIMT_H

#include "cuda/emu/cudart.h"
#include "cuda/emu/fibers.h"

#define SIMT_EMU 1
#define SIMT_KERNEL
#define SIMT_DEVICE inline
#define SIMT_NOINLINE
#define SIMT_HOST_DEVICE inline
#define SIMT_BOUNDS(...) __attribute__((patchable_function_entry(simt::nops(__VA_ARGS__), 0)))
#define SIMT_UNROLL
#define SIMT_SHARED(type, name) type *const name = static_cast<type *>(simt::shared_memory())
#define SIMT_SIZE(gpu, emulated) (emulated)
#define SIMT_DRIVER(name) simt::driver(name)

namespace simt
{

/* By as many NOPs at its entry a kernel's bound is found. */
constexpr unsigned nops(int threads, int = 0)
{
  return threads % WARP == 0 ? (unsigned)threads / WARP : throw "a bound is a number of warps";
}

} // namespace simt

struct uint2 {
  uint32_t x, y;
};

struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};

inline constexpr simt::index3 &threadIdx = simt::running.thread;
inline constexpr simt::index3 &blockIdx = simt::running.block;
inline constexpr simt::index3 &blockDim = simt::running.threads;
inline constexpr simt::index3 &gridDim = simt::running.blocks;

/* -- Launches ---------------------------------------------------------------------------------- */

template <class... P>
cudaError_t simt_give(void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared,
                      cudaStream_t stream, P... arguments)
{
  const cudaError_t status =
      simt::may_launch(reinterpret_cast<const void *>(kernel), blocks, threads, shared);
  if (status != cudaSuccess) return status;
  return simt::give(stream,
                    [=] { simt::run(blocks, threads, shared, [=] { kernel(arguments...); }); });
}

/* -- Rendezvous -------------------------------------------------------------------------------- */

inline void __syncthreads()
{
  simt::block_sync();
}

inline void __syncwarp(uint32_t mask = 0xffffffffu)
{
  simt::warp_sync(mask);
}

template <class T> T __shfl_sync(uint32_t mask, T value, int from, int width = 32)
{
  const unsigned group = simt::lane() & ~(unsigned)(width - 1);
  return simt::exchange(mask, value, group | ((unsigned)from & (unsigned)(width - 1)));
}

template <class T> T __shfl_xor_sync(uint32_t mask, T value, int distance)
{
  return simt::exchange(mask, value, simt::lane() ^ (unsigned)distance);
}

template <class T> T __shfl_up_sync(uint32_t mask, T value, unsigned distance)
{
  const unsigned lane = simt::lane();
  return simt::exchange(mask, value, lane >= distance ? lane - distance : lane);
}

template <class T> T __shfl_down_sync(uint32_t mask, T value, unsigned distance)
{
  const unsigned lane = simt::lane();
  return simt::exchange(mask, value, lane + distance < 32 ? lane + distance : lane);
}

inline uint32_t __ballot_sync(uint32_t mask, int predicate)
{
  return simt::ballot(mask, predicate != 0);
}

inline int __any_sync(uint32_t mask, int predicate)
{
  return simt::ballot(mask, predicate != 0) != 0;
}

inline int __all_sync(uint32_t mask, int predicate)
{
  return simt::ballot(mask, predicate != 0) == mask;
}

/* -- Atomics: fibers never run at the same time ------------------------------------------------ */

template <class T, class U> T atomicAdd(T *at, U value)
{
  const T old = *at;
  *at = (T)(old + (T)value);
  return old;
}

template <class T, class U> T atomicMin(T *at, U value)
{
  const T old = *at;
  if ((T)value < old) *at = (T)value;
  return old;
}

template <class T, class U> T atomicMax(T *at, U value)
{
  const T old = *at;
  if (old < (T)value) *at = (T)value;
  return old;
}

template <class T, class U> T atomicOr(T *at, U value)
{
  const T old = *at;
  *at = (T)(old | (T)value);
  return old;
}

template <class T, class U> T atomicExch(T *at, U value)
{
  const T old = *at;
  *at = (T)value;
  return old;
}

template <class T, class U, class V> T atomicCAS(T *at, U expected, V value)
{
  const T old = *at;
  if (old == (T)expected) *at = (T)value;
  return old;
}

inline void __threadfence()
{
}

/* -- Arithmetic on bits, loads and stores ------------------------------------------------------ */

inline int __popc(uint32_t x)
{
  return __builtin_popcount(x);
}

inline int __popcll(uint64_t x)
{
  return __builtin_popcountll(x);
}

inline int __ffs(uint32_t x)
{
  return __builtin_ffs((int)x);
}

inline int __ffsll(uint64_t x)
{
  return __builtin_ffsll((long long)x);
}

inline int __clz(uint32_t x)
{
  return x ? __builtin_clz(x) : 32;
}

inline int __clzll(uint64_t x)
{
  return x ? __builtin_clzll(x) : 64;
}

inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by)
{
  by %= 32;
  return by ? high << by | low >> (32 - by) : high;
}

inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
  return (uint32_t)((uint64_t)a * b >> 32);
}

inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
  return (uint64_t)((unsigned __int128)a * b >> 64);
}

/* All bits of every byte in which a and b differ. */
inline uint32_t __vcmpne4(uint32_t a, uint32_t b)
{
  uint32_t differ = 0;
  for (int i = 0; i < 32; i += 8)
    if (((a ^ b) >> i & 0xff) != 0) differ |= 0xffu << i;
  return differ;
}

/* Four bytes, each the one of that number among those of a, then b. */
inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t numbers)
{
  const uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t chosen = 0;
  for (int i = 0; i < 4; i++)
    chosen |= (uint32_t)(bytes >> 8 * (numbers >> 4 * i & 7) & 0xff) << 8 * i;
  return chosen;
}

template <class T> T __ldg(const T *at)
{
  return *at;
}

template <class T> T __ldcs(const T *at)
{
  return *at;
}

template <class T> void __stcs(T *at, T value)
{
  *at = value;
}

#endif
