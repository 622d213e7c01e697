/* SPDX-License-Identifier: MIT */
/* Runner of nearest. */
#include "core/jobs/nearest.h"
#include "cuda/include/block/element.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { NEAREST_THREADS = 256 };

static SIMT_KERNEL void SIMT_BOUNDS(NEAREST_THREADS) choose_nearest(locus_nearest_job job)
{
  for (int64_t i = this_thread(); i < job.m; i += all_threads()) {
    const int64_t before = job.before ? job.before[i] : 0;
    const int64_t after = job.after ? job.after[i] : -1;
    const int64_t row =
        job.exact ? locus_nearest_i64((const int64_t *)job.sequence, job.n,
                                      ((const int64_t *)job.values)[i], before, after, job.most_i64)
                  : locus_nearest_f64((const double *)job.sequence, job.n,
                                      ((const double *)job.values)[i], before, after, job.most_f64);
    job.out[i] = job.base + row;
  }
}

} // namespace locus

extern "C" int locus_cuda_nearest(const locus_nearest_job *job, locus_context *cx)
{
  using namespace locus;
  call c("nearest", cx);

  c.launch_over(job->m, choose_nearest, NEAREST_THREADS, 0, *job);
  return c.end();
}
