/* SPDX-License-Identifier: MIT */
/* The set bits of a tile, found by the block that works on it: where they are in the tile, and the
** number of the first of them among all. A thread has one word of 64 bits. */
#ifndef LOCUS_CUDA_SET_BITS_H
#define LOCUS_CUDA_SET_BITS_H

#include "cuda/include/block/block.h"
#include "cuda/include/block/places.h"

namespace locus
{

enum {
  TILE_THREADS = SIMT_SIZE(128, 64), /* and words */
  TILE = 64 * TILE_THREADS,          /* elements */
  CHUNK_TILES = LOCUS_CHUNK / TILE,
};

/* Where the distance of a tile's set bit of that number is kept. Lanes whose words are full write
** to different banks. */
SIMT_HOST_DEVICE constexpr unsigned distance_slot(unsigned number)
{
  return number + number / 32;
}

/* The shared memory that a block needs for that. */
struct tile_memory {
  uint32_t scratch[BLOCK_WARPS];
  uint16_t distance[distance_slot(TILE)]; /* of each set bit from the tile's first element */
};

/* A mask as a mask job leaves it. */
struct mask_output {
  const uint64_t *bits;
  const int64_t *first;
  int64_t words;
};

inline mask_output mask_output_of(const uint64_t *bits, const int64_t *first, int64_t numel)
{
  return {bits, first, (numel + 63) / 64};
}

inline int64_t tiles_of(int64_t numel)
{
  return parts_of(numel, TILE);
}

/* This thread's share of the bits that are set in the chunk before the tile. */
SIMT_DEVICE uint32_t set_before_tile(const mask_output &mask, int64_t tile)
{
  const uint64_t *const own = mask.bits + tile * TILE_THREADS + threadIdx.x;
  uint32_t set = 0;

  for (int back = (int)(tile % CHUNK_TILES); back > 0; back--)
    set += (uint32_t)__popcll(own[-back * TILE_THREADS]);
  return set;
}

/* The distances of the bits of half a word, from the last to the first, which has that number. */
SIMT_DEVICE void keep_distances(uint32_t bits, uint32_t distance, uint32_t number,
                                tile_memory *memory)
{
  uint32_t i = number + (uint32_t)__popc(bits);

  while (bits) {
    const int from_top = __clz(bits);
    i--;
    memory->distance[distance_slot(i)] = (uint16_t)(distance + 31 - from_top);
    bits ^= 0x80000000u >> from_top;
  }
}

/* How many bits of the tile are set before this thread's word, which has `set` of them. total: how
** many the tile has, and in its high half those before it in the chunk. One scan adds up both. All
** threads must take part. */
SIMT_DEVICE uint32_t set_before_word(const mask_output &mask, int64_t tile, uint32_t set,
                                     uint32_t *scratch, uint32_t *total)
{
  static_assert(TILE < 1 << 16 && LOCUS_CHUNK - TILE < 1 << 16, "either fits half a word");
  return block_scan(set_before_tile(mask, tile) << 16 | set, scratch, total) & 0xffff;
}

/* Fills memory->distance; answers how many bits of the tile are set, and the number of the first of
** them among all. All threads must take part. */
SIMT_DEVICE uint32_t find_set(const mask_output &mask, int64_t tile, tile_memory *memory,
                              int64_t *first)
{
  const int64_t at = tile * TILE_THREADS + threadIdx.x;
  const int64_t before_chunk = mask.first[tile / CHUNK_TILES];
  const uint64_t word = at < mask.words ? mask.bits[at] : 0;
  const uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);
  const uint32_t set_low = (uint32_t)__popc(low), set = set_low + (uint32_t)__popc(high);
  uint32_t total;
  const uint32_t number = set_before_word(mask, tile, set, memory->scratch, &total);

  keep_distances(low, threadIdx.x * 64, number, memory);
  keep_distances(high, threadIdx.x * 64 + 32, number + set_low, memory);
  __syncthreads();
  *first = before_chunk + (total >> 16);
  return total & 0xffff;
}

SIMT_DEVICE int64_t distance_of(const tile_memory &memory, int number)
{
  return memory.distance[distance_slot((unsigned)number)];
}

/* Calls f(number, distance) for the first `count` set bits of the tile, which go to an array one by
** one. Each warp begins at a sector of memory; the bits before the first sector come first. */
template <class T, class F>
SIMT_DEVICE void each_set(const T *to, int count, const tile_memory *memory, F f)
{
  constexpr int step = distance_slot(TILE_THREADS), sector = 32 / sizeof(T);
  const int thread = threadIdx.x, head = -(int)((uintptr_t)to / sizeof(T)) & (sector - 1);
  const uint16_t *distance = memory->distance + distance_slot((unsigned)(head + thread));
  int i = head + thread;

  if (thread < (head < count ? head : count)) f(thread, distance_of(*memory, thread));
  for (int end = head + TILE_THREADS; end <= count; end += TILE_THREADS) {
    f(i, *distance);
    i += TILE_THREADS;
    distance += step;
  }
  if (i < count) f(i, *distance);
}

} // namespace locus

#endif
