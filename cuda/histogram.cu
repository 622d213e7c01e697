/* SPDX-License-Identifier: MIT */
/* Runner of histogram. A thread looks for the bin of an element by bisection, and counts are added
** as they come; the weights of bins are added by bincount, in the order of the input. */
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { HISTOGRAM_THREADS = 256 };

typedef element<LOCUS_f64> real_number;

struct edges_of {
  const double *edges;
  int64_t bins;

  /* `bins` where x is in none. */
  SIMT_DEVICE int64_t bin(double x) const
  {
    int64_t low = 0, high = bins;
    if (!(x >= edges[0] && x <= edges[bins])) return bins;
    while (high - low > 1) { /* the bin is one of low .. high - 1 */
      const int64_t middle = low + (high - low) / 2;
      if (edges[middle] <= x) low = middle;
      else high = middle;
    }
    return low;
  }
};

static SIMT_KERNEL void SIMT_BOUNDS(HISTOGRAM_THREADS)
    count_elements(unsigned long long *counts, edges_of edges, source in, places<1> where,
                   int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    const int64_t bin = edges.bin(in.read<real_number>(at[0]));
    if (bin < edges.bins) atomicAdd(&counts[bin], 1ull);
  }
}

static SIMT_KERNEL void SIMT_BOUNDS(HISTOGRAM_THREADS)
    find_bins(int64_t *bins, edges_of edges, source in, places<1> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    bins[i] = edges.bin(in.read<real_number>(at[0]));
  }
}

/* to = from, or zeros. */
static SIMT_KERNEL void SIMT_BOUNDS(HISTOGRAM_THREADS)
    copy_sums(double *to, const double *from, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) to[i] = from ? from[i] : 0;
}

static int add_weights(call &c, const locus_histogram_job &job, const edges_of &edges,
                       locus_context *cx)
{
  const int64_t n = job.grid.numel;
  int64_t *bins = c.temporaries<int64_t>(n);
  double *sums = c.temporaries<double>(job.bins + 1);
  locus_bincount_job count = {};

  c.launch_over(n, find_bins, HISTOGRAM_THREADS, 0, bins, edges, source_of(job.in),
                places_of<1>(job.grid, job.grid.ndim, {&job.in}), n);
  c.launch_over(job.bins + 1, copy_sums, HISTOGRAM_THREADS, 0, sums, (const double *)NULL,
                job.bins + 1);
  count.grid = job.grid;
  count.in.data = (char *)bins;
  count.in.dtype = LOCUS_i64;
  count.in.stride[0] = 1;
  count.weights = job.weights;
  count.has_weights = true;
  count.out = (char *)sums;
  if (!c.ok()) return c.end();
  LOCUS_TRY(locus_cuda_bincount(&count, cx));
  c.launch_over(job.bins, copy_sums, HISTOGRAM_THREADS, 0, (double *)job.out, (const double *)sums,
                job.bins);
  return c.end();
}

} // namespace locus

extern "C" int locus_cuda_histogram(const locus_histogram_job *job, locus_context *cx)
{
  using namespace locus;
  call c("histogram", cx);
  const int64_t n = job->grid.numel;
  const edges_of edges = {job->edges, job->bins};

  if (n == 0) return c.end();
  if (job->has_weights) return add_weights(c, *job, edges, cx);
  c.launch_over(n, count_elements, HISTOGRAM_THREADS, 0, (unsigned long long *)job->out, edges,
                source_of(job->in), places_of<1>(job->grid, job->grid.ndim, {&job->in}), n);
  return c.end();
}
