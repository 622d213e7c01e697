/* SPDX-License-Identifier: MIT */
/* Operands for jobs made by hand: random elements in memory of several layouts, and their expected
** values afterwards. */
#ifndef LOCUS_CUDA_TEST_TENSOR_H
#define LOCUS_CUDA_TEST_TENSOR_H

#include <initializer_list>
#include <memory>

#include "cuda/test/number.h"

namespace test
{

enum layout {
  SIDE_BY_SIDE,
  SHIFTED, /* contiguous, from one element past a multiple of 16 bytes on */
  COLUMNS, /* the first dimension is the inner one */
  GAPS,    /* every second element is another's */
  ONE,     /* one element in memory for all */
  NUMBER,  /* one element in the job for all */
  LAYOUTS,
};

inline locus_grid grid_of(std::initializer_list<int64_t> sizes)
{
  locus_grid grid = {};

  grid.numel = 1;
  for (int64_t size : sizes) {
    grid.size[grid.ndim++] = size;
    grid.numel *= size;
  }
  return grid;
}

inline number random_number(locus_dtype dtype)
{
  static const double reals[] = {0,   -0.0, 1,        -1,        1.5, -2.25,       3,     7,   -7,
                                 0.5, 100,  INFINITY, -INFINITY, NAN, 0.099975586, 61440, -NAN};
  const locus_range range = locus_dtype_range(dtype);
  const double re = reals[random_below(17)], im = reals[random_below(17)];

  if (kind_of(dtype) == LOCUS_FLOAT) return real(re);
  if (kind_of(dtype) == LOCUS_COMPLEX) return number{LOCUS_COMPLEX, 0, re, im};
  if (dtype == LOCUS_b8) return whole(random_below(2));
  switch (random_below(8)) {
  case 0: return whole(range.low);
  case 1: return whole(range.high);
  case 2: return whole(range.high - 1);
  default: return whole(random_below(20) - (range.low < 0 ? 10 : 0));
  }
}

/* Shapes that every elementwise op is tried on. */
inline const locus_grid grids[] = {grid_of({0}),       grid_of({1}),     grid_of({37}),
                                   grid_of({3, 7, 5}), grid_of({4, 16}), grid_of({300})};

inline locus_dtype dtype_at(int i)
{
  return (locus_dtype)i;
}

/* The element that x becomes in a dtype, as a number. */
inline number as(locus_dtype dtype, const number &x)
{
  unsigned char bytes[16];
  put(dtype, bytes, x);
  return get(dtype, bytes);
}

inline bool fits(locus_dtype dtype, const number &x)
{
  static const double most[] = {1, 200, 120, 30000, 2e9, 9e18};
  if (kind_of(dtype) != LOCUS_INTEGER || x.kind <= LOCUS_INTEGER) return true;
  return x.im == 0 && fabs(x.re) < most[dtype] && (x.re >= 0 || dtype != LOCUS_u8);
}

class tensor
{
public:
  locus_dtype dtype;
  locus_grid grid;
  locus_operand operand;

  tensor(locus_dtype type, const locus_grid &over, layout how)
      : dtype(type), grid(over), operand(), start(0), apart(how == GAPS ? 2 : 1)
  {
    const bool single = how == ONE || how == NUMBER;
    int64_t step = apart;

    operand.dtype = type;
    for (int k = 0; k < grid.ndim; k++) {
      const int d = how == COLUMNS ? k : grid.ndim - 1 - k;
      operand.stride[d] = single ? 0 : step;
      step *= grid.size[d];
    }
    if (how == SHIFTED || how == GAPS) start = 1;
    in_job = how == NUMBER;
    bytes.resize((size_t)((start + (single ? 1 : step) + 1) * size_of(dtype)));
    randomize(bytes.data(), bytes.size());
    for (int64_t i = 0; i < grid.numel; i++) set(i, random_number(dtype));
  }

  /* Where element i is, in bytes. */
  int64_t place(int64_t i) const
  {
    int64_t offset = start;
    for (int d = grid.ndim - 1; d >= 0 && i > 0; d--) {
      offset += i % grid.size[d] * operand.stride[d];
      i /= grid.size[d];
    }
    return offset * size_of(dtype);
  }

  unsigned char *at(int64_t i)
  {
    return &bytes[(size_t)place(i)];
  }

  number value(int64_t i)
  {
    return get(dtype, at(i));
  }

  void set(int64_t i, const number &x)
  {
    put(dtype, at(i), x);
  }

  /* The operand, its elements on the device or in the job. */
  const locus_operand &sent()
  {
    if (in_job) {
      memcpy(operand.value.bytes, at(0), (size_t)size_of(dtype));
      return operand;
    }
    there.reset(new block(bytes));
    operand.data = there->at(start * size_of(dtype));
    return operand;
  }

  /* Copies the results from the device. */
  void fetch()
  {
    bytes = there->get();
  }

  /* Fetches the elements, and checks that they are the expected ones and that nothing else was
  ** written. */
  void compare(std::vector<unsigned char> wanted, const char *what)
  {
    std::vector<unsigned char> found = there->get();
    const size_t item = (size_t)size_of(dtype);

    for (int64_t i = 0; i < grid.numel; i++) {
      const size_t byte = (size_t)place(i);
      if (!same(dtype, &found[byte], &wanted[byte]))
        expect(false, said(what, i, get(dtype, &found[byte]), get(dtype, &wanted[byte])));
      memcpy(&found[byte], &wanted[byte], item);
    }
    expect(found == wanted, std::string(what) + ": other bytes were written");
    checks += grid.numel;
  }

  std::vector<unsigned char> bytes; /* before */

private:
  std::string said(const char *what, int64_t i, const number &found, const number &wanted) const
  {
    char line[200];
    snprintf(line, sizeof line, "%s, %s element %lld: %.17g %.17g %lld, not %.17g %.17g %lld", what,
             name_of(dtype), (long long)i, found.re, found.im, (long long)found.i, wanted.re,
             wanted.im, (long long)wanted.i);
    return line;
  }

  int64_t start, apart;
  bool in_job;
  std::unique_ptr<block> there;
};

} // namespace test

#endif
