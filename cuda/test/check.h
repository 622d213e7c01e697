/* SPDX-License-Identifier: MIT */
/* Checks that the tests of kernels share: counted checks, memory of exactly the size asked for, so
** that a sanitizer sees one byte too many, and jobs made by hand. */
#ifndef LOCUS_CUDA_TEST_CHECK_H
#define LOCUS_CUDA_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#include "cuda/include/host/runners.h"

namespace test
{

inline long checks, failed;

/* Bits that look random: those of splitmix64, which is quick without an optimizer, too. */
inline uint64_t generator()
{
  static uint64_t state = 12345;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

inline void randomize(void *data, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    const uint64_t word = generator();
    memcpy((char *)data + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
  }
}

/* Reports the first failures. */
inline bool expect(bool holds, const std::string &what)
{
  checks++;
  if (!holds && failed++ < 10) printf("failed: %s\n", what.c_str());
  return holds;
}

inline bool same_bytes(const void *a, const void *b, int64_t bytes)
{
  return bytes == 0 || memcmp(a, b, (size_t)bytes) == 0;
}

inline int finish(const char *name)
{
  printf("%s: %ld checks, %ld failed\n", name, checks, failed);
  return failed > 0;
}

inline int64_t random_below(int64_t n)
{
  return (int64_t)(generator() % (uint64_t)n);
}

inline std::string text(int64_t x)
{
  return std::to_string(x);
}

/* Random bytes that begin `lead` elements after an aligned address. */
struct memory {
  char *block, *data;
  int64_t bytes;

  memory(int64_t elements, int64_t item, int64_t lead = 0)
      : block((char *)malloc((size_t)((lead + elements) * item))), data(block + lead * item),
        bytes(elements * item)
  {
    randomize(data, (size_t)bytes);
  }
  ~memory()
  {
    free(block);
  }
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;

  template <class T> T *as()
  {
    return (T *)data;
  }
};

} // namespace test

#endif
