/* SPDX-License-Identifier: MIT */
/* Sharing a job out among threads. Compiled once, for every instruction set. */
#ifndef LOCUS_THREADS_H
#define LOCUS_THREADS_H

#include "core/error.h"

/* Does items begin .. end - 1 of a job; several parts of one job run at the same time. */
typedef int locus_part(const void *job, int64_t begin, int64_t end, locus_context *cx);

/* Runs part over 0 .. count - 1. Up to `grain` items, worth about 20 us, stay on the calling
** thread, in one piece; more are cut at multiples of `grain` and shared among the threads. The
** first failure ends the job. Only the caller's thread polls; the others stop when it does. */
int locus_parallel(locus_part *part, const void *job, int64_t count, int64_t grain,
                   locus_context *cx);

#endif
