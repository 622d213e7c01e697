/* SPDX-License-Identifier: MIT */
/* Dtypes as types, and elements of operands read and written in a kernel's own dtype. */
#ifndef LOCUS_CUDA_ELEMENT_H
#define LOCUS_CUDA_ELEMENT_H

#include "cuda/include/block/simt.h"

extern "C" {
#include "core/number/element.h"
#include "core/jobs.h"
}

namespace locus
{

/* The type in memory, the type of computation, and the conversions between the two. */
template <locus_dtype D> struct element;

#define DTYPE(id, element_type, value_type, kind_name, name)     \
  template <> struct element<LOCUS_##id> {                       \
    typedef locus_##id stored;                                   \
    typedef locus_value_##id value;                              \
    static constexpr locus_dtype dtype = LOCUS_##id;             \
    static constexpr locus_kind kind = LOCUS_##kind_name;        \
    static SIMT_HOST_DEVICE value load(stored x)                 \
    {                                                            \
      return locus_load_##id(x);                                 \
    }                                                            \
    template <class W> static SIMT_HOST_DEVICE stored store(W v) \
    {                                                            \
      return LOCUS_STORE_##id(v);                                \
    }                                                            \
  };
#include "core/dtype.def"

/* Calls f with the element type of a dtype. */
template <class F> void by_dtype(locus_dtype dtype, F f)
{
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return f(element<LOCUS_##id>());
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
}

/* Likewise, for the dtypes that have an order. */
template <class F> void by_real(locus_dtype dtype, F f)
{
  by_dtype(dtype, [&](auto e) {
    if constexpr (decltype(e)::kind != LOCUS_COMPLEX) f(e);
  });
}

/* Element number `at` of an array of dtype `from`, converted to E. */
template <class E>
SIMT_DEVICE typename E::stored converted(locus_dtype from, const char *data, int64_t at)
{
  switch (from) {
/* clang-format off */
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: return E::store(locus_load_##id(((const locus_##id *)data)[at]));
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return typename E::stored();
}

/* An operand without its strides, as kernels are given it. */
struct source {
  const char *data; /* NULL: every element is `own` */
  locus_dtype dtype;
  locus_element own;

  /* An element as E, bit for bit where it has that dtype already. */
  template <class E> SIMT_DEVICE typename E::stored stored(int64_t at) const
  {
    if (data) return stored_at<E>(data, at);
    const locus_element copy = own; /* a kernel's parameter has no address */
    return stored_at<E>((const char *)copy.bytes, 0);
  }

  template <class E> SIMT_DEVICE typename E::value read(int64_t at) const
  {
    return E::load(stored<E>(at));
  }

private:
  template <class E> SIMT_DEVICE typename E::stored stored_at(const char *from, int64_t at) const
  {
    if (dtype == E::dtype) return ((const typename E::stored *)from)[at];
    return converted<E>(dtype, from, at);
  }
};

struct target {
  char *data;
  locus_dtype dtype;

  /* Takes an element of E, and converts it. */
  template <class E> SIMT_DEVICE void write(int64_t at, typename E::stored x) const
  {
    if (dtype == E::dtype) {
      ((typename E::stored *)data)[at] = x;
      return;
    }
    switch (dtype) {
/* clang-format off */
#define DTYPE(id, element_type, value_type, kind_name, name) \
  case LOCUS_##id: ((locus_##id *)data)[at] = LOCUS_STORE_##id(E::load(x)); return;
#include "core/dtype.def"
      /* clang-format on */
    case LOCUS_DTYPES: break;
    }
  }
};

inline source source_of(const locus_operand &operand)
{
  source s = {operand.data, operand.dtype, {}};
  if (!operand.data) s.own = operand.value;
  return s;
}

inline target target_of(const locus_operand &operand)
{
  return target{operand.data, operand.dtype};
}

/* The number of this thread, and how many there are. */
SIMT_DEVICE int64_t this_thread()
{
  return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

SIMT_DEVICE int64_t all_threads()
{
  return (int64_t)gridDim.x * blockDim.x;
}

} // namespace locus

#endif
