/* SPDX-License-Identifier: MIT */
/* Runner of cumsum. A thread adds up a row in order, as the CPU does. Long rows are cut into tiles:
** the sums of all tiles are added up first, in the same way, and each tile then begins with the sum
** of those before it. The order is fixed. */
#include "cuda/elementwise.h"
#include "cuda/runners.h"

namespace locus {

enum { CUMSUM_THREADS = SIMT_SIZE(256, 32), CUMSUM_EACH = 4 };
enum { CUMSUM_TILE = CUMSUM_THREADS * CUMSUM_EACH };
enum { CUMSUM_SHORT = 2048 }; /* elements of the longest row for a thread */

/* Values and their sums; whole numbers modulo 2^64. */
static SIMT_DEVICE int64_t plus(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static SIMT_DEVICE double plus(double a, double b)
{
  return a + b;
}

static SIMT_DEVICE locus_complex128 plus(locus_complex128 a, locus_complex128 b)
{
  return locus_pair_c128(a.re + b.re, a.im + b.im);
}

/* Rows of n elements, read as E and written as E. */
struct summed {
  source in;
  target out;
  places<2> where; /* of a row in both */
  int64_t rows, n, in_step, out_step;
};

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(CUMSUM_THREADS, 2)
sum_rows(summed s)
{
  typedef typename E::value V;

  for (int64_t row = this_thread(); row < s.rows; row += all_threads()) {
    int64_t at[2];
    V sum = V();
    s.where.find(row, at);
    for (int64_t left = s.n; left > 0; left--) {
      sum = plus(sum, s.in.read<E>(at[0]));
      s.out.write<E>(at[1], sum);
      at[0] += s.in_step;
      at[1] += s.out_step;
    }
  }
}

/* What the threads before this one have, added up; the sum of all goes to *total. */
template <class V> SIMT_DEVICE V sum_before(V *shared, V mine, V *total)
{
  const unsigned t = threadIdx.x;

  shared[t] = mine;
  for (unsigned distance = 1; distance < CUMSUM_THREADS; distance *= 2) {
    __syncthreads();
    const V other = t >= distance ? shared[t - distance] : V();
    __syncthreads();
    if (t >= distance) shared[t] = plus(other, shared[t]);
  }
  __syncthreads();
  const V before = t > 0 ? shared[t - 1] : V();
  *total = shared[CUMSUM_THREADS - 1];
  __syncthreads();
  return before;
}

/* The sums of the tiles of all rows, or, when these are known (tile t of a row begins with
** through[t - 1]), the sums of the elements. */
template <class E, bool KNOWN>
SIMT_KERNEL void SIMT_BOUNDS(CUMSUM_THREADS)
sum_tiles(summed s, int64_t tiles, typename E::value *through)
{
  typedef typename E::value V;
  SIMT_SHARED(V, shared);

  for (int64_t i = blockIdx.x; i < s.rows * tiles; i += gridDim.x) {
    const int64_t row = i / tiles, tile = i % tiles;
    const int64_t begin = tile * CUMSUM_TILE + threadIdx.x * CUMSUM_EACH;
    int64_t at[2];
    V x[CUMSUM_EACH], mine = V(), total;

    s.where.find(row, at);
    for (int k = 0; k < CUMSUM_EACH; k++) {
      x[k] = begin + k < s.n ? s.in.read<E>(at[0] + (begin + k) * s.in_step) : V();
      mine = plus(mine, x[k]);
    }
    V sum = sum_before(shared, mine, &total);
    if (!KNOWN) {
      if (threadIdx.x == 0) through[i] = total;
      continue;
    }
    if (tile > 0) sum = plus(through[i - 1], sum);
    for (int k = 0; k < CUMSUM_EACH && begin + k < s.n; k++) {
      sum = plus(sum, x[k]);
      s.out.write<E>(at[1] + (begin + k) * s.out_step, sum);
    }
  }
}

/* The tiles' sums as contiguous rows of `tiles` elements, added up in place. */
template <class E>
static summed sums_of_tiles(const summed &s, int64_t tiles, typename E::value *through)
{
  const locus_grid rows = {s.rows, 1, {s.rows}};
  locus_operand sums = {};
  summed next = {};

  sums.data = (char *)through;
  sums.dtype = E::dtype;
  sums.stride[0] = tiles;
  next.in = source_of(sums);
  next.out = target_of(sums);
  next.where = places_of<2>(rows, 1, {&sums, &sums});
  next.rows = s.rows;
  next.n = tiles;
  next.in_step = next.out_step = 1;
  return next;
}

template <class E> static void cumsum(call &c, const summed &s)
{
  typedef typename E::value V;
  const int64_t tiles = parts_of(s.n, CUMSUM_TILE);
  const int64_t work = s.rows * tiles * CUMSUM_THREADS;

  if (s.n <= CUMSUM_SHORT) {
    c.launch_over(s.rows, sum_rows<E>, CUMSUM_THREADS, 0, s);
    return;
  }
  V *through = c.temporaries<V>(s.rows * tiles);
  c.launch_over(work, sum_tiles<E, false>, CUMSUM_THREADS, CUMSUM_THREADS * sizeof(V), s, tiles,
                through);
  cumsum<E>(c, sums_of_tiles<E>(s, tiles, through));
  c.launch_over(work, sum_tiles<E, true>, CUMSUM_THREADS, CUMSUM_THREADS * sizeof(V), s, tiles,
                through);
}

} // namespace locus

extern "C" int locus_cuda_cumsum(const locus_cumsum_job *job, locus_context *cx)
{
  using namespace locus;
  call c("cumsum", cx);
  summed s = {};

  if (job->n == 0 || job->rows.numel == 0) return c.end();
  s.in = source_of(job->in);
  s.out = target_of(job->out);
  s.where = places_of<2>(job->rows, job->rows.ndim, {&job->in, &job->out});
  s.rows = job->rows.numel;
  s.n = job->n;
  s.in_step = job->in_step;
  s.out_step = job->out_step;
  switch (locus_dtype_kind(job->out.dtype)) {
  case LOCUS_BOOL:
  case LOCUS_INTEGER: cumsum<element<LOCUS_i64>>(c, s); break;
  case LOCUS_FLOAT: cumsum<element<LOCUS_f64>>(c, s); break;
  case LOCUS_COMPLEX: cumsum<element<LOCUS_c128>>(c, s); break;
  }
  return c.end();
}
