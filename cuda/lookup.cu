/* SPDX-License-Identifier: MIT */
/* Runner of lookup: at each step a warp reads 32 elements, which part the rest of the row evenly,
** so that few loads wait for one another. */
#include "cuda/include/block/block.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/search/search_probe.h"

namespace locus
{

/* Writes to *count how many elements come before the value. */
template <class E>
SIMT_KERNEL void SIMT_BOUNDS(WARP_LANES)
    look_up(const typename E::stored *row, int64_t n, int64_t step, double value, int64_t *count)
{
  typedef typename key_of<E>::type K;
  const probe<K> p = probe_of<K>(value, false);
  int64_t begin = 0;

  for (int64_t left = p.all ? 0 : n; left > 0;) {
    const int64_t part = (left + WARP_LANES) / (WARP_LANES + 1);
    const int64_t at = (threadIdx.x + 1) * part - 1;
    const bool counts =
        at < left && p.counts((typename K::stored)E::load(row[(begin + at) * step]));
    const int64_t parts = __popc(__ballot_sync(ALL_LANES, counts));
    begin += parts * part;
    left -= parts * part;
    if (parts < WARP_LANES && left > part - 1) left = part - 1;
  }
  if (threadIdx.x == 0) *count = p.all ? n : begin;
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_lookup(const locus_lookup_job *job, locus_context *cx)
{
  call c("lookup", cx);
  int64_t *const count = c.temporaries<int64_t>(1);

  by_real(job->dtype, [&](auto e) {
    typedef decltype(e) E;
    const double value =
        E::kind == LOCUS_FLOAT ? (double)E::load(E::store(job->value)) : job->value;
    c.launch(look_up<E>, 1, WARP_LANES, 0, (const typename E::stored *)job->data, job->n, job->step,
             value, count);
  });
  c.read(job->count, count, sizeof *count);
  return c.end();
}
