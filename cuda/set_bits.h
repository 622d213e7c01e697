/* SPDX-License-Identifier: MIT */
/* The set bits of a tile, found by the block that works on it: where they are in the tile, and the
** number of the first of them among all. A thread has one word of 32 bits. */
#ifndef LOCUS_CUDA_SET_BITS_H
#define LOCUS_CUDA_SET_BITS_H

#include "cuda/block.h"
#include "cuda/places.h"

namespace locus {

enum {
  TILE_WORDS = SIMT_SIZE(256, 64), /* and threads */
  TILE = 32 * TILE_WORDS,          /* elements */
  CHUNK_TILES = LOCUS_CHUNK / TILE,
};

/* What a block needs for that in shared memory. */
struct tile_memory {
  uint32_t scratch[2][BLOCK_WARPS];
  uint16_t distance[TILE]; /* of each set bit from the tile's first element */
};

/* A mask as a mask job leaves it. */
struct mask_output {
  const uint32_t *bits;
  const int64_t *first;
  int64_t words; /* of 32 bits */
};

inline mask_output mask_output_of(const uint64_t *bits, const int64_t *first, int64_t numel)
{
  return {(const uint32_t *)bits, first, (numel + 63) / 64 * 2};
}

inline int64_t tiles_of(int64_t numel)
{
  return parts_of(numel, TILE);
}

/* How many bits are set in the chunk before this tile. All threads must take part. */
SIMT_DEVICE uint32_t set_before_tile(const mask_output &mask, int64_t tile, uint32_t *scratch)
{
  const int64_t begin = tile / CHUNK_TILES * CHUNK_TILES * TILE_WORDS, end = tile * TILE_WORDS;
  uint32_t set = 0;

  for (int64_t i = begin + threadIdx.x; i < end; i += TILE_WORDS)
    set += (uint32_t)__popc(mask.bits[i]);
  return block_sum(set, scratch);
}

/* Fills memory->distance; answers how many bits of the tile are set, and the number of the first of
** them among all. All threads must take part. */
SIMT_DEVICE uint32_t find_set(const mask_output &mask, int64_t tile, tile_memory *memory,
                              int64_t *first)
{
  const int64_t at = tile * TILE_WORDS + threadIdx.x;
  uint32_t word = at < mask.words ? mask.bits[at] : 0, total;
  uint32_t place = block_scan((uint32_t)__popc(word), memory->scratch[0], &total);

  for (; word; word &= word - 1)
    memory->distance[place++] = (uint16_t)(threadIdx.x * 32 + __ffs(word) - 1);
  /* its barrier serves the distances, too */
  *first = mask.first[tile / CHUNK_TILES] + set_before_tile(mask, tile, memory->scratch[1]);
  return total;
}

} // namespace locus

#endif
