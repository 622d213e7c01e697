/* SPDX-License-Identifier: MIT */
/* cumsum against plain loops; long rows, which are added up in another order, hold numbers whose
** sums are exact. */
/* Tests: cumsum.cu */
#include "cuda/test/tensor.h"

using namespace test;

static void cumsum_case(locus_dtype dtype, int64_t rows, int64_t n, int how)
{
  const locus_grid grid = grid_of({rows, n});
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER;
  locus_context cx = context();
  tensor in(dtype, grid, (layout)(how % ONE));
  tensor out(is_whole ? LOCUS_i64 : dtype, grid, (layout)((how + 1) % ONE));
  locus_cumsum_job job = {};

  for (int64_t i = 0; i < grid.numel && n > 2048; i++)
    in.set(i, number{LOCUS_COMPLEX, 0, (double)random_below(2), (double)random_below(3)});
  if (n > 2048 && !is_whole) in.set(n - 100, real(INFINITY));
  job.rows = grid_of({rows});
  job.n = n;
  job.in = in.sent();
  job.out = out.sent();
  job.in_step = job.in.stride[1];
  job.out_step = job.out.stride[1];
  expect(locus_cuda_cumsum(&job, &cx) == 0, "cumsum");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t r = 0; r < rows; r++) {
    number sum = is_whole ? whole(0) : number{LOCUS_COMPLEX, 0, 0, 0};
    for (int64_t j = 0; j < n; j++) {
      const number x = in.value(r * n + j);
      sum.i = (int64_t)((uint64_t)sum.i + (uint64_t)x.i);
      sum.re += x.re;
      sum.im += x.im;
      put(out.dtype, &wanted[(size_t)out.place(r * n + j)], sum);
    }
  }
  out.compare(wanted, "cumsum");
}

int main()
{
  static const int64_t shapes[][2] = {{1, 1}, {3, 40}, {300, 2}, {2, 2048}, {2, 2049}, {1, 5000},
                                      {0, 3}, {3, 0}, {70, 33}, {150, 16}, {1, 700}};
  int how = 0;

  for (int d = 0; d < LOCUS_DTYPES; d++)
    for (const auto &shape : shapes)
      cumsum_case((locus_dtype)d, shape[0], shape[1], how++);
  cumsum_case(LOCUS_i16, 1, 2049 * 128 + 5, 0);
  return finish("cumsum");
}
