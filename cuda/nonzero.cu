/* SPDX-License-Identifier: MIT */
/* Runner of nonzero: from bits to coordinates, a tile by each block, in one launch. The coordinates
** of the tile's first element are found once; the others are at most TILE elements further, which
** is carried from the inner dimension to the outer ones. */
#include "cuda/include/host/runners.h"
#include "cuda/include/block/set_bits.h"

namespace locus
{

/* The destination of coordinates, and their base. */
struct nonzero_output {
  int64_t *out;
  int64_t row_stride, dim_stride, limit, base;
  int ndim;
  divisor size[LOCUS_MAX_DIMS];
};

struct nonzero_memory {
  tile_memory tile;
  int64_t origin[LOCUS_MAX_DIMS]; /* coordinates of the tile's first element */
};

SIMT_DEVICE void find_origin(const nonzero_output &o, int64_t number, int64_t *origin)
{
  for (int d = o.ndim - 1; d > 0; d--) {
    const int64_t rest = o.size[d].quotient(number);
    origin[d] = number - rest * o.size[d].number;
    number = rest;
  }
  origin[0] = number;
}

/* The coordinates of the element `carry` behind the origin. */
SIMT_DEVICE void write_row(const nonzero_output &o, int64_t row, const int64_t *origin,
                           int64_t carry)
{
  int64_t *const out = o.out + row * o.row_stride;

  for (int d = o.ndim - 1; d > 0; d--) {
    const int64_t x = origin[d] + carry, size = o.size[d].number;
    /* below 2 * TILE where it may overflow more than once */
    carry = size < TILE ? o.size[d].quotient((uint32_t)x % (2 * TILE)) : x >= size;
    out[d * o.dim_stride] = x - carry * size + o.base;
  }
  out[0] = origin[0] + carry + o.base;
}

static SIMT_KERNEL void SIMT_BOUNDS(TILE_THREADS) nonzero_rows(mask_output mask, nonzero_output o)
{
  SIMT_SHARED(nonzero_memory, memory);
  const int64_t tile = blockIdx.x;
  const bool flat = o.ndim == 1 && o.row_stride == 1;
  int64_t first;

  if (mask.first[tile / CHUNK_TILES] >= o.limit) return;
  if (!flat && threadIdx.x == 0) find_origin(o, tile * TILE, memory->origin);
  const int64_t set = find_set(mask, tile, &memory->tile, &first);
  const int64_t left = o.limit - first, origin = tile * TILE + o.base;
  const int rows = (int)(left < set ? (left > 0 ? left : 0) : set);

  if (flat) {
    int64_t *const out = o.out + first;
    each_set(out, rows, &memory->tile,
             [=](int i, int64_t distance) { out[i] = origin + distance; });
    return;
  }
  for (int i = threadIdx.x; i < rows; i += TILE_THREADS)
    write_row(o, first + i, memory->origin, distance_of(memory->tile, i));
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_nonzero(const locus_nonzero_job *job, locus_context *cx)
{
  call c("nonzero", cx);
  nonzero_output o;

  o.out = job->out;
  o.row_stride = job->row_stride;
  o.dim_stride = job->dim_stride;
  o.limit = job->limit;
  o.base = job->base;
  o.ndim = job->shape.ndim;
  for (int d = 0; d < o.ndim; d++) o.size[d] = divisor_of(job->shape.size[d]);
  if (o.ndim > 0)
    c.launch(nonzero_rows, tiles_of(job->numel), TILE_THREADS, sizeof(nonzero_memory),
             mask_output_of(job->bits, job->first, job->numel), o);
  return c.end();
}
