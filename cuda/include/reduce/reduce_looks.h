/* SPDX-License-Identifier: MIT */
/* A second look at means, norms and spreads, where core/number/rescale.h wants one: by one more
** kernel, which writes all answers. A thread tests an answer, and the threads of a block take the
** rows together that are wanted, all they need to know of one in one pass. */
#ifndef LOCUS_CUDA_REDUCE_LOOKS_H
#define LOCUS_CUDA_REDUCE_LOOKS_H

#include "core/number/rescale.h"
#include "cuda/include/reduce/reduce_answers.h"

namespace locus
{

/* Facts about a row: of each part of elements the sum and the extremes, and how many count. */
struct seen {
  double sum[2], least[2], greatest[2];
  uint64_t count;
};

struct look_memory {
  uint32_t wanted[REDUCE_THREADS / WARP_LANES]; /* bit l: by lane l of that warp */
  seen own[REDUCE_THREADS / WARP_LANES];
};

template <class E> constexpr int parts_of_element = E::kind == LOCUS_COMPLEX ? 2 : 1;

template <class E> constexpr bool is_wide = E::dtype == LOCUS_f64 || E::dtype == LOCUS_c128;

static SIMT_HOST_DEVICE bool is_mean(locus_reduce op)
{
  return op == LOCUS_REDUCE_mean || op == LOCUS_REDUCE_nanmean;
}

static SIMT_HOST_DEVICE bool is_variance(locus_reduce op)
{
  return op == LOCUS_REDUCE_var || op == LOCUS_REDUCE_nanvar;
}

static SIMT_HOST_DEVICE bool is_spread(locus_reduce op)
{
  return is_variance(op) || op == LOCUS_REDUCE_std || op == LOCUS_REDUCE_nanstd;
}

static SIMT_HOST_DEVICE bool skips_nan(locus_reduce op)
{
  return op == LOCUS_REDUCE_nanmean || op == LOCUS_REDUCE_nanvar || op == LOCUS_REDUCE_nanstd;
}

/* The factor of elements. */
static SIMT_DEVICE double factor_of(locus_reduce op, double answer, double mark)
{
  if (is_mean(op)) return LOCUS_SHRINK;
  if (op == LOCUS_REDUCE_norm2) return locus_factor_of_squares(answer);
  return locus_factor_of_distances(is_variance(op) ? sqrt(answer) : answer, mark);
}

static SIMT_DEVICE bool wants_look(locus_reduce op, bool wide, double answer, double mark)
{
  if (!is_mean(op)) return wide && factor_of(op, answer, mark) != 1;
  return (wide && locus_overflowed(answer)) || locus_may_be_alike(answer, mark, LOCUS_TREE_SLACK);
}

static SIMT_DEVICE seen nothing_seen()
{
  return seen{{0, 0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0};
}

static SIMT_DEVICE seen join_seen(const seen &a, const seen &b)
{
  seen s = a;
  s.count += b.count;
  for (int k = 0; k < 2; k++) {
    s.sum[k] += b.sum[k];
    s.least[k] = fmin(a.least[k], b.least[k]);
    s.greatest[k] = fmax(a.greatest[k], b.greatest[k]);
  }
  return s;
}

template <class E> SIMT_DEVICE void load_parts(typename E::stored x, double *part)
{
  const typename E::value v = E::load(x);
  part[0] = (double)LOCUS_REAL(v);
  part[1] = (double)LOCUS_IMAGINARY(v);
}

/* The centre of deviations; for means the first element. */
template <class E>
SIMT_DEVICE void mark_of(const rows &r, locus_reduce op, int64_t row, double *mark)
{
  if (is_mean(op)) load_parts<E>(r.in.stored<E>(r.start(row) + r.offset(0)), mark);
  else mark[0] = mark[1] = r.centre ? r.centre[row] : 0;
}

template <class E>
SIMT_DEVICE void see(seen &s, typename E::stored x, locus_reduce op, double factor, double mark)
{
  double part[2];

  load_parts<E>(x, part);
  if (skips_nan(op) && !(part[0] == part[0] && part[1] == part[1])) return;
  s.count++;
  for (int k = 0; k < parts_of_element<E>; k++) {
    const double v =
        is_spread(op) ? locus_scaled_distance(part[k], mark, factor) : part[k] * factor;
    s.sum[k] += is_mean(op) ? v : v * v;
    s.least[k] = fmin(s.least[k], part[k]);
    s.greatest[k] = fmax(s.greatest[k], part[k]);
  }
}

static SIMT_DEVICE double mended_mean(const seen &s, int k, bool wide, double mean)
{
  if (wide && locus_overflowed(mean)) {
    const double better = locus_grown_mean(s.sum[k] / (double)s.count);
    mean = better == better ? better : mean;
  }
  const bool alike = s.least[k] == s.greatest[k];
  return alike && locus_may_be_alike(mean, s.least[k], LOCUS_TREE_SLACK) ? s.least[k] : mean;
}

static SIMT_DEVICE double mended_spread(const seen &s, locus_reduce op, double factor,
                                        double divisor)
{
  if (op == LOCUS_REDUCE_norm2) return sqrt(s.sum[0]) / factor;
  if (!is_variance(op)) return sqrt(s.sum[0] / divisor) / factor;
  return s.sum[0] / divisor / factor / factor;
}

template <class E>
SIMT_DEVICE void write_looked(const answers &a, int64_t row, const double *answer)
{
  int64_t at[2];

  a.where.find(row, at);
  if constexpr (parts_of_element<E> == 1) a.out.write<element<LOCUS_f64>>(at[0], answer[0]);
  else a.out.write<element<LOCUS_c128>>(at[0], locus_pair_c128(answer[0], answer[1]));
}

/* By all threads of the block. */
template <class E>
SIMT_DEVICE void look_at_row(const rows &r, const answers &a, const double *plain, locus_reduce op,
                             int64_t row, look_memory *shared)
{
  constexpr int parts = parts_of_element<E>, warps = REDUCE_THREADS / WARP_LANES;
  const int64_t start = r.start(row);
  double answer[2] = {plain[row * parts], plain[row * parts + parts - 1]}, mark[2];
  seen s = nothing_seen();

  mark_of<E>(r, op, row, mark);
  const double factor = factor_of(op, answer[0], mark[0]);
  for (int64_t j = threadIdx.x; j < r.n; j += blockDim.x)
    see<E>(s, r.in.stored<E>(start + r.offset(j)), op, factor, mark[0]);
  for (int distance = WARP_LANES / 2; distance > 0; distance /= 2)
    s = join_seen(s, from_across(s, distance));
  if (threadIdx.x % WARP_LANES == 0) shared->own[threadIdx.x / WARP_LANES] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < warps; w++) s = join_seen(s, shared->own[w]);
    for (int k = 0; k < parts; k++) {
      const double better = is_mean(op) ? mended_mean(s, k, is_wide<E>, answer[k])
                                        : mended_spread(s, op, factor, divisor_for(a, r, s.count));
      answer[k] = better == better ? better : answer[k];
    }
    write_looked<E>(a, row, answer);
  }
  __syncthreads();
}

