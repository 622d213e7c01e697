/* SPDX-License-Identifier: MIT */
/* Runner of segment_runs: groups of consecutive rows. */
#include "cuda/include/host/call.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/reduce/segment_methods.h"

namespace locus
{

/* The value over which every element wins. */
template <class E> SIMT_DEVICE typename E::stored worst(bool least_wins)
{
  const uint64_t last = E::kind == LOCUS_BOOL ? 1 : UINT64_MAX;

  if constexpr (E::kind == LOCUS_FLOAT) return E::store(least_wins ? INFINITY : -INFINITY);
  else return unrank<E>(least_wins ? last : 0);
}

/* The extreme of a segment that may have no elements. */
template <class E> struct run_extreme {
  typedef E answer;
  template <class F>
  static SIMT_DEVICE typename E::stored of(const grouped<void> &g, int64_t begin, int64_t end)
  {
    if (begin == end) return worst<E>(g.least_wins);
    return extreme_element<E>::template of<F>(g, begin, end);
  }
};

/* Answers for the segments of fewest .. most elements, `inner` for each. An element is numbered as
** if all values were in one row, so that those of one answer are `inner` apart. */
template <class A, class F>
static SIMT_KERNEL void SIMT_BOUNDS(SEGMENT_THREADS, 5)
    answer_runs(grouped<void> g, divisor inner, int64_t fewest, int64_t most)
{
  const int64_t answers = g.groups * inner.number;

  for (int64_t i = this_thread() / F::lanes; i < answers; i += all_threads() / F::lanes) {
    const int64_t s = inner.quotient(i), begin = g.starts[s], end = g.starts[s + 1];
    if (end - begin < fewest || end - begin > most) continue;
    grouped<void> own = g;
    own.first = i - s * inner.number;
    const typename A::answer::stored answer = A::template of<F>(own, begin, end);
    if (threadIdx.x % F::lanes == 0) g.out.template write<typename A::answer>(i, answer);
  }
}

/* Threads that share a warp read values side by side: of one segment, or, if there are many values,
** of one element. */
template <class A>
static void answer(call &c, const locus_segment_runs_job &job, const grouped<void> &g)
{
  const int64_t most = job.inner < WARP_LANES ? (int64_t)SHORT_GROUP : INT64_MAX;
  const divisor inner = divisor_of(job.inner);
  const int64_t answers = job.segments * job.inner;

  c.launch_over(answers, answer_runs<A, by_thread>, SEGMENT_THREADS, 0, g, inner, (int64_t)0, most);
  if (most == INT64_MAX) return;
  c.launch_over(answers * WARP_LANES, answer_runs<A, by_warp>, SEGMENT_THREADS, 0, g, inner,
                most + 1, INT64_MAX);
}

static void answer_as(call &c, const locus_segment_runs_job &job, const grouped<void> &g)
{
  const bool is_whole = locus_dtype_kind(job.dtype) <= LOCUS_INTEGER;

  switch (job.how) {
  case LOCUS_SEGMENT_sum:
    return is_whole ? answer<folded_whole<whole_sum>>(c, job, g)
                    : answer<folded_real<real_sum>>(c, job, g);
  case LOCUS_SEGMENT_prod:
    return is_whole ? answer<folded_whole<whole_product>>(c, job, g)
                    : answer<folded_real<real_product>>(c, job, g);
  case LOCUS_SEGMENT_mean: return answer<mean>(c, job, g);
  case LOCUS_SEGMENT_min:
  case LOCUS_SEGMENT_max:
    return by_real(job.dtype, [&](auto e) { answer<run_extreme<decltype(e)>>(c, job, g); });
  case LOCUS_SEGMENT_std:
  case LOCUS_SEGMENT_var:
  case LOCUS_SEGMENT_first:
  case LOCUS_SEGMENT_last:
  case LOCUS_SEGMENT_any:
  case LOCUS_SEGMENT_all:
  case LOCUS_SEGMENT_count:
  case LOCUS_SEGMENTS: return;
  }
}

/* The dtype in which `out` is. */
static locus_dtype dtype_of_answers(const locus_segment_runs_job &job)
{
  const bool product = job.how == LOCUS_SEGMENT_sum || job.how == LOCUS_SEGMENT_prod;

  if (job.how == LOCUS_SEGMENT_min || job.how == LOCUS_SEGMENT_max) return job.dtype;
  return product && locus_dtype_kind(job.dtype) <= LOCUS_INTEGER ? LOCUS_i64 : LOCUS_f64;
}

} // namespace locus

extern "C" int locus_cuda_segment_runs(const locus_segment_runs_job *job, locus_context *cx)
{
  using namespace locus;
  call c("segment_runs", cx);
  grouped<void> g = {};

  g.in = source{job->in, job->dtype, {}};
  g.in_step = job->inner;
  g.starts = job->starts;
  g.groups = job->segments;
  g.least_wins = job->how == LOCUS_SEGMENT_min;
  g.out = target{job->out, dtype_of_answers(*job)};
  if (job->segments * job->inner > 0) answer_as(c, *job, g);
  return c.end();
}
