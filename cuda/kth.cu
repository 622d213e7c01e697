/* SPDX-License-Identifier: MIT */
/* Runner of kth. In long rows the digits of a few ranks are found one by one. Else all elements are
** sorted by their segment and, within it, by rank, stably; the answers are then at known places. */
#include "cuda/include/block/elementwise.h"
#include "cuda/include/order/kth_digits.h"
#include "cuda/include/order/pairs.h"
#include "cuda/include/order/rank.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum {
  KTH_THREADS = 256,
  /* Up to this many ranks of a row are found by reading it again for each of their digits, in less
  ** time than a sort takes. Three reads of float64 are the bytes of a sort, and half of its
  ** instructions: "quantile float32 1e7". */
  MOST_BY_DIGITS = 3,
  /* This many elements take longer to sort than one launch for each digit: "median float32
  ** 1e6". */
  LEAST_BY_DIGITS = SIMT_SIZE(1 << 20, 1000),
};

/* Where segments begin. */
struct segment_bounds {
  const int64_t *offsets; /* NULL: one every n elements */
  int64_t segments;
  divisor n;

  SIMT_DEVICE int64_t begin(int64_t s) const
  {
    return offsets ? offsets[s] : s * n.number;
  }

  /* The last one that begins at or before an element: empty ones before it have no elements. */
  SIMT_DEVICE int64_t find(int64_t element) const
  {
    int64_t low = 0, count = segments;

    if (!offsets) return n.quotient(element);
    while (count > 1) {
      const int64_t half = count / 2;
      if (offsets[low + half] <= element) low += half, count -= half;
      else count = half;
    }
    return low;
  }
};

/* -- Offsets and ranks that do not fit --------------------------------------------------------- */

static SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS)
    begin_search(unsigned long long *first, unsigned long long numbers)
{
  *first = numbers;
}

static SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS)
    find_misfit(locus_kth_job job, divisor wanted, int64_t offsets, int64_t numbers,
                unsigned long long *first)
{
  for (int64_t i = this_thread(); i < numbers; i += all_threads()) {
    const int64_t s = i < offsets ? i : wanted.quotient(i - offsets);
    const bool fits = i < offsets ? locus_kth_leads(&job, s)
                                  : locus_kth_has(&job, s, i - offsets - s * wanted.number);
    if (!fits) atomicMin(first, (unsigned long long)i);
  }
}

/* -- All elements in order --------------------------------------------------------------------- */

