/* SPDX-License-Identifier: MIT */
/* The job of kth, and the checks of offsets and ranks that come from tensors. */
#ifndef LOCUS_KTH_H
#define LOCUS_KTH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/dtype.h"
#include "core/inline.h"

/* The elements of some ranks, counted from 0, in each segment: the elements at these places if the
** segment were stably sorted in the one order or, descending, in its exact reverse with ties kept.
** Segments lie one behind the other. Without positions a zero is +0, and a NaN is the one with all
** bits 1 except the sign.
**
** Offsets and ranks come from tensors, so the runner, which can read them, checks them by the
** functions below. *misfit is -1 if all are right. Else nothing is written, and it is the 0-based
** number of the first wrong offset, or of the first wrong rank, segment by segment, counted after
** the offsets. */
typedef struct locus_kth_job {
  const char *in;
  locus_dtype dtype;
  int64_t segments, n;    /* n elements in each; or, */
  const int64_t *offsets; /* where not NULL, n in all: from offsets[s] to offsets[s + 1] */
  const int32_t *ids;     /* where not NULL, on the CPU alone, elements lie in any order: element i
                             belongs to segment ids[i] - 1, which has offsets; no index is wanted */
  int64_t wanted;         /* ranks of a segment, which never fall, */
  const int64_t *ranks;   /* at ranks + s * rank_step */
  int64_t rank_step;
  bool descending;
  char *values;   /* [segments, wanted] in `dtype`; NULL: not wanted */
  int64_t *index; /* the same: positions in the segment, counted from `base` */
  int64_t base;
  int64_t *misfit;
} locus_kth_job;

/* Segments whose ranks are to be checked; one represents all with the same ranks. */
LOCUS_INLINE int64_t locus_kth_judged(const locus_kth_job *job)
{
  return job->offsets || job->rank_step || job->segments == 0 ? job->segments : 1;
}

/* Whether offset s, of segments + 1, is in 0 .. n and not less than the one before. */
LOCUS_INLINE bool locus_kth_leads(const locus_kth_job *job, int64_t s)
{
  const int64_t offset = job->offsets[s];

  return (s == 0 ? offset == 0 : offset >= job->offsets[s - 1]) &&
         (s < job->segments || offset == job->n);
}

/* Whether rank number i lies within segment s, and is not below the one before. */
LOCUS_INLINE bool locus_kth_has(const locus_kth_job *job, int64_t s, int64_t i)
{
  const int64_t *ranks = job->ranks + s * job->rank_step, *offsets = job->offsets;
  const int64_t n = offsets ? (int64_t)((uint64_t)offsets[s + 1] - (uint64_t)offsets[s]) : job->n;

  return ranks[i] >= (i > 0 ? ranks[i - 1] : 0) && ranks[i] >= 0 && ranks[i] < n;
}

#endif
