/* SPDX-License-Identifier: MIT */
/* The values that a search looks for. A search looks for keys: i32, i64, f32 or f64, to which
** shorter elements are widened. Either side of any value, of any dtype, is one probe, and one
** comparison says whether a key counts. An integer counts if it is less than the probe's bound, a
** float if it is at most its bound, which no NaN ever is. */
#ifndef LOCUS_CUDA_SEARCH_PROBE_H
#define LOCUS_CUDA_SEARCH_PROBE_H

#include <math.h>

#include <type_traits>

#include "cuda/include/block/element.h"

extern "C" {
#include "core/number/exact.h"
}

namespace locus
{

/* The element type of the keys of a sequence. */
template <class E> struct key_of;
#define REAL(id, rank, key, method, constructor)   \
  template <> struct key_of<element<LOCUS_##id>> { \
    typedef element<LOCUS_##key> type;             \
  };
#include "core/dtype.def"

template <class K> struct probe {
  typename K::stored bound;
  bool all; /* every key counts, even the last one: a NaN, or the greatest integer */

  SIMT_DEVICE bool counts(typename K::stored key) const
  {
    if constexpr (K::kind == LOCUS_FLOAT) return key <= bound;
    else return key < bound;
  }
};

/* The last key of the one order, which counts for no probe by itself. */
template <class K> SIMT_DEVICE typename K::stored last_key()
{
  if constexpr (K::kind == LOCUS_FLOAT) return (typename K::stored)NAN;
  else return (typename K::stored)((uint64_t)-1 >> (65 - 8 * sizeof(typename K::stored)));
}

/* The float before one in the one order; before the first it is NaN, to which nothing compares. */
template <class K> SIMT_DEVICE typename K::stored float_before(typename K::stored x)
{
  typedef std::conditional_t<sizeof x == 4, uint32_t, uint64_t> U;
  const U sign = (U)1 << (8 * sizeof(U) - 1), infinity = (U)locus_infinity_bits(K::dtype);
  U bits;

  memcpy(&bits, &x, sizeof bits);
  const U magnitude = bits & ~sign, before = bits & sign ? bits + 1 : bits - 1;
  bits = magnitude > infinity ? infinity : magnitude == 0 ? sign | 1 : before;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* The keys up to this one, which counts or not. */
template <class K> SIMT_DEVICE probe<K> probe_at(typename K::stored key, bool through)
{
  typedef typename K::stored T;

  if constexpr (K::kind == LOCUS_FLOAT) {
    return {through ? key : float_before<K>(key), through && key != key};
  } else {
    const bool all = through && key == last_key<K>();
    return {(T)(key + (through && !all)), all};
  }
}

/* An integer may lie below all integer keys, or above. */
template <class K> SIMT_DEVICE probe<K> probe_of(int64_t value, bool right)
{
  typedef typename K::stored T;

  if constexpr (K::kind == LOCUS_FLOAT) {
    const T near = (T)value;
    const double back = (double)near;
    return probe_at<K>(near, right ? !EXACT(value, <, back) : EXACT(value, >, back));
  } else {
    const T high = last_key<K>(), low = (T)(-high - 1);
    if (value < low) return {low, false};
    if (value > high) return {high, true};
    return probe_at<K>((T)value, right);
  }
}

/* Among float keys a value is rounded to the nearest; that key counts or not by the side on which
** the value lies. Among integers a value is rounded up, for right down; all are less than NaN. */
template <class K> SIMT_DEVICE probe<K> probe_of(double value, bool right)
{
  typedef typename K::stored T;

  if constexpr (K::kind == LOCUS_FLOAT) {
    const T near = (T)value;
    const double back = (double)near;
    return probe_at<K>(near, right ? !(value < back) : value > back);
  } else {
    const T high = last_key<K>(), low = (T)(-high - 1);
    if (!(value < 0x1p63)) return {high, true};
    if (value < -0x1p63) return {low, false};
    return probe_of<K>((int64_t)(right ? floor(value) : ceil(value)), right);
  }
}

/* A value of any dtype: an integer, or a float. */
struct search_number {
  bool whole;
  int64_t i64;
  double f64;
};

template <class K> SIMT_DEVICE probe<K> probe_of(const search_number &value, bool right)
{
  return value.whole ? probe_of<K>(value.i64, right) : probe_of<K>(value.f64, right);
}

template <class E> SIMT_HOST_DEVICE search_number number_in(const char *data, int64_t at)
{
  if constexpr (E::kind == LOCUS_COMPLEX) return search_number();
  else if constexpr (E::kind == LOCUS_FLOAT)
    return {false, 0, (double)E::load(((const typename E::stored *)data)[at])};
  else return {true, (int64_t)E::load(((const typename E::stored *)data)[at]), 0};
}

/* Element number `at` of an array of that dtype. */
SIMT_HOST_DEVICE search_number number_at(locus_dtype dtype, const char *data, int64_t at)
{
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return number_in<element<LOCUS_##id>>(data, at);
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return search_number();
}

} // namespace locus

#endif
