/* SPDX-License-Identifier: MIT */
/* fill against a walk back from every element that is missing. */
/* Tests: fill.cu */
#include "cuda/test/tensor.h"

using namespace test;

struct variant {
  bool backward, has_groups, in_place;
  int64_t limit;
};

enum { MISSING = 1, GROUPS = 3 };

static bool is_missing(const number &x)
{
  return x.kind == LOCUS_INTEGER ? x.i == MISSING : x.re != x.re || x.im != x.im;
}

/* A third of the elements is missing; long stretches are. */
static void make_gaps(tensor *in)
{
  const bool has_nan = kind_of(in->dtype) >= LOCUS_FLOAT;

  if (kind_of(in->dtype) < LOCUS_INTEGER) return;
  for (int64_t i = 0; i < in->grid.numel; i++)
    if (random_below(3) == 0 || i % 700 > 300) in->set(i, has_nan ? real(NAN) : whole(MISSING));
}

/* The groups of the positions, and the positions group after group, counted from 1. */
static void make_groups(tensor *ids, tensor *order, int64_t n)
{
  int64_t at = 0;

  for (int64_t j = 0; j < n; j++) ids->set(j, whole(1 + random_below(GROUPS)));
  for (int64_t g = 1; g <= GROUPS; g++)
    for (int64_t j = 0; j < n; j++)
      if (ids->value(j).i == g) order->set(at++, whole(j + 1));
}

/* The place along a row whose element j gets. */
static int64_t source_of(tensor *in, tensor *ids, int64_t row, int64_t n, int64_t j,
                         const variant &v)
{
  int64_t steps = 0;

  for (int64_t k = j; k >= 0 && k < n; k += v.backward ? 1 : -1) {
    if (v.has_groups && ids->value(k).i != ids->value(j).i) continue;
    if (steps > v.limit) break;
    if (!is_missing(in->value(row * n + k))) return k;
    steps++;
  }
  return j;
}

static void fill_case(locus_dtype dtype, int64_t rows, int64_t n, int how, const variant &v)
{
  const locus_grid grid = grid_of({rows, n});
  locus_context cx = context();
  tensor in(dtype, grid, (layout)(how % ONE)), other(dtype, grid, (layout)((how + 1) % ONE));
  tensor ids(LOCUS_i64, grid_of({n}), SIDE_BY_SIDE), order(LOCUS_i64, grid_of({n}), SIDE_BY_SIDE);
  tensor &out = v.in_place ? in : other;
  locus_fill_job job = {};

  make_gaps(&in);
  make_groups(&ids, &order, n);
  job.backward = v.backward;
  job.has_missing = true;
  job.missing = MISSING;
  job.has_groups = v.has_groups;
  job.groups = GROUPS;
  job.limit = v.limit;
  job.n = n;
  job.rows = grid_of({rows});
  job.in = in.sent();
  job.out = v.in_place ? job.in : other.sent();
  job.in_step = job.in.stride[1];
  job.out_step = job.out.stride[1];
  job.ids = ids.sent();
  job.ids_step = job.ids.stride[0];
  job.order = (const int64_t *)order.sent().data;
  expect(locus_cuda_fill(&job, &cx) == 0, "fill");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t j = 0; j < n; j++) {
      const int64_t from = source_of(&in, &ids, r, n, j, v);
      memcpy(&wanted[(size_t)out.place(r * n + j)], in.at(r * n + from), (size_t)size_of(dtype));
    }
  out.compare(wanted, "fill");
}

int main()
{
  static const int64_t shapes[][2] = {{1, 1},    {3, 40}, {300, 2}, {2, 2049},
                                      {1, 5000}, {0, 3},  {3, 0},   {70, 33}};
  int how = 0;

  for (int d = 0; d < LOCUS_DTYPES; d++) {
    for (const auto &shape : shapes) {
      for (int64_t limit : {(int64_t)1 << 61, (int64_t)2}) {
        const bool backward = how % 2 == 1, in_place = how % 3 == 0;
        fill_case(dtype_at(d), shape[0], shape[1], how++, {backward, false, in_place, limit});
        if (shape[0] == 1)
          fill_case(dtype_at(d), 1, shape[1], how++, {backward, true, in_place, limit});
      }
    }
  }
  return finish("fill");
}
