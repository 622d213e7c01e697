/* SPDX-License-Identifier: MIT */
/* The order in which a row of elements becomes one answer: that of jobs.h for sums of floats, which
** every other way of reducing takes, too.
** A way of reducing W has
**   W::partial   what is known of some elements, W::none() of no elements
**   W::of<E>     of one element and its position
**   W::join      of both, in either order
**   W::lanes     how many lanes share a block
**   W::ordered   whether the order matters, as it does to sums of floats */
#ifndef LOCUS_CUDA_REDUCE_TREE_H
#define LOCUS_CUDA_REDUCE_TREE_H

#include "cuda/element.h"
#include "cuda/places.h"
#include "cuda/rank.h"
#include "cuda/warp.h"

namespace locus {

enum { REDUCE_THREADS = 128, REDUCE_WARPS = REDUCE_THREADS / WARP_LANES };
static_assert((int)WARP_LANES == (int)LOCUS_SUM_LANES, "a lane of a warp is one of a block");

/* Rows as kernels see them. */
struct rows {
  source in;
  places<1> kept, reduced;
  int64_t n, blocks; /* of a row: elements, and blocks of them, at least one */
  int64_t count;     /* of rows */
  bool least_wins;   /* of extremes */

  SIMT_DEVICE int64_t start(int64_t row) const
  {
    int64_t at[1];
    kept.find(row, at);
    return at[0];
  }

  SIMT_DEVICE int64_t offset(int64_t position) const
  {
    int64_t at[1];
    reduced.find(position, at);
    return at[0];
  }
};

/* -- Ways of reducing -------------------------------------------------------------------------- */

struct whole_sum {
  typedef uint64_t partial;
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = false;

  static SIMT_DEVICE partial none() { return 0; }
  static SIMT_DEVICE partial join(partial a, partial b) { return a + b; }
  template <class E>
  static SIMT_DEVICE partial of(typename E::value v, typename E::stored, int64_t, bool)
  {
    return (uint64_t)(int64_t)v;
  }
};

/* How many elements are nonzero. */
struct truth_count : whole_sum {
  template <class E>
  static SIMT_DEVICE partial of(typename E::value v, typename E::stored, int64_t, bool)
  {
    return LOCUS_STORE_b8(v);
  }
};

struct real_sum {
  typedef double partial;
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = true;

  static SIMT_DEVICE partial none() { return 0; }
  static SIMT_DEVICE partial join(partial a, partial b) { return a + b; }
  template <class E>
  static SIMT_DEVICE partial of(typename E::value v, typename E::stored, int64_t, bool)
  {
    return (double)v;
  }
};

struct complex_sum {
  typedef locus_complex128 partial;
  static constexpr int lanes = WARP_LANES / 2;
  static constexpr bool ordered = true;

  static SIMT_DEVICE partial none() { return locus_pair_c128(0, 0); }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return locus_pair_c128(a.re + b.re, a.im + b.im);
  }
  template <class E>
  static SIMT_DEVICE partial of(typename E::value v, typename E::stored, int64_t, bool)
  {
    return locus_pair_c128(v.re, v.im);
  }
};

/* The greatest merit wins, and of equal ones the first. Merit is the rank or, where the least wins,
** its complement, with NaN still above all else. */
struct extreme {
  struct partial {
    uint64_t merit;
    int64_t position; /* -1: none */
  };
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = false;

  static SIMT_DEVICE partial none() { return partial{0, -1}; }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    if (a.position < 0) return b;
    if (b.position < 0) return a;
    if (a.merit != b.merit) return a.merit > b.merit ? a : b;
    return a.position < b.position ? a : b;
  }
  template <class E>
  static SIMT_DEVICE partial of(typename E::value, typename E::stored x, int64_t position,
                                bool least_wins)
  {
    const uint64_t r = rank<E>(x);
    if (!least_wins) return partial{r, position};
    if (E::kind != LOCUS_FLOAT) return partial{~r, position};
    const uint64_t nan = ~(uint64_t)0 >> (64 - 8 * sizeof x);
    return partial{r == nan ? r : nan - 1 - r, position};
  }
};

/* -- The tree ---------------------------------------------------------------------------------- */

/* What the lanes of a warp have, joined: neighbours first, or the farther half first. */
template <class W> SIMT_DEVICE typename W::partial join_neighbours(typename W::partial mine)
{
  for (int distance = 1; distance < WARP_LANES; distance *= 2)
    mine = W::join(mine, from_across(mine, distance));
  return mine;
}

