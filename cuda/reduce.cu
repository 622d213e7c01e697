/* SPDX-License-Identifier: MIT */
/* Runner of reduce. */
#include <type_traits>

#include "cuda/reduce_tree.h"
#include "cuda/runners.h"

namespace locus {

/* Where the answers go. */
struct answers {
  target out, index; /* data NULL: not wanted */
  places<2> where;   /* of both */
  int64_t base;
};

/* -- What is answered: each writes what `p`, of all elements of a row, comes to ---------------- */

struct whole_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, uint64_t p, int64_t at)
  {
    a.out.write<element<LOCUS_i64>>(at, (int64_t)p);
  }
};

struct any_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, uint64_t p, int64_t at)
  {
    a.out.write<element<LOCUS_b8>>(at, p > 0);
  }
};

struct all_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t, uint64_t p, int64_t at)
  {
    a.out.write<element<LOCUS_b8>>(at, p == (uint64_t)r.n);
  }
};

struct sum_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, double p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, p);
  }

  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, locus_complex128 p,
                                int64_t at)
  {
    a.out.write<element<LOCUS_c128>>(at, p);
  }
};

struct mean_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t, double p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, p / (double)r.n);
  }

  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t, locus_complex128 p,
                                int64_t at)
  {
    const double n = (double)r.n;
    a.out.write<element<LOCUS_c128>>(at, locus_pair_c128(p.re / n, p.im / n));
  }
};

/* The element itself, as it is. */
struct element_answer {
  template <class U>
  static SIMT_DEVICE void move(const answers &a, const rows &r, int64_t from, int64_t at)
  {
    ((U *)a.out.data)[at] = ((const U *)r.in.data)[from];
  }

  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t row, extreme::partial p,
                                int64_t at)
  {
    const int64_t from = r.start(row) + r.offset(p.position);

    switch (r.in.dtype) {
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return move<locus_##id>(a, r, from, at);
#include "core/dtype.def"
    case LOCUS_DTYPES: return;
    }
  }
};

static SIMT_DEVICE int64_t position_of(extreme::partial p)
{
  return p.position;
}

template <class P> SIMT_DEVICE int64_t position_of(P)
{
  return -1;
}

/* Writes the answers of all rows. The last join makes 0 of a sum that is -0. */
template <class W, class A>
SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS)
write_answers(rows r, answers a, const typename W::partial *partials)
{
  for (int64_t row = this_thread(); row < r.count; row += all_threads()) {
    const typename W::partial p = W::join(partials[row], W::none());
    int64_t at[2];
    a.where.find(row, at);
    if (a.out.data) A::write(a, r, row, p, at[0]);
    if (a.index.data) ((int64_t *)a.index.data)[at[1]] = position_of(p) + a.base;
  }
}

/* Whether a thread should take a whole block: rows are short, or neighbours in memory. */
static bool takes_blocks_by_thread(const locus_reduce_job &job)
{
  const int64_t across = job.in.stride[job.kept.ndim - 1], along = job.in_reduced[0];

  if (job.reduced.ndim > 1) return false;
  return job.reduced.numel < WARP_LANES || (job.kept.numel >= WARP_LANES && across < along);
}

/* From rows of elements in E to their answers. */
template <class W, class A, class E>
static void reduce_rows(call &c, const locus_reduce_job &job, const rows &r, const answers &a)
{
  typedef typename W::partial P;
  const int64_t pieces = r.count * r.blocks;
  P *partials = c.temporaries<P>(pieces);

  if (takes_blocks_by_thread(job)) {
    c.launch_over(pieces, reduce_by_threads<W, E>, REDUCE_THREADS, 0, r, job.in_reduced[0],
                  partials);
  } else {
    c.launch_over(pieces * WARP_LANES, reduce_by_warps<W, E>, REDUCE_THREADS, 0, r, partials);
  }
  for (int64_t count = r.blocks, rest = 0; count > (rest ? 0 : 1); rest = 1) {
    const int64_t groups = count / WARP_LANES;
    P *joined = c.temporaries<P>(r.count * (groups + 1));
    c.launch_over(r.count * (groups + 1) * WARP_LANES, reduce_partials<W>, REDUCE_THREADS, 0,
                  partials, r.count, count, rest != 0, joined);
    partials = joined;
    count = groups;
  }
  c.launch_over(r.count, write_answers<W, A>, REDUCE_THREADS, 0, r, a, partials);
}

