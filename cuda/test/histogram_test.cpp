/* SPDX-License-Identifier: MIT */
/* histogram against a look at every bin. */
/* Tests: histogram.cu bincount.cu pairs.cu */
#include <algorithm>

#include "cuda/test/tensor.h"

using namespace test;

/* In order; some are infinite, some equal to their neighbours. */
static std::vector<double> random_edges(int64_t bins)
{
  std::vector<double> edges;

  for (int64_t i = 0; i <= bins; i++) edges.push_back((double)random_below(4 * bins) / 8 - 10);
  if (random_below(4) == 0) edges[0] = -INFINITY;
  if (random_below(4) == 0) edges[1] = INFINITY;
  std::sort(edges.begin(), edges.end());
  return edges;
}

/* -1 where x is in none. */
static int64_t bin_of(const std::vector<double> &edges, double x)
{
  const int64_t bins = (int64_t)edges.size() - 1;

  if (!(x >= edges[0] && x <= edges[(size_t)bins])) return -1;
  for (int64_t b = bins - 1; b > 0; b--)
    if (edges[(size_t)b] <= x) return b;
  return 0;
}

static double double_of(const number &x)
{
  return x.kind <= LOCUS_INTEGER ? (double)x.i : x.re;
}

static void histogram_case(locus_dtype dtype, int64_t n, int64_t bins, bool weighted, int layouts)
{
  const locus_grid over = grid_of({n}), kept = grid_of({bins});
  const std::string what = "histogram of " + text(n) + " in " + text(bins);
  const std::vector<double> edges = random_edges(bins);
  const char *raw = (const char *)edges.data();
  block sent(std::vector<unsigned char>(raw, raw + edges.size() * sizeof(double)));
  locus_context cx = context();
  tensor in(dtype, over, (layout)(layouts % LAYOUTS));
  tensor weights(layouts % 2 ? LOCUS_f32 : LOCUS_i16, over, (layout)((layouts + 1) % LAYOUTS));
  tensor out(weighted ? LOCUS_f64 : LOCUS_i64, kept, SIDE_BY_SIDE);
  std::vector<double> sums((size_t)bins);
  locus_histogram_job job = {};

  for (int64_t i = 0; i < bins; i++) out.set(i, weighted ? real(0) : whole(0));
  for (int64_t i = 0; i < n; i++) weights.set(i, whole(random_below(9)));
  for (int64_t i = 0; i < n; i++) {
    const int64_t bin = bin_of(edges, double_of(in.value(i)));
    if (bin >= 0) sums[(size_t)bin] += weighted ? double_of(weights.value(i)) : 1;
  }
  job.grid = over;
  job.in = in.sent();
  job.weights = weights.sent();
  job.has_weights = weighted;
  job.bins = bins;
  job.edges = (const double *)sent.at(0);
  job.out = out.sent().data;
  expect(locus_cuda_histogram(&job, &cx) == 0, what);
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < bins; i++) {
    const double sum = sums[(size_t)i];
    put(out.dtype, &wanted[(size_t)out.place(i)], weighted ? real(sum) : whole((int64_t)sum));
  }
  out.compare(wanted, what.c_str());
}

int main()
{
  int layouts = 0;

  for (int k = 0; k < LOCUS_c64; k++) {
    if (dtype_at(k) == LOCUS_i64) continue; /* edges lie within 2^53, but elements need not */
    for (int64_t n : {0, 1, 31, 300, 1000})
      for (int64_t bins : {1, 2, 7, 100})
        for (bool weighted : {false, true})
          histogram_case(dtype_at(k), n, bins, weighted, layouts++);
  }
  for (int64_t n : {1, 1000}) histogram_case(LOCUS_i64, n, 9, false, 0);
  return finish("histogram");
}
