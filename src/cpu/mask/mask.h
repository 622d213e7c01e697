/* SPDX-License-Identifier: MIT */
/* The bits of a run of elements: whether each has one of the bits that make it nonzero. */
#ifndef LOCUS_MASK_H
#define LOCUS_MASK_H

#include "core/jobs.h"
#include "cpu/isa/isa.h"

/* Bit i says whether either bit of pair i is set. */
static inline uint64_t either_of_pairs(uint64_t word)
{
  word = (word | word >> 1) & 0x5555555555555555u;
  word = (word | word >> 1) & 0x3333333333333333u;
  word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0fu;
  word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
  word = (word | word >> 8) & 0x0000ffff0000ffffu;
  return (word | word >> 16) & 0x00000000ffffffffu;
}

static inline uint64_t mask64_16(const void *in, uint64_t keep)
{
  const char *x = in;
  const uint64_t low = either_of_pairs(mask64_8(x, keep));
  return low | either_of_pairs(mask64_8(x + 512, keep)) << 32;
}

#define TEMPLATE "cpu/mask/mask.inc"
#include "cpu/block/each_width.h"

typedef int64_t mask_run(const void *in, int64_t n, uint64_t keep, uint64_t *bits);

static mask_run *const mask_runs[WIDTHS] = BY_WIDTH(mask_run);

/* Turns the numbers of set bits, first[c + 1] for chunk c, into `first` and the count. */
static inline void mask_add_up(const locus_mask_job *job)
{
  const int64_t chunks = locus_chunks(job->grid.numel);

  job->first[0] = 0;
  for (int64_t c = 0; c < chunks; c++) job->first[c + 1] += job->first[c];
  if (job->count) *job->count = job->first[chunks];
}

#endif
