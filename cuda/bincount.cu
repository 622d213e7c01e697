/* SPDX-License-Identifier: MIT */
/* Runner of bincount. Counts are added as they come; weights in the order of the input, as on the
** CPU: they are sorted by value first, and a thread adds up those of one value. */
#include "cuda/include/block/elementwise.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { BINCOUNT_THREADS = 256 };

typedef element<LOCUS_i64> whole_number;

static SIMT_KERNEL void SIMT_BOUNDS(BINCOUNT_THREADS)
    count_values(unsigned long long *counts, source in, places<1> where, int64_t n, int64_t base)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    atomicAdd(&counts[in.read<whole_number>(at[0]) - base], 1ull);
  }
}

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(BINCOUNT_THREADS)
    key_values(source in, places<1> where, int64_t n, int64_t base, uint64_t *keys, V *points)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    keys[i] = (uint64_t)(in.read<whole_number>(at[0]) - base);
    points[i] = (V)i;
  }
}

/* The thread of the first point of a value goes through all of them. */
template <class V>
SIMT_KERNEL void SIMT_BOUNDS(BINCOUNT_THREADS, 2)
    add_weights(double *sums, source weights, places<1> where, const uint64_t *keys,
                const V *points, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    if (i > 0 && keys[i - 1] == keys[i]) continue;
    double sum = sums[keys[i]];
    for (int64_t j = i; j < n && keys[j] == keys[i]; j++) {
      int64_t at[1];
      where.find((int64_t)points[j], at);
      sum += weights.read<element<LOCUS_f64>>(at[0]);
    }
    sums[keys[i]] = sum;
  }
}

template <class V> static void add_by_value(call &c, const locus_bincount_job &job)
{
  const int64_t n = job.grid.numel;
  pairs<V> p(c, n, 8);

  c.launch_over(n, key_values<V>, BINCOUNT_THREADS, 0, source_of(job.in),
                places_of<1>(job.grid, job.grid.ndim, {&job.in}), n, job.base,
                p.template keys<uint64_t>(), p.values());
  p.template sort<uint64_t>(63);
  c.launch_over(n, add_weights<V>, BINCOUNT_THREADS, 0, (double *)job.out, source_of(job.weights),
                places_of<1>(job.grid, job.grid.ndim, {&job.weights}), p.template keys<uint64_t>(),
                p.values(), n);
}

} // namespace locus

extern "C" int locus_cuda_bincount(const locus_bincount_job *job, locus_context *cx)
{
  using namespace locus;
  call c("bincount", cx);
  const int64_t n = job->grid.numel;

  if (n == 0) return c.end();
  if (job->has_weights) {
    by_positions(n, [&](auto v) { add_by_value<decltype(v)>(c, *job); });
    return c.end();
  }
  c.launch_over(n, count_values, BINCOUNT_THREADS, 0, (unsigned long long *)job->out,
                source_of(job->in), places_of<1>(job->grid, job->grid.ndim, {&job->in}), n,
                job->base);
  return c.end();
}
