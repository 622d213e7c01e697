/* SPDX-License-Identifier: MIT */
/* The start of a job of small calls. To clear the 32 dimensions of each grid and operand would take
** longer than the work of such a call, so only its scalars are cleared. */
#ifndef LOCUS_JOB_H
#define LOCUS_JOB_H

#include <stddef.h>
#include <string.h>

#include "core/jobs.h"

/* Declares a job whose scalars are all 0. `shaped` is the first of its grids and operands, which
** come behind the scalars, as .ci/layers checks; the maker of the job fills each of them. Without
** NDEBUG these hold addresses that no process can read, so that a spec ends if one is forgotten.
** Other jobs begin with `= {...}`. */
#define LOCUS_JOB(type, job, shaped) \
  locus_##type##_job job;            \
  LOCUS_JOB_SPOIL(job);              \
  memset(&(job), 0, offsetof(locus_##type##_job, shaped))

#ifdef NDEBUG
#define LOCUS_JOB_SPOIL(job) ((void)0)
#else
#define LOCUS_JOB_SPOIL(job) memset(&(job), 0xa5, sizeof(job))
#endif

#endif
