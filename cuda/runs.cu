/* SPDX-License-Identifier: MIT */
/* Runner of runs: nonzero says where they begin, masked_select gives their elements. Their lengths
** are differences of the beginnings, and the numbers of elements a count of the bits before
** them. */
#include "cuda/include/block/element.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/block/set_bits.h"

namespace locus
{

enum { LENGTHS_THREADS = 256 };

/* `end` is where the run behind the last one would begin. */
static SIMT_KERNEL void SIMT_BOUNDS(LENGTHS_THREADS)
    run_lengths(const int64_t *begins, int64_t count, int64_t end, int64_t *lengths)
{
  for (int64_t k = this_thread(); k < count; k += all_threads())
    lengths[k] = (k + 1 < count ? begins[k + 1] : end) - begins[k];
}

struct numbers_memory {
  uint32_t scratch[BLOCK_WARPS];
  uint32_t before[TILE_THREADS]; /* each word, how many bits of the tile are set */
  uint64_t word[TILE_THREADS];
};

/* A tile by each block. */
static SIMT_KERNEL void SIMT_BOUNDS(TILE_THREADS)
    run_numbers(mask_output mask, int64_t n, int64_t base, int64_t *numbers)
{
  SIMT_SHARED(numbers_memory, memory);
  const int64_t tile = blockIdx.x, at = tile * TILE_THREADS + threadIdx.x;
  const int64_t left = n - tile * TILE;
  const uint64_t own = at < mask.words ? mask.bits[at] : 0;
  uint32_t total;

  memory->word[threadIdx.x] = own;
  memory->before[threadIdx.x] =
      set_before_word(mask, tile, (uint32_t)__popcll(own), memory->scratch, &total);
  __syncthreads();
  const int64_t first = mask.first[tile / CHUNK_TILES] + (total >> 16) + base - 1;
  for (int i = threadIdx.x; i < TILE && i < left; i += TILE_THREADS) {
    const uint64_t upto = memory->word[i / 64] << (63 - i % 64);
    numbers[tile * TILE + i] = first + memory->before[i / 64] + __popcll(upto);
  }
}

/* Where runs begin, and how long they are. */
static int write_places(const locus_runs_job *job, locus_context *cx)
{
  locus_nonzero_job nonzero = {};

  nonzero.shape.ndim = 1;
  nonzero.shape.size[0] = nonzero.numel = job->n;
  nonzero.bits = job->bits;
  nonzero.first = job->first;
  nonzero.out = job->begins;
  nonzero.row_stride = nonzero.dim_stride = 1;
  nonzero.limit = job->count;
  nonzero.base = job->base;
  LOCUS_TRY(locus_cuda_nonzero(&nonzero, cx));
  call c("runs", cx);
  c.launch_over(job->count, run_lengths, LENGTHS_THREADS, 0, (const int64_t *)job->begins,
                job->count, job->n + job->base, job->lengths);
  return c.end();
}

static int write_values(const locus_runs_job *job, locus_context *cx)
{
  locus_select_job select = {};

  select.grid.ndim = 1;
  select.grid.size[0] = select.grid.numel = job->n;
  select.array.data = (char *)job->elements;
  select.array.dtype = job->dtype;
  select.array.stride[0] = select.step = 1;
  select.bits = job->bits;
  select.first = job->first;
  select.elements = job->values;
  return locus_cuda_masked_select(&select, cx);
}

} // namespace locus

extern "C" int locus_cuda_runs(const locus_runs_job *job, locus_context *cx)
{
  using namespace locus;

  LOCUS_TRY(write_values(job, cx));
  if (job->begins) LOCUS_TRY(write_places(job, cx));
  call c("runs", cx);
  if (job->numbers)
    c.launch(run_numbers, tiles_of(job->n), TILE_THREADS, sizeof(numbers_memory),
             mask_output_of(job->bits, job->first, job->n), job->n, job->base, job->numbers);
  return c.end();
}
