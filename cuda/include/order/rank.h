/* SPDX-License-Identifier: MIT */
/* The one order as unsigned integers: ranks of two elements compare as these do, with -0.0 == 0.0,
** NaN last and all NaN equal. */
#ifndef LOCUS_CUDA_RANK_H
#define LOCUS_CUDA_RANK_H

#include "cuda/include/block/element.h"

namespace locus
{

template <int WIDTH> struct unsigned_of;
template <> struct unsigned_of<1> {
  typedef uint8_t type;
};
template <> struct unsigned_of<2> {
  typedef uint16_t type;
};
template <> struct unsigned_of<4> {
  typedef uint32_t type;
};
template <> struct unsigned_of<8> {
  typedef uint64_t type;
};

/* An element's rank, in as many bits as the element has. A float is a sign and a magnitude, so that
** its rank lies that far above or below the rank of zero. */
template <class E> SIMT_DEVICE uint64_t rank(typename E::stored x)
{
  typedef typename unsigned_of<sizeof x>::type U;
  const U middle = (U)((U)1 << (8 * sizeof(U) - 1));
  U bits;

  memcpy(&bits, &x, sizeof bits);
  if constexpr (E::kind == LOCUS_BOOL) {
    return bits != 0;
  } else if constexpr (E::kind == LOCUS_INTEGER) {
    return (U)(bits ^ ((typename E::stored) - 1 < (typename E::stored)1 ? middle : 0));
  } else {
    const U magnitude = (U)(bits & (U)(middle - 1));
    if (magnitude > locus_infinity_bits(E::dtype)) return (U) ~(U)0;
    return bits & middle ? (U)(middle - magnitude) : (U)(middle + magnitude);
  }
}

/* The one element for all of that rank: of zeros +0, of NaN the one without a sign whose other bits
** are 1. */
template <class E> SIMT_DEVICE typename E::stored unrank(uint64_t rank)
{
  typedef typename E::stored T;
  typedef typename unsigned_of<sizeof(T)>::type U;
  const U middle = (U)((U)1 << (8 * sizeof(U) - 1));
  U bits = (U)rank;
  T x;

  if constexpr (E::kind == LOCUS_INTEGER) {
    if ((T)-1 < (T)1) bits ^= middle;
  } else if constexpr (E::kind == LOCUS_FLOAT) {
    bits = bits < middle ? (U)(middle | (middle - bits)) : (U)(bits - middle);
  }
  memcpy(&x, &bits, sizeof x);
  return x;
}

} // namespace locus

#endif
