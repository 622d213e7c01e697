/* SPDX-License-Identifier: MIT */
/* The runners: locus_cuda_<runner>, each in the file of its op. */
#ifndef LOCUS_CUDA_RUNNERS_H
#define LOCUS_CUDA_RUNNERS_H

#include "cuda/include/host/call.h"

#define JOB(runner, type) \
  extern "C" int locus_cuda_##runner(const locus_##type##_job *job, locus_context *cx);
LOCUS_JOBS(JOB)
#undef JOB

#endif
