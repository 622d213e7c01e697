/* SPDX-License-Identifier: MIT */
/* What is looked for. A search looks for keys: i32, i64, f32 or f64, to which shorter elements are
** widened. Keys are compared as ranks, unsigned integers of the one order in which the next greater
** key has the next rank. So either side of any value, of any dtype, is one probe: the keys that
** count are those whose rank is below it. */
#ifndef LOCUS_CUDA_SEARCH_PROBE_H
#define LOCUS_CUDA_SEARCH_PROBE_H

#include <math.h>

#include "cuda/rank.h"

extern "C" {
#include "core/exact.h"
}

namespace locus {

/* The element type of the keys of a sequence. */
template <class E> struct key_of;
#define REAL(id, rank, key, method, constructor) \
  template <> struct key_of<element<LOCUS_##id>> { typedef element<LOCUS_##key> type; };
#include "core/dtype.def"

template <class K> using rank_of = typename unsigned_of<sizeof(typename K::stored)>::type;

template <class K> SIMT_DEVICE rank_of<K> key_rank(typename K::stored key)
{
  return (rank_of<K>)rank<K>(key);
}

template <class R> struct probe {
  R below;
  bool all; /* every key counts, even NaN */

  SIMT_DEVICE bool counts(R rank) const
  {
    return rank < below;
  }
};

/* The keys up to the one of that rank, which counts or not. */
template <class R> SIMT_DEVICE probe<R> probe_at(R rank, bool through)
{
  const R below = (R)(rank + (through ? 1 : 0));
  return {below, below < rank};
}

/* An integer may lie below all integer keys, or above. */
template <class K> SIMT_DEVICE probe<rank_of<K>> probe_of(int64_t value, bool right)
{
  typedef typename K::stored T;

  if constexpr (K::kind == LOCUS_FLOAT) {
    const T near = (T)value;
    const double back = (double)near;
    return probe_at(key_rank<K>(near), right ? !EXACT(value, <, back) : EXACT(value, >, back));
  } else {
    const T high = (T)((rank_of<K>)~(rank_of<K>)0 >> 1), low = (T)(-high - 1);
    if (value < low) return {0, false};
    if (value > high) return {0, true};
    return probe_at(key_rank<K>((T)value), right);
  }
}

/* Among float keys a value is rounded to the nearest; that key counts or not by the side on which
** the value lies. Among integers a value is rounded up, for right down; all are less than NaN. */
template <class K> SIMT_DEVICE probe<rank_of<K>> probe_of(double value, bool right)
{
  typedef typename K::stored T;

  if constexpr (K::kind == LOCUS_FLOAT) {
    const T near = (T)value;
    const double back = (double)near;
    return probe_at(key_rank<K>(near), right ? !(value < back) : value > back);
  } else {
    if (!(value < 0x1p63)) return {0, true};
    if (value < -0x1p63) return {0, false};
    return probe_of<K>((int64_t)(right ? floor(value) : ceil(value)), right);
  }
}

/* A value of any dtype: an integer, or a float. */
struct search_number {
  bool whole;
  int64_t i64;
  double f64;
};

template <class K> SIMT_DEVICE probe<rank_of<K>> probe_of(const search_number &value, bool right)
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
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return number_in<element<LOCUS_##id>>(data, at);
#include "core/dtype.def"
  case LOCUS_DTYPES: break;
  }
  return search_number();
}

} // namespace locus

#endif
