/* SPDX-License-Identifier: MIT */
/* The order in which a row of elements becomes one answer: the pairwise summation tree of
** src/core/jobs/fold_jobs.h. Every other reduction takes that order, too.
**
** Three kernels read a row, and all of them are grid-stride loops: the grid has a limited
** number of threads, and each goes on to the work that lies one grid further on.
**
**   reduce_by_warps     a warp, or part of one, takes a block of LOCUS_SUM_BLOCK elements
**   reduce_by_threads   a thread takes a row of fewer than REDUCE_SHORT elements
**   reduce_columns      a lane takes a row, where rows lie side by side; 8 warps share its lanes
**
** Lane l adds elements l, l + 32, l + 64, ... of a block. The lanes are then folded in halves:
** by butterfly shuffles in reduce_by_warps. With 8 lanes in place of 32:
**
**   lane     0   1   2   3   4   5   6   7
**            +---------------'                   distance 4: 0+4  1+5  2+6  3+7
**            +-------'                           distance 2
**            +---'                               distance 1: lane 0 has the block's sum
**
** The sums of blocks meet in join_runs: powers of two of them as in a binary counter, the last run
** first.
**
** Invariant: whoever adds, the tree of operands is that of fold_jobs.h, with earlier elements on
** the left. So the answers have the same bits for any grid, on any device and on the CPU. Lanes
** past the end of a row hold W::none(), which W::join leaves out.
**
** Sources: N. Higham, "The Accuracy of Floating Point Summation", SIAM Journal on Scientific
** Computing 14 (1993); J. Luitjens, "Faster Parallel Reductions on Kepler", 2014,
** https://developer.nvidia.com/blog/faster-parallel-reductions-kepler/; M. Harris, "CUDA Pro Tip:
** Write Flexible Kernels with Grid-Stride Loops", 2013. */
#ifndef LOCUS_CUDA_REDUCE_TREE_H
#define LOCUS_CUDA_REDUCE_TREE_H

#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/reduce/reduce_methods.h"
#include "cuda/include/block/warp.h"
#include "cuda/include/block/width.h"

namespace locus
{

enum {
  REDUCE_THREADS = 128,
  COLUMN_WARPS = 8, /* that share the lanes of as many columns as a warp has */
  /* A thread takes a row of fewer elements ("sum float32 1e8 in rows of 20"). */
  REDUCE_SHORT = 32,
};
static_assert((int)WARP_LANES == (int)LOCUS_SUM_LANES, "a lane of a warp is one of a block");

/* Rows as kernels see them. */
struct rows {
  source in;
  places<1> kept, reduced;
  int64_t n, step; /* elements of a row; from one to the next, where `reduced` has one dimension */
  divisor blocks;  /* of a row, at least one */
  int64_t count;   /* of rows */
  bool least_wins; /* of extremes */
  const double *centre; /* of each row; NULL: there are none */

  SIMT_DEVICE int64_t start(int64_t row) const
  {
    int64_t at[1];
    kept.find(row, at);
    return at[0];
  }

  SIMT_DEVICE beside besides(int64_t row) const
  {
    return beside{least_wins, centre ? centre[row] : 0};
  }

