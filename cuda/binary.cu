/* SPDX-License-Identifier: MIT */
/* Runner of the binary family, from core/binary.def. */
#include "cuda/include/block/binary.h"
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

extern "C" int locus_cuda_binary(const locus_binary_job *job, locus_context *cx)
{
  using namespace locus;
  call c("binary", cx);

  by_dtype(job->dtype, [&](auto e) {
    map2(c, binary<decltype(e)>{job->op}, job->grid, job->out, job->a, job->b);
  });
  return c.end();
}
