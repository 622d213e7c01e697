/* SPDX-License-Identifier: MIT */
/* The job of kth, and whether the offsets and ranks that tensors give it fit. */
#ifndef LOCUS_KTH_H
#define LOCUS_KTH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/dtype.h"
#include "core/inline.h"

/* The elements of some ranks, counted from 0, in each segment: the elements at these places if the
** segment were stably sorted in the one order or, descending, in its exact reverse with ties kept.
** Segments lie one behind the other. Without positions to tell elements apart by, a zero is +0, and
** a NaN is the one without a sign whose other bits are 1.
**
** Offsets and ranks come from tensors, so the code that can read these checks them, by the
** functions below. *misfit is -1 if all are right. Else it is the 0-based number of the first wrong
** offset, or, counted on behind the offsets, of the first wrong rank, segment by segment. Then
** nothing is written. */
typedef struct locus_kth_job {
  const char *in;
  locus_dtype dtype;
  int64_t segments, n;    /* n elements in each; or, */
  const int64_t *offsets; /* where not NULL, n in all: from offsets[s] to offsets[s + 1] */
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

/* Whether offset s, of segments + 1, is not less than the one before: from 0 to n, never back. */
LOCUS_INLINE bool locus_kth_leads(const locus_kth_job *job, int64_t s)
{
  const int64_t offset = job->offsets[s];

  return (s == 0 ? offset == 0 : offset >= job->offsets[s - 1]) &&
         (s < job->segments || offset == job->n);
}

/* Whether segment s has an element at its rank number i, and that rank is not below the one
** before. */
LOCUS_INLINE bool locus_kth_has(const locus_kth_job *job, int64_t s, int64_t i)
{
  const int64_t *ranks = job->ranks + s * job->rank_step, *offsets = job->offsets;
  const int64_t n = offsets ? (int64_t)((uint64_t)offsets[s + 1] - (uint64_t)offsets[s]) : job->n;

  return ranks[i] >= (i > 0 ? ranks[i - 1] : 0) && ranks[i] >= 0 && ranks[i] < n;
}

#endif
