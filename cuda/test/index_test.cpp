/* SPDX-License-Identifier: MIT */
/* gather, of one column and of two, scatter and bincount against plain loops. */
/* Tests: index.cu bincount.cu pairs.cu */
#include "cuda/test/tensor.h"

using namespace test;

static bool is_nan(const number &a)
{
  return a.kind == LOCUS_FLOAT && a.re != a.re;
}

static number combined(locus_binary op, const number &a, const number &b, locus_dtype dtype)
{
  const locus_kind kind = kind_of(dtype);

  if (op == LOCUS_BINARY_minimum || op == LOCUS_BINARY_maximum) {
    const bool less = kind <= LOCUS_INTEGER ? a.i < b.i : a.re < b.re;
    const bool greater = kind <= LOCUS_INTEGER ? a.i > b.i : a.re > b.re;
    return is_nan(a) || (op == LOCUS_BINARY_minimum ? less : greater) ? a : b;
  }
  if (dtype == LOCUS_b8) return whole(op == LOCUS_BINARY_add ? a.i | b.i : a.i & b.i);
  if (kind == LOCUS_INTEGER) {
    const uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    return whole((int64_t)(op == LOCUS_BINARY_add ? x + y : x * y));
  }
  if (op == LOCUS_BINARY_add) return number{a.kind, 0, a.re + b.re, a.im + b.im};
  if (kind == LOCUS_FLOAT) return number{a.kind, 0, a.re * b.re, 0};
  return number{a.kind, 0, a.re * b.re + -a.im * b.im, a.re * b.im + a.im * b.re};
}

/* An array of size rows x columns (x 4), seen through one, two or three index tensors over a grid
** of points x rest. */
static void index_case(locus_dtype dtype, int indices, int64_t points, int64_t rest, int how)
{
  static const locus_binary ops[] = {LOCUS_BINARY_add, LOCUS_BINARY_mul, LOCUS_BINARY_minimum,
                                     LOCUS_BINARY_maximum};
  const locus_binary op = ops[kind_of(dtype) == LOCUS_COMPLEX ? 0 : how / 3 % 4];
  const number start = random_number(dtype);
  const int64_t rows = 9, columns = 5, depth = 4;
  const locus_grid grid = grid_of({points, rest}), all = grid_of({rows, columns, depth});
  locus_context cx = context();
  tensor array(dtype, all, (layout)(how % ONE)), counts(LOCUS_i64, all, (layout)(how % ONE));
  tensor elements(dtype, grid, (layout)(how % LAYOUTS == ONE ? NUMBER : how % LAYOUTS));
  std::vector<std::unique_ptr<tensor>> at;
  std::vector<std::vector<int64_t>> index;
  locus_index_job job = {};

  for (int k = 0; k < indices; k++) {
    at.emplace_back(new tensor(how % 2 ? LOCUS_i32 : LOCUS_i64, grid, (layout)((how + k) % ONE)));
    index.emplace_back();
    for (int64_t i = 0; i < grid.numel; i++) {
      const int64_t size = all.size[k], x = random_below(2 * size);
      at.back()->set(i, whole(x < size ? x + 1 : x - 2 * size));
      index.back().push_back(x < size ? x : x - size);
    }
  }
  job.grid = grid;
  job.indices = indices;
  job.base = 1;
  job.array = array.sent();
  const locus_operand own = job.array;
  for (int k = 0; k < indices; k++) {
    job.index[k].at = at[(size_t)k]->sent();
    job.index[k].size = all.size[k];
    job.index[k].step = own.stride[k];
  }
  job.array.stride[0] = 0;
  job.array.stride[1] = indices < 3 ? own.stride[2] : 0;
  const bool scalar = how % LAYOUTS >= ONE;
  job.elements = elements.sent();

  std::vector<unsigned char> wanted = scalar ? array.bytes : elements.bytes, written = array.bytes;
  for (int64_t i = 0; i < all.numel; i++) counts.set(i, whole(i));
  std::vector<unsigned char> sums = array.bytes, counted = counts.bytes;
  std::vector<bool> met(sums.size());
  const size_t item = (size_t)size_of(dtype);
  for (int64_t i = 0; i < grid.numel; i++) {
    const int64_t row = index[0][(size_t)i], column = indices > 1 ? index[1][(size_t)i] : 0;
    const int64_t deep = indices > 2 ? index[2][(size_t)i] : i % rest;
    const int64_t from = (row * columns + column) * depth + deep;
    if (!scalar) memcpy(&wanted[(size_t)elements.place(i)], array.at(from), item);
    memcpy(&written[(size_t)array.place(from)], elements.at(i), item);
    unsigned char *sum = &sums[(size_t)array.place(from)];
    if (how % 2 && !met[(size_t)array.place(from)]) put(dtype, sum, start);
    met[(size_t)array.place(from)] = true;
    put(dtype, sum, combined(op, get(dtype, sum), elements.value(i), dtype));
    unsigned char *count = &counted[(size_t)counts.place(from)];
    put(LOCUS_i64, count, whole(get(LOCUS_i64, count).i + 1));
  }
  job.op = op;
  job.afresh = how % 2;
  job.counts = how % 3 ? (int64_t *)counts.sent().data : nullptr;
  put(dtype, job.start.bytes, start);
  expect(locus_cuda_scatter(&job, &cx) == 0, "scatter, combining");
  array.compare(sums, "scatter, combining");
  if (job.counts) counts.compare(counted, "counts of a scatter");
  job.op = LOCUS_BINARIES;
  job.array.data = array.sent().data;
  expect(locus_cuda_scatter(&job, &cx) == 0, "scatter");
  array.compare(written, "scatter");
  if (scalar) return;
  job.array.data = array.sent().data;
  expect(locus_cuda_gather(&job, &cx) == 0, "gather");
  elements.compare(wanted, "gather");
}

