/* SPDX-License-Identifier: MIT */
/* scan against plain loops; long rows of floats, which are taken in another order, hold numbers
** whose sums and products are exact. */
/* Tests: scan.cu */
#include "cuda/test/tensor.h"

using namespace test;

static bool chooses(locus_scan op)
{
  return op == LOCUS_SCAN_min || op == LOCUS_SCAN_max;
}

/* The answer so far, x being one more element. */
static number next_sum(locus_scan op, const number &so_far, const number &x)
{
  number next = so_far;
  const locus_complex128 product =
      locus_times_c128(locus_pair_c128(so_far.re, so_far.im), locus_pair_c128(x.re, x.im));

  if (op == LOCUS_SCAN_sum) {
    next.i = (int64_t)((uint64_t)so_far.i + (uint64_t)x.i);
    next.re += x.re;
    next.im += x.im;
    return next;
  }
  next.i = (int64_t)((uint64_t)so_far.i * (uint64_t)x.i);
  next.re = x.kind == LOCUS_COMPLEX ? product.re : so_far.re * x.re;
  next.im = x.kind == LOCUS_COMPLEX ? product.im : 0;
  return next;
}

/* Whether x takes the place of the least or greatest so far. */
static bool follows(locus_scan op, const number &so_far, const number &x)
{
  const bool least = op == LOCUS_SCAN_min;
  if (x.kind <= LOCUS_INTEGER) return least ? x.i <= so_far.i : x.i >= so_far.i;
  return x.re != x.re || (least ? x.re <= so_far.re : x.re >= so_far.re);
}

/* Numbers whose long rows have the same sums and products in any order; and an infinity near the
** end, but not of complex products, where it makes NaN of some zeros. */
static void fill_long(tensor &in, locus_scan op, locus_kind kind, int64_t rows, int64_t n)
{
  const bool product = op == LOCUS_SCAN_prod, pairs = kind == LOCUS_COMPLEX;

  for (int64_t i = 0; i < rows * n; i++) {
    const double factor = pairs ? 1 + (i % 97 == 0) : random_below(2) ? 1.0 : -1.0;
    in.set(i, product ? number{LOCUS_COMPLEX, 1, factor, 0}
                      : number{LOCUS_COMPLEX, 0, (double)random_below(2), (double)random_below(3)});
  }
  if (kind >= LOCUS_FLOAT && !(pairs && product)) in.set(n - 100, real(INFINITY));
}

static void scan_case(locus_scan op, locus_dtype dtype, int64_t rows, int64_t n, int how)
{
  const locus_grid grid = grid_of({rows, n});
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER;
  locus_context cx = context();
  tensor in(dtype, grid, (layout)(how % ONE));
  tensor out(is_whole && !chooses(op) ? LOCUS_i64 : dtype, grid, (layout)((how + 1) % ONE));
  tensor index(LOCUS_i64, grid, (layout)((how + 2) % ONE));
  locus_scan_job job = {};

  if (n > 2048 && !chooses(op)) fill_long(in, op, kind_of(dtype), rows, n);
  job.op = op;
  job.rows = grid_of({rows});
  job.n = n;
  job.in = in.sent();
  job.out = out.sent();
  job.index = index.sent();
  job.in_step = job.in.stride[1];
  job.out_step = job.out.stride[1];
  job.index_step = job.index.stride[1];
  job.base = 1;
  expect(locus_cuda_scan(&job, &cx) == 0, "scan");
  std::vector<unsigned char> wanted = out.bytes, places = index.bytes;
  for (int64_t r = 0; r < rows; r++) {
    const double none = op == LOCUS_SCAN_prod;
    number so_far = is_whole ? whole((int64_t)none) : number{LOCUS_COMPLEX, 0, none, 0};
    int64_t position = 0;
    for (int64_t j = 0; j < n; j++) {
      const number x = in.value(r * n + j);
      const bool taken = chooses(op) && (j == 0 || follows(op, so_far, x));
      so_far = !chooses(op) ? next_sum(op, so_far, x) : taken ? x : so_far;
      position = taken ? j : position;
      put(out.dtype, &wanted[(size_t)out.place(r * n + j)], so_far);
      if (chooses(op)) put(LOCUS_i64, &places[(size_t)index.place(r * n + j)], whole(position + 1));
    }
  }
  out.compare(wanted, "scan");
  index.compare(places, "position");
}

int main()
{
  static const int64_t shapes[][2] = {{1, 1}, {3, 40}, {300, 2}, {2, 2048}, {2, 2049}, {1, 5000},
                                      {0, 3}, {3, 0},  {70, 33}, {150, 16}, {1, 700}};
  int how = 0;

  for (int op = 0; op < LOCUS_SCANS; op++) {
    for (int d = 0; d < LOCUS_DTYPES; d++) {
      if (chooses((locus_scan)op) && d >= LOCUS_c64) continue;
      for (const auto &shape : shapes)
        scan_case((locus_scan)op, (locus_dtype)d, shape[0], shape[1], how++);
    }
    scan_case((locus_scan)op, LOCUS_i16, 1, 2049 * 128 + 5, 0);
  }
  return finish("scan");
}
