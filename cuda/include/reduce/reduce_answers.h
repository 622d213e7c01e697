/* SPDX-License-Identifier: MIT */
/* The answers: each writes the answer from `p`, the partial of all elements of a row. */
#ifndef LOCUS_CUDA_REDUCE_ANSWERS_H
#define LOCUS_CUDA_REDUCE_ANSWERS_H

#include "cuda/include/reduce/reduce_tree.h"

namespace locus
{

/* Where the answers go. */
struct answers {
  target out, index; /* data NULL: not wanted */
  places<2> where;   /* of both */
  int64_t base;
  double divisor; /* of variances */
};

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

struct counted_answer {
  template <class P>
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, P p, int64_t at)
  {
    const double n = (double)p.count;
    if constexpr (sizeof p.sum == sizeof(double)) a.out.write<element<LOCUS_f64>>(at, p.sum / n);
    else a.out.write<element<LOCUS_c128>>(at, locus_pair_c128(p.sum.re / n, p.sum.im / n));
  }
};

/* For squares. */
struct root_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, double p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, sqrt(p));
  }
};

struct variance_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, double p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, p / a.divisor);
  }
};

struct deviation_answer {
  static SIMT_DEVICE void write(const answers &a, const rows &, int64_t, double p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, sqrt(p / a.divisor));
  }
};

/* The divisor of variances for the `count` elements of a row that are not NaN. */
static SIMT_DEVICE double divisor_for(const answers &a, const rows &r, uint64_t count)
{
  const double left = a.divisor - (double)((uint64_t)r.n - count);
  return count > 0 && left > 0 ? left : 0;
}

struct present_variance_answer {
  template <class P>
  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t, P p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, p.sum / divisor_for(a, r, p.count));
  }
};

struct present_deviation_answer {
  template <class P>
  static SIMT_DEVICE void write(const answers &a, const rows &r, int64_t, P p, int64_t at)
  {
    a.out.write<element<LOCUS_f64>>(at, sqrt(p.sum / divisor_for(a, r, p.count)));
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
/* clang-format off */
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return move<locus_##id>(a, r, from, at);
#include "core/dtype.def"
      /* clang-format on */
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

} // namespace locus

#endif
