/* SPDX-License-Identifier: MIT */
/* sort against a plain stable sort of numbers. */
/* Tests: sort.cu pairs.cu */
#include <algorithm>
#include <numeric>

#include "cuda/test/tensor.h"

using namespace test;

/* In the one order: NaN last, -0 beside 0. */
static bool before(const number &a, const number &b)
{
  if (a.kind <= LOCUS_INTEGER) return a.i < b.i;
  if (a.re != a.re) return false;
  return b.re != b.re || a.re < b.re;
}

/* Rows along the last dimension of a grid, with the other one reaching over them. */
static void sort_case(locus_dtype dtype, int64_t rows, int64_t n, bool descending, int how)
{
  const locus_grid grid = grid_of({rows, n});
  locus_context cx = context();
  tensor in(dtype, grid, (layout)(how % ONE)), values(dtype, grid, (layout)((how + 1) % ONE));
  tensor index(LOCUS_i64, grid, (layout)((how + 2) % ONE));
  locus_sort_job job = {};

  job.rows = grid_of({rows});
  job.n = n;
  job.descending = descending;
  job.has_values = how % 5 != 3;
  job.has_index = how % 5 != 4;
  job.in = in.sent();
  job.values = values.sent();
  job.index = index.sent();
  job.in_step = job.in.stride[1];
  job.values_step = job.values.stride[1];
  job.index_step = job.index.stride[1];
  job.base = 1;
  expect(locus_cuda_sort(&job, &cx) == 0, "sort");

  std::vector<unsigned char> wanted = values.bytes, places = index.bytes;
  for (int64_t r = 0; r < rows; r++) {
    std::vector<int64_t> order((size_t)n);
    std::iota(order.begin(), order.end(), r * n);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return descending ? before(in.value(b), in.value(a)) : before(in.value(a), in.value(b));
    });
    for (int64_t j = 0; j < n; j++) {
      const int64_t from = order[(size_t)j], to = r * n + j;
      if (job.has_values)
        memcpy(&wanted[(size_t)values.place(to)], in.at(from), (size_t)size_of(dtype));
      if (job.has_index) put(LOCUS_i64, &places[(size_t)index.place(to)], whole(from - r * n + 1));
    }
  }
  values.compare(wanted, "sorted values");
  index.compare(places, "sorted index");
}

int main()
{
  static const int64_t shapes[][2] = {{1, 1},    {1, 2},   {1, 300}, {3, 100}, {70, 3},
                                      {1, 3100}, {5, 650}, {0, 4},   {4, 0}};
  int how = 0;

  for (int d = 0; d < LOCUS_c64; d++)
    for (const auto &shape : shapes)
      for (int descending = 0; descending < 2; descending++)
        sort_case((locus_dtype)d, shape[0], shape[1], descending != 0, how++);
  return finish("sort");
}
