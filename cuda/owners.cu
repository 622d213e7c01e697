/* SPDX-License-Identifier: MIT */
/* Runner of owners: each place searches for its owner. */
#include "cuda/element.h"
#include "cuda/runners.h"

namespace locus {

enum { OWNERS_THREADS = 256 };

static SIMT_KERNEL void SIMT_BOUNDS(OWNERS_THREADS)
find_owners(const int64_t *ends, int64_t n, int64_t total, int64_t base, int64_t *out)
{
  for (int64_t i = this_thread(); i < total; i += all_threads()) {
    int64_t low = 0, high = n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (ends[middle] > i) high = middle;
      else low = middle + 1;
    }
    out[i] = base + low;
  }
}

} // namespace locus

extern "C" int locus_cuda_owners(const locus_owners_job *job, locus_context *cx)
{
  using namespace locus;
  call c("owners", cx);

  c.launch_over(job->total, find_owners, OWNERS_THREADS, 0, job->ends, job->n, job->total,
                job->base, job->out);
  return c.end();
}
