/* SPDX-License-Identifier: MIT */
/* Runners of mask and count_nonzero: one read of the input. A block makes the bits of a chunk, and
** one block then adds up the counts of the chunks. So nonzero takes three launches, or two when
** there is one chunk at most, and waits once, for the count, between the mask and the rest. */
#include "cuda/mask.h"
#include "cuda/runners.h"

namespace locus {

enum {
  MASK_THREADS = SIMT_SIZE(512, 128),
  ADD_UP_THREADS = SIMT_SIZE(1024, 64),
  MASK_BLOCKS = 1024,
};

mask_input mask_input_of(const locus_grid &grid, const locus_operand &in)
{
  mask_input m;

  m.data = in.data;
  m.numel = grid.numel;
  m.keep = locus_nonzero_bits(in.dtype);
  m.vectors = dense(grid, in) && aligned(in.data, VECTOR_BYTES);
  m.place = places_of<1>(grid, grid.ndim, {&in});
  return m;
}

/* The bits of a chunk go to `bits`, how many are set to first[chunk + 1]. */
template <class U, bool VECTORS>
SIMT_KERNEL void SIMT_BOUNDS(MASK_THREADS) mask_bits(mask_input in, uint32_t *bits, int64_t *first)
{
  SIMT_SHARED(int32_t, scratch);
  const int64_t words = (in.numel + 63) / 64 * 2, chunk = blockIdx.x;
  const int32_t mine = mask_chunk<U, VECTORS>(in, chunk, [=](int64_t at, uint32_t word) {
    if (at < words) bits[at] = word;
  });
  const int32_t set = block_sum(mine, scratch);

  if (threadIdx.x > 0) return;
  if (chunk == 0) first[0] = 0;
  if (in.numel > 0) first[chunk + 1] = set;
}

/* Adds up what one block sees of all chunks. */
template <class U, bool VECTORS>
SIMT_KERNEL void SIMT_BOUNDS(MASK_THREADS) mask_count(mask_input in, int64_t chunks, int64_t *sums)
{
  SIMT_SHARED(int64_t, scratch);
  int64_t mine = 0;

  for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x)
    mine += mask_chunk<U, VECTORS>(in, chunk, [](int64_t, uint32_t) {});
  const int64_t set = block_sum(mine, scratch);
  if (threadIdx.x == 0) sums[blockIdx.x] = set;
}

/* Makes each of n counts the sum of those up to it. One block is enough: there is a count for every
** 65536 elements. */
static SIMT_KERNEL void SIMT_BOUNDS(ADD_UP_THREADS) add_up(int64_t *count, int64_t n)
{
  SIMT_SHARED(int64_t, scratch);
  int64_t before = 0;

  for (int64_t at = 0; at < n; at += blockDim.x) {
    const int64_t i = at + threadIdx.x, own = i < n ? count[i] : 0;
    int64_t all;
    const int64_t through = block_scan(own, scratch, &all) + own;
    if (i < n) count[i] = before + through;
    before += all;
    __syncthreads();
  }
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_mask(const locus_mask_job *job, locus_context *cx)
{
  call c("mask", cx);
  const mask_input in = mask_input_of(job->grid, job->in);
  const int64_t chunks = locus_chunks(in.numel);
  const size_t shared = BLOCK_WARPS * sizeof(int64_t);

  by_width(locus_dtype_size(job->in.dtype), [&](auto element) {
    typedef decltype(element) U;
    const auto kernel = in.vectors ? mask_bits<U, true> : mask_bits<U, false>;
    c.launch(kernel, chunks > 0 ? chunks : 1, MASK_THREADS, shared, in, (uint32_t *)job->bits,
             job->first);
  });
  if (chunks > 1) c.launch(add_up, 1, ADD_UP_THREADS, shared, job->first + 1, chunks);
  if (job->count) c.read(job->count, job->first + chunks, sizeof *job->count);
  return c.end();
}

extern "C" int locus_cuda_count_nonzero(const locus_count_job *job, locus_context *cx)
{
  call c("count_nonzero", cx);
  const mask_input in = mask_input_of(job->grid, job->in);
  const int64_t chunks = locus_chunks(in.numel);
  const int64_t blocks = std::min<int64_t>(chunks, MASK_BLOCKS);
  int64_t *const sums = c.temporaries<int64_t>(MASK_BLOCKS);
  int64_t sum[MASK_BLOCKS] = {0};

  by_width(locus_dtype_size(job->in.dtype), [&](auto element) {
    typedef decltype(element) U;
    const auto kernel = in.vectors ? mask_count<U, true> : mask_count<U, false>;
    c.launch(kernel, blocks, MASK_THREADS, BLOCK_WARPS * sizeof *sums, in, chunks, sums);
  });
  c.read(sum, sums, blocks * (int64_t)sizeof *sums);
  *job->count = 0;
  for (int64_t i = 0; i < blocks; i++) *job->count += sum[i];
  return c.end();
}
