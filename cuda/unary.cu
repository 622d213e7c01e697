/* SPDX-License-Identifier: MIT */
/* Runner of the unary family, from core/unary.def. */
#include "core/arithmetic.h"
#include "cuda/elementwise.h"
#include "cuda/runners.h"

#ifdef __CUDACC__
#pragma nv_diag_suppress 186 /* a cell compares with 0 whether or not its type has a sign */
#endif

namespace locus {

/* One op in E; predicates leave a bool. Cells for other kinds of dtype expand to nothing. */
template <class E, bool PREDICATE> struct unary {
  typedef E in;
  typedef typename std::conditional<PREDICATE, element<LOCUS_b8>, E>::type out;
  typedef typename E::value V;
  locus_unary op;

  template <class W> static SIMT_DEVICE typename out::stored answer(W v)
  {
    return out::store(v);
  }

  SIMT_DEVICE typename out::stored operator()(V a) const
  {
    (void)a;
#define UNARY(name, computed)
#define CELL(which, name, expression) \
  if constexpr (E::kind == which)     \
    if (op == LOCUS_UNARY_##name) return answer(expression);
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
    return typename out::stored();
  }
};

static bool leaves_bool(locus_unary op)
{
  enum { SAME, TRUTH, PREDICATE };
  static const unsigned char computed_as[] = {
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
  return computed_as[op] == PREDICATE;
}

} // namespace locus

extern "C" int locus_cuda_unary(const locus_unary_job *job, locus_context *cx)
{
  using namespace locus;
  call c("unary", cx);

  by_dtype(job->dtype, [&](auto e) {
    typedef decltype(e) E;
    if (leaves_bool(job->op)) map(c, unary<E, true>{job->op}, job->grid, job->out, job->in);
    else map(c, unary<E, false>{job->op}, job->grid, job->out, job->in);
  });
  return c.end();
}
