/* SPDX-License-Identifier: MIT */
/* Runners that no file has yet: weak ones, which those that are there replace. */
#include "cuda/runners.h"

#define JOB(runner, type)                                                                    \
  extern "C" __attribute__((weak)) int locus_cuda_##runner(const locus_##type##_job *,       \
                                                           locus_context *cx)                \
  {                                                                                          \
    return locus_fail(cx, "cannot run on CUDA yet (" #runner "); write x:cpu()");            \
  }
LOCUS_JOBS(JOB)
#undef JOB
