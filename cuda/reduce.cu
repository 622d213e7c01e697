/* SPDX-License-Identifier: MIT */
/* Runner of reduce. */
#include <type_traits>

#include "cuda/include/reduce/reduce_answers.h"
#include "cuda/include/reduce/reduce_looks.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum {
  /* Contiguous rows are read by vectors where these occupy that many warps of every processor: a
  ** warp takes several blocks then ("sum float32 1e6"). */
  VECTOR_WARPS = SIMT_SIZE(8, 0),
};

/* Warps of a block that joins partials; if these are large there are no registers for more. */
template <class W>
constexpr int join_warps = SIMT_SIZE(sizeof(typename W::partial) > sizeof(double) ? 16 : 32, 4);

/* Writes the answer of a row. The last join makes 0 of a sum that is -0. */
template <class W, class A>
SIMT_DEVICE void write_answer(const rows &r, const answers &a, int64_t row, typename W::partial p)
{
  int64_t at[2];

  p = W::join(p, W::none());
  a.where.find(row, at);
  if (a.out.data) A::write(a, r, row, p, at[0]);
  if (a.index.data) ((int64_t *)a.index.data)[at[1]] = position_of(p) + a.base;
}

/* For rows of one block. */
template <class W, class A>
SIMT_KERNEL void SIMT_BOUNDS(REDUCE_THREADS)
    write_answers(rows r, answers a, const typename W::partial *partials)
{
  for (int64_t row = this_thread(); row < r.count; row += all_threads())
    write_answer<W, A>(r, a, row, partials[row]);
}

/* Joins as many partials as a block has threads. A row has `count` of them, and behind these, if
** has_rest, the remainder at its end. The row gets that many pieces; the last one is the new
** remainder. A single piece is the answer. */
template <class W, class A>
SIMT_KERNEL void SIMT_BOUNDS(join_warps<W> *WARP_LANES)
    join_partials(rows r, answers a, const typename W::partial *in, int64_t count, bool has_rest,
                  int64_t pieces, typename W::partial *out)
{
  typedef typename W::partial P;
  const int lane = threadIdx.x % WARP_LANES, warp = (int)threadIdx.x / WARP_LANES;
  const int warps = (int)blockDim.x / WARP_LANES;
  SIMT_SHARED(P, shared);

  for (int64_t i = blockIdx.x; i < r.count * pieces; i += gridDim.x) {
    const int64_t row = i / pieces, piece = i % pieces, left = count - piece * blockDim.x;
    const int there = left < blockDim.x ? (int)left : (int)blockDim.x;
    const int full = there / WARP_LANES, over = there % WARP_LANES;
    const P *members = in + row * (count + has_rest) + piece * blockDim.x;
    const bool ends = has_rest && piece == pieces - 1 && warp == full;
    P mine = (int)threadIdx.x < there ? members[threadIdx.x] : W::none();

    mine = join_runs<W>(mine,
                        warp < full    ? WARP_LANES
                        : warp == full ? over
                                       : 0,
                        ends ? members[there] : W::none());
    if (lane == 0) shared[warp] = mine;
    __syncthreads();
    if (warp == 0) {
      mine = join_runs<W>(lane < full ? shared[lane] : W::none(), full,
                          full < warps ? shared[full] : W::none());
      if (lane == 0 && pieces > 1) out[i] = mine;
      if (lane == 0 && pieces == 1) write_answer<W, A>(r, a, row, mine);
    }
    __syncthreads();
  }
}

/* From the partials of all blocks to answers. */
template <class W, class A>
static void join_blocks(call &c, const rows &r, const answers &a, const typename W::partial *in)
{
  typedef typename W::partial P;
  int64_t count = r.blocks.number, pieces = 0;

  if (count == 1) {
    c.launch_over(r.count, write_answers<W, A>, REDUCE_THREADS, 0, r, a, in);
    return;
  }
  for (bool has_rest = false; pieces != 1; has_rest = true) {
    int threads = WARP_LANES;
    while (threads < count + has_rest && threads < join_warps<W> * WARP_LANES) threads *= 2;
    pieces = count + has_rest <= threads ? 1 : count / threads + 1;
    P *out = pieces > 1 ? c.temporaries<P>(r.count * pieces) : nullptr;
    c.launch_over(r.count * pieces * threads, join_partials<W, A>, threads,
                  join_warps<W> * sizeof(P), r, a, in, count, has_rest, pieces, out);
    in = out;
    count = pieces - 1;
  }
}

