/* SPDX-License-Identifier: MIT */
/* The launches of running.h: rows in order where there are enough of them, long ones in pieces.
** C is as running.h says, and C::exact where the order of joins does not matter. */
#ifndef LOCUS_CUDA_SCANNING_H
#define LOCUS_CUDA_SCANNING_H

#include "cuda/include/host/call.h"
#include "cuda/include/reduce/running.h"

namespace locus
{

/* Totals of pieces, in the place of cells. */
template <class C> struct pieces_of : C {
  static SIMT_DEVICE typename C::value read(const rows_of_cells &s, const int64_t *at, int64_t j)
  {
    return ((const typename C::value *)s.in.data)[at[0] + j];
  }
  static SIMT_DEVICE void write(const rows_of_cells &s, const int64_t *at, int64_t j,
                                typename C::value v)
  {
    ((typename C::value *)s.out.data)[at[1] + j] = v;
  }
};

template <class C> static void scan_in_order(call &c, const rows_of_cells &s, bool columns)
{
  const int64_t warps = ROWS_WARPS * (int64_t)c.processors;
  int high = 5;

  if ((columns && s.rows >= WARP_LANES) || s.n < SCAN_WALKED) {
    c.launch_over(s.rows, walk_rows<C>, WALK_THREADS, 0, s);
    return;
  }
  while (high > 0 && s.rows >> high < warps) high--;
  c.launch_over(parts_of(s.rows, 1 << high) * WARP_LANES, scan_rows<C>, OBLONG_WARPS * WARP_LANES,
                OBLONG_WARPS * sizeof(oblong<typename C::value>), s, high);
}

/* Totals of pieces as contiguous rows. */
template <class V>
static rows_of_cells rows_of_pieces(const rows_of_cells &s, int64_t pieces, V *sums)
{
  const locus_grid rows = {s.rows, 1, {s.rows}};
  locus_operand all = {};
  rows_of_cells r = {};

  all.data = (char *)sums;
  all.stride[0] = pieces;
  r.in = source_of(all);
  r.out = target_of(all);
  r.where = places_of<3>(rows, 1, {&all, &all, &all});
  r.rows = s.rows;
  r.n = pieces;
  return r;
}

template <class C> static void scan_in_pieces(call &c, const rows_of_cells &s)
{
  typedef typename C::value V;
  const cut by = cut_of(s.n);
  const int64_t pieces = by.pieces.number, threads = s.rows * pieces * TILE_THREADS;
  V *sums = nullptr;

  if (pieces > 1) {
    sums = c.temporaries<V>(s.rows * pieces);
    c.launch_over(threads, join_pieces<C>, TILE_THREADS, TILE_WARPS * sizeof(V), s, by, sums);
    c.launch_over(s.rows * TILE_THREADS, scan_tiles<pieces_of<C>>, TILE_THREADS, sizeof(tile<V>),
                  rows_of_pieces(s, pieces, sums), cut{divisor_of(1), pieces}, (const V *)nullptr);
  }
  c.launch_over(threads, scan_tiles<C>, TILE_THREADS, sizeof(tile<V>), s, by, (const V *)sums);
}

template <class C> static void scan(call &c, const rows_of_cells &s, bool columns)
{
  const bool few = s.rows < ROWS_WARPS * (int64_t)c.processors;

  if (s.n > SCAN_IN_ORDER || (C::exact && few && s.n > OBLONG)) scan_in_pieces<C>(c, s);
  else scan_in_order<C>(c, s, columns);
}

} // namespace locus

#endif
