/* SPDX-License-Identifier: MIT */
/* What tests of kernels share: counted checks, memory of exactly the size asked for, so that a
** sanitizer sees one byte too many, and jobs made by hand. */
#ifndef LOCUS_CUDA_TEST_CHECK_H
#define LOCUS_CUDA_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <random>
#include <string>
#include <vector>

#include "cuda/runners.h"

namespace test {

inline long checks, failed;
inline std::mt19937_64 generator(12345);

/* Tells of the first failures. */
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

/* Random bytes that begin `lead` elements behind an aligned place. */
struct memory {
  char *block, *data;
  int64_t bytes;

  memory(int64_t elements, int64_t item, int64_t lead = 0)
      : block((char *)malloc((size_t)((lead + elements) * item))), data(block + lead * item),
        bytes(elements * item)
  {
    for (int64_t i = 0; i < bytes; i++) data[i] = (char)generator();
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
