/* SPDX-License-Identifier: MIT */
/* The pool of threads. */
#include "cpu/threads.h"

int locus_parallel(locus_part *part, const void *job, int64_t count, int64_t grain,
                   locus_context *cx)
{
  (void)grain;
  return count > 0 ? part(job, 0, count, cx) : 0;
}
