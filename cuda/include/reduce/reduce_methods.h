/* SPDX-License-Identifier: MIT */
/* Methods of reducing. One, W, has
**   W::partial   the partial answer of some elements; W::none(): of no elements
**   W::of<E>     the partial of one element, its position, and the row's parameters
**   W::join      the partial of two partials, in either order
**   W::lanes     how many lanes share a block
**   W::ordered   whether the order matters, as it does to sums of floats */
#ifndef LOCUS_CUDA_REDUCE_METHODS_H
#define LOCUS_CUDA_REDUCE_METHODS_H

#include <math.h>

#include "cuda/include/block/element.h"
#include "cuda/include/order/rank.h"
#include "cuda/include/block/warp.h"

namespace locus
{

/* Parameters of all elements of a row. */
struct beside {
  bool least_wins; /* of extremes */
  double centre;   /* of deviations */
};

struct whole_sum {
  typedef uint64_t partial;
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = false;

  static SIMT_DEVICE partial none()
  {
    return 0;
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return a + b;
  }
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return (uint64_t)(int64_t)E::load(x);
  }
};

/* How many elements are nonzero. */
struct truth_count : whole_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return LOCUS_STORE_b8(E::load(x));
  }
};

struct real_sum {
  typedef double partial;
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = true;

  static SIMT_DEVICE partial none()
  {
    return 0;
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return a + b;
  }
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return (double)E::load(x);
  }
};

struct whole_product : whole_sum {
  static SIMT_DEVICE partial none()
  {
    return 1;
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return a * b;
  }
};

struct real_product : real_sum {
  static SIMT_DEVICE partial none()
  {
    return 1;
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return a * b;
  }
};

/* NaN counts as 0. */
struct present_sum : real_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    const double v = (double)E::load(x);
    return v == v ? v : 0;
  }
};

struct sum_of_magnitudes : real_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return fabs((double)E::load(x));
  }
};

struct sum_of_squares : real_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    const double v = (double)E::load(x);
    return v * v;
  }
};

struct sum_of_deviations : real_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &b)
  {
    const double v = (double)E::load(x) - b.centre;
    return v * v;
  }
};

/* NaN has none. */
struct sum_of_present_deviations : sum_of_deviations {
  template <class E>
  static SIMT_DEVICE partial of(typename E::stored x, int64_t position, const beside &b)
  {
    const double v = (double)E::load(x);
    return v == v ? sum_of_deviations::of<E>(x, position, b) : 0;
  }
};

struct complex_sum {
  typedef locus_complex128 partial;
  static constexpr int lanes = WARP_LANES / 2;
  static constexpr bool ordered = true;

  static SIMT_DEVICE partial none()
  {
    return locus_pair_c128(0, 0);
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return locus_pair_c128(a.re + b.re, a.im + b.im);
  }
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    const typename E::value v = E::load(x);
    return locus_pair_c128(v.re, v.im);
  }
};

struct complex_product : complex_sum {
  static SIMT_DEVICE partial none()
  {
    return locus_pair_c128(1, 0);
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return locus_times_c128(a, b);
  }
};

struct present_complex_sum : complex_sum {
  template <class E>
  static SIMT_DEVICE partial of(typename E::stored x, int64_t position, const beside &b)
  {
    const partial v = complex_sum::of<E>(x, position, b);
    return v.re == v.re && v.im == v.im ? v : none();
  }
};

/* Whether no part of an element is NaN. */
template <class E> static SIMT_DEVICE bool is_present(typename E::stored x)
{
  const typename E::value v = E::load(x);
  return LOCUS_REAL(v) == LOCUS_REAL(v) && LOCUS_IMAGINARY(v) == LOCUS_IMAGINARY(v);
}

/* How many elements are not NaN. */
struct present_count : whole_sum {
  template <class E> static SIMT_DEVICE partial of(typename E::stored x, int64_t, const beside &)
  {
    return is_present<E>(x);
  }
};

/* A sum, and of how many elements that are not NaN. */
template <class SUM> struct counted : SUM {
  struct partial {
    typename SUM::partial sum;
    uint64_t count;
  };

  static SIMT_DEVICE partial none()
  {
    return partial{SUM::none(), 0};
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    return partial{SUM::join(a.sum, b.sum), a.count + b.count};
  }
  template <class E>
  static SIMT_DEVICE partial of(typename E::stored x, int64_t position, const beside &b)
  {
    return partial{SUM::template of<E>(x, position, b), (uint64_t)is_present<E>(x)};
  }
};

/* The greatest score wins, and of equal ones the first. Score is the rank or, where the least wins,
** its complement, with NaN still above all else. */
struct extreme {
  struct partial {
    uint64_t score;
    int64_t position; /* -1: none */
  };
  static constexpr int lanes = WARP_LANES;
  static constexpr bool ordered = false;

  static SIMT_DEVICE partial none()
  {
    return partial{0, -1};
  }
  static SIMT_DEVICE partial join(partial a, partial b)
  {
    if (a.position < 0) return b;
    if (b.position < 0) return a;
    if (a.score != b.score) return a.score > b.score ? a : b;
    return a.position < b.position ? a : b;
  }
  template <class E>
  static SIMT_DEVICE partial of(typename E::stored x, int64_t position, const beside &b)
  {
    const uint64_t r = rank<E>(x);
    if (!b.least_wins) return partial{r, position};
    if (E::kind != LOCUS_FLOAT) return partial{~r, position};
    const uint64_t nan = ~(uint64_t)0 >> (64 - 8 * sizeof x);
    return partial{r == nan ? r : nan - 1 - r, position};
  }
};

/* The same, but NaN loses. */
struct present_extreme : extreme {
  template <class E>
  static SIMT_DEVICE partial of(typename E::stored x, int64_t position, const beside &b)
  {
    const partial p = extreme::of<E>(x, position, b);
    const uint64_t nan = ~(uint64_t)0 >> (64 - 8 * sizeof x);
    if (E::kind != LOCUS_FLOAT) return p;
    return partial{p.score == nan ? 0 : p.score + 1, position};
  }
};

} // namespace locus

#endif
