/* SPDX-License-Identifier: MIT */
/* copy, find and ramp against plain loops over numbers. */
/* Tests: copy.cu find.cu ramp.cu */
#include "cuda/test/tensor.h"

using namespace test;

static void test_copy()
{
  locus_context cx = context();

  for (int from = 0; from < LOCUS_DTYPES; from++) {
    for (int to = 0; to < LOCUS_DTYPES; to++) {
      for (const locus_grid &grid : grids) {
        for (int how = from == to ? 0 : LAYOUTS - 2; how < LAYOUTS; how++) {
          tensor in(dtype_at(from), grid, (layout)((how + from + to) % LAYOUTS));
          tensor out(dtype_at(to), grid, (layout)((from + 2 * to + how) % ONE));
          for (int64_t i = 0; i < grid.numel; i++)
            if (!fits(out.dtype, in.value(i))) in.set(i, whole(5));
          const locus_copy_job job = {grid, out.sent(), in.sent()};
          expect(locus_cuda_copy(&job, &cx) == 0, "copy");
          std::vector<unsigned char> wanted = out.bytes;
          for (int64_t i = 0; i < grid.numel; i++) {
            unsigned char *at = &wanted[(size_t)out.place(i)];
            if (from == to) memcpy(at, in.at(i), (size_t)size_of(in.dtype));
            else put(out.dtype, at, in.value(i));
          }
          out.compare(wanted, "copy");
        }
      }
    }
  }
}

/* Two dimensions change places, on both sides of what squares are cut by, alone and in a batch, the
** last ones in more squares than blocks run at a time. */
static void test_turned()
{
  static const int64_t sizes[][2] = {{3, 40}, {4, 4}, {31, 33}, {32, 32}, {65, 5}, {40, 70}};
  static const locus_dtype widths[] = {LOCUS_u8, LOCUS_f16, LOCUS_f32, LOCUS_c64, LOCUS_c128};
  locus_context cx = context();

  for (locus_dtype dtype : widths) {
    for (const auto &size : sizes) {
      const int64_t rows = size[0], columns = size[1];
      for (int layout = 0; layout < 3; layout++) {
        const int64_t batch = layout == 0 ? 1 : 3;
        const locus_grid grid = grid_of({batch, rows, columns});
        tensor in(dtype, grid, layout == 1 ? SHIFTED : SIDE_BY_SIDE);
        tensor out(dtype, grid, layout == 0 ? SHIFTED : SIDE_BY_SIDE);
        tensor &columns_first = layout == 1 ? out : in;
        columns_first.operand.stride[1] = 1;
        columns_first.operand.stride[2] = rows;
        if (layout == 2) { /* the batch is the outer dimension here, the middle one there */
          in.operand.stride[0] = rows;
          in.operand.stride[2] = batch * rows;
        }
        for (int64_t i = 0; i < grid.numel; i++) in.set(i, random_number(dtype));
        const locus_copy_job job = {grid, out.sent(), in.sent()};
        expect(locus_cuda_copy(&job, &cx) == 0, "turned copy");
        std::vector<unsigned char> wanted = out.bytes;
        for (int64_t i = 0; i < grid.numel; i++)
          memcpy(&wanted[(size_t)out.place(i)], in.at(i), (size_t)size_of(dtype));
        out.compare(wanted, "turned copy");
      }
    }
  }
}

/* An operand whose elements are in reverse order along the dimensions of the bits. */
static locus_operand backward(const tensor &in, locus_operand operand, int dims)
{
  for (int d = 0; d < in.grid.ndim; d++) {
    if (!(dims >> d & 1) || in.grid.numel == 0) continue;
    operand.data += (in.grid.size[d] - 1) * operand.stride[d] * size_of(in.dtype);
    operand.stride[d] = -operand.stride[d];
  }
  return operand;
}

/* The number of element i once they are so. */
static int64_t backward_number(const locus_grid &grid, int64_t i, int dims)
{
  int64_t number = 0, step = 1;

  for (int d = grid.ndim - 1; d >= 0; d--) {
    const int64_t index = i % grid.size[d];
    number += (dims >> d & 1 ? grid.size[d] - 1 - index : index) * step;
    step *= grid.size[d];
    i /= grid.size[d];
  }
  return number;
}

