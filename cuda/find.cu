/* SPDX-License-Identifier: MIT */
/* Runner of find: every block looks for the first of its own, the host takes the first of these. */
#include <math.h>

#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { FINDERS = 256, MOST_FINDER_BLOCKS = 1024 };

/* A real v truncates into low..high when low - 1 < v < high + 1. `below` and `above` are these two
** bounds or, where a double cannot hold one, the next double outside. */
struct wanted {
  locus_find what;
  int64_t low, high;
  double below, above;

  template <class E> SIMT_DEVICE bool accepts(typename E::value v) const
  {
    if (what == LOCUS_FIND_ZERO) return LOCUS_STORE_b8(v) != 0;
    if (LOCUS_IMAGINARY(v) != 0) return false;
    if (what == LOCUS_FIND_COMPLEX) return true;
    if constexpr (E::kind <= LOCUS_INTEGER) return (int64_t)v >= low && (int64_t)v <= high;
    else return (double)LOCUS_REAL(v) > below && (double)LOCUS_REAL(v) < above;
  }
};

static wanted wanted_of(const locus_find_job &job)
{
  wanted w = {job.what, job.low, job.high, (double)job.low - 1, (double)job.high + 1};
  if (w.below == (double)job.low) w.below = nextafter(w.below, -INFINITY);
  return w;
}

/* firsts[b]: the first element that is not acceptable of those that block b looks at; n if there is
** none. */
template <class E>
SIMT_KERNEL void SIMT_BOUNDS(FINDERS)
    find_first(wanted w, source in, places<1> where, int64_t n, int64_t *firsts)
{
  SIMT_SHARED(int64_t, first);
  int64_t mine = n;

  for (int64_t i = this_thread(); i < n && mine == n; i += all_threads()) {
    int64_t at[1];
    where.find(i, at);
    if (!w.template accepts<E>(in.read<E>(at[0]))) mine = i;
  }
  first[threadIdx.x] = mine;
  for (unsigned half = FINDERS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half && first[threadIdx.x + half] < first[threadIdx.x])
      first[threadIdx.x] = first[threadIdx.x + half];
  }
  if (threadIdx.x == 0) firsts[blockIdx.x] = first[0];
}

} // namespace locus

extern "C" int locus_cuda_find(const locus_find_job *job, locus_context *cx)
{
  using namespace locus;
  call c("find", cx);
  const int64_t n = job->grid.numel;
  const int64_t blocks = std::min<int64_t>(parts_of(n, FINDERS), MOST_FINDER_BLOCKS);
  int64_t first[MOST_FINDER_BLOCKS];

  *job->position = -1;
  if (n == 0) return c.end();
  int64_t *firsts = c.temporaries<int64_t>(blocks);
  by_dtype(job->in.dtype, [&](auto e) {
    c.launch(find_first<decltype(e)>, blocks, FINDERS, FINDERS * sizeof(int64_t), wanted_of(*job),
             source_of(job->in), places_of<1>(job->grid, job->grid.ndim, {&job->in}), n, firsts);
  });
  c.read(first, firsts, blocks * (int64_t)sizeof *first);
  if (!c.ok()) return c.end();
  const int64_t least = *std::min_element(first, first + blocks);
  if (least < n) *job->position = least;
  return c.end();
}
