/* SPDX-License-Identifier: MIT */
/* Elementwise kernels, of any function of one or two elements: several at a time where all operands
** are contiguous in the dtypes that the function takes and returns, else element by element. A
** function f of one element has F::in and F::out, of two F::in and F::in2: element types
** (cuda/include/block/element.h); it takes their values and returns an element of F::out. */
#ifndef LOCUS_CUDA_ELEMENTWISE_H
#define LOCUS_CUDA_ELEMENTWISE_H

#include "cuda/include/host/call.h"
#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/block/width.h"

namespace locus
{

enum { ELEMENTWISE_THREADS = SIMT_SIZE(256, 64) };

/* As many elements as fill 16 bytes in the wider of the two types, but at most 8: there are no
** registers for more. */
template <class A, class B> struct together {
  static constexpr int widest = sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B);
  static constexpr int size = widest > 1 ? VECTOR_BYTES / widest : 8;
};

/* An operand that is contiguous, or one element repeated. */
template <class E> struct run {
  const typename E::stored *data; /* NULL: `own` */
  bool repeats;
  typename E::stored own;

  template <int N> SIMT_DEVICE bundle<typename E::stored, N> read(int64_t group) const
  {
    bundle<typename E::stored, N> b;
    if (!repeats) return ((const bundle<typename E::stored, N> *)data)[group];
    const typename E::stored x = data ? *data : own;
    SIMT_UNROLL
    for (int i = 0; i < N; i++) b.element[i] = x;
    return b;
  }
};

template <class F>
static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS, 4)
    dense_map(F f, typename F::out::stored *out, run<typename F::in> in, int64_t n)
{
  typedef typename F::in::stored T;
  typedef typename F::out::stored O;
  constexpr int N = together<T, O>::size;

  for (int64_t g = this_thread(); g < n / N; g += all_threads()) {
    const bundle<T, N> x = in.template read<N>(g);
    bundle<O, N> y;
    SIMT_UNROLL
    for (int i = 0; i < N; i++) y.element[i] = f(F::in::load(x.element[i]));
    ((bundle<O, N> *)out)[g] = y;
  }
  for (int64_t i = n / N * N + this_thread(); i < n; i += all_threads())
    out[i] = f(F::in::load(in.template read<1>(i).element[0]));
}

template <class F>
static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS)
    dense_map2(F f, typename F::out::stored *out, run<typename F::in> a, run<typename F::in2> b,
               int64_t n)
{
  typedef typename F::in::stored T;
  typedef typename F::out::stored O;
  constexpr int N = together<T, O>::size;

  for (int64_t g = this_thread(); g < n / N; g += all_threads()) {
    const bundle<T, N> x = a.template read<N>(g), y = b.template read<N>(g);
    bundle<O, N> z;
    SIMT_UNROLL
    for (int i = 0; i < N; i++)
      z.element[i] = f(F::in::load(x.element[i]), F::in2::load(y.element[i]));
    ((bundle<O, N> *)out)[g] = z;
  }
  for (int64_t i = n / N * N + this_thread(); i < n; i += all_threads()) {
    const T x = a.template read<1>(i).element[0], y = b.template read<1>(i).element[0];
    out[i] = f(F::in::load(x), F::in2::load(y));
  }
}

template <class F>
static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS, 4)
    strided_map(F f, target out, source in, places<2> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[2];
    where.find(i, at);
    out.write<typename F::out>(at[0], f(in.read<typename F::in>(at[1])));
  }
}

template <class F>
static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS, 3)
    strided_map2(F f, target out, source a, source b, places<3> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[3];
    where.find(i, at);
    out.write<typename F::out>(at[0],
                               f(a.read<typename F::in>(at[1]), b.read<typename F::in2>(at[2])));
  }
}

/* Whether the operand can be a run of E. */
template <class E> bool runs(const locus_grid &grid, const locus_operand &operand)
{
  if (operand.dtype != E::dtype) return false;
  if (!operand.data) return true;
  for (int d = 0; d < grid.ndim; d++)
    if (operand.stride[d] != 0) return dense(grid, operand) && aligned(operand.data, VECTOR_BYTES);
  return true;
}

template <class E> run<E> run_of(const locus_grid &grid, const locus_operand &operand)
{
  run<E> r = {(const typename E::stored *)operand.data, true, {}};

  if (!operand.data) memcpy(&r.own, operand.value.bytes, sizeof r.own);
  for (int d = 0; operand.data && d < grid.ndim; d++)
    if (operand.stride[d] != 0) r.repeats = false;
  return r;
}

template <class E> bool straight(const locus_grid &grid, const locus_operand &out)
{
  return out.dtype == E::dtype && dense(grid, out) && aligned(out.data, VECTOR_BYTES);
}

/* out = f(in) over the grid. */
template <class F>
void map(call &c, F f, const locus_grid &grid, const locus_operand &out, const locus_operand &in)
{
  typedef typename F::in::stored T;
  typedef typename F::out::stored O;
  const int64_t n = grid.numel;

  if (straight<typename F::out>(grid, out) && runs<typename F::in>(grid, in)) {
    c.launch_over(parts_of(n, together<T, O>::size), dense_map<F>, ELEMENTWISE_THREADS, 0, f,
                  (O *)out.data, run_of<typename F::in>(grid, in), n);
    return;
  }
  c.launch_over(n, strided_map<F>, ELEMENTWISE_THREADS, 0, f, target_of(out), source_of(in),
                places_of<2>(grid, grid.ndim, {&out, &in}), n);
}

/* out = f(a, b) over the grid. */
template <class F>
void map2(call &c, F f, const locus_grid &grid, const locus_operand &out, const locus_operand &a,
          const locus_operand &b)
{
  typedef typename F::in A;
  typedef typename F::in2 B;
  typedef typename F::out::stored O;
  const int64_t n = grid.numel;

  if constexpr (A::dtype == B::dtype) {
    if (straight<typename F::out>(grid, out) && runs<A>(grid, a) && runs<B>(grid, b)) {
      c.launch_over(parts_of(n, together<typename A::stored, O>::size), dense_map2<F>,
                    ELEMENTWISE_THREADS, 0, f, (O *)out.data, run_of<A>(grid, a),
                    run_of<B>(grid, b), n);
      return;
    }
  }
  c.launch_over(n, strided_map2<F>, ELEMENTWISE_THREADS, 0, f, target_of(out), source_of(a),
                source_of(b), places_of<3>(grid, grid.ndim, {&out, &a, &b}), n);
}

} // namespace locus

#endif
