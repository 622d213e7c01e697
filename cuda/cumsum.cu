/* SPDX-License-Identifier: MIT */
/* Runner of cumsum. Short rows are added up in order, as the CPU does. Long ones are cut into
** pieces: the sums of all pieces come first, these are added up, and each piece then begins with
** the sum of those before it. How floats are added depends on the length of a row alone. */
#include "cuda/running.h"
#include "cuda/runners.h"

namespace locus {

/* How elements are read as E, and sums of E written: from and to any dtype, or those named. */
template <class E> struct any_cells {
  typedef E sum;
  static SIMT_DEVICE typename E::value read(const summed &s, int64_t at)
  {
    return s.in.read<E>(at);
  }
  static SIMT_DEVICE void write(const summed &s, int64_t at, typename E::value v)
  {
    s.out.write<E>(at, v);
  }
};

template <class E, class IN, class OUT> struct cells {
  typedef E sum;
  static SIMT_DEVICE typename E::value read(const summed &s, int64_t at)
  {
    return E::store(IN::load(((const typename IN::stored *)s.in.data)[at]));
  }
  static SIMT_DEVICE void write(const summed &s, int64_t at, typename E::value v)
  {
    ((typename OUT::stored *)s.out.data)[at] = OUT::store(v);
  }
};

/* -- The choice between them ------------------------------------------------------------------- */

template <class C> static void cumsum_in_order(call &c, const summed &s, bool columns)
{
  const int64_t warps = ROWS_WARPS * (int64_t)c.processors;
  int high = 5;

  if ((columns && s.rows >= WARP_LANES) || s.n < CUMSUM_WALKED) {
    c.launch_over(s.rows, walk_rows<C>, WALK_THREADS, 0, s);
    return;
  }
  while (high > 0 && s.rows >> high < warps) high--;
  c.launch_over(parts_of(s.rows, 1 << high) * WARP_LANES, sum_rows<C>, OBLONG_WARPS * WARP_LANES,
                OBLONG_WARPS * sizeof(oblong<typename C::sum::value>), s, high);
}

/* The sums of pieces as contiguous rows. */
template <class E>
static summed sums_of_pieces(const summed &s, int64_t pieces, typename E::value *sums)
{
  const locus_grid rows = {s.rows, 1, {s.rows}};
  locus_operand all = {};

  all.data = (char *)sums;
  all.dtype = E::dtype;
  all.stride[0] = pieces;
  return summed{source_of(all), target_of(all), places_of<2>(rows, 1, {&all, &all}),
                s.rows, pieces, 1, 1};
}

template <class C> static void cumsum_in_pieces(call &c, const summed &s)
{
  typedef typename C::sum E;
  typedef typename E::value V;
  const cut by = cut_of(s.n);
  const int64_t pieces = by.pieces.number, threads = s.rows * pieces * TILE_THREADS;
  V *sums = nullptr;

  if (pieces > 1) {
    sums = c.temporaries<V>(s.rows * pieces);
    c.launch_over(threads, sum_pieces<C>, TILE_THREADS, TILE_WARPS * sizeof(V), s, by, sums);
    c.launch_over(s.rows * TILE_THREADS, sum_tiles<cells<E, E, E>>, TILE_THREADS, sizeof(tile<V>),
                  sums_of_pieces<E>(s, pieces, sums), cut{divisor_of(1), pieces},
                  (const V *)nullptr);
  }
  c.launch_over(threads, sum_tiles<C>, TILE_THREADS, sizeof(tile<V>), s, by, (const V *)sums);
}

template <class C> static void cumsum(call &c, const summed &s, bool columns)
{
  constexpr bool exact = C::sum::kind == LOCUS_INTEGER;
  const bool few = s.rows < ROWS_WARPS * (int64_t)c.processors;

  if (s.n > CUMSUM_IN_ORDER || (exact && few && s.n > OBLONG)) cumsum_in_pieces<C>(c, s);
  else cumsum_in_order<C>(c, s, columns);
}

/* In E: most sums have the dtype of their elements, and those of whole numbers are int64. */
template <class E> static void cumsum_as(call &c, const summed &s, bool columns)
{
  const locus_dtype usual = E::kind == LOCUS_INTEGER ? E::dtype : s.in.dtype;

  if (!s.in.data || s.out.dtype != usual) return cumsum<any_cells<E>>(c, s, columns);
  by_dtype(s.in.dtype, [&](auto e) {
    typedef decltype(e) IN;
    if constexpr (E::kind == LOCUS_INTEGER && IN::kind <= LOCUS_INTEGER)
      cumsum<cells<E, IN, E>>(c, s, columns);
    else if constexpr (E::kind == IN::kind) cumsum<cells<E, IN, IN>>(c, s, columns);
    else cumsum<any_cells<E>>(c, s, columns);
  });
}

} // namespace locus

extern "C" int locus_cuda_cumsum(const locus_cumsum_job *job, locus_context *cx)
{
  using namespace locus;
  call c("cumsum", cx);
  summed s = {};

  if (job->n == 0 || job->rows.numel == 0) return c.end();
  s.in = source_of(job->in);
  s.out = target_of(job->out);
  s.where = places_of<2>(job->rows, job->rows.ndim, {&job->in, &job->out});
  s.rows = job->rows.numel;
  s.n = job->n;
  s.in_step = job->in_step;
  s.out_step = job->out_step;
  const bool columns = job->in.stride[job->rows.ndim - 1] < job->in_step;
  switch (locus_dtype_kind(job->out.dtype)) {
  case LOCUS_BOOL:
  case LOCUS_INTEGER: cumsum_as<element<LOCUS_i64>>(c, s, columns); break;
  case LOCUS_FLOAT: cumsum_as<element<LOCUS_f64>>(c, s, columns); break;
  case LOCUS_COMPLEX: cumsum_as<element<LOCUS_c128>>(c, s, columns); break;
  }
  return c.end();
}