static void test_index()
{
  static const int64_t points[] = {1, 40, 800, 0};

  for (int d = 0; d < LOCUS_DTYPES; d++)
    for (int k = 0; k < 24; k++)
      index_case((locus_dtype)d, k % 3 + 1, points[k % 4], k % 8 < 4 ? 4 : 1, k + d);
}

/* Two columns, gathered together; base - 1 gives a value of each. */
static void columns_case(locus_dtype first, locus_dtype second, int64_t points, int how)
{
  const locus_grid grid = grid_of({points}), row = grid_of({9}), single = grid_of({1});
  const locus_dtype dtypes[] = {first, second};
  locus_context cx = context();
  tensor at(how % 2 ? LOCUS_i64 : LOCUS_i32, grid, (layout)(how % ONE));
  std::vector<tensor> array, out, missing;
  locus_column columns[2] = {};
  locus_columns_job job = {};

  for (int64_t i = 0; i < points; i++) at.set(i, whole(random_below(10)));
  for (int k = 0; k < 2; k++) {
    array.emplace_back(dtypes[k], row, (layout)((how + k) % ONE));
    out.emplace_back(dtypes[k], grid, SIDE_BY_SIDE);
    missing.emplace_back(dtypes[k], single, SIDE_BY_SIDE);
  }
  for (int k = 0; k < 2; k++) {
    const locus_operand from = array[(size_t)k].sent();
    columns[k].dtype = dtypes[k];
    columns[k].has_missing = true;
    memcpy(columns[k].missing.bytes, missing[(size_t)k].at(0), (size_t)size_of(dtypes[k]));
    columns[k].data = from.data;
    columns[k].step = from.stride[0];
    columns[k].out = out[(size_t)k].sent().data;
  }
  job.count = 2;
  job.n = points;
  job.base = 1;
  job.forward = true;
  job.column = columns;
  job.index.at = at.sent();
  job.index.size = 9;
  expect(locus_cuda_gather_columns(&job, &cx) == 0, "gather of columns");
  for (size_t k = 0; k < 2; k++) {
    const size_t item = (size_t)size_of(dtypes[k]);
    std::vector<unsigned char> wanted = out[k].bytes;
    for (int64_t i = 0; i < points; i++) {
      const int64_t from = at.value(i).i - 1;
      memcpy(&wanted[(size_t)out[k].place(i)], from < 0 ? missing[k].at(0) : array[k].at(from),
             item);
    }
    out[k].compare(wanted, "gather of columns");
  }
}

