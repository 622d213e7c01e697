/* SPDX-License-Identifier: MIT */
/* Runner of copy: between equal dtypes elements are moved by their width, else converted. Where one
** dimension is contiguous in the input and another one in the output, squares of the two go through
** shared memory, so that each side is read or written along its own. */
#include "cuda/include/block/block.h"
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum {
  SQUARE = WARP_LANES,
  SQUARE_ROW = SQUARE + 1, /* so that a column lies in different banks */
  /* The least size that fills a square well enough ("contiguous float32 1e8 turned rows of 16"). */
  LEAST_TURNED = SIMT_SIZE(16, 4),
};

/* Contiguous bytes, 16 at a time. */
static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS)
    move_bytes(char *out, const char *in, int64_t n)
{
  typedef vector_of<char> group;
  constexpr int N = group::size;

  for (int64_t g = this_thread(); g < n / N; g += all_threads())
    ((group *)out)[g] = ((const group *)in)[g];
  for (int64_t i = n / N * N + this_thread(); i < n; i += all_threads()) out[i] = in[i];
}

template <class U>
SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS)
    move_elements(U *out, const U *in, U own, places<2> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[2];
    where.find(i, at);
    out[at[0]] = in ? in[at[1]] : own;
  }
}

/* One of the two dimensions that are cut into squares. */
struct turned_dim {
  int64_t size, out_step, in_step;
};

/* `across` is contiguous in the input, `along` in the output; the others, numbered together, are in
** `rest`. */
struct turned {
  turned_dim across, along;
  divisor squares_along, squares; /* along one dimension, and in both */
  int64_t all;
  places<2> rest;
};

/* Calls move(element of the square, place in it) for this thread's elements of a square: lanes go
** along x, warps along y. */
template <class F> SIMT_DEVICE void in_square(int64_t x_left, int64_t y_left, F move)
{
  const int lane = (int)threadIdx.x % WARP_LANES, warps = (int)blockDim.x / WARP_LANES;

  if (lane >= x_left) return;
  for (int row = (int)threadIdx.x / WARP_LANES; row < SQUARE && row < y_left; row += warps)
    move(lane, row);
}

template <class U>
SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS) move_turned(U *out, const U *in, turned t)
{
  SIMT_SHARED(U, square);

  for (int64_t number = blockIdx.x; number < t.all; number += gridDim.x) {
    const int64_t batch = t.squares.quotient(number), own = number - batch * t.squares.number;
    const int64_t row = t.squares_along.quotient(own);
    const int64_t x = (own - row * t.squares_along.number) * SQUARE, y = row * SQUARE;
    int64_t at[2];
    t.rest.find(batch, at);
    U *const to = out + at[0] + x * t.along.out_step + y * t.across.out_step;
    const U *const from = in + at[1] + x * t.along.in_step + y * t.across.in_step;
    in_square(t.across.size - y, t.along.size - x, [=](int j, int i) {
      square[i * SQUARE_ROW + j] = from[i * t.along.in_step + j * t.across.in_step];
    });
    __syncthreads();
    in_square(t.along.size - x, t.across.size - y, [=](int i, int j) {
      to[i * t.along.out_step + j * t.across.out_step] = square[i * SQUARE_ROW + j];
    });
    __syncthreads();
  }
}

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS, 4)
    convert_elements(typename E::stored *out, source in, places<2> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[2];
    where.find(i, at);
    out[at[0]] = in.stored<E>(at[1]);
  }
}

/* The dimension along which the operand is contiguous; -1 if none of at least LEAST_TURNED is. */
static int fast_dim(const locus_grid &grid, const locus_operand &operand)
{
  for (int d = 0; d < grid.ndim; d++)
    if (operand.stride[d] == 1 && grid.size[d] >= LEAST_TURNED) return d;
  return -1;
}

static turned_dim turned_dim_of(const locus_copy_job &job, int d)
{
  return {job.grid.size[d], job.out.stride[d], job.in.stride[d]};
}

static turned turned_of(const locus_copy_job &job, int across, int along)
{
  const int64_t squares_along = parts_of(job.grid.size[along], SQUARE);
  const int64_t squares = squares_along * parts_of(job.grid.size[across], SQUARE);
  turned t;

  t.across = turned_dim_of(job, across);
  t.along = turned_dim_of(job, along);
  t.squares_along = divisor_of(squares_along);
  t.squares = divisor_of(squares);
  t.all = job.grid.numel / (t.across.size * t.along.size) * squares;
  t.rest.ndim = 0;
  for (int d = 0; d < job.grid.ndim; d++) {
    if (d == across || d == along) continue;
    t.rest.size[t.rest.ndim] = divisor_of(job.grid.size[d]);
    t.rest.stride[0][t.rest.ndim] = job.out.stride[d];
    t.rest.stride[1][t.rest.ndim++] = job.in.stride[d];
  }
  return t;
}

template <class U> static void move(call &c, const locus_copy_job &job)
{
  const locus_operand &out = job.out, &in = job.in;
  const int64_t n = job.grid.numel, bytes = n * (int64_t)sizeof(U);
  U own = U();

  if (in.data && dense(job.grid, out) && dense(job.grid, in) && aligned(out.data, VECTOR_BYTES) &&
      aligned(in.data, VECTOR_BYTES)) {
    c.launch_over(parts_of(bytes, VECTOR_BYTES), move_bytes, ELEMENTWISE_THREADS, 0, out.data,
                  (const char *)in.data, bytes);
    return;
  }
  const int across = in.data ? fast_dim(job.grid, in) : -1, along = fast_dim(job.grid, out);
  if (across >= 0 && along >= 0 && across != along && in.stride[along] != 1) {
    const turned t = turned_of(job, across, along);
    c.launch_over(t.all * ELEMENTWISE_THREADS, move_turned<U>, ELEMENTWISE_THREADS,
                  SQUARE * SQUARE_ROW * sizeof(U), (U *)out.data, (const U *)in.data, t);
    return;
  }
  if (!in.data) memcpy(&own, in.value.bytes, sizeof own);
  c.launch_over(n, move_elements<U>, ELEMENTWISE_THREADS, 0, (U *)out.data, (const U *)in.data, own,
                places_of<2>(job.grid, job.grid.ndim, {&out, &in}), n);
}

template <class E> static void convert(call &c, const locus_copy_job &job)
{
  const int64_t n = job.grid.numel;

  c.launch_over(n, convert_elements<E>, ELEMENTWISE_THREADS, 0, (typename E::stored *)job.out.data,
                source_of(job.in), places_of<2>(job.grid, job.grid.ndim, {&job.out, &job.in}), n);
}

} // namespace locus

extern "C" int locus_cuda_copy(const locus_copy_job *job, locus_context *cx)
{
  locus::call c("copy", cx);

  locus::by_dtype(job->out.dtype, [&](auto e) {
    typedef decltype(e) E;
    if (job->in.dtype != E::dtype) return locus::convert<E>(c, *job);
    locus::by_width(sizeof(typename E::stored), [&](auto u) { locus::move<decltype(u)>(c, *job); });
  });
  return c.end();
}
