/* SPDX-License-Identifier: MIT */
/* Sharing work out among threads: the pool of src/cpu/threads.c, for all layers. */
#ifndef LOCUS_PARALLEL_H
#define LOCUS_PARALLEL_H

#include "core/error.h"

/* Does items begin .. end - 1 of a job; several parts of one job run at the same time, each on a
** thread of its own with a context of its own. */
typedef int locus_part(const void *job, int64_t begin, int64_t end, locus_context *cx);

/* Runs part over 0 .. count - 1, in any order. Up to `grain` items, worth about 20 us, stay on the
** calling thread, in one piece; more are cut at multiples of `grain` into a few pieces per thread.
** The first failure ends the job and is returned to the caller. A part that calls this again runs
** alone. For tests, LOCUS_SMALL_PIECES in the environment makes grain the greatest power of two up
** to 64 that divides it. So a runner may rely on cuts at multiples of 64, not on more, and one that
** may be cut anywhere gives an odd grain. */
int locus_parallel(locus_part *part, const void *job, int64_t count, int64_t grain,
                   locus_context *cx);
/* Whether LOCUS_SMALL_PIECES is set, so that code that cuts its own work cuts it small, too. */
bool locus_small_pieces(void);

/* The work that has been shared since the last call of this, if that asked to count. It is for
** specs and for the table of docs/threads.md. Counting reads a clock for each piece. */
typedef struct locus_parallel_counts {
  int64_t jobs, pieces; /* that were shared; their pieces */
  int64_t helped;       /* pieces that workers did */
  int64_t nanoseconds;  /* processor time of all pieces */
} locus_parallel_counts;
locus_parallel_counts locus_parallel_count(bool go_on);

#endif