/* One index over a row of 9; base - 1 gives a value. */
static void missing_case(locus_dtype dtype, int64_t points, int how)
{
  const locus_grid grid = grid_of({points}), row = grid_of({9}), single = grid_of({1});
  const int64_t base = how % 2;
  locus_context cx = context();
  tensor array(dtype, row, (layout)(how % ONE)), elements(dtype, grid, (layout)(how % ONE));
  tensor at(how % 3 ? LOCUS_i64 : LOCUS_i32, grid, (layout)((how + 1) % ONE));
  tensor missing(dtype, single, SIDE_BY_SIDE);
  locus_index_job job = {};

  for (int64_t i = 0; i < points; i++) at.set(i, whole(base - 1 + random_below(10)));
  job.grid = grid;
  job.indices = 1;
  job.base = base;
  job.has_missing = true;
  memcpy(job.missing.bytes, missing.at(0), (size_t)size_of(dtype));
  job.array = array.sent();
  job.index[0].step = job.array.stride[0];
  job.array.stride[0] = 0;
  job.index[0].size = 9;
  job.index[0].at = at.sent();
  job.elements = elements.sent();
  expect(locus_cuda_gather(&job, &cx) == 0, "gather of what may be missing");

  std::vector<unsigned char> wanted = elements.bytes;
  for (int64_t i = 0; i < points; i++) {
    const int64_t from = at.value(i).i - base;
    memcpy(&wanted[(size_t)elements.place(i)], from < 0 ? missing.at(0) : array.at(from),
           (size_t)size_of(dtype));
  }
  elements.compare(wanted, "gather of what may be missing");
}

static void test_missing()
{
  for (int d = 0; d < LOCUS_DTYPES; d++)
    for (int k = 0; k < 6; k++) missing_case((locus_dtype)d, k < 3 ? 40 : 700, k + d);
}

static void test_columns()
{
  static const int64_t points[] = {1, 40, 700, 0};

  for (int d = 0; d < LOCUS_DTYPES; d++)
    for (int k = 0; k < 8; k++)
      columns_case((locus_dtype)d, (locus_dtype)((d + k) % LOCUS_DTYPES), points[k % 4], k + d);
}

static void bincount_case(locus_dtype dtype, locus_dtype weight_dtype, int64_t n, int how)
{
  const locus_grid grid = grid_of({n}), bins = grid_of({50});
  locus_context cx = context();
  tensor in(dtype, grid, (layout)(how % ONE)), weights(weight_dtype, grid, (layout)(how % ONE));
  tensor out(how % 2 ? LOCUS_f64 : LOCUS_i64, bins, SIDE_BY_SIDE);
  locus_bincount_job job = {};

  for (int64_t i = 0; i < n; i++) in.set(i, whole(random_below(7) ? 1 + random_below(50) : 3));
  for (int64_t i = 0; i < n; i++) weights.set(i, real((double)random_below(100) / 3));
  for (int64_t i = 0; i < 50; i++) out.set(i, whole(i % 3));
  job.grid = grid;
  job.in = in.sent();
  job.weights = weights.sent();
  job.has_weights = how % 2;
  job.out = out.sent().data;
  job.base = 1;
  expect(locus_cuda_bincount(&job, &cx) == 0, "bincount");
  tensor sums(out.dtype, bins, SIDE_BY_SIDE);
  sums.bytes = out.bytes;
  for (int64_t i = 0; i < n; i++) {
    const int64_t bin = in.value(i).i - 1;
    const number before = sums.value(bin), w = weights.value(i);
    const double weight = w.kind <= LOCUS_INTEGER ? (double)w.i : w.re;
    sums.set(bin, job.has_weights ? real(before.re + weight) : whole(before.i + 1));
  }
  out.compare(sums.bytes, "bincount");
}

static void test_bincount()
{
  static const int64_t sizes[] = {0, 1, 33, 500, 3100};

  for (int d = LOCUS_u8; d <= LOCUS_i64; d++)
    for (int w = LOCUS_u8; w <= LOCUS_f64; w++)
      for (int k = 0; k < 5; k++)
        bincount_case((locus_dtype)d, (locus_dtype)w, sizes[k], d + w + k);
}

int main()
{
  test_index();
  test_missing();
  test_columns();
  test_bincount();
  return finish("index");
}
