/* SPDX-License-Identifier: MIT */
/* Runner of search_index. */
#include "cuda/include/host/runners.h"
#include "cuda/include/search/search_index.h"

namespace locus
{

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(SEARCH_THREADS)
    copy_keys(search_rows rows, typename key_of<E>::type::stored *keys, int64_t step, int64_t numel,
              divisor n)
{
  for (int64_t i = this_thread(); i < numel; i += all_threads()) {
    const int64_t number = n.quotient(i), j = i - number * rows.n;
    const search_row<E> row = row_at<E>(rows, number);
    keys[number * step + j] = row_element<E>(rows, row, j);
  }
}

void gather_keys(call &c, const locus_search_job *job, int64_t rows, void *keys, int64_t step)
{
  const int64_t numel = rows * job->n;

  by_real(job->sequence.dtype, [&](auto e) {
    typedef decltype(e) E;
    c.launch_over(numel, copy_keys<E>, SEARCH_THREADS, 0, rows_of(*job, job->grid, job->row_dims),
                  (typename key_of<E>::type::stored *)keys, step, numel, divisor_of(job->n));
  });
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_search_index(const locus_search_job *job, locus_context *cx)
{
  call c("search_index", cx);
  const int64_t rows = job->grid.numel;
  const index_layout layout = layout_of(job, rows);
  char *const index = job->index.data;

  *job->index_bytes = layout.bytes;
  if (!index || rows * layout.bytes == 0) return c.end();
  if (layout.keys) gather_keys(c, job, rows, index, layout.bytes / layout.item);
  if (layout.levels) {
    by_key(layout.key, [&](auto k) {
      typedef decltype(k) K;
      const char *const keys = layout.keys ? index : job->sequence.data;
      levels_over<K>(c, (const typename K::stored *)keys, job->n, index + layout.levels_at, false);
    });
  }
  return c.end();
}
