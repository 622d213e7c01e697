/* SPDX-License-Identifier: MIT */
/* Runners of mask, starts and count_nonzero: one read of the input. A block makes the bits of a
** piece, and one block then adds up the counts of the pieces. So nonzero takes three launches, or
** two where one block makes all bits, and waits once, for the count, between the mask and the
** rest. */
#include "cuda/include/block/equality.h"
#include "cuda/include/block/mask.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum {
  /* One block takes up to this many elements alone, which saves a launch: "nonzero bool 3e4
  ** d=0.1". */
  MASK_ALONE = 2 * PIECE,
  ADD_UP_THREADS = SIMT_SIZE(512, 64),
  ADD_UP_CHUNKS = SIMT_SIZE(4, 2),
  COUNT_BLOCKS = 2048, /* at most: each leaves a sum to the host */
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

/* How many bits a block has set goes to counts[block], or, where one block makes all, to `first`,
** and there are no counts. All threads must take part. */
SIMT_DEVICE void leave_count(int32_t mine, int32_t *scratch, int64_t numel, uint16_t *counts,
                             int64_t *first)
{
  const int32_t set = block_sum(mine, scratch);

  if (threadIdx.x > 0) return;
  if (counts) {
    counts[blockIdx.x] = (uint16_t)set;
  } else {
    first[0] = 0;
    if (numel > 0) first[1] = set;
  }
}

/* A block makes the bits of `each` elements. */
template <class U, bool VECTORS>
SIMT_KERNEL void SIMT_BOUNDS(mask_threads<U>)
    mask_bits(mask_input in, int64_t each, uint64_t *bits, uint16_t *counts, int64_t *first)
{
  typedef typename mask_layout<U, VECTORS>::part part;
  SIMT_SHARED(int32_t, scratch);
  const int64_t begin = blockIdx.x * each, end = begin + each < in.numel ? begin + each : in.numel;
  const int32_t mine =
      mask_range<U, VECTORS>(in, begin, end, mask_layout<U, VECTORS>::ELEMENTS,
                             [=](int64_t i, part x) { ((part *)bits)[i / (8 * sizeof x)] = x; });

  leave_count(mine, scratch, in.numel, counts, first);
}

/* A row in one piece. */
struct starts_input {
  const char *data;
  int64_t numel;
  locus_equality equality;
};

/* Whether a run begins at element `i`. */
template <class U, int NUMBERS> SIMT_DEVICE bool starts_run(const starts_input &in, int64_t i)
{
  const U *const x = (const U *)in.data + i * NUMBERS, *const before = x - NUMBERS;
  bool differs = i == 0;

  SIMT_UNROLL
  for (int k = 0; k < NUMBERS; k++)
    differs = differs || canonical(x[k], in.equality) != canonical(before[k], in.equality);
  return differs;
}

/* The same as mask_bits of where runs begin, a word by each warp at a time. */
template <class U, int NUMBERS>
SIMT_KERNEL void SIMT_BOUNDS(MASK_THREADS)
    start_bits(starts_input in, int64_t each, uint64_t *bits, uint16_t *counts, int64_t *first)
{
  SIMT_SHARED(int32_t, scratch);
  const int64_t begin = blockIdx.x * each, end = begin + each < in.numel ? begin + each : in.numel;
  const int lane = threadIdx.x % WARP_LANES;
  int32_t mine = 0;

  for (int64_t i = begin + threadIdx.x; i - lane < (end + 63) / 64 * 64; i += MASK_THREADS) {
    const uint32_t word = __ballot_sync(ALL_LANES, i < end && starts_run<U, NUMBERS>(in, i));
    if (lane == 0) {
      ((uint32_t *)bits)[i / WARP_LANES] = word;
      mine += __popc(word);
    }
  }
  leave_count(mine, scratch, in.numel, counts, first);
}

/* Adds up the counts of one block. */
template <class U, bool VECTORS>
SIMT_KERNEL void SIMT_BOUNDS(mask_threads<U>) mask_count(mask_input in, int64_t *sums)
{
  typedef mask_layout<U, VECTORS> layout;
  SIMT_SHARED(int64_t, scratch);
  const int64_t each = layout::ELEMENTS;
  const int64_t mine = mask_range<U, VECTORS>(in, blockIdx.x * each, in.numel, gridDim.x * each,
                                              [](int64_t, typename layout::part) {});
  const int64_t set = block_sum(mine, scratch);
  if (threadIdx.x == 0) sums[blockIdx.x] = set;
}

