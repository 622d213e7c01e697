/* SPDX-License-Identifier: MIT */
/* Runners of gather and scatter. Where several points of a scatter meet the same element, the last
** one writes, or all combine in order: points are sorted by their element first. */
#include "core/jobs/column.h"
#include "cuda/include/block/binary.h"
#include "cuda/include/block/elementwise.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { INDEX_THREADS = 256 };

/* Up to N index tensors. */
template <int N> struct columns {
  places<N + 2> where; /* of the elements, of the array's own strides, of the indices */
  const char *at[N];
  bool narrow[N]; /* int32 instead of int64 */
  int64_t size[N], step[N], base;
  int count;

  /* Where point i is among the elements, and where in the array; false where the last index is
  ** base - 1. */
  SIMT_DEVICE bool find(int64_t i, int64_t *element, int64_t *place) const
  {
    int64_t at_point[N + 2];
    bool found = true;

    where.find(i, at_point);
    *element = at_point[0];
    *place = at_point[1];
    SIMT_UNROLL
    for (int k = 0; k < N; k++) {
      if (k >= count) break;
      const int64_t from = at_point[k + 2];
      const int64_t index =
          narrow[k] ? ((const int32_t *)at[k])[from] : ((const int64_t *)at[k])[from];
      *place += (index < 0 ? index + size[k] : index - base) * step[k];
      found = index != base - 1;
    }
    return found;
  }
};

template <class U, class C>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS)
    gather_elements(U *elements, const U *array, C columns, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t element, place;
    columns.find(i, &element, &place);
    elements[element] = array[place];
  }
}

/* The same, but base - 1 gives one value. */
template <class U, class C>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS)
    gather_found(U *elements, const U *array, C columns, U missing, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t element, place;
    const bool found = columns.find(i, &element, &place);
    elements[element] = found ? array[place] : missing;
  }
}

/* One value everywhere: any thread may write it. */
template <class U, class C>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS) scatter_value(U *array, U value, C columns, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t element, place;
    columns.find(i, &element, &place);
    array[place] = value;
  }
}

/* keys: how far the place of each point lies behind `lowest`. */
template <class V, class C>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS)
    place_points(C columns, int64_t n, int64_t lowest, uint64_t *keys, V *points)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t element, place;
    columns.find(i, &element, &place);
    keys[i] = (uint64_t)(place - lowest);
    points[i] = (V)i;
  }
}

/* Points that share a place follow each other, and the last one writes. */
template <class U, class V>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS)
    scatter_elements(U *array, int64_t lowest, const U *elements, places<1> where,
                     const uint64_t *keys, const V *points, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    if (i + 1 < n && keys[i + 1] == keys[i]) continue;
    int64_t at[1];
    where.find((int64_t)points[i], at);
    array[lowest + (int64_t)keys[i]] = elements[at[0]];
  }
}

/* The op of a scatter; afresh, a place holds `start` before the first point. */
template <class E> struct combination {
  locus_binary op;
  bool afresh;
  typename E::stored start;

  SIMT_DEVICE typename E::stored operator()(typename E::stored sum, typename E::value x) const
  {
    const typename E::value a = E::load(sum);
    if (op == LOCUS_BINARY_add) return binary<E>{LOCUS_BINARY_add}(a, x);
    if (op == LOCUS_BINARY_mul) return binary<E>{LOCUS_BINARY_mul}(a, x);
    if (op == LOCUS_BINARY_minimum) return binary<E>{LOCUS_BINARY_minimum}(a, x);
    return binary<E>{LOCUS_BINARY_maximum}(a, x);
  }
};

/* The thread of the first point of a place combines the values of all of them, one after the
** other. */
template <class E, class V>
SIMT_KERNEL void SIMT_BOUNDS(INDEX_THREADS, 4)
    combine_elements(typename E::stored *array, int64_t lowest, source elements, places<1> where,
                     const uint64_t *keys, const V *points, int64_t n, combination<E> combine,
                     int64_t *counts)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    if (i > 0 && keys[i - 1] == keys[i]) continue;
    const int64_t place = lowest + (int64_t)keys[i];
    typename E::stored sum = combine.afresh ? combine.start : array[place];
    int64_t j = i;
    for (; j < n && keys[j] == keys[i]; j++) {
      int64_t at[1];
      where.find((int64_t)points[j], at);
      sum = combine(sum, elements.read<E>(at[0]));
    }
    array[place] = sum;
    if (counts) counts[place] += j - i;
  }
}

template <int N> static columns<N> columns_of(const locus_index_job &job)
{
  columns<N> c = {};
  const locus_grid &grid = job.grid;

  c.where.ndim = grid.ndim;
  c.base = job.base;
  c.count = job.indices;
  for (int d = 0; d < grid.ndim; d++) {
    c.where.size[d] = divisor_of(grid.size[d]);
    c.where.stride[0][d] = job.elements.stride[d];
    c.where.stride[1][d] = job.array.stride[d];
    for (int k = 0; k < job.indices; k++) c.where.stride[k + 2][d] = job.index[k].at.stride[d];
  }
  for (int k = 0; k < job.indices; k++) {
    c.at[k] = job.index[k].at.data;
    c.narrow[k] = job.index[k].at.dtype == LOCUS_i32;
    c.size[k] = job.index[k].size;
    c.step[k] = job.index[k].step;
  }
  return c;
}

