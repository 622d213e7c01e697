/* SPDX-License-Identifier: MIT */
/* Runners of masked_select and masked_scatter: a tile by each block, whose set bits are found as
** nonzero finds them. Elements move by width. */
#include "cuda/runners.h"
#include "cuda/set_bits.h"
#include "cuda/width.h"

namespace locus {

struct select_sides {
  char *array, *elements;
  int64_t step; /* of elements */
  places<1> place;
};

template <class U, bool SELECT>
SIMT_KERNEL void SIMT_BOUNDS(TILE_WORDS) select_set(mask_output mask, select_sides s)
{
  SIMT_SHARED(tile_memory, memory);
  const int64_t tile = blockIdx.x;
  int64_t first, at[1];
  const int64_t set = find_set(mask, tile, memory, &first);

  for (int64_t i = threadIdx.x; i < set; i += TILE_WORDS) {
    s.place.find(tile * TILE + memory->distance[i], at);
    U *const array = (U *)s.array + at[0], *const element = (U *)s.elements + (first + i) * s.step;
    if (SELECT) *element = *array;
    else *array = *element;
  }
}

template <bool SELECT> static void through_bits(call &c, const locus_select_job *job)
{
  const int64_t numel = job->grid.numel;
  const select_sides sides = {job->array.data, job->elements, job->step,
                              places_of<1>(job->grid, job->grid.ndim, {&job->array})};

  by_width(locus_dtype_size(job->array.dtype), [&](auto element) {
    c.launch(select_set<decltype(element), SELECT>, tiles_of(numel), TILE_WORDS,
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