/* Keys and numbers of n elements. Ranks are XORed with `turn`; if by_segment, the number of its
** segment goes above an element's rank. */
template <class E, class K, class V>
SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS, 4)
    rank_segments(const typename E::stored *in, int64_t n, K turn, segment_bounds bounds,
                  bool by_segment, K *keys, V *numbers)
{
  constexpr int above = sizeof(typename E::stored) < sizeof(K) ? 8 * sizeof(typename E::stored) : 0;

  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    K key = (K)rank<E>(in[i]) ^ turn;
    if (by_segment) key |= (K)bounds.find(i) << above;
    keys[i] = key;
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

/* The elements of a job, and how many bits tell their segments apart. */
struct choosing {
  const locus_kth_job &job;
  segment_bounds bounds;
  int64_t n;
  int segment_bits;
};

template <class E, class K, class V>
static void fill(call &c, const choosing &of, bool by_segment, pairs<V> &p)
{
  const K ones = (K)(~(uint64_t)0 >> (64 - 8 * (int)sizeof(typename E::stored)));

  c.launch_over(of.n, rank_segments<E, K, V>, KTH_THREADS, 0, (const typename E::stored *)of.job.in,
                of.n, of.job.descending ? ones : (K)0, of.bounds, by_segment, p.template keys<K>(),
                p.values());
}

template <class E, class V> static void order(call &c, const choosing &of, pairs<V> &p)
{
  constexpr int bits = 8 * sizeof(typename E::stored);
  const bool by_segment = of.segment_bits > 0;

  if constexpr (bits <= 32) {
    if (bits + of.segment_bits <= 32) {
      fill<E, uint32_t>(c, of, by_segment, p);
      p.template sort<uint32_t>(bits + of.segment_bits);
      return;
    }
  }
  if (bits + of.segment_bits <= 64) {
    fill<E, uint64_t>(c, of, by_segment, p);
    p.template sort<uint64_t>(bits + of.segment_bits);
  } else {
    fill<E, uint64_t>(c, of, false, p);
    p.template sort<uint64_t>(bits);
    c.launch_over(of.n, find_segments<V>, KTH_THREADS, 0, p.values(), of.n, of.bounds,
                  p.template keys<uint64_t>());
    p.template sort<uint64_t>(of.segment_bits);
  }
}

/* -- What is asked for ------------------------------------------------------------------------- */

template <class E, class V>
SIMT_KERNEL void SIMT_BOUNDS(KTH_THREADS, 4)
    write_kth(locus_kth_job job, const V *numbers, segment_bounds bounds, divisor wanted,
              int64_t answers)
{
  typedef typename E::stored T;

  for (int64_t i = this_thread(); i < answers; i += all_threads()) {
    const int64_t s = wanted.quotient(i), begin = bounds.begin(s);
    const int64_t from =
        (int64_t)numbers[begin + job.ranks[s * job.rank_step + i - s * wanted.number]];
    const T x = ((const T *)job.in)[from];
    if (job.index) job.index[i] = from - begin + job.base;
    if (job.values) ((T *)job.values)[i] = job.index ? x : unrank<E>(rank<E>(x));
  }
}

static bool by_digits(const choosing &of)
{
  return !of.job.offsets && of.job.wanted <= MOST_BY_DIGITS && of.n >= LEAST_BY_DIGITS &&
         of.job.n >= DIGITS_PIECE;
}

/* -- The job ----------------------------------------------------------------------------------- */

/* Has the device judge offsets and ranks, and waits for it. */
static bool fits(call &c, const locus_kth_job &job)
{
  const int64_t offsets = job.offsets ? job.segments + 1 : 0;
  const int64_t numbers = offsets + locus_kth_judged(&job) * job.wanted;
  unsigned long long *found = c.temporaries<unsigned long long>(1), first = 0;

  *job.misfit = -1;
  if (numbers == 0) return true;
  c.launch(begin_search, 1, 1, 0, found, (unsigned long long)numbers);
  c.launch_over(numbers, find_misfit, KTH_THREADS, 0, job, divisor_of(job.wanted), offsets, numbers,
                found);
  c.read(&first, found, sizeof first);
  if (!c.ok()) return false;
  if ((int64_t)first < numbers) *job.misfit = (int64_t)first;
  return *job.misfit < 0;
}

template <class E, class V> static void choose_by(call &c, const choosing &of)
{
  const locus_kth_job &job = of.job;
  const int64_t answers = job.segments * job.wanted;
  pairs<V> p(c, of.n, 8);

  order<E>(c, of, p);
  c.launch_over(answers, write_kth<E, V>, KTH_THREADS, 0, job, p.values(), of.bounds,
                divisor_of(job.wanted), answers);
}

} // namespace locus

extern "C" int locus_cuda_kth(const locus_kth_job *job, locus_context *cx)
{
  using namespace locus;
  call c("kth", cx);
  const segment_bounds bounds = {job->offsets, job->segments, divisor_of(job->n)};
  const choosing of = {*job, bounds, job->offsets ? job->n : job->segments * job->n,
                       bits_below((uint64_t)job->segments)};

  if (!fits(c, *job) || job->segments == 0 || job->wanted == 0) return c.end();
  if (by_digits(of)) {
    by_real(job->dtype, [&](auto e) { choose_by_digits<decltype(e)>(c, *job); });
    return c.end();
  }
  by_positions(of.n, [&](auto v) {
    by_real(job->dtype, [&](auto e) { choose_by<decltype(e), decltype(v)>(c, of); });
  });
  return c.end();
}
