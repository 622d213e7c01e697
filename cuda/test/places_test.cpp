/* SPDX-License-Identifier: MIT */
/* Tests: */
#include "cuda/include/block/places.h"
#include "cuda/test/check.h"

using namespace test;

/* Quotients of numbers below and beyond what a multiplication divides. */
static void check_divisor(int64_t number)
{
  const locus::divisor d = locus::divisor_of(number);
  const int64_t edge = (int64_t)1 << 31;
  std::vector<int64_t> dividends = {0, 1, edge - 1, edge, edge + 1, INT64_MAX};

  for (int64_t k : {1, 2, 1000})
    for (int64_t near : {-1, 0, 1})
      if (number <= INT64_MAX / 1000 - 1) dividends.push_back(number * k + near);
  for (int i = 0; i < 2000; i++) dividends.push_back((int64_t)(generator() >> (1 + i % 60)));
  for (int64_t n : dividends) expect(d.quotient(n) == n / number, text(n) + " / " + text(number));
}

/* Where elements are, among more of them than 32 bits can count. */
static void check_places()
{
  const int64_t size[3] = {70000, 3, 65537};
  const int64_t stride[2][3] = {{196611, 65537, 1}, {-1, 1000000, 0}};
  locus_operand a, b;
  locus_grid grid;
  int64_t at[2];

  grid.ndim = 3;
  for (int d = 0; d < 3; d++) {
    grid.size[d] = size[d];
    a.stride[d] = stride[0][d];
    b.stride[d] = stride[1][d];
  }
  const locus::places<2> p = locus::places_of<2>(grid, 3, {&a, &b});
  for (int i = 0; i < 20000; i++) {
    const int64_t x = random_below(size[0]), y = random_below(size[1]), z = random_below(size[2]);
    p.find((x * size[1] + y) * size[2] + z, at);
    expect(at[0] == (x * size[1] + y) * size[2] + z, "a dense place");
    expect(at[1] == 1000000 * y - x, "a strided place");
  }
}

int main()
{
  for (int64_t number : {1LL, 2LL, 3LL, 7LL, 10LL, 641LL, 65535LL, 65536LL, 65537LL, 2147483647LL,
                         2147483648LL, 2147483649LL, 1LL << 40, (1LL << 62) + 1})
    check_divisor(number);
  check_places();
  return finish("places");
}
