/* SPDX-License-Identifier: MIT */
/* Runners of masked_select and masked_scatter: a tile by each block, whose set bits are found as
** nonzero finds them. Elements move by width. */
#include "cuda/include/host/runners.h"
#include "cuda/include/block/set_bits.h"
#include "cuda/include/block/width.h"

namespace locus
{

struct select_sides {
  char *array, *elements;
  int64_t step; /* of elements */
  bool flat;    /* both contiguous */
  places<1> place;
};

template <bool SELECT, class U> SIMT_DEVICE void move_element(U *array, U *element)
{
  if (SELECT) *element = *array;
  else *array = *element;
}

template <class U, bool SELECT>
SIMT_KERNEL void SIMT_BOUNDS(TILE_THREADS) select_set(mask_output mask, select_sides s)
{
  SIMT_SHARED(tile_memory, memory);
  const int64_t tile = blockIdx.x;
  int64_t first;
  const int set = (int)find_set(mask, tile, memory, &first);
  U *const array = (U *)s.array, *const elements = (U *)s.elements + first * s.step;

  if (s.flat) {
    each_set(elements, set, memory, [=](int i, int64_t distance) {
      move_element<SELECT>(array + tile * TILE + distance, elements + i);
    });
    return;
  }
  for (int i = threadIdx.x; i < set; i += TILE_THREADS) {
    int64_t at[1];
    s.place.find(tile * TILE + distance_of(*memory, i), at);
    move_element<SELECT>(array + at[0], elements + i * s.step);
  }
}

template <bool SELECT> static void through_bits(call &c, const locus_select_job *job)
{
  const int64_t numel = job->grid.numel;
  const bool flat = job->step == 1 && dense(job->grid, job->array);
  const select_sides sides = {job->array.data, job->elements, job->step, flat,
                              places_of<1>(job->grid, job->grid.ndim, {&job->array})};

  by_width(locus_dtype_size(job->array.dtype), [&](auto element) {
    c.launch(select_set<decltype(element), SELECT>, tiles_of(numel), TILE_THREADS,
             sizeof(tile_memory), mask_output_of(job->bits, job->first, numel), sides);
  });
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_masked_select(const locus_select_job *job, locus_context *cx)
{
  call c("masked_select", cx);

  through_bits<true>(c, job);
  return c.end();
}

extern "C" int locus_cuda_masked_scatter(const locus_select_job *job, locus_context *cx)
{
  call c("masked_scatter", cx);

  through_bits<false>(c, job);
  return c.end();
}
