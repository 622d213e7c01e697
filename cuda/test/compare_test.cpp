/* SPDX-License-Identifier: MIT */
/* compare, between and close against plain loops over numbers. */
/* Tests: compare.cu */
#include "cuda/test/tensor.h"

using namespace test;

/* Where long double has 64 bits of significand, it holds every int64 and every double. */
static bool holds(locus_compare op, const number &a, const number &b)
{
  const long double x = a.kind <= LOCUS_INTEGER ? (long double)a.i : (long double)a.re;
  const long double y = b.kind <= LOCUS_INTEGER ? (long double)b.i : (long double)b.re;
  const bool equal = x == y && a.im == b.im;
  switch (op) {
  case LOCUS_COMPARE_lt: return x < y;
  case LOCUS_COMPARE_le: return x <= y;
  case LOCUS_COMPARE_gt: return x > y;
  case LOCUS_COMPARE_ge: return x >= y;
  case LOCUS_COMPARE_eq: return equal;
  case LOCUS_COMPARE_ne: return !equal;
  case LOCUS_COMPARES: break;
  }
  return false;
}

static void compare_case(locus_compare op, locus_dtype left, locus_dtype right,
                         const locus_grid &grid, int how)
{
  locus_context cx = context();
  tensor a(left, grid, (layout)(how % LAYOUTS)), b(right, grid, (layout)(how / 2 % LAYOUTS));
  tensor out(LOCUS_b8, grid, (layout)(how % ONE));

  for (int64_t i = 0; i < grid.numel; i++) {
    const number x = a.value(i);
    if (i % 3 == 0 && fits(right, x) && (kind_of(right) != LOCUS_BOOL)) b.set(i, x);
    if (i % 7 == 0 && left == LOCUS_i64) a.set(i, whole(INT64_MAX - random_below(3)));
    if (i % 7 == 0 && right == LOCUS_f64) b.set(i, real(0x1p63));
  }
  const locus_compare_job job = {op, {}, grid, out.sent(), a.sent(), b.sent()};
  expect(locus_cuda_compare(&job, &cx) == 0, "compare");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < grid.numel; i++)
    wanted[(size_t)out.place(i)] = holds(op, a.value(i), b.value(i));
  out.compare(wanted, "compare");
}

static void test_compare()
{
  for (int op = 0; op < LOCUS_COMPARES; op++) {
    for (int a = 0; a < LOCUS_DTYPES; a++) {
      for (int b = 0; b < LOCUS_DTYPES; b++) {
        if ((a >= LOCUS_c64 || b >= LOCUS_c64) && op < LOCUS_COMPARE_eq) continue;
        for (int how = 0; how < LAYOUTS; how++)
          compare_case((locus_compare)op, dtype_at(a), dtype_at(b), grids[(how + a) % 6], how);
      }
    }
  }
}

/* Three dtypes; the bounds are tensors or single values. */
static void between_case(const locus_compare *op, const locus_dtype *dtypes, const locus_grid &grid,
                         int how)
{
  locus_context cx = context();
  const bool values = how >= LAYOUTS;
  tensor x(dtypes[0], grid, (layout)(how % ONE)), out(LOCUS_b8, grid, (layout)(how % ONE));
  tensor low(dtypes[1], grid, values ? NUMBER : (layout)(how % LAYOUTS));
  tensor high(dtypes[2], grid, values ? NUMBER : (layout)(how / 2 % LAYOUTS));

  for (int64_t i = 0; !values && i < grid.numel; i++) {
    if (i % 3 == 0 && fits(dtypes[1], x.value(i))) low.set(i, x.value(i));
    if (i % 7 == 0 && dtypes[0] == LOCUS_i64) x.set(i, whole(INT64_MAX - random_below(3)));
    if (i % 7 == 0 && dtypes[2] == LOCUS_f64) high.set(i, real(0x1p63));
  }
  const locus_operand elements = x.sent();
  const locus_between_job job = {
      {op[0], op[1]}, grid, out.sent(), {elements, elements}, {low.sent(), high.sent()}};
  expect(locus_cuda_between(&job, &cx) == 0, "between");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < grid.numel; i++) {
    wanted[(size_t)out.place(i)] =
        holds(op[0], x.value(i), low.value(i)) && holds(op[1], x.value(i), high.value(i));
  }
  out.compare(wanted, "between");
}

static void test_between()
{
  for (int above = LOCUS_COMPARE_gt; above <= LOCUS_COMPARE_ge; above++) {
    for (int below = LOCUS_COMPARE_lt; below <= LOCUS_COMPARE_le; below++) {
      const locus_compare op[] = {(locus_compare)above, (locus_compare)below};
      for (int d = 0; d < LOCUS_c64 * LOCUS_c64; d++) {
        for (int how = 0; how < 2 * LAYOUTS; how++) {
          const locus_dtype x = dtype_at(d / LOCUS_c64), low = dtype_at(d % LOCUS_c64);
          const locus_dtype high = dtype_at((d + how) % LOCUS_c64);
          const locus_dtype dtypes[] = {x, how % 3 ? low : x, how % 3 ? high : x};
          between_case(op, dtypes, grids[(how + d) % 6], how);
        }
      }
    }
  }
}

static bool is_close(const locus_close_job &job, const number &a, const number &b)
{
  if (job.equal_nan && (isnan(a.re) || isnan(a.im)) && (isnan(b.re) || isnan(b.im))) return true;
  if (a.re == b.re && a.im == b.im) return true;
  const double apart = hypot(a.re - b.re, a.im - b.im), size = hypot(b.re, b.im);
  return apart < INFINITY && apart <= job.absolute + job.relative * size;
}

static void test_close()
{
  locus_context cx = context();

  for (int d = 0; d < LOCUS_DTYPES * LOCUS_DTYPES; d++) {
    const locus_grid &grid = grids[d % 6];
    tensor a(dtype_at(d / LOCUS_DTYPES), grid, (layout)(d % LAYOUTS));
    tensor b(dtype_at(d % LOCUS_DTYPES), grid, (layout)(d / 2 % LAYOUTS));
    tensor out(LOCUS_b8, grid, (layout)(d % ONE));
    const locus_close_job job = {0.25, 0.6, d % 2 == 0, grid, out.sent(), a.sent(), b.sent()};
    expect(locus_cuda_close(&job, &cx) == 0, "close");
    std::vector<unsigned char> wanted = out.bytes;
    for (int64_t i = 0; i < grid.numel; i++)
      wanted[(size_t)out.place(i)] = is_close(job, a.value(i), b.value(i));
    out.compare(wanted, "close");
  }
}

int main()
{
  test_compare();
  test_between();
  test_close();
  return finish("compare");
}
