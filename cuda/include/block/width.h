/* SPDX-License-Identifier: MIT */
/* Elements as bits: code that only moves them, or tests them for zero, knows widths and not
** dtypes. */
#ifndef LOCUS_CUDA_WIDTH_H
#define LOCUS_CUDA_WIDTH_H

#include "cuda/include/block/simt.h"

namespace locus
{

struct bits_16 {
  uint64_t low, high;
};

/* A thread loads or stores elements of 16 bytes together at once. */
enum { VECTOR_BYTES = 16 };

template <class T> struct alignas(VECTOR_BYTES) vector_of {
  static constexpr int size = VECTOR_BYTES / sizeof(T);
  T element[VECTOR_BYTES / sizeof(T)];
};

/* N neighbouring elements that are loaded or stored at once. */
template <class T, int N> struct alignas(sizeof(T) * N) bundle {
  T element[N];
};

inline bool aligned(const void *data, uint64_t bytes)
{
  return (uintptr_t)data % bytes == 0;
}

/* Calls f with an unsigned integer of that many bytes, which a number has. */
template <class F> void by_width_of_numbers(int64_t width, F f)
{
  switch (width) {
  case 1: return f(uint8_t());
  case 2: return f(uint16_t());
  case 4: return f(uint32_t());
  default: return f(uint64_t());
  }
}

/* The same of any element. */
template <class F> void by_width(int64_t width, F f)
{
  if (width == sizeof(bits_16)) f(bits_16());
  else by_width_of_numbers(width, f);
}

} // namespace locus

#endif