/* Whether rows are contiguous, and begin at multiples of that many bytes. */
static bool rows_aligned(const locus_reduce_job &job, int64_t bytes)
{
  const int64_t item = locus_dtype_size(job.in.dtype);

  if (job.reduced.ndim > 1 || job.in_reduced[0] != 1 || !aligned(job.in.data, bytes)) return false;
  for (int d = 0; d < job.kept.ndim; d++)
    if (job.kept.size[d] > 1 && job.in.stride[d] * item % bytes != 0) return false;
  return true;
}

/* Whether rows are read by vectors, which is a kernel of its own for each dtype: where elements are
** many and little is done with one. The others read their elements one by one. */
template <class W>
constexpr bool by_vectors = std::is_same<W, whole_sum>::value || std::is_same<W, real_sum>::value ||
                            std::is_same<W, truth_count>::value || std::is_same<W, extreme>::value;

template <class W, class E, int N>
static void reduce_rows_by_warps(call &c, const rows &r, typename W::partial *partials)
{
  const int64_t blocks = parts_of(r.count * r.blocks.number, warp_blocks<W, N>);
  c.launch_over(blocks * WARP_LANES, reduce_by_warps<W, E, N>, REDUCE_THREADS, 0, r, partials);
}

/* From rows of elements in E to their answers. */
template <class W, class A, class E>
static void reduce_rows(call &c, const locus_reduce_job &job, const rows &r, const answers &a)
{
  typedef typename W::partial P;
  constexpr int N = by_vectors<W> ? vector_of<typename E::stored>::size : 1;
  const int64_t blocks = r.count * r.blocks.number, warps = blocks / warp_blocks<W, N>;
  const int64_t across = job.in.stride[job.kept.ndim - 1], along = job.in_reduced[0];
  const bool straight = job.reduced.ndim == 1;
  P *partials = c.temporaries<P>(blocks);

  if (straight && r.n < REDUCE_SHORT) {
    c.launch_over(r.count, reduce_by_threads<W, E>, REDUCE_THREADS, 0, r, partials);
  } else if (straight && r.count >= WARP_LANES && across < along) {
    constexpr int threads = COLUMN_WARPS * WARP_LANES;
    c.launch_over(parts_of(r.count, WARP_LANES) * r.blocks.number * threads, reduce_columns<W, E>,
                  threads, threads * sizeof(P), r, partials);
  } else if (N > 1 && warps >= VECTOR_WARPS * (int64_t)c.processors &&
             rows_aligned(job, VECTOR_BYTES)) {
    reduce_rows_by_warps<W, E, N>(c, r, partials);
  } else {
    reduce_rows_by_warps<W, E, 1>(c, r, partials);
  }
  join_blocks<W, A>(c, r, a, partials);
}

/* -- The ops ----------------------------------------------------------------------------------- */

/* The parts of an op: the method of reducing, and the answer made of it. */
template <class METHOD, class ANSWER> struct by {
  typedef METHOD method;
  typedef ANSWER answer;
};

/* The one of the three that serves the kind of E; void where the op is not defined on it. */
template <class E, class WHOLE, class REALS, class COMPLEXES>
using by_kind = typename std::conditional<
    E::kind <= LOCUS_INTEGER, WHOLE,
    typename std::conditional<E::kind == LOCUS_FLOAT, REALS, COMPLEXES>::type>::type;

/* op_<name><E> for each row of core/reduce.def. */
template <class E>
using op_sum =
    by_kind<E, by<whole_sum, whole_answer>, by<real_sum, sum_answer>, by<complex_sum, sum_answer>>;
template <class E>
using op_prod = by_kind<E, by<whole_product, whole_answer>, by<real_product, sum_answer>,
                        by<complex_product, sum_answer>>;
template <class E>
using op_nansum = by_kind<E, by<whole_sum, whole_answer>, by<present_sum, sum_answer>,
                          by<present_complex_sum, sum_answer>>;
template <class E>
using op_nanmean = by_kind<E, by<real_sum, mean_answer>, by<counted<present_sum>, counted_answer>,
                           by<counted<present_complex_sum>, counted_answer>>;
template <class E>
using op_norm1 =
    by_kind<E, by<sum_of_magnitudes, sum_answer>, by<sum_of_magnitudes, sum_answer>, void>;
template <class E>
using op_norm2 = by_kind<E, by<sum_of_squares, root_answer>, by<sum_of_squares, root_answer>, void>;
template <class E>
using op_var = by_kind<E, by<sum_of_deviations, variance_answer>,
                       by<sum_of_deviations, variance_answer>, void>;
template <class E>
using op_std = by_kind<E, by<sum_of_deviations, deviation_answer>,
                       by<sum_of_deviations, deviation_answer>, void>;
template <class E>
using op_nanvar = by_kind<E, by<sum_of_deviations, variance_answer>,
                          by<counted<sum_of_present_deviations>, present_variance_answer>, void>;
