/* SPDX-License-Identifier: MIT */
/* Elements to bits: whether each has one of the bits that make it nonzero. A warp reads vectors
** where elements are contiguous, else one element a lane; either way its lanes put the bits
** together, 32 to a word. */
#ifndef LOCUS_CUDA_MASK_H
#define LOCUS_CUDA_MASK_H

#include "cuda/block.h"
#include "cuda/places.h"
#include "cuda/width.h"

namespace locus {

/* Where the elements of a grid are, and which of their bits count. */
struct mask_input {
  const char *data;
  int64_t numel;
  uint64_t keep;
  bool vectors; /* contiguous, and aligned */
  places<1> place;
};

mask_input mask_input_of(const locus_grid &grid, const locus_operand &in);

template <class U> SIMT_DEVICE bool counts(U x, uint64_t keep)
{
  return (x & (U)keep) != 0;
}

SIMT_DEVICE bool counts(bits_16 x, uint64_t keep)
{
  return ((x.low | x.high) & keep) != 0;
}

/* Four bytes to four bits. */
SIMT_DEVICE uint32_t bits_of_bytes(uint32_t bytes)
{
  return ((__vcmpne4(bytes, 0) & 0x01010101u) * 0x10204080u) >> 28;
}

template <class U> SIMT_DEVICE uint32_t bits_of_vector(const vector_of<U> &v, uint64_t keep)
{
  uint32_t bits = 0;

  if constexpr (sizeof(U) == 1) {
    uint32_t word[4];
    memcpy(word, &v, sizeof word);
    SIMT_UNROLL
    for (int i = 0; i < 4; i++) bits |= bits_of_bytes(word[i]) << 4 * i;
  } else {
    SIMT_UNROLL
    for (int i = 0; i < v.size; i++) bits |= (uint32_t)counts(v.element[i], keep) << i;
  }
  return bits;
}

/* Each lane has V neighbouring bits of a word of 32. All lanes that share a word get all of it. */
template <int V> SIMT_DEVICE uint32_t join_lanes(uint32_t bits)
{
  constexpr int sharing = 32 / V;

  if constexpr (V == 1) return __ballot_sync(ALL_LANES, bits != 0);
  bits <<= threadIdx.x % sharing * V;
  SIMT_UNROLL
  for (int distance = 1; distance < sharing; distance *= 2)
    bits |= __shfl_xor_sync(ALL_LANES, bits, distance);
  return bits;
}

/* The vector at element `i`, zeros past the last element. */
template <class U> SIMT_DEVICE vector_of<U> load_vector(const mask_input &in, int64_t i)
{
  const U *x = (const U *)in.data;
  vector_of<U> v = {};

  if (i + v.size <= in.numel) return *(const vector_of<U> *)(x + i);
  SIMT_UNROLL
  for (int e = 0; e < v.size; e++)
    if (i + e < in.numel) v.element[e] = x[i + e];
  return v;
}

/* Element `i` alone, zero past the last one. */
template <class U> SIMT_DEVICE U load_element(const mask_input &in, int64_t i)
{
  int64_t at[1];

  if (i >= in.numel) return U();
  in.place.find(i, at);
  return ((const U *)in.data)[at[0]];
}

/* Calls store(word number, word) for the words of 32 bits of a chunk; answers how many bits this
** thread has seen. `ROUNDS` loads of a thread are in flight at a time. */
template <class U, bool VECTORS, class STORE>
SIMT_DEVICE int32_t mask_chunk(const mask_input &in, int64_t chunk, STORE store)
{
  constexpr int V = VECTORS ? vector_of<U>::size : 1, ROUNDS = VECTORS ? 4 : 2, SHARING = 32 / V;
  const int64_t begin = chunk * LOCUS_CHUNK;
  const int step = (int)blockDim.x * V;
  int32_t set = 0;

  for (int at = 0; at < LOCUS_CHUNK && begin + at < in.numel; at += ROUNDS * step) {
    uint32_t bits[ROUNDS];
    SIMT_UNROLL
    for (int r = 0; r < ROUNDS; r++) {
      const int64_t i = begin + at + r * step + (int)threadIdx.x * V;
      if constexpr (VECTORS) bits[r] = bits_of_vector<U>(load_vector<U>(in, i), in.keep);
      else bits[r] = counts(load_element<U>(in, i), in.keep);
    }
    SIMT_UNROLL
    for (int r = 0; r < ROUNDS; r++) {
      const uint32_t word = join_lanes<V>(bits[r]);
      set += __popc(bits[r]);
      if (threadIdx.x % SHARING == 0)
        store((begin + at + r * step + (int)threadIdx.x * V) / 32, word);
    }
  }
  return set;
}

} // namespace locus

#endif
