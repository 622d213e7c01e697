/* SPDX-License-Identifier: MIT */
/* Runner of tied_ranks: each element looks by bisection for the ends of those that equal it, unless
** its neighbours differ. */
#include "cuda/include/block/equality.h"
#include "cuda/include/block/places.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/block/width.h"

namespace locus
{

enum { RANKS_THREADS = 256 };

struct ranks_input {
  locus_tied_ranks_job job;
  locus_equality equality;
  divisor n;
};

template <class U> SIMT_DEVICE bool equal(const ranks_input &in, int64_t i, int64_t k)
{
  const U *const x = (const U *)in.job.sorted;
  return canonical(x[i], in.equality) == canonical(x[k], in.equality);
}

/* The last of the elements that equal the one at `from`, in that direction and fewer than `most`
** away. */
template <class U>
SIMT_DEVICE int64_t last_equal(const ranks_input &in, int64_t from, int64_t most, int direction)
{
  int64_t low = 0, high = most;

  if (most <= 1 || !equal<U>(in, from, from + direction)) return from;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (equal<U>(in, from, from + direction * middle)) low = middle;
    else high = middle;
  }
  return from + direction * low;
}

template <class U> SIMT_KERNEL void SIMT_BOUNDS(RANKS_THREADS) tied_ranks(ranks_input in)
{
  const locus_tied_ranks_job &job = in.job;

  for (int64_t i = this_thread(); i < job.rows * job.n; i += all_threads()) {
    const int64_t row = in.n.quotient(i) * job.n;
    const int64_t first = last_equal<U>(in, i, i - row + 1, -1) - row + job.base;
    const int64_t last = last_equal<U>(in, i, row + job.n - i, 1) - row + job.base;
    uint64_t *const out = job.out + row + job.from[i];
    if (job.tie == LOCUS_TIE_MEAN) *(double *)out = (double)(first + last) / 2;
    else *out = (uint64_t)(job.tie == LOCUS_TIE_LEAST ? first : last);
  }
}

} // namespace locus

extern "C" int locus_cuda_tied_ranks(const locus_tied_ranks_job *job, locus_context *cx)
{
  using namespace locus;
  call c("tied_ranks", cx);
  const ranks_input in = {*job, locus_equality_of(job->dtype), divisor_of(job->n)};

  by_width_of_numbers(locus_dtype_size(job->dtype), [&](auto element) {
    c.launch_over(job->rows * job->n, tied_ranks<decltype(element)>, RANKS_THREADS, 0, in);
  });
  return c.end();
}