/* `plain` are the first answers, of one double or two. */
template <class E>
static SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS, 4)
    look_again(rows r, answers a, const double *plain, locus_reduce op)
{
  constexpr int parts = parts_of_element<E>, warps = REDUCE_THREADS / WARP_LANES;
  const int lane = threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
  SIMT_SHARED(look_memory, shared);

  for (int64_t first = (int64_t)blockIdx.x * REDUCE_THREADS; first < r.count;
       first += (int64_t)gridDim.x * REDUCE_THREADS) {
    const int64_t row = first + threadIdx.x;
    bool wanted = false;
    if (row < r.count) {
      const double answer[2] = {plain[row * parts], plain[row * parts + parts - 1]};
      double mark[2] = {0, 0};
      if (r.n > 0) mark_of<E>(r, op, row, mark);
      for (int k = 0; k < parts && r.n > 0; k++)
        wanted |= wants_look(op, is_wide<E>, answer[k], mark[k]);
      if (!wanted) write_looked<E>(a, row, answer);
    }
    const uint32_t word = __ballot_sync(ALL_LANES, wanted);
    if (lane == 0) shared->wanted[warp] = word;
    __syncthreads();
    for (int w = 0; w < warps; w++)
      for (uint32_t bits = shared->wanted[w]; bits; bits &= bits - 1)
        look_at_row<E>(r, a, plain, op, first + w * WARP_LANES + __ffs(bits) - 1, shared);
    __syncthreads();
  }
}

} // namespace locus

#endif
