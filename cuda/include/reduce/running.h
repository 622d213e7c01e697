/* SPDX-License-Identifier: MIT */
/* Kernels of scan: rows that are taken in order, as the CPU does, and rows in pieces. C has the
** answers about cells, and how they are read and written:
**   C::value        the answer for some cells; C::none(): for no cells
**   C::join         of two neighbouring answers; for a piece's cells in any order
**   C::read, write  cell number j of a row that begins there */
#ifndef LOCUS_CUDA_RUNNING_H
#define LOCUS_CUDA_RUNNING_H

#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/block/warp.h"

namespace locus
{

enum {
  /* Elements of the longest row of floats that is taken in order: a promise to users. */
  SCAN_IN_ORDER = 2048,

  /* A warp takes OBLONG elements at a time, of 32 short rows, or of fewer rows if that is needed to
  ** occupy ROWS_WARPS warps of every processor ("cumsum float32 1e7 in rows of 1000"). */
  OBLONG_BITS = 8,
  OBLONG = 1 << OBLONG_BITS,
  OBLONG_EACH = OBLONG / WARP_LANES,
  OBLONG_WARPS = 4,
  ROWS_WARPS = SIMT_SIZE(8, 1),
  /* Rows of fewer elements have a thread each ("cumsum float32 1e8 in rows of 10"). */
  SCAN_WALKED = 16,
  WALK_THREADS = 128,
  WALK_EACH = 8, /* elements that a thread has in flight */

