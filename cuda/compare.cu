/* SPDX-License-Identifier: MIT */
/* Runners of compare, between and close. Comparisons are exact whatever the two dtypes: in the
** common dtype, in int64 or in float64 if that holds both, else between an int64 and a double
** directly. */
#include <math.h>

#include "core/number/exact.h"
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

namespace locus
{

typedef element<LOCUS_b8> truth;

/* A comparison of two values of one dtype; complex ones know eq and ne only. */
template <class E> struct comparison {
  typedef E in, in2;
  typedef truth out;
  locus_compare op;

  SIMT_DEVICE uint8_t operator()(typename E::value a, typename E::value b) const
  {
    if constexpr (E::kind == LOCUS_COMPLEX) {
      return (a.re == b.re && a.im == b.im) == (op == LOCUS_COMPARE_eq);
    } else {
      switch (op) {
/* clang-format off */
#define COMPARE(name, relation, swapped) \
  case LOCUS_COMPARE_##name: return a relation b;
#include "core/compare.def"
/* clang-format on */
#undef COMPARE
      case LOCUS_COMPARES: break;
      }
      return 0;
    }
  }
};

/* Compares an int64 with a double, or with a complex number of doubles. */
template <class B> struct exact_comparison {
  typedef element<LOCUS_i64> in;
  typedef B in2;
  typedef truth out;
  locus_compare op;

  SIMT_DEVICE uint8_t operator()(int64_t a, typename B::value value) const
  {
    const double b = LOCUS_REAL(value);
    if (LOCUS_IMAGINARY(value) != 0) return op == LOCUS_COMPARE_ne;
    switch (op) {
/* clang-format off */
#define COMPARE(name, relation, swapped) \
  case LOCUS_COMPARE_##name: return EXACT(a, relation, b);
#include "core/compare.def"
/* clang-format on */
#undef COMPARE
    case LOCUS_COMPARES: break;
    }
    return 0;
  }
};

/* The comparison of b and a that equals `op` of a and b. */
static locus_compare mirrored(locus_compare op)
{
  static const locus_compare mirror[] = {
#define COMPARE(name, relation, swapped) LOCUS_COMPARE_##swapped,
#include "core/compare.def"
#undef COMPARE
  };
  return mirror[op];
}

static bool whole(locus_dtype dtype)
{
  return locus_dtype_kind(dtype) <= LOCUS_INTEGER;
}

static bool is_complex(locus_dtype dtype)
{
  return locus_dtype_kind(dtype) == LOCUS_COMPLEX;
}

/* Compares two dtypes, one of them int64, the other of floats. */
static void compare_exactly(call &c, const locus_compare_job &job)
{
  const bool swapped = job.b.dtype == LOCUS_i64;
  const locus_operand &a = swapped ? job.b : job.a, &b = swapped ? job.a : job.b;
  const locus_compare op = swapped ? mirrored(job.op) : job.op;

  if (is_complex(b.dtype))
    map2(c, exact_comparison<element<LOCUS_c128>>{op}, job.grid, job.out, a, b);
  else map2(c, exact_comparison<element<LOCUS_f64>>{op}, job.grid, job.out, a, b);
}

/* The dtype that holds the values of both. */
static locus_dtype common_dtype(locus_dtype a, locus_dtype b)
{
  if (a == b) return a;
  if (whole(a) && whole(b)) return LOCUS_i64;
  return is_complex(a) || is_complex(b) ? LOCUS_c128 : LOCUS_f64;
}

/* Both comparisons of an element with two values of its dtype. */
template <class E> struct between_values {
  typedef E in;
  typedef truth out;
  comparison<E> above, below;
  typename E::value low, high;

  SIMT_DEVICE uint8_t operator()(typename E::value x) const
  {
    return above(x, low) & below(x, high);
  }
};

/* A comparison of any two real dtypes, in int64, in float64, or of an int64 with a float64. */
struct any_comparison {
  locus_compare op;
  bool whole_a, whole_b; /* whether they are integers; the first one is where one of them is */
  source a, b;

