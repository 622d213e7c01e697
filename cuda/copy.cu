/* SPDX-License-Identifier: MIT */
/* Runner of copy: elements of one dtype are moved by their width, others converted. */
#include "cuda/elementwise.h"
#include "cuda/runners.h"

namespace locus {

/* Bytes side by side, 16 at a time. */
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

template <class E>
SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS)
convert_elements(typename E::stored *out, source in, places<2> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[2];
    where.find(i, at);
    const char *from = in.data ? in.data : (const char *)in.own.bytes;
    out[at[0]] = converted<E>(in.dtype, from, in.data ? at[1] : 0);
  }
}

template <class U> static void move(call &c, const locus_copy_job &job)
{
  const locus_operand &out = job.out, &in = job.in;
  const int64_t n = job.grid.numel, bytes = n * (int64_t)sizeof(U);
  U own = U();

  if (in.data && dense(job.grid, out) && dense(job.grid, in) && aligned(out.data, VECTOR_BYTES) &&
      aligned(in.data, VECTOR_BYTES)) {
    c.launch(move_bytes, elementwise_blocks(c, bytes, VECTOR_BYTES), ELEMENTWISE_THREADS, 0,
             out.data, (const char *)in.data, bytes);
    return;
  }
  if (!in.data) memcpy(&own, in.value.bytes, sizeof own);
  c.launch(move_elements<U>, elementwise_blocks(c, n, 1), ELEMENTWISE_THREADS, 0, (U *)out.data,
           (const U *)in.data, own, places_of<2>(job.grid, job.grid.ndim, {&out, &in}), n);
}

template <class E> static void convert(call &c, const locus_copy_job &job)
{
  const int64_t n = job.grid.numel;

  c.launch(convert_elements<E>, elementwise_blocks(c, n, 1), ELEMENTWISE_THREADS, 0,
           (typename E::stored *)job.out.data, source_of(job.in),
           places_of<2>(job.grid, job.grid.ndim, {&job.out, &job.in}), n);
}

} // namespace locus

extern "C" int locus_cuda_copy(const locus_copy_job *job, locus_context *cx)
{
  locus::call c("copy", cx);

  locus::by_dtype(job->out.dtype, [&](auto e) {
    typedef decltype(e) E;
    if (job->in.dtype != E::dtype) return locus::convert<E>(c, *job);
    locus::by_width(sizeof(typename E::stored),
                    [&](auto u) { locus::move<decltype(u)>(c, *job); });
  });
  return c.end();
}
