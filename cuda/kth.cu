/* SPDX-License-Identifier: MIT */
/* Runner of kth. All elements are sorted by rank and then by segment, stably; what is asked for
** then stands at known places. */
#include "cuda/elementwise.h"
#include "cuda/pairs.h"
#include "cuda/rank.h"
#include "cuda/runners.h"

namespace locus {

enum { KTH_THREADS = 256 };

/* Where segments begin. */
struct segment_bounds {
  const int64_t *offsets; /* NULL: one every n elements */
  int64_t segments, n;

  SIMT_DEVICE int64_t begin(int64_t s) const
  {
    return offsets ? offsets[s] : s * n;
  }

  /* The last one that begins at or before an element: empty ones before it have no elements. */
  SIMT_DEVICE int64_t find(int64_t element) const
  {
    int64_t low = 0, count = segments;

    if (!offsets) return element / n;
    while (count > 1) {
      const int64_t half = count / 2;
      if (offsets[low + half] <= element) low += half, count -= half;
      else count = half;
    }
    return low;
  }
};

template <class E, class V>
SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS)
rank_segments(const typename E::stored *in, int64_t n, uint64_t turn, uint64_t *keys, V *numbers)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    keys[i] = rank<E>(in[i]) ^ turn;
    numbers[i] = (V)i;
  }
}

template <class V>
SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS)
find_segments(const V *numbers, int64_t n, segment_bounds bounds, uint64_t *keys)
{
  for (int64_t i = this_thread(); i < n; i += all_threads())
    keys[i] = (uint64_t)bounds.find((int64_t)numbers[i]);
}

/* The one element that stands for all that are equal to it. */
template <class E> SIMT_DEVICE typename E::stored unsigned_element(typename E::stored x)
{
  if constexpr (E::kind == LOCUS_FLOAT) {
    typedef typename unsigned_of<sizeof x>::type U;
    const U magnitudes = (U)((U)~(U)0 >> 1);
    U bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & magnitudes) == 0) bits = 0;
    else if ((bits & magnitudes) > locus_infinity_bits(E::dtype)) bits = magnitudes;
    memcpy(&x, &bits, sizeof x);
  }
  return x;
}

template <class E, class V>
SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS)
write_kth(const typename E::stored *in, const V *numbers, segment_bounds bounds,
          const int64_t *ranks, int64_t rank_step, divisor wanted, int64_t answers, int64_t base,
          typename E::stored *values, int64_t *index)
{
  for (int64_t i = this_thread(); i < answers; i += all_threads()) {
    const int64_t s = wanted.quotient(i), begin = bounds.begin(s);
    const int64_t from =
        (int64_t)numbers[begin + ranks[s * rank_step + i - s * wanted.number]];
    if (index) index[i] = from - begin + base;
    if (values) values[i] = index ? in[from] : unsigned_element<E>(in[from]);
  }
}

template <class E, class V> static void choose_by(call &c, const locus_kth_job &job, int64_t n)
{
  typedef typename E::stored T;
  constexpr int bits = 8 * sizeof(T);
  const segment_bounds bounds = {job.offsets, job.segments, job.n};
  const uint64_t turn = job.descending ? ~(uint64_t)0 >> (64 - bits) : 0;
  const int64_t answers = job.segments * job.wanted;
  pairs<V> p(c, n, 8);

  c.launch_over(n, rank_segments<E, V>, KTH_THREADS, 0, (const T *)job.in, n, turn,
                p.template keys<uint64_t>(), p.values());
  p.template sort<uint64_t>(bits);
  if (job.segments > 1) {
    c.launch_over(n, find_segments<V>, KTH_THREADS, 0, p.values(), n, bounds,
                  p.template keys<uint64_t>());
    p.template sort<uint64_t>(bits_below((uint64_t)job.segments));
  }
  c.launch_over(answers, write_kth<E, V>, KTH_THREADS, 0, (const T *)job.in, p.values(), bounds,
                job.ranks, job.rank_step, divisor_of(job.wanted), answers, job.base,
                (T *)job.values, job.index);
}

} // namespace locus

extern "C" int locus_cuda_kth(const locus_kth_job *job, locus_context *cx)
{
  using namespace locus;
  call c("kth", cx);
  const int64_t n = job->offsets ? job->n : job->segments * job->n;

  if (n == 0 || job->segments == 0 || job->wanted == 0) return c.end();
  by_positions(n, [&](auto v) {
    by_real(job->dtype, [&](auto e) { choose_by<decltype(e), decltype(v)>(c, *job, n); });
  });
  return c.end();
}