  SIMT_DEVICE int64_t offset(int64_t position) const
  {
    int64_t at[1];
    if (reduced.ndim == 1) return position * step;
    reduced.find(position, at);
    return at[0];
  }
};

/* -- The tree ---------------------------------------------------------------------------------- */

/* The joined values of each run of `lanes` lanes of a warp: the farther half first. */
template <class W> SIMT_DEVICE typename W::partial join_halves(typename W::partial mine, int lanes)
{
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    mine = W::join(mine, from_across(mine, distance));
  return mine;
}

/* The same for the partials of a thread; the first gets the answer. */
template <class W, int N> SIMT_DEVICE void fold_halves(typename W::partial *lane)
{
  if constexpr (N > 1) {
    SIMT_UNROLL
    for (int l = 0; l < N / 2; l++) lane[l] = W::join(lane[l], lane[N / 2 + l]);
    fold_halves<W, N / 2>(lane);
  }
}

/* Joins the partials of the first `count` lanes and `after`: in runs of powers of two, beginning
** with the last run. The other lanes have none. */
template <class W>
SIMT_DEVICE typename W::partial join_runs(typename W::partial mine, int count,
                                          typename W::partial after)
{
  for (int distance = 1; distance < WARP_LANES; distance *= 2) {
    const int first = count & ~(2 * distance - 1);
    const typename W::partial there = from_lane(mine, first);
    if (count & distance) after = W::join(there, after);
    mine = W::join(mine, from_across(mine, distance));
  }
  return count == WARP_LANES ? W::join(mine, after) : after;
}

/* How many blocks a warp takes at a time where a lane reads N elements at once. */
template <class W, int N> constexpr int warp_blocks = WARP_LANES / (W::lanes / N);

/* How many thread blocks a processor should hold: fewer where a lane has many sums of its own, or
** partials of two words, or the compiler would spill registers. */
template <class W, int N>
constexpr int
    resident_blocks = N > 4 && (W::ordered || sizeof(typename W::partial) > sizeof(double)) ? 4 : 8;

/* Blocks of rows: partials[row * blocks + b]. A group of lanes takes a block, N elements of a line
** of W::lanes each; where N is more than 1, rows are contiguous, and aligned to N elements. */
template <class W, class E, int N>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS, resident_blocks<W, N>)
    reduce_by_warps(rows r, typename W::partial *partials)
{
  typedef bundle<typename E::stored, N> piece;
  constexpr int sharing = W::lanes / N, groups = warp_blocks<W, N>;
  constexpr int sums = W::ordered ? N : 1;
  constexpr int rounds = N == 1 && sizeof(typename W::partial) == sizeof(double) ? 8 : 4;
  const int at = (int)threadIdx.x % sharing * N;
  const bool straight = N > 1 || r.reduced.ndim == 1;
  const int64_t total = r.count * r.blocks.number;
  const int64_t stride = all_threads() / WARP_LANES * groups;

  for (int64_t w = this_thread() / WARP_LANES * groups; w < total; w += stride) {
    const int64_t i = w + (int)threadIdx.x % WARP_LANES / sharing;
    const int64_t row = r.blocks.quotient(i), begin = (i - row * r.blocks.number) * LOCUS_SUM_BLOCK;
    const int64_t left = i < total ? r.n - begin : 0;
    const int count = left < LOCUS_SUM_BLOCK ? (int)left : LOCUS_SUM_BLOCK;
    const typename E::stored *x = (const typename E::stored *)r.in.data;
    typename W::partial mine[sums];
    beside b = {};

    SIMT_UNROLL
    for (int k = 0; k < sums; k++) mine[k] = W::none();
    const auto take = [&](typename E::stored e, int k, int64_t j) {
      typename W::partial &p = mine[W::ordered ? k : 0];
      p = W::join(p, W::template of<E>(e, j, b));
    };
    const auto take_lines = [&](auto several, int line) {
      constexpr int lines = decltype(several)::value;
      int64_t j[lines], place[lines];
      piece p[lines];
      SIMT_UNROLL
      for (int l = 0; l < lines; l++) {
        j[l] = begin + (line + l) * W::lanes + at;
        place[l] = N > 1 ? j[l] : lines > 1 ? j[l] * r.step : r.offset(j[l]);
      }
      SIMT_UNROLL
      for (int l = 0; l < lines; l++) p[l] = *(const piece *)(x + place[l]);
      SIMT_UNROLL
      for (int l = 0; l < lines; l++) {
        SIMT_UNROLL
        for (int k = 0; k < N; k++) take(p[l].element[k], k, j[l] + k);
      }
    };

    if (count > 0) {
      x += r.start(row);
      b = r.besides(row);
    }
    int line = 0;
    for (; straight && (line + rounds) * W::lanes <= count; line += rounds)
      take_lines(std::integral_constant<int, rounds>(), line);
    for (; (line + 1) * W::lanes <= count; line++)
      take_lines(std::integral_constant<int, 1>(), line);
    SIMT_UNROLL
    for (int k = 0; k < N; k++) {
      const int j = line * W::lanes + at + k;
      if (j < count) take(x[N > 1 ? begin + j : r.offset(begin + j)], k, begin + j);
    }
    SIMT_UNROLL
    for (int k = 0; k < sums; k++) mine[k] = join_halves<W>(mine[k], sharing);
    fold_halves<W, sums>(mine);
    if (at == 0 && i < total) partials[i] = mine[0];
  }
}

