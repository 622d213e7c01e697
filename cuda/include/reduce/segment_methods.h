/* SPDX-License-Identifier: MIT */
/* The answer of a group of rows. A thread takes all rows of a short group, a warp those of a long
** one. Its lanes read them together and, if the order matters, add them one after the other. */
#ifndef LOCUS_CUDA_SEGMENT_METHODS_H
#define LOCUS_CUDA_SEGMENT_METHODS_H

#include <math.h>

#include <type_traits>

#include "core/number/rescale.h"
#include "cuda/include/reduce/reduce_tree.h"

namespace locus
{

enum {
  SEGMENT_THREADS = 128,
  /* The most rows of a group that one thread answers for: "segment float32 1e8 in groups of 16". */
  SHORT_GROUP = 16,
};

/* The rows in the order of their groups: those of group g begin at place starts[g]. V is a row's
** number, or void: rows are in that order already. */
template <class V> struct grouped {
  source in;
  int64_t in_step;
  const V *row; /* at each place */
  const int64_t *starts;
  int64_t groups;
  bool least_wins; /* of extremes */
  target out;
  int64_t out_step;
  int64_t first; /* which of several values side by side, where V is void */

  SIMT_DEVICE int64_t number_of(int64_t place) const
  {
    if constexpr (std::is_void<V>::value) return place;
    else return (int64_t)row[place];
  }

  template <class E> SIMT_DEVICE typename E::stored element_of(int64_t number) const
  {
    if constexpr (std::is_void<V>::value) return in.stored<E>(number * in_step + first);
    else return in.stored<E>(number * in_step);
  }

  /* An element as a number, whatever its dtype. */
  SIMT_DEVICE double real_of(int64_t number) const
  {
    const int64_t at = number * in_step + (std::is_void<V>::value ? first : 0);
    return in.read<element<LOCUS_f64>>(at);
  }

  template <class E, class W>
  SIMT_DEVICE typename W::partial known(const W &method, int64_t place) const
  {
    const int64_t number = number_of(place);
    return method.template of<E>(element_of<E>(number), number, beside{least_wins, 0});
  }
};

/* -- A method that reduce_methods.h does not have ---------------------------------------------- */

struct square_sum : real_sum {
  double mean, factor;

  SIMT_DEVICE square_sum(double m, double f) : mean(m), factor(f)
  {
  }

  template <class E> SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &) const
  {
    const double distance = locus_scaled_distance((double)E::load(x), mean, factor);
    return distance * distance;
  }
};

struct shrunk_sum : real_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return (double)E::load(x) * LOCUS_SHRINK;
  }
};

/* How many elements are another number than that. */
struct unlike_count : whole_sum {
  double mark;

  explicit SIMT_DEVICE unlike_count(double m) : mark(m)
  {
  }

  template <class E> SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &) const
  {
    return (double)E::load(x) != mark;
  }
};

/* -- Who takes the rows begin .. end - 1 of a group: a thread, a warp -------------------------- */

struct by_thread {
  static constexpr int lanes = 1;

  template <class E, class W, class V>
  static SIMT_DEVICE typename W::partial fold(const W &method, const grouped<V> &g, int64_t begin,
                                              int64_t end)
  {
    typename W::partial p = W::none();
    for (int64_t j = begin; j < end; j++) p = W::join(p, g.template known<E>(method, j));
    return p;
  }
};

struct by_warp {
  static constexpr int lanes = WARP_LANES;

  /* The same for all lanes. The next elements are read before those at hand are added. */
  template <class E, class W, class V>
  static SIMT_DEVICE typename W::partial fold(const W &method, const grouped<V> &g, int64_t begin,
                                              int64_t end)
  {
    const int lane = threadIdx.x % WARP_LANES;
    typename W::partial p = W::none(), next = W::none();

    if constexpr (!W::ordered) {
      for (int64_t j = begin + lane; j < end; j += WARP_LANES)
        p = W::join(p, g.template known<E>(method, j));
      return join_halves<W>(p, WARP_LANES);
    }
    if (begin + lane < end) next = g.template known<E>(method, begin + lane);
    for (int64_t j = begin; j < end; j += WARP_LANES) {
      const typename W::partial now = next;
      if (j + WARP_LANES + lane < end) next = g.template known<E>(method, j + WARP_LANES + lane);
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

/* core/number/rescale.h says which of these are found again. */
struct mean {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    const double n = (double)(end - begin);
    double m = F::template fold<real>(real_sum(), g, begin, end) / n;
    if (begin == end) return m;
    const double first = g.real_of(g.number_of(begin));
    if (g.in.dtype == LOCUS_f64 && locus_overflowed(m))
      m = locus_grown_mean(F::template fold<real>(shrunk_sum(), g, begin, end) / n);
    if (!locus_may_be_alike(m, first, n * DBL_EPSILON)) return m;
    return F::template fold<real>(unlike_count(first), g, begin, end) == 0 ? first : m;
  }
};

/* The sum of squared distances times a factor, and that. */
struct scaled_squares {
  double sum, factor;
};

template <class F, class V>
SIMT_DEVICE scaled_squares squares_of(const grouped<V> &g, int64_t begin, int64_t end)
{
  const double middle = mean::of<F>(g, begin, end);
  const double sum = F::template fold<real>(square_sum(middle, 1), g, begin, end);
  const double deviation = sqrt(sum / (double)(end - begin - 1));
  const double factor = locus_factor_of_distances(deviation, middle);
  if (g.in.dtype != LOCUS_f64 || factor == 1) return scaled_squares{sum, 1};
  return scaled_squares{F::template fold<real>(square_sum(middle, factor), g, begin, end), factor};
}

struct variance {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    if (end - begin < 2) return (double)NAN;
    const scaled_squares s = squares_of<F>(g, begin, end);
    return s.sum / (double)(end - begin - 1) / s.factor / s.factor;
  }
};

struct deviation {
  typedef real answer;
  template <class F, class V>
  static SIMT_DEVICE double of(const grouped<V> &g, int64_t begin, int64_t end)
  {
    if (end - begin < 2) return (double)NAN;
    const scaled_squares s = squares_of<F>(g, begin, end);
    return sqrt(s.sum / (double)(end - begin - 1)) / s.factor;
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
    return g.template element_of<E>(g.number_of(begin));
  }
};

template <class E> struct last_element {
  typedef E answer;
  template <class F, class V>
  static SIMT_DEVICE typename E::stored of(const grouped<V> &g, int64_t, int64_t end)
  {
    return g.template element_of<E>(g.number_of(end - 1));
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

} // namespace locus

#endif
