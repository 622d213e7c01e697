/* SPDX-License-Identifier: MIT */
/* Runner of segment. Rows are sorted by their ids, stably, once for all answers, and then taken
** group by group. */
#include "cuda/include/order/pairs.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/reduce/segment_methods.h"

namespace locus
{

/* Answers for the groups of fewest .. most rows. */
template <class A, class F, class V>
SIMT_KERNEL void SIMT_BOUNDS(SEGMENT_THREADS, 8)
    answer_groups(grouped<V> g, int64_t fewest, int64_t most)
{
  for (int64_t i = this_thread() / F::lanes; i < g.groups; i += all_threads() / F::lanes) {
    const int64_t begin = g.starts[i], end = g.starts[i + 1];
    if (end - begin < fewest || end - begin > most) continue;
    const typename A::answer::stored answer = A::template of<F>(g, begin, end);
    if (threadIdx.x % F::lanes == 0)
      g.out.template write<typename A::answer>(i * g.out_step, answer);
  }
}

/* -- The rows in order ------------------------------------------------------------------------- */

template <class K, class V>
SIMT_KERNEL void SIMT_BOUNDS(SEGMENT_THREADS)
    key_rows(source ids, int64_t step, int64_t n, int64_t base, K *keys, V *rows)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    keys[i] = (K)(ids.read<whole>(i * step) - base);
    rows[i] = (V)i;
  }
}

/* starts[g]: how many keys are less than g; also for g = groups. */
template <class K>
SIMT_KERNEL void SIMT_BOUNDS(SEGMENT_THREADS)
    find_starts(const K *keys, int64_t n, int64_t groups, int64_t *starts,
                unsigned long long *empty)
{
  if (this_thread() == 0) *empty = (unsigned long long)groups;
  for (int64_t g = this_thread(); g <= groups; g += all_threads()) {
    int64_t begin = 0, end = n;
    while (begin < end) {
      const int64_t middle = begin + (end - begin) / 2;
      if ((uint64_t)keys[middle] < (uint64_t)g) begin = middle + 1;
      else end = middle;
    }
    starts[g] = begin;
  }
}

static SIMT_KERNEL void SIMT_BOUNDS(SEGMENT_THREADS)
    find_empty(const int64_t *starts, int64_t groups, unsigned long long *empty)
{
  for (int64_t g = this_thread(); g < groups; g += all_threads())
    if (starts[g] == starts[g + 1]) atomicMin(empty, (unsigned long long)g);
}

/* -- The job ----------------------------------------------------------------------------------- */

template <class A, class V> static void answer_by_threads(call &c, const grouped<V> &g)
{
  c.launch_over(g.groups, answer_groups<A, by_thread, V>, SEGMENT_THREADS, 0, g, (int64_t)0,
                INT64_MAX);
}

template <class A, class V> static void answer(call &c, const grouped<V> &g, int64_t n)
{
  c.launch_over(g.groups, answer_groups<A, by_thread, V>, SEGMENT_THREADS, 0, g, (int64_t)0,
                (int64_t)SHORT_GROUP);
  if (n <= SHORT_GROUP) return;
  c.launch_over(g.groups * WARP_LANES, answer_groups<A, by_warp, V>, SEGMENT_THREADS, 0, g,
                (int64_t)SHORT_GROUP + 1, INT64_MAX);
}

/* Calls f with an element as wide as those of a dtype, which moves them as they are. */
template <class F> static void by_equal_width(locus_dtype dtype, F f)
{
  switch (locus_dtype_size(dtype)) {
  case 1: return f(element<LOCUS_u8>());
  case 2: return f(element<LOCUS_i16>());
  case 4: return f(element<LOCUS_i32>());
  default: return f(element<LOCUS_i64>());
  }
}

template <class V>
static void answer_as(call &c, const locus_segment_answer &asked, int64_t n, grouped<V> &g)
{
  const bool is_whole = locus_dtype_kind(asked.in.dtype) <= LOCUS_INTEGER;

  switch (asked.how) {
  case LOCUS_SEGMENT_sum:
    return is_whole ? answer<folded_whole<whole_sum>>(c, g, n)
                    : answer<folded_real<real_sum>>(c, g, n);
  case LOCUS_SEGMENT_prod:
    return is_whole ? answer<folded_whole<whole_product>>(c, g, n)
                    : answer<folded_real<real_product>>(c, g, n);
  case LOCUS_SEGMENT_min:
  case LOCUS_SEGMENT_max:
    return by_real(asked.in.dtype, [&](auto e) { answer<extreme_element<decltype(e)>>(c, g, n); });
  case LOCUS_SEGMENT_mean: return answer<mean>(c, g, n);
  case LOCUS_SEGMENT_std: return answer<deviation>(c, g, n);
  case LOCUS_SEGMENT_var: return answer<variance>(c, g, n);
  case LOCUS_SEGMENT_first:
  case LOCUS_SEGMENT_last:
    return by_equal_width(asked.in.dtype, [&](auto e) {
      typedef decltype(e) E;
      g.in.dtype = g.out.dtype = E::dtype;
      if (asked.how == LOCUS_SEGMENT_first) answer_by_threads<first_element<E>>(c, g);
      else answer_by_threads<last_element<E>>(c, g);
    });
  case LOCUS_SEGMENT_any: return answer<any_true>(c, g, n);
  case LOCUS_SEGMENT_all: return answer<all_true>(c, g, n);
  case LOCUS_SEGMENT_count: return answer_by_threads<row_count>(c, g);
  case LOCUS_SEGMENTS: return;
  }
}

template <class K, class V> static void segment_rows(call &c, const locus_segment_job &job)
{
  const int64_t n = job.rows.numel, groups = job.groups.numel;
  pairs<V> p(c, std::max<int64_t>(n, 1), sizeof(K));
  int64_t *starts = c.temporaries<int64_t>(groups + 1);
  unsigned long long *empty = c.temporaries<unsigned long long>(1), first = 0;

  c.launch_over(n, key_rows<K, V>, SEGMENT_THREADS, 0, source_of(job.ids), job.ids.stride[0], n,
                job.base, p.template keys<K>(), p.values());
  if (n > 0) p.template sort<K>(bits_below((uint64_t)groups));
  c.launch_over(groups + 1, find_starts<K>, SEGMENT_THREADS, 0, p.template keys<K>(), n, groups,
                starts, empty);
  if (job.empty) {
    c.launch_over(groups, find_empty, SEGMENT_THREADS, 0, starts, groups, empty);
    c.read(&first, empty, sizeof first);
    if (!c.ok()) return;
    *job.empty = (int64_t)first < groups ? (int64_t)first : -1;
    if (*job.empty >= 0) return;
  }
  for (int64_t i = 0; i < job.count; i++) {
    const locus_segment_answer &asked = job.answers[i];
    grouped<V> g = {source_of(asked.in),
                    asked.in.stride[0],
                    p.values(),
                    starts,
                    groups,
                    asked.how == LOCUS_SEGMENT_min,
                    target_of(asked.out),
                    asked.out.stride[0],
                    0};
    answer_as(c, asked, n, g);
  }
}

} // namespace locus

extern "C" int locus_cuda_segment(const locus_segment_job *job, locus_context *cx)
{
  using namespace locus;
  call c("segment", cx);

  if (job->empty) *job->empty = -1;
  if (job->groups.numel == 0) return c.end();
  by_positions(job->rows.numel, [&](auto v) {
    by_positions(job->groups.numel, [&](auto k) {
      typedef typename unsigned_of<sizeof k>::type K;
      segment_rows<K, decltype(v)>(c, *job);
    });
  });
  return c.end();
}
