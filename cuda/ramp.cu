/* SPDX-License-Identifier: MIT */
/* Runner of ramp. */
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { RAMP_THREADS = 256 };

/* Whole numbers, modulo 2^64. */
static SIMT_KERNEL void SIMT_BOUNDS(RAMP_THREADS)
    exact_ramp(target out, int64_t stride, int64_t n, int64_t start, int64_t step)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    const uint64_t value = (uint64_t)start + (uint64_t)i * (uint64_t)step;
    out.write<element<LOCUS_i64>>(i * stride, (int64_t)value);
  }
}

/* From element number `back` on, the numbers are counted back from end. */
static SIMT_KERNEL void SIMT_BOUNDS(RAMP_THREADS)
    real_ramp(target out, int64_t stride, int64_t n, double start, double step, double end,
              int64_t back)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    const double value = i < back ? start + (double)i * step : end - (double)(n - 1 - i) * step;
    out.write<element<LOCUS_f64>>(i * stride, value);
  }
}

} // namespace locus

extern "C" int locus_cuda_ramp(const locus_ramp_job *job, locus_context *cx)
{
  using namespace locus;
  call c("ramp", cx);
  const int64_t n = job->n, stride = job->out.stride[0];

  if (job->exact) {
    c.launch_over(n, exact_ramp, RAMP_THREADS, 0, target_of(job->out), stride, n, job->i_start,
                  job->i_step);
  } else {
    c.launch_over(n, real_ramp, RAMP_THREADS, 0, target_of(job->out), stride, n, job->start,
                  job->step, job->end, job->has_end ? n / 2 : n);
  }
  return c.end();
}
