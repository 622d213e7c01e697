/* SPDX-License-Identifier: MIT */
/* Bytes on the device, and elements of any dtype as numbers. */
#ifndef LOCUS_CUDA_TEST_NUMBER_H
#define LOCUS_CUDA_TEST_NUMBER_H

#include "cuda/test/check.h"

extern "C" {
#include "core/number/element.h"
}

namespace test
{

inline locus_context context()
{
  locus_context cx = {};
  cx.device = 1;
  return cx;
}

/* Bytes on the device. */
class block
{
public:
  explicit block(const std::vector<unsigned char> &bytes) : size((int64_t)bytes.size())
  {
    locus::device_take(&data, size, simt_stream());
    locus::device_copy(data, bytes.data(), size, simt_stream());
  }

  block(const block &) = delete;

  ~block()
  {
    locus::device_release(data, simt_stream());
  }

  std::vector<unsigned char> get() const
  {
    std::vector<unsigned char> bytes((size_t)size);
    locus::device_copy(bytes.data(), data, size, simt_stream());
    locus::stream_wait(simt_stream());
    return bytes;
  }

  char *at(int64_t byte) const
  {
    return (char *)data + byte;
  }

private:
  void *data = nullptr;
  int64_t size;
};

/* A value of any dtype: whole ones in i, real ones in re, complex ones in both parts. */
struct number {
  locus_kind kind;
  int64_t i;
  double re, im;
};

inline int64_t size_of(locus_dtype dtype)
{
  static const int sizes[] = {
#define DTYPE(id, element, value, kind, name) sizeof(element),
#include "core/dtype.def"
  };
  return sizes[dtype];
}

inline locus_kind kind_of(locus_dtype dtype)
{
  static const locus_kind kinds[] = {
#define DTYPE(id, element, value, kind, name) LOCUS_##kind,
#include "core/dtype.def"
  };
  return kinds[dtype];
}

inline const char *name_of(locus_dtype dtype)
{
  static const char *const names[] = {
#define DTYPE(id, element, value, kind, name) name,
#include "core/dtype.def"
  };
  return names[dtype];
}

inline number whole(int64_t i)
{
  return number{LOCUS_INTEGER, i, (double)i, 0};
}

inline number real(double re)
{
  return number{LOCUS_FLOAT, 0, re, 0};
}

inline number get(locus_dtype dtype, const unsigned char *at)
{
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER;
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, element, value, kind_name, name)                                       \
  case LOCUS_##id: {                                                                     \
    locus_##id x;                                                                        \
    memcpy(&x, at, sizeof x);                                                            \
    const locus_value_##id v = locus_load_##id(x);                                       \
    return number{LOCUS_##kind_name, is_whole ? (int64_t)LOCUS_REAL(v) : 0,              \
                  (double)LOCUS_REAL(v), (double)LOCUS_IMAGINARY(v)};                    \
  }
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return whole(0);
}

/* Stores a number that fits, rounded once. */
inline void put(locus_dtype dtype, unsigned char *at, const number &x)
{
  const bool is_whole = x.kind <= LOCUS_INTEGER;
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, element, value, kind_name, name)                                       \
  case LOCUS_##id: {                                                                     \
    const locus_##id e = is_whole ? LOCUS_STORE_##id(x.i)                                \
                                  : LOCUS_STORE_##id(locus_pair_c128(x.re, x.im));       \
    memcpy(at, &e, sizeof e);                                                            \
    return;                                                                              \
  }
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
}

/* Whether the bytes are the same element, any NaN being as good as another. */
inline bool same(locus_dtype dtype, const unsigned char *a, const unsigned char *b)
{
  if (memcmp(a, b, (size_t)size_of(dtype)) == 0) return true;
  const number x = get(dtype, a), y = get(dtype, b);
  if (kind_of(dtype) <= LOCUS_INTEGER) return false;
  const bool re = x.re == y.re ? signbit(x.re) == signbit(y.re) : x.re != x.re && y.re != y.re;
  const bool im = x.im == y.im ? signbit(x.im) == signbit(y.im) : x.im != x.im && y.im != y.im;
  return re && im;
}

} // namespace test

#endif
