/* SPDX-License-Identifier: MIT */
/* Runner of the binary family, from core/binary.def. */
#include "cuda/binary.h"
#include "cuda/elementwise.h"
#include "cuda/runners.h"

extern "C" int locus_cuda_binary(const locus_binary_job *job, locus_context *cx)
{
  using namespace locus;
  call c("binary", cx);

  by_dtype(job->dtype, [&](auto e) {
    map2(c, binary<decltype(e)>{job->op}, job->grid, job->out, job->a, job->b);
  });
  return c.end();
}