static void test_backward()
{
  static const locus_dtype widths[] = {LOCUS_u8, LOCUS_f16, LOCUS_f32, LOCUS_c64, LOCUS_c128};
  static const locus_grid shapes[] = {grid_of({37}), grid_of({3, 7, 5}), grid_of({40, 33}),
                                      grid_of({0})};
  locus_context cx = context();

  for (locus_dtype dtype : widths) {
    for (const locus_grid &grid : shapes) {
      for (int how = 0; how < 64; how++) {
        const int dims = how % 8;
        tensor in(dtype, grid, (layout)(how / 8 % ONE)), out(dtype, grid, (layout)(how / 32));
        const locus_copy_job job = {grid, out.sent(), backward(in, in.sent(), dims)};
        expect(locus_cuda_copy(&job, &cx) == 0, "backward copy");
        std::vector<unsigned char> wanted = out.bytes;
        for (int64_t i = 0; i < grid.numel; i++) {
          memcpy(&wanted[(size_t)out.place(i)], in.at(backward_number(grid, i, dims)),
                 (size_t)size_of(dtype));
        }
        out.compare(wanted, "backward copy");
      }
    }
  }
}

static bool acceptable(locus_find what, const number &x, int64_t low, int64_t high)
{
  if (what == LOCUS_FIND_ZERO) return x.kind <= LOCUS_INTEGER ? x.i != 0 : x.re != 0 || x.im != 0;
  if (x.im != 0) return false;
  if (what == LOCUS_FIND_COMPLEX) return true;
  if (x.kind <= LOCUS_INTEGER) return x.i >= low && x.i <= high;
  const long double cut = truncl((long double)x.re);
  return x.re == x.re && cut >= (long double)low && cut <= (long double)high;
}

static void test_find()
{
  static const int64_t lows[] = {0, -7, -2, INT64_MIN}, highs[] = {3, 100, 60000, INT64_MAX};
  locus_context cx = context();

  for (int from = 0; from < LOCUS_DTYPES; from++) {
    for (const locus_grid &grid : grids) {
      for (int k = 0; k < 48; k++) {
        const locus_find what = (locus_find)(k % 3);
        const int64_t low = lows[k / 3 % 4], high = highs[k / 12];
        tensor in(dtype_at(from), grid, (layout)(k % LAYOUTS));
        int64_t wanted = -1, found = -5;
        for (int64_t i = 0; i < grid.numel && k % 5; i++)
          if (!acceptable(what, in.value(i), low, high)) in.set(i, whole(3));
        if (k % 5 == 1 && grid.numel > 0) in.set(random_below(grid.numel), random_number(in.dtype));
        for (int64_t i = grid.numel - 1; i >= 0; i--)
          if (!acceptable(what, in.value(i), low, high)) wanted = i;
        const locus_find_job job = {what, low, high, grid, in.sent(), &found};
        expect(locus_cuda_find(&job, &cx) == 0, "find");
        expect(found == wanted, "find " + text(what) + " in " + name_of(in.dtype) + ": " +
                                    text(found) + ", not " + text(wanted));
      }
    }
  }
}

static void test_ramp()
{
  locus_context cx = context();

  for (int d = 0; d < LOCUS_DTYPES; d++) {
    for (int k = 0; k < 24; k++) {
      const locus_grid grid = grid_of({(int64_t[]){0, 1, 2, 37, 300, 8}[k % 6]});
      const int64_t n = grid.numel;
      tensor out(dtype_at(d), grid, (layout)(k % ONE));
      locus_ramp_job job = {out.sent(), n, k % 2 == 0, k % 3 == 0, 100, -3, 0.1, 0.3, 0};
      if (d == LOCUS_u8) job.i_step = job.n < 300 ? -2 : 0;
      job.end = job.start + (double)(n - 1) * job.step;
      expect(locus_cuda_ramp(&job, &cx) == 0, "ramp");
      std::vector<unsigned char> wanted = out.bytes;
      for (int64_t i = 0; i < n; i++) {
        const bool back = job.has_end && i >= n / 2;
        const double from_end = job.end - (double)(n - 1 - i) * job.step;
        const double x = back ? from_end : job.start + (double)i * job.step;
        put(out.dtype, &wanted[(size_t)out.place(i)],
            job.exact ? whole(job.i_start + i * job.i_step) : real(x));
      }
      out.compare(wanted, "ramp");
    }
  }
}

int main()
{
  test_copy();
  test_turned();
  test_backward();
  test_find();
  test_ramp();
  return finish("copy");
}
