/* SPDX-License-Identifier: MIT */
/* Runner of tied_ranks: threads share the elements, and take pieces of rows. Equal ones that lie in
** other pieces are found by bisection. */
#include "cpu/block/block.h"
#include "cpu/block/equal.h"

/* The bits of the rank that elements first..last of a row have in common. */
static inline uint64_t tied_rank(const locus_tied_ranks_job *job, int64_t first, int64_t last)
{
  const double mean = (double)(first + last + 2 * job->base) / 2;
  uint64_t bits;

  if (job->tie == LOCUS_TIE_LEAST) return (uint64_t)(first + job->base);
  if (job->tie == LOCUS_TIE_GREATEST) return (uint64_t)(last + job->base);
  memcpy(&bits, &mean, sizeof bits);
  return bits;
}

#define WIDTHS_OF_NUMBERS
#define TEMPLATE "cpu/order/tied_ranks.inc"
#include "cpu/block/each_width.h"

typedef void piece_run(const locus_tied_ranks_job *job, const char *row, const int64_t *from,
                       uint64_t *out, int64_t begin, int64_t end);

static piece_run *const piece_runs[] = {rank_piece_1, rank_piece_2, rank_piece_4, rank_piece_8};

/* The elements of all rows from `begin` to `end`. */
static int ranks_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_tied_ranks_job *job = what;
  const int64_t item = locus_dtype_size(job->dtype);
  piece_run *const run = piece_runs[width_index(item)];
  int64_t row = begin - begin % job->n;

  while (begin < end) {
    const int64_t at = begin - row, stop = least(least(job->n, end - row), at + DIRECT_BLOCK);
    LOCUS_TRY(locus_poll(cx));
    run(job, job->sorted + row * item, job->from + row, job->out + row, at, stop);
    begin = row + stop;
    if (stop == job->n) row = begin;
  }
  return 0;
}

int ISA(tied_ranks)(const locus_tied_ranks_job *job, locus_context *cx)
{
  return locus_parallel(ranks_part, job, job->rows * job->n, SLOW_GRAIN, cx);
}
