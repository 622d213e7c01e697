/* SPDX-License-Identifier: MIT */
/* Elements to bits: whether each has one of the bits that make it nonzero. A lane reads vectors
** where elements are contiguous, else single elements; lanes whose bits make no whole byte put them
** together. */
#ifndef LOCUS_CUDA_MASK_H
#define LOCUS_CUDA_MASK_H

#include <algorithm>
#include <type_traits>

#include "cuda/include/block/block.h"
#include "cuda/include/block/places.h"
#include "cuda/include/block/width.h"

namespace locus
{

/* Blocks work on pieces, whose counts are a vector for each chunk. */
typedef vector_of<uint16_t> piece_counts;

enum {
  MASK_THREADS = SIMT_SIZE(256, 64),
  MASK_LOADS = 4,
  PIECES = piece_counts::size,
  PIECE = LOCUS_CHUNK / PIECES,
};

/* No more threads than a piece gives full work to. */
template <class U>
constexpr int mask_threads = std::min<int>(MASK_THREADS, PIECE / (MASK_LOADS * vector_of<U>::size));

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

/* For elements of one or two bytes that share a word: the uppermost bits of the answer say, in
** order, which are nonzero. An element that is not zero below its top bit carries into that bit. */
template <class U> SIMT_DEVICE uint32_t bits_of_word(uint32_t word)
{
  constexpr uint32_t high = sizeof(U) == 1 ? 0x80808080 : 0x80008000;
  constexpr uint32_t gather = sizeof(U) == 1 ? 0x00204081 : 0x00008001;

  return ((((word & ~high) + ~high) | word) & high) * gather;
}

template <class U> SIMT_DEVICE uint32_t bits_of_vector(uint4 bytes, uint64_t keep)
{
  uint32_t bits = 0;

  if constexpr (sizeof(U) <= 2) {
    const uint32_t kept = sizeof(U) == 1 ? ~0u : (uint32_t)(U)keep * 0x00010001;
    const uint32_t word[] = {bytes.x, bytes.y, bytes.z, bytes.w};
    SIMT_UNROLL
    for (int i = 3; i >= 0; i--)
      bits = __funnelshift_l(bits_of_word<U>(word[i] & kept), bits, 4 / sizeof(U));
  } else {
    vector_of<U> v;
    memcpy(&v, &bytes, sizeof v);
    SIMT_UNROLL
    for (int i = 0; i < v.size; i++) bits |= (uint32_t)counts(v.element[i], keep) << i;
  }
  return bits;
}

SIMT_DEVICE int32_t popcount(uint32_t word)
{
  return __popc(word);
}

SIMT_DEVICE int32_t popcount(uint64_t word)
{
  return __popcll(word);
}

/* The vector at element `i`, zeros past the last element; WHOLE: none is past it. */
template <class U, bool WHOLE> SIMT_DEVICE uint4 load_vector(const mask_input &in, int64_t i)
{
  const U *const x = (const U *)in.data + i;

  if constexpr (!WHOLE) {
    vector_of<U> v = {};
    uint4 bytes;
    if (i + v.size > in.numel) {
      SIMT_UNROLL
      for (int e = 0; e < v.size; e++)
        if (i + e < in.numel) v.element[e] = x[e];
      memcpy(&bytes, &v, sizeof bytes);
      return bytes;
    }
  }
  return *(const uint4 *)x;
}

/* The bit of element `i`, 0 past the last one, in whose place that is read. */
template <class U> SIMT_DEVICE uint32_t bit_of_element(const mask_input &in, int64_t i)
{
  int64_t at[1];

  in.place.find(i < in.numel ? i : in.numel - 1, at);
  return counts(((const U *)in.data)[at[0]], in.keep) && i < in.numel;
}

/* A thread has MASK_LOADS loads in flight, of V elements each, and puts their bits into as many
** parts of one word. Where V is less than a part has bits, neighbours share their parts. */
template <class U, bool VECTORS> struct mask_layout {
  static constexpr int V = VECTORS ? vector_of<U>::size : 1;
  typedef std::conditional_t<V == 16, uint16_t, uint8_t> part;
  typedef std::conditional_t<V == 16, uint64_t, uint32_t> word;
  static constexpr int PART = 8 * sizeof(part), SHARING = PART / V;
  static constexpr int WARP_ELEMENTS = WARP_LANES * V * MASK_LOADS;
  static constexpr int ELEMENTS = mask_threads<U> / WARP_LANES * WARP_ELEMENTS; /* of a block */
  static_assert(PIECE % ELEMENTS == 0, "a block stays within its piece");
};

/* Calls store(element, part) for the bits of the block's ELEMENTS from `begin`, as far as words of
** 64 bits reach. Answers how many bits this thread has seen. WHOLE: none is past the last. */
template <class U, bool VECTORS, bool WHOLE, class STORE>
SIMT_DEVICE int32_t mask_elements(const mask_input &in, int64_t begin, STORE store)
{
  typedef mask_layout<U, VECTORS> layout;
  constexpr int V = layout::V, STEP = WARP_LANES * V;
  const int lane = threadIdx.x % WARP_LANES, share = lane % layout::SHARING;
  const int64_t warp = begin + threadIdx.x / WARP_LANES * layout::WARP_ELEMENTS;
  const int64_t first = warp + lane * V, end = (in.numel + 63) / 64 * 64;
  uint32_t bits[MASK_LOADS];
  typename layout::word word = 0;

  if constexpr (VECTORS) {
    uint4 vector[MASK_LOADS];
    SIMT_UNROLL
    for (int r = 0; r < MASK_LOADS; r++) vector[r] = load_vector<U, WHOLE>(in, first + r * STEP);
    SIMT_UNROLL
    for (int r = 0; r < MASK_LOADS; r++) bits[r] = bits_of_vector<U>(vector[r], in.keep);
  } else {
    SIMT_UNROLL
    for (int r = 0; r < MASK_LOADS; r++) bits[r] = bit_of_element<U>(in, first + r * STEP);
  }
  SIMT_UNROLL
  for (int r = 0; r < MASK_LOADS; r++) word |= (typename layout::word)bits[r] << r * layout::PART;
  const int32_t set = popcount(word);
  word <<= share * V;
  SIMT_UNROLL
  for (int distance = 1; distance < layout::SHARING; distance *= 2)
    word |= __shfl_xor_sync(ALL_LANES, word, distance);
  SIMT_UNROLL
  for (int r = 0; r < MASK_LOADS; r += layout::SHARING) {
    const int64_t i = first - share * V + (r + share) * STEP;
    if ((layout::SHARING <= MASK_LOADS || share < MASK_LOADS) && (WHOLE || i < end))
      store(i, (typename layout::part)(word >> (r + share) * layout::PART));
  }
  return set;
}

/* The same for all that the block comes to from `begin` to `end`, by steps. */
template <class U, bool VECTORS, class STORE>
SIMT_DEVICE int32_t mask_range(const mask_input &in, int64_t begin, int64_t end, int64_t step,
                               STORE store)
{
  int32_t set = 0;

  for (; begin < end; begin += step) {
    if (VECTORS && begin + mask_layout<U, VECTORS>::ELEMENTS <= in.numel)
      set += mask_elements<U, VECTORS, true>(in, begin, store);
    else set += mask_elements<U, VECTORS, false>(in, begin, store);
  }
  return set;
}

} // namespace locus

#endif
