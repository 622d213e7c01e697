/* SPDX-License-Identifier: MIT */
/* Runner of asof. Rows are sorted by their group, which leaves them in order within it; each value
** then searches for its limit among the rows of its own. */
#include "cuda/include/block/element.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { ASOF_THREADS = 256 };

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(ASOF_THREADS)
    key_rows(const int32_t *of_rows, int64_t n, uint32_t *keys, V *rows)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    keys[i] = (uint32_t)of_rows[i];
    rows[i] = (V)i;
  }
}

/* How many rows come before row `limit` of a group, in the order of groups and rows. */
template <class V>
SIMT_DEVICE int64_t rows_before(const uint32_t *keys, const V *rows, int64_t n, uint32_t group,
                                int64_t limit)
{
  int64_t low = 0, high = n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const uint32_t key = keys[middle];
    const int64_t row = (int64_t)rows[middle];
    if (key < group || (key == group && row < limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(ASOF_THREADS)
    find_rows(const uint32_t *keys, const V *rows, int64_t n, const int64_t *limits,
              const int32_t *of_values, int64_t m, bool forward, int64_t base, int64_t *out)
{
  for (int64_t i = this_thread(); i < m; i += all_threads()) {
    const uint32_t group = (uint32_t)of_values[i];
    const int64_t at = rows_before(keys, rows, n, group, limits[i]) - !forward;
    const bool found = at >= 0 && at < n && keys[at] == group;
    out[i] = base + (found ? (int64_t)rows[at] : -1);
  }
}

template <class V> static void find_all(call &c, const locus_asof_job &job)
{
  pairs<V> p(c, job.n, 4);

  c.launch_over(job.n, key_rows<V>, ASOF_THREADS, 0, job.of_rows, job.n,
                p.template keys<uint32_t>(), p.values());
  p.template sort<uint32_t>(bits_below((uint64_t)job.groups + 1));
  c.launch_over(job.m, find_rows<V>, ASOF_THREADS, 0, (const uint32_t *)p.template keys<uint32_t>(),
                (const V *)p.values(), job.n, job.limits, job.of_values, job.m, job.forward,
                job.base, job.out);
}

} // namespace locus

extern "C" int locus_cuda_asof(const locus_asof_job *job, locus_context *cx)
{
  using namespace locus;
  call c("asof", cx);

  by_positions(job->n, [&](auto v) { find_all<decltype(v)>(c, *job); });
  return c.end();
}