/* Rows of fewer elements than REDUCE_SHORT, each by a thread, which holds the partials of all
** lanes. */
template <class W, class E>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS, 2)
    reduce_by_threads(rows r, typename W::partial *partials)
{
  constexpr int lanes = W::ordered ? W::lanes : 4;

  for (int64_t row = this_thread(); row < r.count; row += all_threads()) {
    const typename E::stored *x = (const typename E::stored *)r.in.data + r.start(row);
    const beside b = r.besides(row);
    typename W::partial lane[lanes];

    SIMT_UNROLL
    for (int l = 0; l < lanes; l++) lane[l] = W::none();
    for (int64_t j = 0; j < r.n; j += lanes) {
      SIMT_UNROLL
      for (int l = 0; l < lanes; l++) {
        if (j + l >= r.n) continue;
        const typename E::stored e = x[(j + l) * r.step];
        lane[l] = W::join(lane[l], W::template of<E>(e, j + l, b));
      }
    }
    fold_halves<W, lanes>(lane);
    partials[row] = lane[0];
  }
}

/* Rows that are closer to each other than their own elements are: a lane has a row, and warp w
** every COLUMN_WARPS-th lane of its block, from the w-th on. */
template <class W, class E>
static SIMT_KERNEL void SIMT_BOUNDS(COLUMN_WARPS *WARP_LANES, 3)
    reduce_columns(rows r, typename W::partial *partials)
{
  constexpr int sums = W::lanes / COLUMN_WARPS, rounds = 4 * sums;
  const int column = threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
  const int64_t bundles = (r.count + WARP_LANES - 1) / WARP_LANES;
  SIMT_SHARED(typename W::partial, shared);

  for (int64_t i = blockIdx.x; i < bundles * r.blocks.number; i += gridDim.x) {
    const int64_t bundle = r.blocks.quotient(i), block = i - bundle * r.blocks.number;
    const int64_t row = bundle * WARP_LANES + column, begin = block * LOCUS_SUM_BLOCK;
    const int64_t end = begin + LOCUS_SUM_BLOCK < r.n ? begin + LOCUS_SUM_BLOCK : r.n;
    const typename E::stored *x = (const typename E::stored *)r.in.data;
    typename W::partial lane[sums];
    beside b = {};

    SIMT_UNROLL
    for (int k = 0; k < sums; k++) lane[k] = W::none();
    const auto take = [&](typename E::stored e, int k, int64_t j) {
      lane[k] = W::join(lane[k], W::template of<E>(e, j, b));
    };

    if (row < r.count) {
      int64_t j = begin + warp;
      x += r.start(row);
      b = r.besides(row);
      for (; j + (rounds - 1) * COLUMN_WARPS < end; j += rounds * COLUMN_WARPS) {
        typename E::stored e[rounds];
        SIMT_UNROLL
        for (int k = 0; k < rounds; k++) e[k] = x[(j + k * COLUMN_WARPS) * r.step];
        SIMT_UNROLL
        for (int k = 0; k < rounds; k++) take(e[k], k % sums, j + k * COLUMN_WARPS);
      }
      SIMT_UNROLL
      for (int k = 0; k < rounds; k++, j += COLUMN_WARPS)
        if (j < end) take(x[j * r.step], k % sums, j);
    }
    fold_halves<W, sums>(lane);
    for (int half = COLUMN_WARPS / 2; half > 0; half /= 2) {
      if (warp >= half && warp < 2 * half) shared[threadIdx.x] = lane[0];
      __syncthreads();
      if (warp < half) lane[0] = W::join(lane[0], shared[threadIdx.x + half * WARP_LANES]);
      __syncthreads();
    }
    if (warp == 0 && row < r.count) partials[row * r.blocks.number + block] = lane[0];
  }
}

} // namespace locus

#endif
