/* SPDX-License-Identifier: MIT */
/* Runner of segment. Rows are sorted by their ids, stably. Then a thread takes all rows of a short
** group, a warp those of a long one: its lanes read them together and, where the order counts, add
** them one after the other. */
#include <math.h>

#include "cuda/pairs.h"
#include "cuda/reduce_tree.h"
#include "cuda/runners.h"

namespace locus {

enum {
  SEGMENT_THREADS = 128,
  /* Of so many rows a thread answers for a group alone: "segment float32 1e8 in groups of 16". */
  SHORT_GROUP = 16,
};

/* The rows in the order of their groups: those of group g have the places from starts[g] on. */
template <class V> struct grouped {
  source in;
  int64_t in_step;
  const V *row;
  const int64_t *starts;
  int64_t groups;
  bool least_wins; /* of extremes */
  target out;
  int64_t out_step;

  template <class E> SIMT_DEVICE typename E::stored element_of(int64_t number) const
  {
    return in.stored<E>(number * in_step);
  }

  template <class E, class W>
  SIMT_DEVICE typename W::partial known(const W &way, int64_t place) const
  {
    const int64_t number = (int64_t)row[place];
    return way.template of<E>(element_of<E>(number), number, beside{least_wins, 0});
  }
};

/* -- A way that reduce_ways.h does not have ---------------------------------------------------- */

struct square_sum : real_sum {
  double mean;

  explicit SIMT_DEVICE square_sum(double m) : mean(m)
  {
  }

  template <class E> SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &) const
  {
    const double distance = (double)E::load(x) - mean;
    return distance * distance;
  }
};

/* -- Who takes the rows begin .. end - 1 of a group: a thread, a warp -------------------------- */

struct by_thread {
  static constexpr int lanes = 1;

  template <class E, class W, class V>
  static SIMT_DEVICE typename W::partial fold(const W &way, const grouped<V> &g, int64_t begin,
                                              int64_t end)
  {
    typename W::partial p = W::none();
    for (int64_t j = begin; j < end; j++) p = W::join(p, g.template known<E>(way, j));
    return p;
  }
};

struct by_warp {
  static constexpr int lanes = WARP_LANES;

  /* The same for all lanes. What comes next is read before what is there is added. */
  template <class E, class W, class V>
  static SIMT_DEVICE typename W::partial fold(const W &way, const grouped<V> &g, int64_t begin,
                                              int64_t end)
  {
    const int lane = threadIdx.x % WARP_LANES;
    typename W::partial p = W::none(), next = W::none();

    if constexpr (!W::ordered) {
      for (int64_t j = begin + lane; j < end; j += WARP_LANES)
        p = W::join(p, g.template known<E>(way, j));
      return join_halves<W>(p, WARP_LANES);
    }
    if (begin + lane < end) next = g.template known<E>(way, begin + lane);
    for (int64_t j = begin; j < end; j += WARP_LANES) {
      const typename W::partial now = next;
      if (j + WARP_LANES + lane < end) next = g.template known<E>(way, j + WARP_LANES + lane);
      if (end - j >= WARP_LANES) {
        SIMT_UNROLL
        for (int l = 0; l < WARP_LANES; l++) p = W::join(p, from_lane(now, l));
      } else {
        for (int l = 0; l < (int)(end - j); l++) p = W::join(p, from_lane(now, l));
      }
    }
    return p;
  }
};

/* -- Answers: what F, one of the above, makes of a group's rows -------------------------------- */

typedef element<LOCUS_b8> truth;
typedef element<LOCUS_i64> whole;
typedef element<LOCUS_f64> real;

template <class W> struct folded_whole {
  typedef whole answer;
  template <class F, class V>
  static SIMT_DEVICE int64_t of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return (int64_t)F::template fold<whole>(W(), g, begin, end);
  }
};

template <class W> struct folded_real {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return F::template fold<real>(W(), g, begin, end);
  }
};