  SIMT_DEVICE uint8_t operator()(int64_t at_a, int64_t at_b) const
  {
    typedef element<LOCUS_i64> integer;
    typedef element<LOCUS_f64> real;

    if (whole_b) return comparison<integer>{op}(a.read<integer>(at_a), b.read<integer>(at_b));
    if (whole_a) return exact_comparison<real>{op}(a.read<integer>(at_a), b.read<real>(at_b));
    return comparison<real>{op}(a.read<real>(at_a), b.read<real>(at_b));
  }
};

static SIMT_KERNEL void SIMT_BOUNDS(ELEMENTWISE_THREADS)
    between_any(any_comparison low, any_comparison high, uint8_t *out, places<5> where, int64_t n)
{
  for (int64_t i = this_thread(); i < n; i += all_threads()) {
    int64_t at[5];
    where.find(i, at);
    out[at[0]] = low(at[1], at[2]) & high(at[3], at[4]);
  }
}

/* An element with one of its bounds; they change places where the bound alone is an integer. */
static any_comparison bounding(const locus_between_job &job, int i, const locus_operand **a,
                               const locus_operand **b)
{
  const bool swapped = whole(job.bound[i].dtype) && !whole(job.x[i].dtype);

  *a = swapped ? &job.bound[i] : &job.x[i];
  *b = swapped ? &job.x[i] : &job.bound[i];
  return any_comparison{swapped ? mirrored(job.op[i]) : job.op[i], whole((*a)->dtype),
                        whole((*b)->dtype), source_of(**a), source_of(**b)};
}

static void compare_both(call &c, const locus_between_job &job)
{
  const locus_operand *a[2], *b[2];
  const any_comparison low = bounding(job, 0, &a[0], &b[0]), high = bounding(job, 1, &a[1], &b[1]);

  c.launch_over(
      job.grid.numel, between_any, ELEMENTWISE_THREADS, 0, low, high, (uint8_t *)job.out.data,
      places_of<5>(job.grid, job.grid.ndim, {&job.out, a[0], b[0], a[1], b[1]}), job.grid.numel);
}

/* Whether both bounds are single values of the elements' dtype. */
static bool bounded_by_values(const locus_between_job &job)
{
  const locus_dtype dtype = job.x[0].dtype;

  for (int i = 0; i < 2; i++)
    if (job.x[i].dtype != dtype || job.bound[i].dtype != dtype || job.bound[i].data) return false;
  return job.x[0].data;
}

/* Near by the job's tolerances, as float64 or complex128. */
template <class E> struct closeness {
  typedef E in, in2;
  typedef truth out;
  double relative, absolute;
  bool equal_nan;

  static SIMT_DEVICE double size(double v)
  {
    return fabs(v);
  }

  static SIMT_DEVICE double size(locus_complex128 v)
  {
    return hypot(v.re, v.im);
  }

  static SIMT_DEVICE bool is_nan(typename E::value v)
  {
    return LOCUS_REAL(v) != LOCUS_REAL(v) || LOCUS_IMAGINARY(v) != LOCUS_IMAGINARY(v);
  }

  static SIMT_DEVICE double minus(double a, double b)
  {
    return a - b;
  }

  static SIMT_DEVICE locus_complex128 minus(locus_complex128 a, locus_complex128 b)
  {
    return locus_pair_c128(a.re - b.re, a.im - b.im);
  }

  SIMT_DEVICE uint8_t operator()(typename E::value a, typename E::value b) const
  {
    const double apart = size(minus(a, b));
    const bool near = apart <= absolute + relative * size(b) && apart < INFINITY;
    const bool equal = LOCUS_REAL(a) == LOCUS_REAL(b) && LOCUS_IMAGINARY(a) == LOCUS_IMAGINARY(b);
    return equal || near || (equal_nan && is_nan(a) && is_nan(b));
  }
};

} // namespace locus

extern "C" int locus_cuda_compare(const locus_compare_job *job, locus_context *cx)
{
  using namespace locus;
  call c("compare", cx);
  const locus_dtype a = job->a.dtype, b = job->b.dtype;

  if (a != b && (a == LOCUS_i64 || b == LOCUS_i64) && !(whole(a) && whole(b))) {
    compare_exactly(c, *job);
    return c.end();
  }
  by_dtype(common_dtype(a, b), [&](auto e) {
    map2(c, comparison<decltype(e)>{job->op}, job->grid, job->out, job->a, job->b);
  });
  return c.end();
}

extern "C" int locus_cuda_between(const locus_between_job *job, locus_context *cx)
{
  using namespace locus;
  call c("between", cx);

  if (!bounded_by_values(*job)) {
    compare_both(c, *job);
    return c.end();
  }
  by_real(job->x[0].dtype, [&](auto e) {
    typedef decltype(e) E;
    const auto value = [](const locus_operand &bound) {
      typename E::stored x;
      memcpy(&x, bound.value.bytes, sizeof x);
      return E::load(x);
    };
    const between_values<E> f = {
        {job->op[0]}, {job->op[1]}, value(job->bound[0]), value(job->bound[1])};
    map(c, f, job->grid, job->out, job->x[0]);
  });
  return c.end();
}

extern "C" int locus_cuda_close(const locus_close_job *job, locus_context *cx)
{
  using namespace locus;
  call c("close", cx);
  const bool complex = is_complex(job->a.dtype) || is_complex(job->b.dtype);

  by_dtype(complex ? LOCUS_c128 : LOCUS_f64, [&](auto e) {
    typedef decltype(e) E;
    if constexpr (E::dtype == LOCUS_f64 || E::dtype == LOCUS_c128) {
      const closeness<E> f = {job->relative, job->absolute, job->equal_nan};
      map2(c, f, job->grid, job->out, job->a, job->b);
    }
  });
  return c.end();
}
