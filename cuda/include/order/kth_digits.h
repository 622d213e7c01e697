/* SPDX-License-Identifier: MIT */
/* Elements by rank without sorting (radix selection), for long rows and few ranks. For each answer
** the row is read once for each digit of its rank, beginning with the highest: a histogram of the
** elements that have the digits known so far tells the next one. Equal elements are in the order of
** their positions. The digits of the position, read from ever smaller parts of the row, then find
** the right one. Counts do not depend on who counts first. */
#ifndef LOCUS_CUDA_KTH_DIGITS_H
#define LOCUS_CUDA_KTH_DIGITS_H

#include "cuda/include/block/block.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/block/places.h"
#include "cuda/include/order/rank.h"

namespace locus
{

enum {
  DIGIT_BITS = 8,
  DIGITS = 1 << DIGIT_BITS,                 /* and as many threads a block */
  HISTOGRAMS = 8,                           /* of a block, since neighbours are often alike */
  DIGITS_PIECE = SIMT_SIZE(16 * 1024, 200), /* elements worth a block */
};

/* The known part of an answer. */
struct digits_known {
  uint64_t key;  /* the digits of its rank; the others are 0 */
  uint64_t from; /* those of its position in the row */
  int64_t rank;  /* among the elements that have all these */
};

/* Rows of n elements, and `wanted` ranks of each. */
template <class E> struct digits_job {
  const typename E::stored *in;
  int64_t n, answers;
  divisor wanted;
  uint64_t turn; /* ranks are XORed with this */
  digits_known *known;
  unsigned long long *counts; /* DIGITS of each answer */

  SIMT_DEVICE const typename E::stored *row(int64_t answer) const
  {
    return in + wanted.quotient(answer) * n;
  }

  SIMT_DEVICE uint64_t key(typename E::stored x) const
  {
    return rank<E>(x) ^ turn;
  }
};

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(DIGITS)
    begin_digits(digits_job<E> job, const int64_t *ranks, int64_t rank_step)
{
  for (int64_t i = this_thread(); i < job.answers * DIGITS; i += all_threads()) job.counts[i] = 0;
  for (int64_t i = this_thread(); i < job.answers; i += all_threads()) {
    const int64_t row = job.wanted.quotient(i);
    job.known[i] = digits_known{0, 0, ranks[row * rank_step + i - row * job.wanted.number]};
  }
}

/* Block b counts in piece b % pieces of the row, for answer b / pieces. The digit is that of the
** position, of the elements with the whole key, or that of the key, of those with its higher
** digits. */
template <class E, bool POSITIONS>
SIMT_KERNEL void SIMT_BOUNDS(DIGITS) count_digits(digits_job<E> job, divisor pieces, int shift)
{
  SIMT_SHARED(uint32_t, histograms);
  const int64_t answer = pieces.quotient(blockIdx.x);
  const int64_t piece = blockIdx.x - answer * pieces.number;
  const digits_known known = job.known[answer];
  const typename E::stored *row = job.row(answer);
  const int64_t first = POSITIONS ? (int64_t)known.from : 0;
  const int64_t span = POSITIONS ? (int64_t)DIGITS << shift : job.n;
  const int64_t last = span < job.n - first ? first + span : job.n;

  for (int i = (int)threadIdx.x; i < DIGITS * HISTOGRAMS; i += DIGITS) histograms[i] = 0;
  __syncthreads();
  for (int64_t i = first + piece * DIGITS + threadIdx.x; i < last; i += pieces.number * DIGITS) {
    const uint64_t key = job.key(row[i]);
    const uint64_t digit = (POSITIONS ? (uint64_t)(i - first) : key - known.key) >> shift;
    if (POSITIONS ? key == known.key : digit < DIGITS)
      atomicAdd(&histograms[digit * HISTOGRAMS + threadIdx.x % HISTOGRAMS], 1u);
  }
  __syncthreads();
  uint32_t count = 0;
  SIMT_UNROLL
  for (int i = 0; i < HISTOGRAMS; i++) count += histograms[threadIdx.x * HISTOGRAMS + i];
  if (count > 0) atomicAdd(&job.counts[answer * DIGITS + threadIdx.x], (unsigned long long)count);
}

/* Block b takes the digit in which the rank of answer b lies, and clears the counts. */
template <class E, bool POSITIONS>
SIMT_KERNEL void SIMT_BOUNDS(DIGITS) take_digit(digits_job<E> job, int shift)
{
  SIMT_SHARED(int64_t, scratch);
  unsigned long long *const at = &job.counts[(int64_t)blockIdx.x * DIGITS + threadIdx.x];
  digits_known *const known = &job.known[blockIdx.x];
  const int64_t rank = known->rank, count = (int64_t)*at;
  int64_t all;
  const int64_t before = block_scan(count, scratch, &all);

  *at = 0;
  if (rank < before || rank - before >= count) return;
  (POSITIONS ? known->from : known->key) |= (uint64_t)threadIdx.x << shift;
  known->rank = rank - before;
}

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(DIGITS, 4)
    write_known(digits_job<E> job, typename E::stored *values, int64_t *index, int64_t base)
{
  for (int64_t i = this_thread(); i < job.answers; i += all_threads()) {
    const digits_known known = job.known[i];
    if (index) index[i] = (int64_t)known.from + base;
    if (values) values[i] = index ? job.row(i)[known.from] : unrank<E>(known.key ^ job.turn);
  }
}

template <class E, bool POSITIONS>
void find_digits(call &c, const digits_job<E> &d, int bits, const divisor &pieces)
{
  for (int shift = (bits - 1) / DIGIT_BITS * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
    c.launch(count_digits<E, POSITIONS>, d.answers * pieces.number, DIGITS,
             DIGITS * HISTOGRAMS * sizeof(uint32_t), d, pieces, shift);
    c.launch(take_digit<E, POSITIONS>, d.answers, DIGITS, BLOCK_WARPS * sizeof(int64_t), d, shift);
  }
}

/* Answers a job whose segments are rows. */
template <class E> void choose_by_digits(call &c, const locus_kth_job &job)
{
  typedef typename E::stored T;
  constexpr int bits = 8 * sizeof(T);
  const int64_t answers = job.segments * job.wanted;
  const int64_t resident =
      c.resident(count_digits<E, false>, DIGITS, DIGITS * HISTOGRAMS * sizeof(uint32_t));
  const int64_t most = std::min(parts_of(job.n, DIGITS_PIECE), resident / answers);
  const divisor pieces = divisor_of(std::max<int64_t>(most, 1));
  const digits_job<E> d = {(const T *)job.in,
                           job.n,
                           answers,
                           divisor_of(job.wanted),
                           job.descending ? ~(uint64_t)0 >> (64 - bits) : 0,
                           c.temporaries<digits_known>(answers),
                           c.temporaries<unsigned long long>(answers * DIGITS)};

  c.launch_over(answers * DIGITS, begin_digits<E>, DIGITS, 0, d, job.ranks, job.rank_step);
  find_digits<E, false>(c, d, bits, pieces);
  if (job.index) find_digits<E, true>(c, d, bits_below((uint64_t)job.n), pieces);
  c.launch_over(answers, write_known<E>, DIGITS, 0, d, (T *)job.values, job.index, job.base);
}

} // namespace locus

#endif