  /* A block adds up tiles; a warp has a segment of a tile, and a lane neighbouring elements. */
  TILE_WARPS = SIMT_SIZE(8, 2),
  TILE_THREADS = TILE_WARPS * WARP_LANES,
  TILE_EACH = 8,
  SEGMENT = WARP_LANES * TILE_EACH,
  TILE = TILE_WARPS * SEGMENT,
  /* Pieces of a row; a block adds their sums up ("cumsum int64 1e8"). */
  MOST_PIECES = SIMT_SIZE(4096, 200),
};

/* Gaps and groups, as locus_fill_job has them. */
struct filling {
  source ids;
  int64_t ids_step, limit, missing;
  const int64_t *order; /* NULL: there are no groups */
  bool backward, has_missing;
};

/* Rows of n elements. */
struct rows_of_cells {
  source in;
  target out, index;
  places<3> where; /* of a row in all of them */
  int64_t rows, n, in_step, out_step, index_step;
  bool least_wins; /* of extremes */
  int64_t base;
  filling fill; /* of gaps */
};

/* -- In order ---------------------------------------------------------------------------------- */

/* A row by a thread: for rows that are short, or closer to each other than their own elements are.
 */
template <class C> static SIMT_KERNEL void SIMT_BOUNDS(WALK_THREADS, 4) walk_rows(rows_of_cells s)
{
  typedef typename C::value V;

  for (int64_t row = this_thread(); row < s.rows; row += all_threads()) {
    int64_t at[3];
    V sum = C::none(), x[WALK_EACH];
    s.where.find(row, at);
    for (int64_t begin = 0; begin < s.n; begin += WALK_EACH) {
      SIMT_UNROLL
      for (int k = 0; k < WALK_EACH; k++)
        x[k] = begin + k < s.n ? C::read(s, at, begin + k) : C::none();
      SIMT_UNROLL
      for (int k = 0; k < WALK_EACH; k++) {
        sum = C::join(sum, x[k]);
        if (begin + k < s.n) C::write(s, at, begin + k, sum);
      }
    }
  }
}

/* The shared memory of a warp: an oblong, its rows one element apart, and where rows begin. */
template <class V> struct oblong {
  V cell[OBLONG + WARP_LANES];
  int64_t at[WARP_LANES][3];
};

/* 2^high rows by a warp: it reads and writes along them, and a lane adds up each. The next oblong
** is in flight meanwhile. */
template <class C>
static SIMT_KERNEL void SIMT_BOUNDS(OBLONG_WARPS *WARP_LANES, 4)
    scan_rows(rows_of_cells s, int high)
{
  typedef typename C::value V;
  const int lane = threadIdx.x % WARP_LANES, high_rows = 1 << high, wide = OBLONG >> high;
  const int shift = OBLONG_BITS - high;
  const int64_t step = all_threads() / WARP_LANES * high_rows;
  SIMT_SHARED(oblong<V>, oblongs);
  oblong<V> &mine = oblongs[threadIdx.x / WARP_LANES];

  for (int64_t first = this_thread() / WARP_LANES * high_rows; first < s.rows; first += step) {
    const int there = s.rows - first < high_rows ? (int)(s.rows - first) : high_rows;
    V x[OBLONG_EACH] = {}, sum = C::none();

    if (lane < there) {
      int64_t at[3];
      s.where.find(first + lane, at);
      SIMT_UNROLL
      for (int k = 0; k < 3; k++) mine.at[lane][k] = at[k];
    }
    __syncwarp();
    const auto each = [&](int64_t begin, auto use) {
      const int count = s.n - begin < wide ? (int)(s.n - begin) : wide;
      SIMT_UNROLL
      for (int k = 0; k < OBLONG_EACH; k++) {
        const int cell = k * WARP_LANES + lane, row = cell >> shift, column = cell & (wide - 1);
        if (row < there && column < count) use(k, row, column, cell + row);
      }
    };
    const auto load = [&](int64_t begin) {
      each(begin, [&](int k, int row, int column, int) {
        x[k] = C::read(s, mine.at[row], begin + column);
      });
    };

    load(0);
    for (int64_t begin = 0; begin < s.n; begin += wide) {
      const int count = s.n - begin < wide ? (int)(s.n - begin) : wide;
      V *const row_cells = &mine.cell[lane < there ? lane * (wide + 1) : 0];
      each(begin, [&](int k, int, int, int cell) { mine.cell[cell] = x[k]; });
      __syncwarp();
      load(begin + wide);
      for (int i = 0; lane < there && i < count; i++) {
        sum = C::join(sum, row_cells[i]);
        row_cells[i] = sum;
      }
      __syncwarp();
      each(begin, [&](int, int row, int column, int cell) {
        C::write(s, mine.at[row], begin + column, mine.cell[cell]);
      });
      __syncwarp();
    }
  }
}

/* -- In pieces --------------------------------------------------------------------------------- */

/* Calls use(k) for those of the first TILE_EACH multiples k * APART that are below `left`. */
template <int APART, class F> SIMT_DEVICE void each_below(int left, F use)
{
  if (left > (TILE_EACH - 1) * APART) {
    SIMT_UNROLL
    for (int k = 0; k < TILE_EACH; k++) use(k);
  } else {
    SIMT_UNROLL
    for (int k = 0; k < TILE_EACH; k++)
      if (k * APART < left) use(k);
  }
}

template <class C> SIMT_DEVICE void none_each(typename C::value *x)
{
  SIMT_UNROLL
  for (int k = 0; k < TILE_EACH; k++) x[k] = C::none();
}

/* How rows are cut: pieces of n elements, whole tiles, the last one of a row shorter. */
struct cut {
  divisor pieces; /* of a row */
  int64_t size;
};

inline cut cut_of(int64_t n)
{
  const int64_t tiles = parts_of(parts_of(n, TILE), MOST_PIECES);
  return cut{divisor_of(parts_of(n, tiles * TILE)), tiles * TILE};
}

/* The join of this lane and all before it. */
template <class C> SIMT_DEVICE typename C::value join_lanes(typename C::value mine)
{
  const int lane = threadIdx.x % WARP_LANES;

  for (int distance = 1; distance < WARP_LANES; distance *= 2) {
    const auto other = from_lane(mine, (lane - distance) & (WARP_LANES - 1));
    if (lane >= distance) mine = C::join(other, mine);
  }
  return mine;
}

/* The joined values of the warps before this one, and *total of all; a lane that is the last of its
** warp has what the warp has. `shared` may be used again after the next barrier. */
template <class C, class V> SIMT_DEVICE V join_before(V *shared, V mine, V *total)
{
  const int warp = threadIdx.x / WARP_LANES;
  V before = C::none();

  if (threadIdx.x % WARP_LANES == WARP_LANES - 1) shared[warp] = mine;
  __syncthreads();
  *total = C::none();
  SIMT_UNROLL
  for (int w = 0; w < TILE_WARPS; w++) {
    if (w == warp) before = *total;
    *total = C::join(*total, shared[w]);
  }
  return before;
}

/* The sums of all pieces. */
template <class C>
static SIMT_KERNEL void SIMT_BOUNDS(TILE_THREADS, 4)
    join_pieces(rows_of_cells s, cut by, typename C::value *sums)
{
  typedef typename C::value V;
  SIMT_SHARED(V, shared);

  for (int64_t i = blockIdx.x; i < s.rows * by.pieces.number; i += gridDim.x) {
    const int64_t row = by.pieces.quotient(i), begin = (i - row * by.pieces.number) * by.size;
    const int64_t end = begin + by.size < s.n ? begin + by.size : s.n;
    int64_t at[3];
    V mine = C::none(), total;

    s.where.find(row, at);
    for (int64_t j = begin + threadIdx.x; j < end; j += TILE) {
      const int left = end - j < TILE ? (int)(end - j) : TILE;
      V x[TILE_EACH];
      none_each<C>(x);
      each_below<TILE_THREADS>(left, [&](int k) { x[k] = C::read(s, at, j + k * TILE_THREADS); });
      SIMT_UNROLL
      for (int k = 0; k < TILE_EACH; k++) mine = C::join(mine, x[k]);
    }
    join_before<C>(shared, join_lanes<C>(mine), &total);
    if (threadIdx.x == 0) sums[i] = total;
    __syncthreads();
  }
}

/* Shared memory of a block: its warps' segments, where neighbours of different lanes lie one
** element further apart, and the value of each warp. */
template <class V> struct tile {
  V segment[TILE_WARPS][SEGMENT + WARP_LANES];
  V has[TILE_WARPS];
};

/* The running sums of all pieces: piece p of a row begins with through[p - 1]. */
template <class C>
static SIMT_KERNEL void SIMT_BOUNDS(TILE_THREADS, sizeof(typename C::value) > 8 ? 2 : 3)
    scan_tiles(rows_of_cells s, cut by, const typename C::value *through)
{
  typedef typename C::value V;
  const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
  SIMT_SHARED(tile<V>, shared);
  V *const segment = shared->segment[warp], *const mine = segment + lane * (TILE_EACH + 1);

  for (int64_t i = blockIdx.x; i < s.rows * by.pieces.number; i += gridDim.x) {
    const int64_t row = by.pieces.quotient(i), piece = i - row * by.pieces.number;
    const int64_t begin = piece * by.size, end = begin + by.size < s.n ? begin + by.size : s.n;
    V before = piece > 0 ? through[i - 1] : C::none();
    int64_t at[3];

    s.where.find(row, at);
    for (int64_t j = begin; j < end; j += TILE) {
      const int64_t first = j + warp * SEGMENT + lane;
      const int left = end - first < SEGMENT ? (int)(end - first) : SEGMENT;
      V x[TILE_EACH], sum = C::none(), total;

      none_each<C>(x);
      each_below<WARP_LANES>(left, [&](int k) { x[k] = C::read(s, at, first + k * WARP_LANES); });
      SIMT_UNROLL
      for (int k = 0; k < TILE_EACH; k++) {
        const int e = k * WARP_LANES + lane;
        segment[e + e / TILE_EACH] = x[k];
      }
      __syncwarp();
      SIMT_UNROLL
      for (int k = 0; k < TILE_EACH; k++) x[k] = sum = C::join(sum, mine[k]);
      const V through_lane = join_lanes<C>(sum);
      const V lanes_before = from_lane(through_lane, (lane - 1) & (WARP_LANES - 1));
      sum = C::join(before, join_before<C>(shared->has, through_lane, &total));
      if (lane > 0) sum = C::join(sum, lanes_before);
      SIMT_UNROLL
      for (int k = 0; k < TILE_EACH; k++) mine[k] = C::join(sum, x[k]);
      __syncwarp();
      each_below<WARP_LANES>(left, [&](int k) {
        const int e = k * WARP_LANES + lane;
        C::write(s, at, first + k * WARP_LANES, segment[e + e / TILE_EACH]);
      });
      before = C::join(before, total);
      __syncthreads();
    }
  }
}

} // namespace locus

#endif