/* -- The ops ----------------------------------------------------------------------------------- */

/* What makes up an op: the way to reduce, and what is answered. */
template <class WAY, class ANSWER> struct by {
  typedef WAY way;
  typedef ANSWER answer;
};

/* The one of the three that serves the kind of E; void where the op is not defined on it. */
template <class E, class WHOLE, class REALS, class COMPLEXES>
using by_kind = typename std::conditional<
    E::kind <= LOCUS_INTEGER, WHOLE,
    typename std::conditional<E::kind == LOCUS_FLOAT, REALS, COMPLEXES>::type>::type;

/* op_<name><E> for each row of core/reduce.def. */
template <class E>
using op_sum = by_kind<E, by<whole_sum, whole_answer>, by<real_sum, sum_answer>,
                       by<complex_sum, sum_answer>>;
template <class E>
using op_mean = by_kind<E, by<real_sum, mean_answer>, by<real_sum, mean_answer>,
                        by<complex_sum, mean_answer>>;
template <class E>
using op_min = by_kind<E, by<extreme, element_answer>, by<extreme, element_answer>, void>;
template <class E> using op_max = op_min<E>; /* rows.least_wins tells the two apart */
template <class E> using op_any = by<truth_count, any_answer>;
template <class E> using op_all = by<truth_count, all_answer>;
template <class E> using op_count_nonzero = by<truth_count, whole_answer>;

template <class OP, class E>
static void reduce(call &c, const locus_reduce_job &job, const rows &r, const answers &a)
{
  if constexpr (!std::is_void<OP>::value)
    reduce_rows<typename OP::way, typename OP::answer, E>(c, job, r, a);
}

template <class E>
static void reduce_elements(call &c, const locus_reduce_job &job, const rows &r, const answers &a)
{
  switch (job.op) {
#define REDUCE(name, result) \
  case LOCUS_REDUCE_##name: return reduce<op_##name<E>, E>(c, job, r, a);
#include "core/reduce.def"
#undef REDUCE
  case LOCUS_REDUCES: return;
  }
}

static void set_strides(places<2> &where, int k, int ndim, const locus_operand &operand)
{
  for (int d = 0; d < ndim; d++) where.stride[k][d] = operand.stride[d];
}

static answers answers_of(const locus_reduce_job &job)
{
  answers a = {};

  a.base = job.base;
  a.where = places_of<2>(job.kept, job.kept.ndim, {&job.in, &job.in});
  if (job.has_out) {
    a.out = target_of(job.out);
    set_strides(a.where, 0, job.kept.ndim, job.out);
  }
  if (job.has_index) {
    a.index = target_of(job.index);
    set_strides(a.where, 1, job.kept.ndim, job.index);
  }
  return a;
}

static rows rows_of(const locus_reduce_job &job)
{
  rows r = {};
  locus_operand along = job.in;

  for (int d = 0; d < job.reduced.ndim; d++) along.stride[d] = job.in_reduced[d];
  r.in = source_of(job.in);
  r.kept = places_of<1>(job.kept, job.kept.ndim, {&job.in});
  r.reduced = places_of<1>(job.reduced, job.reduced.ndim, {&along});
  r.n = job.reduced.numel;
  r.blocks = r.n > 0 ? (r.n - 1) / LOCUS_SUM_BLOCK + 1 : 1;
  r.count = job.kept.numel;
  r.least_wins = job.op == LOCUS_REDUCE_min;
  return r;
}

} // namespace locus

extern "C" int locus_cuda_reduce(const locus_reduce_job *job, locus_context *cx)
{
  using namespace locus;
  call c("reduce", cx);
  const rows r = rows_of(*job);
  const answers a = answers_of(*job);

  if (r.count == 0) return c.end();
  by_dtype(job->in.dtype, [&](auto e) { reduce_elements<decltype(e)>(c, *job, r, a); });
  return c.end();
}