template <class W> SIMT_DEVICE typename W::partial join_halves(typename W::partial mine)
{
  for (int distance = W::lanes / 2; distance > 0; distance /= 2)
    mine = W::join(mine, from_across(mine, distance));
  return mine;
}

/* Joins what the first `count` lanes have, fewer than all: in runs of powers of two, as a full warp
** would, from the last run on, each to what comes after it. The other lanes have none. */
template <class W>
SIMT_DEVICE typename W::partial join_leftover(typename W::partial mine, int count,
                                              typename W::partial after)
{
  for (int distance = 1; distance < WARP_LANES; distance *= 2) {
    const int first = count & ~(2 * distance - 1);
    const typename W::partial there = from_lane(mine, first);
    if (count & distance) after = W::join(there, after);
    mine = W::join(mine, from_across(mine, distance));
  }
  return after;
}

/* Block b of each row, by a warp: partials[row * blocks + b]. */
template <class W, class E>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS)
reduce_by_warps(rows r, typename W::partial *partials)
{
  const int lane = threadIdx.x % WARP_LANES;
  const int64_t warps = (int64_t)gridDim.x * REDUCE_WARPS;

  for (int64_t i = this_thread() / WARP_LANES; i < r.count * r.blocks; i += warps) {
    const int64_t row = i / r.blocks, begin = i % r.blocks * LOCUS_SUM_BLOCK;
    const int64_t end = begin + LOCUS_SUM_BLOCK < r.n ? begin + LOCUS_SUM_BLOCK : r.n;
    const typename E::stored *x = (const typename E::stored *)r.in.data + r.start(row);
    typename W::partial mine = W::none();

    for (int64_t j = begin + lane; lane < W::lanes && j < end; j += W::lanes) {
      const typename E::stored e = x[r.offset(j)];
      mine = W::join(mine, W::template of<E>(E::load(e), e, j, r.least_wins));
    }
    mine = join_halves<W>(mine);
    if (lane == 0) partials[i] = mine;
  }
}

/* The same by a thread, which has what the lanes would have; `step` leads along a row. For rows
** that are short, or closer to each other than their own elements are. */
template <class W, class E>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS, 2)
reduce_by_threads(rows r, int64_t step, typename W::partial *partials)
{
  constexpr int lanes = W::ordered ? W::lanes : 4;

  for (int64_t i = this_thread(); i < r.count * r.blocks; i += all_threads()) {
    const int64_t row = i % r.count, block = i / r.count, begin = block * LOCUS_SUM_BLOCK;
    const int64_t end = begin + LOCUS_SUM_BLOCK < r.n ? begin + LOCUS_SUM_BLOCK : r.n;
    const typename E::stored *x = (const typename E::stored *)r.in.data + r.start(row);
    typename W::partial lane[lanes];

    SIMT_UNROLL
    for (int l = 0; l < lanes; l++) lane[l] = W::none();
    for (int64_t j = begin; j < end; j += lanes) {
      SIMT_UNROLL
      for (int l = 0; l < lanes; l++) {
        if (j + l >= end) continue;
        const typename E::stored e = x[(j + l) * step];
        lane[l] = W::join(lane[l], W::template of<E>(E::load(e), e, j + l, r.least_wins));
      }
    }
    SIMT_UNROLL
    for (int half = lanes / 2; half > 0; half /= 2) {
      SIMT_UNROLL
      for (int l = 0; l < half; l++) lane[l] = W::join(lane[l], lane[half + l]);
    }
    partials[row * r.blocks + block] = lane[0];
  }
}

/* Joins WARP_LANES partials into one. A row has `count` of them, and behind these, if has_rest,
** what is left over at its end; it gets count / WARP_LANES and what is left over then. */
template <class W>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS)
reduce_partials(const typename W::partial *in, int64_t rows, int64_t count, bool has_rest,
                typename W::partial *out)
{
  const int lane = threadIdx.x % WARP_LANES;
  const int64_t warps = (int64_t)gridDim.x * REDUCE_WARPS, groups = count / WARP_LANES;

  for (int64_t i = this_thread() / WARP_LANES; i < rows * (groups + 1); i += warps) {
    const int64_t row = i / (groups + 1), group = i % (groups + 1);
    const typename W::partial *members = in + row * (count + has_rest);
    const int there = group < groups ? WARP_LANES : (int)(count % WARP_LANES);
    typename W::partial mine = lane < there ? members[group * WARP_LANES + lane] : W::none();

    if (group < groups) mine = join_neighbours<W>(mine);
    else mine = join_leftover<W>(mine, there, has_rest ? members[count] : W::none());
    if (lane == 0) out[i] = mine;
  }
}

} // namespace locus

#endif