/* From the counts of the pieces of each chunk to `first`. One block is enough: a thread adds up
** those of ADD_UP_CHUNKS chunks at a time, each a vector. Its additions for chunks past the last
** one come after everything that is stored. */
static SIMT_KERNEL void SIMT_BOUNDS(ADD_UP_THREADS)
    add_up(const piece_counts *counts, int64_t chunks, int64_t *first)
{
  SIMT_SHARED(uint32_t, scratch);
  int64_t before = 0;

  for (int64_t at = 0; at < chunks; at += ADD_UP_CHUNKS * ADD_UP_THREADS) {
    const int64_t own = at + threadIdx.x * ADD_UP_CHUNKS;
    uint32_t set[ADD_UP_CHUNKS] = {0}, mine = 0, all;
    SIMT_UNROLL
    for (int c = 0; c < ADD_UP_CHUNKS; c++) {
      const piece_counts pieces = counts[own + c < chunks ? own + c : chunks - 1];
      SIMT_UNROLL
      for (int i = 0; i < PIECES; i++) set[c] += pieces.element[i];
      mine += set[c];
    }
    int64_t place = before + block_scan(mine, scratch, &all);
    SIMT_UNROLL
    for (int c = 0; c < ADD_UP_CHUNKS; c++) {
      place += set[c];
      if (own + c < chunks) first[own + c + 1] = place;
    }
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) first[0] = 0;
}

} // namespace locus

using namespace locus;

/* Calls launch(blocks, each, counts), which makes the bits of a job, and adds up. */
template <class F> static void make_bits(call &c, const locus_mask_job *job, F launch)
{
  const int64_t numel = job->grid.numel, chunks = locus_chunks(numel);
  const bool alone = numel <= MASK_ALONE;
  uint16_t *const counts = alone ? nullptr : c.temporaries<uint16_t>(chunks * PIECES);

  launch(alone ? 1 : chunks * PIECES, alone ? numel : (int64_t)PIECE, counts);
  if (!alone)
    c.launch(add_up, 1, ADD_UP_THREADS, BLOCK_WARPS * sizeof(uint32_t),
             (const piece_counts *)counts, chunks, job->first);
  if (job->count) c.read(job->count, job->first + chunks, sizeof *job->count);
}

extern "C" int locus_cuda_mask(const locus_mask_job *job, locus_context *cx)
{
  call c("mask", cx);
  const mask_input in = mask_input_of(job->grid, job->in);

  make_bits(c, job, [&](int64_t blocks, int64_t each, uint16_t *counts) {
    by_width(locus_dtype_size(job->in.dtype), [&](auto element) {
      typedef decltype(element) U;
      const auto kernel = in.vectors ? mask_bits<U, true> : mask_bits<U, false>;
      c.launch(kernel, blocks, mask_threads<U>, BLOCK_WARPS * sizeof(int32_t), in, each, job->bits,
               counts, job->first);
    });
  });
  return c.end();
}

/* The kernel for elements of one or two numbers of that width. */
static auto start_bits_of(const locus_equality &equality)
{
  switch (equality.width) {
  case 1: return start_bits<uint8_t, 1>;
  case 2: return start_bits<uint16_t, 1>;
  case 4: return equality.numbers == 1 ? start_bits<uint32_t, 1> : start_bits<uint32_t, 2>;
  default: return equality.numbers == 1 ? start_bits<uint64_t, 1> : start_bits<uint64_t, 2>;
  }
}

extern "C" int locus_cuda_starts(const locus_mask_job *job, locus_context *cx)
{
  call c("starts", cx);
  const locus_equality equality = locus_equality_of(job->in.dtype);
  const starts_input in = {job->in.data, job->grid.numel, equality};

  make_bits(c, job, [&](int64_t blocks, int64_t each, uint16_t *counts) {
    c.launch(start_bits_of(equality), blocks, MASK_THREADS, BLOCK_WARPS * sizeof(int32_t), in, each,
             job->bits, counts, job->first);
  });
  return c.end();
}

extern "C" int locus_cuda_count_nonzero(const locus_count_job *job, locus_context *cx)
{
  call c("count_nonzero", cx);
  const mask_input in = mask_input_of(job->grid, job->in);
  const size_t shared = BLOCK_WARPS * sizeof(int64_t);
  int64_t *const sums = c.temporaries<int64_t>(COUNT_BLOCKS);
  int64_t sum[COUNT_BLOCKS], blocks = 0;

  by_width(locus_dtype_size(job->in.dtype), [&](auto element) {
    typedef decltype(element) U;
    const auto kernel = in.vectors ? mask_count<U, true> : mask_count<U, false>;
    const int elements =
        in.vectors ? mask_layout<U, true>::ELEMENTS : mask_layout<U, false>::ELEMENTS;
    blocks = std::min<int64_t>(COUNT_BLOCKS, c.resident(kernel, mask_threads<U>, shared));
    blocks = std::min(parts_of(in.numel, elements), blocks);
    c.launch(kernel, blocks, mask_threads<U>, shared, in, sums);
  });
  c.read(sum, sums, blocks * (int64_t)sizeof *sums);
  *job->count = 0;
  if (c.ok())
    for (int64_t i = 0; i < blocks; i++) *job->count += sum[i];
  return c.end();
}
