/* SPDX-License-Identifier: MIT */
/* Runner of the unary family, from core/unary.def. */
#include "core/number/arithmetic.h"
#include "cuda/include/block/elementwise.h"
#include "cuda/include/host/runners.h"

#ifdef __CUDACC__
#pragma nv_diag_suppress 186 /* a cell compares with 0 whether or not its type has a sign */
#endif

namespace locus
{

enum unary_class { SAME, FLOATING, TRUTH, PREDICATE };

static constexpr unary_class classes[] = {
#define UNARY(name, computed) computed,
#define BOOL(name, expression)
#define INTEGER(name, expression)
#define FLOAT(name, expression)
#define COMPLEX(name, expression)
#include "core/unary.def"
#undef UNARY
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
};

/* One op of a class on a value of E. Cells of other classes, and for other kinds of dtype, expand
** to nothing. */
template <class E, unary_class CLASS, class O>
SIMT_DEVICE typename O::stored unary_of(locus_unary op, typename E::value a)
{
  typedef typename E::value V;

  (void)a;
#define UNARY(name, computed)
#define CELL(which, name, expression)                                       \
  if constexpr (E::kind == which && (classes[LOCUS_UNARY_##name] == CLASS)) \
    if (op == LOCUS_UNARY_##name) return O::store(expression);
#define BOOL(name, expression) CELL(LOCUS_BOOL, name, expression)
#define INTEGER(name, expression) CELL(LOCUS_INTEGER, name, expression)
#define FLOAT(name, expression) CELL(LOCUS_FLOAT, name, expression)
#define COMPLEX(name, expression) CELL(LOCUS_COMPLEX, name, expression)
#include "core/unary.def"
#undef UNARY
#undef CELL
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
  return typename O::stored();
}

/* The functions of the mathematics library are many and long: one copy of them for each type that
** they are computed in. */
template <class E>
SIMT_NOINLINE static typename E::value floating_of(locus_unary op, typename E::value a)
{
  return unary_of<E, FLOATING, E>(op, a);
}

template <class E, unary_class CLASS> struct unary {
  typedef E in;
  typedef typename std::conditional<CLASS == PREDICATE, element<LOCUS_b8>, E>::type out;
  locus_unary op;

  SIMT_DEVICE typename out::stored operator()(typename E::value a) const
  {
    if constexpr (CLASS != FLOATING) return unary_of<E, CLASS, out>(op, a);
    else if constexpr (sizeof a == sizeof(double))
      return E::store(floating_of<element<LOCUS_f64>>(op, a));
    else return E::store(floating_of<element<LOCUS_f32>>(op, a));
  }
};

} // namespace locus

extern "C" int locus_cuda_unary(const locus_unary_job *job, locus_context *cx)
{
  using namespace locus;
  call c("unary", cx);

  by_dtype(job->dtype, [&](auto e) {
    typedef decltype(e) E;
    switch (classes[job->op]) {
    case SAME: map(c, unary<E, SAME>{job->op}, job->grid, job->out, job->in); break;
    case TRUTH:
      if constexpr (E::kind == LOCUS_BOOL)
        map(c, unary<E, TRUTH>{job->op}, job->grid, job->out, job->in);
      break;
    case FLOATING:
      if constexpr (E::kind == LOCUS_FLOAT)
        map(c, unary<E, FLOATING>{job->op}, job->grid, job->out, job->in);
      break;
    case PREDICATE: map(c, unary<E, PREDICATE>{job->op}, job->grid, job->out, job->in); break;
    }
  });
  return c.end();
}
