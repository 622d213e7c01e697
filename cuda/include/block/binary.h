/* SPDX-License-Identifier: MIT */
/* The ops of core/binary.def as functions of two elements. */
#ifndef LOCUS_CUDA_BINARY_H
#define LOCUS_CUDA_BINARY_H

#include "core/number/arithmetic.h"
#include "cuda/include/block/element.h"

namespace locus
{

/* One op in E. Cells for other kinds of dtype than E's expand to nothing. */
template <class E> struct binary {
  typedef E in, in2, out;
  typedef typename E::value V;
  locus_binary op;

  SIMT_DEVICE typename E::stored operator()(V a, V b) const
  {
#define BINARY(name, computed)
#define CELL(which, name, expression) \
  if constexpr (E::kind == which)     \
    if (op == LOCUS_BINARY_##name) return E::store(expression);
#define BOOL(name, expression) CELL(LOCUS_BOOL, name, expression)
#define INTEGER(name, expression) CELL(LOCUS_INTEGER, name, expression)
#define FLOAT(name, expression) CELL(LOCUS_FLOAT, name, expression)
#define COMPLEX(name, expression) CELL(LOCUS_COMPLEX, name, expression)
#include "core/binary.def"
#undef BINARY
#undef CELL
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
    return E::store(a);
  }
};

} // namespace locus

#endif