/* Calls f with the columns of the job. */
template <class F> static void with_columns(const locus_index_job &job, F f)
{
  if (job.indices <= 1) f(columns_of<1>(job));
  else if (job.indices == 2) f(columns_of<2>(job));
  else f(columns_of<LOCUS_MAX_DIMS>(job));
}

/* Calls f with an unsigned integer as wide as the job's elements. */
template <class F> static void with_width(const locus_index_job &job, F f)
{
  by_dtype(job.array.dtype, [&](auto e) { by_width(sizeof(typename decltype(e)::stored), f); });
}

/* The places that points can have in the array: lowest .. lowest + count - 1. */
static void reach(const locus_index_job &job, int64_t *lowest, uint64_t *count)
{
  int64_t low = 0, high = 0;
  const auto widen = [&](int64_t size, int64_t step) {
    if (size > 0) (step < 0 ? low : high) += (size - 1) * step;
  };

  for (int d = 0; d < job.grid.ndim; d++) widen(job.grid.size[d], job.array.stride[d]);
  for (int k = 0; k < job.indices; k++) widen(job.index[k].size, job.index[k].step);
  *lowest = low;
  *count = (uint64_t)(high - low) + 1;
}

/* The points of a scatter, sorted by their place; those of one place keep their order. */
template <class V, class C>
static void sort_points(call &c, const locus_index_job &job, const C &columns, pairs<V> &p,
                        int64_t *lowest)
{
  const int64_t n = job.grid.numel;
  uint64_t count;

  reach(job, lowest, &count);
  c.launch_over(n, place_points<V, C>, INDEX_THREADS, 0, columns, n, *lowest,
                p.template keys<uint64_t>(), p.values());
  p.template sort<uint64_t>(bits_below(count));
}

template <class U, class V, class C>
static void scatter(call &c, const locus_index_job &job, const C &columns)
{
  const int64_t n = job.grid.numel;
  pairs<V> p(c, n, 8);
  int64_t lowest;

  sort_points(c, job, columns, p, &lowest);
  c.launch_over(n, scatter_elements<U, V>, INDEX_THREADS, 0, (U *)job.array.data, lowest,
                (const U *)job.elements.data,
                places_of<1>(job.grid, job.grid.ndim, {&job.elements}), p.template keys<uint64_t>(),
                p.values(), n);
}

template <class V, class C>
static void scatter_combining(call &c, const locus_index_job &job, const C &columns)
{
  const int64_t n = job.grid.numel;
  pairs<V> p(c, n, 8);
  int64_t lowest;

  sort_points(c, job, columns, p, &lowest);
  by_dtype(job.array.dtype, [&](auto e) {
    typedef decltype(e) E;
    combination<E> combine = {job.op, job.afresh, {}};
    memcpy(&combine.start, job.start.bytes, sizeof combine.start);
    c.launch_over(n, combine_elements<E, V>, INDEX_THREADS, 0, (typename E::stored *)job.array.data,
                  lowest, source_of(job.elements),
                  places_of<1>(job.grid, job.grid.ndim, {&job.elements}),
                  p.template keys<uint64_t>(), p.values(), n, combine, job.counts);
  });
}

} // namespace locus

extern "C" int locus_cuda_gather(const locus_index_job *job, locus_context *cx)
{
  using namespace locus;
  call c("gather", cx);
  const int64_t n = job->grid.numel;

  if (n == 0) return c.end();
  with_width(*job, [&](auto u) {
    typedef decltype(u) U;
    if (job->has_missing) {
      c.launch_over(n, gather_found<U, columns<1>>, INDEX_THREADS, 0, (U *)job->elements.data,
                    (const U *)job->array.data, columns_of<1>(*job), *(const U *)&job->missing, n);
      return;
    }
    with_columns(*job, [&](const auto &columns) {
      typedef std::decay_t<decltype(columns)> C;
      c.launch_over(n, gather_elements<U, C>, INDEX_THREADS, 0, (U *)job->elements.data,
                    (const U *)job->array.data, columns, n);
    });
  });
  return c.end();
}

extern "C" int locus_cuda_gather_columns(const locus_columns_job *job, locus_context *cx)
{
  locus_index_job one = {};

  one.indices = 1;
  for (int64_t k = 0; k < job->count; k++) {
    locus_column_of(job, k, &one);
    LOCUS_TRY(locus_cuda_gather(&one, cx));
  }
  return 0;
}

extern "C" int locus_cuda_scatter(const locus_index_job *job, locus_context *cx)
{
  using namespace locus;
  call c("scatter", cx);
  const int64_t n = job->grid.numel;

  if (n == 0) return c.end();
  if (job->op != LOCUS_BINARIES) {
    with_columns(*job, [&](const auto &columns) {
      by_positions(n, [&](auto v) { scatter_combining<decltype(v)>(c, *job, columns); });
    });
    return c.end();
  }
  with_width(*job, [&](auto u) {
    typedef decltype(u) U;
    with_columns(*job, [&](const auto &columns) {
      typedef std::decay_t<decltype(columns)> C;
      if (job->elements.data) {
        by_positions(n, [&](auto v) { scatter<U, decltype(v)>(c, *job, columns); });
        return;
      }
      U value;
      memcpy(&value, job->elements.value.bytes, sizeof value);
      c.launch_over(n, scatter_value<U, C>, INDEX_THREADS, 0, (U *)job->array.data, value, columns,
                    n);
    });
  });
  return c.end();
}
