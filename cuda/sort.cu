/* SPDX-License-Identifier: MIT */
/* Runner of sort. Every element becomes a pair of its rank and its number among all elements. All
** rows are sorted at once, with the row's number in the bits above the rank or, if these are too
** few, by the rank and then by the row. */
#include "cuda/include/block/elementwise.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/order/rank.h"
#include "cuda/include/block/rows.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { SORT_THREADS = 256 };

/* Keys and numbers of n elements, in rows of `row` of them. Ranks are XORed with `turn`; if by_row,
** the number of its row goes above an element's rank. */
template <class E, class K, class V>
SIMT_KERNEL void SIMT_BOUNDS(SORT_THREADS)
    rank_elements(const typename E::stored *in, places<1> where, divisor row, int64_t n, K turn,
                  bool by_row, K *keys, V *values)
{
  constexpr int above = sizeof(typename E::stored) < sizeof(K) ? 8 * sizeof(typename E::stored) : 0;

  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    K key = (K)rank<E>(in[at[0]]) ^ turn;
    if (by_row) key |= (K)row.quotient(i) << above;
    keys[i] = key;
    values[i] = (V)i;
  }
}

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(SORT_THREADS)
    rank_rows(const V *values, divisor row, int64_t n, uint64_t *keys)
{
  for (int64_t i = this_thread(); i < n; i += all_threads())
    keys[i] = (uint64_t)row.quotient((int64_t)values[i]);
}

template <class U, class V>
SIMT_KERNEL void SIMT_BOUNDS(SORT_THREADS)
    write_sorted_values(U *out, const U *in, places<2> where, const V *values, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t to[2], from[2];
    where.find(i, to);
    where.find((int64_t)values[i], from);
    out[to[0]] = in[from[1]];
  }
}

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(SORT_THREADS)
    write_sorted_index(int64_t *index, places<1> where, divisor row, const V *values, int64_t n,
                       int64_t base)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    const int64_t from = (int64_t)values[i];
    int64_t to[1];
    where.find(i, to);
    index[to[0]] = from - row.quotient(from) * row.number + base;
  }
}

/* The elements of the job in their rows. */
struct sorting {
  locus_grid grid;
  locus_operand in, values, index;
  divisor row;
};

static sorting sorting_of(const locus_sort_job &job)
{
  sorting s = {with_rows_of(job.rows, job.n), {}, {}, {}, divisor_of(job.n)};

  s.in = along_rows(job.in, s.grid, job.in_step);
  if (job.has_values) s.values = along_rows(job.values, s.grid, job.values_step);
  if (job.has_index) s.index = along_rows(job.index, s.grid, job.index_step);
  return s;
}

template <class E, class K, class V>
static void fill(call &c, const locus_sort_job &job, const sorting &s, bool by_row, pairs<V> &p)
{
  const K ones = (K)(~(uint64_t)0 >> (64 - 8 * (int)sizeof(typename E::stored)));

  c.launch_over(s.grid.numel, rank_elements<E, K, V>, SORT_THREADS, 0,
                (const typename E::stored *)s.in.data, places_of<1>(s.grid, s.grid.ndim, {&s.in}),
                s.row, s.grid.numel, job.descending ? ones : (K)0, by_row, p.template keys<K>(),
                p.values());
}

/* Puts the numbers of the elements in order. */
template <class E, class V>
static void order(call &c, const locus_sort_job &job, const sorting &s, pairs<V> &p)
{
  constexpr int bits = 8 * sizeof(typename E::stored);
  const int row_bits = bits_below((uint64_t)job.rows.numel);

  if constexpr (bits <= 32) {
    if (bits + row_bits <= 32) {
      fill<E, uint32_t>(c, job, s, row_bits > 0, p);
      p.template sort<uint32_t>(bits + row_bits);
      return;
    }
  }
  if (bits + row_bits <= 64) {
    fill<E, uint64_t>(c, job, s, row_bits > 0, p);
    p.template sort<uint64_t>(bits + row_bits);
  } else {
    fill<E, uint64_t>(c, job, s, false, p);
    p.template sort<uint64_t>(bits);
    c.launch_over(s.grid.numel, rank_rows<V>, SORT_THREADS, 0, p.values(), s.row, s.grid.numel,
                  p.template keys<uint64_t>());
    p.template sort<uint64_t>(row_bits);
  }
}

template <class U, class V>
static void write(call &c, const locus_sort_job &job, const sorting &s, const pairs<V> &p)
{
  if (job.has_values) {
    c.launch_over(s.grid.numel, write_sorted_values<U, V>, SORT_THREADS, 0, (U *)s.values.data,
                  (const U *)s.in.data, places_of<2>(s.grid, s.grid.ndim, {&s.values, &s.in}),
                  p.values(), s.grid.numel);
  }
  if (job.has_index) {
    c.launch_over(s.grid.numel, write_sorted_index<V>, SORT_THREADS, 0, (int64_t *)s.index.data,
                  places_of<1>(s.grid, s.grid.ndim, {&s.index}), s.row, p.values(), s.grid.numel,
                  job.base);
  }
}

} // namespace locus

extern "C" int locus_cuda_sort(const locus_sort_job *job, locus_context *cx)
{
  using namespace locus;
  call c("sort", cx);

  if (job->n == 0 || job->rows.numel == 0) return c.end();
  const sorting s = sorting_of(*job);
  by_positions(s.grid.numel, [&](auto v) {
    by_real(job->in.dtype, [&](auto e) {
      typedef decltype(e) E;
      typedef typename unsigned_of<sizeof(typename E::stored)>::type U;
      pairs<decltype(v)> p(c, s.grid.numel, 8);
      order<E>(c, *job, s, p);
      write<U>(c, *job, s, p);
    });
  });
  return c.end();
}