struct mean {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return F::template fold<real>(real_sum(), g, begin, end) / (double)(end - begin);
  }
};

struct variance {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    if (end - begin < 2) return (double)NAN;
    const square_sum squares(mean::of<F>(g, begin, end));
    return F::template fold<real>(squares, g, begin, end) / (double)(end - begin - 1);
  }
};

struct deviation {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return sqrt(variance::of<F>(g, begin, end));
  }
};

struct any_true {
  typedef truth answer;
  template <class F, class V>
  static SIMT_DEVICE uint8_t of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return F::template fold<truth>(truth_count(), g, begin, end) > 0;
  }
};

struct all_true {
  typedef truth answer;
  template <class F, class V>
  static SIMT_DEVICE uint8_t of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return F::template fold<truth>(truth_count(), g, begin, end) == (uint64_t)(end - begin);
  }
};

template <class E> struct extreme_element {
  typedef E answer;
  template <class F, class V>
  static SIMT_DEVICE typename E::stored of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    return g.template element_of<E>(F::template fold<E>(extreme(), g, begin, end).position);
  }
};

template <class E> struct first_element {
  typedef E answer;
  template <class F, class V>
  static SIMT_DEVICE typename E::stored of(const grouped<V> &g, int64_t begin, int64_t)
  {
    return g.template element_of<E>((int64_t)g.row[begin]);
  }
};

template <class E> struct last_element {
  typedef E answer;
  template <class F, class V>
  static SIMT_DEVICE typename E::stored of(const grouped<V> &g, int64_t, int64_t end)
  {
    return g.template element_of<E>((int64_t)g.row[end - 1]);
  }
};

struct row_count {
  typedef whole answer;
  template <class F, class V>
  static SIMT_DEVICE int64_t of(const grouped<V> &, int64_t begin, int64_t end)
  {
    return end - begin;
  }
};

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
find_starts(const K *keys, int64_t n, int64_t groups, int64_t *starts, unsigned long long *empty)
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

template <class V> static void answer_as(call &c, const locus_segment_job &job, grouped<V> &g)
{
  const int64_t n = job.rows.numel;
  const bool is_whole = locus_dtype_kind(job.in.dtype) <= LOCUS_INTEGER;

  switch (job.how) {
  case LOCUS_SEGMENT_sum:
    return is_whole ? answer<folded_whole<whole_sum>>(c, g, n)
                    : answer<folded_real<real_sum>>(c, g, n);
  case LOCUS_SEGMENT_prod:
    return is_whole ? answer<folded_whole<whole_product>>(c, g, n)
                    : answer<folded_real<real_product>>(c, g, n);
  case LOCUS_SEGMENT_min:
  case LOCUS_SEGMENT_max:
    return by_real(job.in.dtype, [&](auto e) { answer<extreme_element<decltype(e)>>(c, g, n); });
  case LOCUS_SEGMENT_mean: return answer<mean>(c, g, n);
  case LOCUS_SEGMENT_std: return answer<deviation>(c, g, n);
  case LOCUS_SEGMENT_var: return answer<variance>(c, g, n);
  case LOCUS_SEGMENT_first:
  case LOCUS_SEGMENT_last:
    return by_equal_width(job.in.dtype, [&](auto e) {
      typedef decltype(e) E;
      g.in.dtype = g.out.dtype = E::dtype;
      if (job.how == LOCUS_SEGMENT_first) answer_by_threads<first_element<E>>(c, g);
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

  c.launch_over(n, key_rows<K, V>, SEGMENT_THREADS, 0, source_of(job.ids),
                job.ids.stride[0], n, job.base, p.template keys<K>(), p.values());
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
  grouped<V> g = {source_of(job.in), job.in.stride[0], p.values(), starts, groups,
                  job.how == LOCUS_SEGMENT_min, target_of(job.out), job.out.stride[0]};
  answer_as(c, job, g);
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