template <class E>
using op_nanstd = by_kind<E, by<sum_of_deviations, deviation_answer>,
                          by<counted<sum_of_present_deviations>, present_deviation_answer>, void>;
template <class E> using op_nancount = by<present_count, whole_answer>;
template <class E>
using op_nanmin =
    by_kind<E, by<extreme, element_answer>, by<present_extreme, element_answer>, void>;
template <class E> using op_nanmax = op_nanmin<E>;
template <class E>
using op_mean =
    by_kind<E, by<real_sum, mean_answer>, by<real_sum, mean_answer>, by<complex_sum, mean_answer>>;
template <class E>
using op_min = by_kind<E, by<extreme, element_answer>, by<extreme, element_answer>, void>;
template <class E> using op_max = op_min<E>; /* rows.least_wins tells the two apart */
template <class E> using op_any = by<truth_count, any_answer>;
template <class E> using op_all = by<truth_count, all_answer>;
template <class E> using op_count_nonzero = by<truth_count, whole_answer>;

/* Answers of one double or two, one after the other; NULL if there is no memory. */
template <class E> static answers plain_answers(call &c, const rows &r, double divisor)
{
  constexpr int parts = parts_of_element<E>;
  answers a = {};

  a.out =
      target{(char *)c.temporaries<double>(r.count * parts), parts == 2 ? LOCUS_c128 : LOCUS_f64};
  a.where.ndim = 1;
  a.where.stride[0][0] = 1;
  a.divisor = divisor;
  return a;
}

/* Whether sums of equal elements are exact, so that their mean is such an element: where as many
** fit into float64. */
static bool adds_exactly(locus_dtype dtype, int64_t n)
{
  const int64_t item = locus_dtype_size(dtype);
  const bool is_single = locus_dtype_kind(dtype) == LOCUS_FLOAT ? item <= 4 : dtype == LOCUS_c64;
  const int digits = is_single ? 24 : locus_dtype_kind(dtype) <= LOCUS_INTEGER ? 8 * (int)item : 53;
  return digits < 53 && n <= (int64_t)1 << (53 - digits);
}

/* Whether one more kernel looks at the answers of an op. */
template <class E> static bool looks_again(locus_reduce op, int64_t n)
{
  if (is_mean(op)) return !adds_exactly(E::dtype, n);
  return is_wide<E> && (op == LOCUS_REDUCE_norm2 || is_spread(op));
}

template <class OP, class E>
static void reduce_looking(call &c, const locus_reduce_job &job, locus_reduce op, const rows &r,
                           const answers &a)
{
  typedef typename OP::method W;
  typedef typename OP::answer A;

  if (!looks_again<E>(op, r.n)) return reduce_rows<W, A, E>(c, job, r, a);
  const answers plain = plain_answers<E>(c, r, a.divisor);
  reduce_rows<W, A, E>(c, job, r, plain);
  c.launch_over(r.count, look_again<E>, REDUCE_THREADS, sizeof(look_memory), r, a,
                (const double *)plain.out.data, op);
}

template <class OP, class E>
static void reduce(call &c, const locus_reduce_job &job, rows r, const answers &a)
{
  constexpr bool plain = std::is_same<OP, op_var<E>>::value || std::is_same<OP, op_std<E>>::value;
  constexpr bool present =
      std::is_same<OP, op_nanvar<E>>::value || std::is_same<OP, op_nanstd<E>>::value;
  if constexpr ((plain || present) && !std::is_void<OP>::value) {
    typedef typename std::conditional<plain, op_mean<E>, op_nanmean<E>>::type op_centre;
    const answers means = plain_answers<E>(c, r, 0);
    reduce_looking<op_centre, E>(c, job, plain ? LOCUS_REDUCE_mean : LOCUS_REDUCE_nanmean, r,
                                 means);
    r.centre = (const double *)means.out.data;
  }
  if constexpr (!std::is_void<OP>::value) reduce_looking<OP, E>(c, job, job.op, r, a);
}

template <class E>
static void reduce_elements(call &c, const locus_reduce_job &job, const rows &r, const answers &a)
{
  switch (job.op) {
/* clang-format off */
#define REDUCE(name, result) \
  case LOCUS_REDUCE_##name: return reduce<op_##name<E>, E>(c, job, r, a);
#include "core/reduce.def"
/* clang-format on */
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
  a.divisor = job.divisor;
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
  r.step = job.in_reduced[0];
  r.blocks = divisor_of(r.n > 0 ? parts_of(r.n, LOCUS_SUM_BLOCK) : 1);
  r.count = job.kept.numel;
  r.least_wins = job.op == LOCUS_REDUCE_min || job.op == LOCUS_REDUCE_nanmin;
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
