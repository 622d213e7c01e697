/* SPDX-License-Identifier: MIT */
/* Runner of unsorted: every thread looks at some pairs of neighbours, in rising order, and the host
** takes the first of the places that the blocks have found. */
#include "cuda/include/block/block.h"
#include "cuda/include/order/rank.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/search/search_job.h"

namespace locus
{

enum {
  UNSORTED_THREADS = SIMT_SIZE(256, 64),
  MOST_UNSORTED_BLOCKS = 4096, /* more than any device runs at a time */
};

template <class E>
SIMT_DEVICE uint64_t element_rank(const search_rows &rows, const search_row<E> &row, int64_t j)
{
  typedef typename key_of<E>::type K;
  return rank<K>((typename K::stored)row_element<E>(rows, row, j));
}

/* The least value of all threads, which must all take part. */
SIMT_DEVICE int64_t block_least(int64_t value, int64_t *scratch)
{
  for (int distance = WARP_LANES / 2; distance > 0; distance /= 2) {
    const int64_t other = __shfl_xor_sync(ALL_LANES, value, distance);
    if (other < value) value = other;
  }
  if (threadIdx.x % WARP_LANES == 0) scratch[threadIdx.x / WARP_LANES] = value;
  __syncthreads();
  for (unsigned i = 0; i < blockDim.x / WARP_LANES; i++)
    if (scratch[i] < value) value = scratch[i];
  return value;
}

/* Element j of row r has the number r * n + j; `numel` means none. */
template <class E>
SIMT_KERNEL void SIMT_BOUNDS(UNSORTED_THREADS)
    find_unsorted(search_rows rows, divisor n, int64_t numel, bool descending, int64_t *first)
{
  SIMT_SHARED(int64_t, scratch);
  int64_t found = numel;

  for (int64_t i = this_thread(); i < found; i += all_threads()) {
    const int64_t number = n.quotient(i), j = i - number * rows.n;
    if (j == 0) continue;
    const search_row<E> row = row_at<E>(rows, number);
    const uint64_t before = element_rank<E>(rows, row, j - 1);
    const uint64_t here = element_rank<E>(rows, row, j);
    if (descending ? here > before : here < before) found = i;
  }
  found = block_least(found, scratch);
  if (threadIdx.x == 0) first[blockIdx.x] = found;
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_unsorted(const locus_unsorted_job *job, locus_context *cx)
{
  call c("unsorted", cx);
  const int64_t numel = job->rows.numel * job->n;
  int64_t *found = nullptr;
  int64_t first[MOST_UNSORTED_BLOCKS], blocks = 0, least = numel;

  *job->position = -1;
  if (job->n < 2 || numel == 0) return c.end();
  const search_rows rows = rows_of(*job, job->rows, job->rows.ndim);
  by_real(job->sequence.dtype, [&](auto e) {
    const auto kernel = find_unsorted<decltype(e)>;
    const size_t shared = BLOCK_WARPS * sizeof *first;
    blocks = std::min({parts_of(numel, UNSORTED_THREADS), (int64_t)MOST_UNSORTED_BLOCKS,
                       c.resident(kernel, UNSORTED_THREADS, shared)});
    found = c.temporaries<int64_t>(blocks);
    c.launch(kernel, blocks, UNSORTED_THREADS, shared, rows, divisor_of(job->n), numel,
             job->descending, found);
  });
  c.read(first, found, blocks * (int64_t)sizeof *found);
  for (int64_t i = 0; c.ok() && i < blocks; i++)
    if (first[i] < least) least = first[i];
  if (least < numel) *job->position = least;
  return c.end();
}
