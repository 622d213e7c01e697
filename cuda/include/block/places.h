/* SPDX-License-Identifier: MIT */
/* From the number of an element in its grid to where it lies in each of some operands. */
#ifndef LOCUS_CUDA_PLACES_H
#define LOCUS_CUDA_PLACES_H

#include "cuda/include/block/simt.h"

extern "C" {
#include "core/jobs.h"
}

namespace locus
{

/* Division by a number that is known before the launch: of numbers below 2^31 a multiplication,
** whose high half is shifted. For a larger divisor that gives 0, as it must. */
struct divisor {
  int64_t number;
  uint32_t factor, shift;

  SIMT_DEVICE int64_t quotient(int64_t n) const
  {
    if (n >> 31 != 0) return n / number;
    return (__umulhi((uint32_t)n, factor) + (uint32_t)n) >> shift;
  }
};

inline divisor divisor_of(int64_t number)
{
  divisor d = {number, 0, 31};

  if (number == 0 || number >= (int64_t)1 << 31) return d;
  for (d.shift = 0; (int64_t)1 << d.shift < number; d.shift++) continue;
  const uint64_t excess = ((uint64_t)1 << d.shift) - (uint64_t)number;
  d.factor = (uint32_t)((excess << 32) / (uint64_t)number + 1);
  return d;
}

/* The strides of N operands over the first dimensions of a grid. */
template <int N> struct places {
  int ndim;
  divisor size[LOCUS_MAX_DIMS];
  int64_t stride[N][LOCUS_MAX_DIMS];

  /* at[k] is where operand k has the element of that number, counted in elements. */
  SIMT_DEVICE void find(int64_t number, int64_t at[N]) const
  {
    SIMT_UNROLL
    for (int k = 0; k < N; k++) at[k] = 0;
    for (int d = ndim - 1; d >= 0; d--) {
      const int64_t rest = d > 0 ? size[d].quotient(number) : 0;
      const int64_t step = number - rest * size[d].number;
      SIMT_UNROLL
      for (int k = 0; k < N; k++) at[k] += step * stride[k][d];
      number = rest;
    }
  }
};

template <int N>
places<N> places_of(const locus_grid &grid, int ndim, const locus_operand *const (&operands)[N])
{
  places<N> p;

  p.ndim = ndim;
  for (int d = 0; d < ndim; d++) {
    p.size[d] = divisor_of(grid.size[d]);
    for (int k = 0; k < N; k++) p.stride[k][d] = operands[k]->stride[d];
  }
  return p;
}

/* Whether the operand's elements are contiguous, in the order of the grid. */
inline bool dense(const locus_grid &grid, const locus_operand &operand)
{
  int64_t expected = 1;

  for (int d = grid.ndim - 1; d >= 0; d--) {
    if (grid.size[d] != 1 && operand.stride[d] != expected) return false;
    expected *= grid.size[d];
  }
  return true;
}

/* How many parts of `each` n things make, the last one smaller. */
inline int64_t parts_of(int64_t n, int64_t each)
{
  return (n + each - 1) / each;
}

} // namespace locus

#endif
