/* SPDX-License-Identifier: MIT */
/* asof against a look at every row. */
/* Tests: asof.cu pairs.cu */
#include <algorithm>

#include "cuda/test/tensor.h"

using namespace test;

/* The answer for a value, from 0 on; -1 for none. */
static int64_t row_of(tensor &of_rows, int64_t n, int64_t group, int64_t limit, bool forward)
{
  int64_t found = -1;

  for (int64_t j = 0; j < n; j++) {
    if (of_rows.value(j).i != group) continue;
    if (forward && j >= limit) return j;
    if (!forward && j < limit) found = j;
  }
  return found;
}

static void asof_case(int64_t n, int64_t m, int64_t groups, bool forward)
{
  locus_context cx = context();
  tensor of_rows(LOCUS_i32, grid_of({n}), SIDE_BY_SIDE);
  tensor of_values(LOCUS_i32, grid_of({m}), SHIFTED);
  tensor limits(LOCUS_i64, grid_of({m}), SIDE_BY_SIDE), out(LOCUS_i64, grid_of({m}), SHIFTED);
  std::vector<int64_t> counts((size_t)m);
  locus_asof_job job = {};

  for (int64_t &count : counts) count = random_below(n + 1);
  std::sort(counts.begin(), counts.end());
  for (int64_t i = 0; i < m; i++) limits.set(i, whole(counts[(size_t)i]));
  for (int64_t i = 0; i < m; i++) of_values.set(i, whole(random_below(groups + 1)));
  for (int64_t j = 0; j < n; j++) of_rows.set(j, whole(1 + random_below(groups)));
  job.n = n;
  job.m = m;
  job.groups = groups;
  job.forward = forward;
  job.base = random_below(2);
  job.limits = (const int64_t *)limits.sent().data;
  job.of_rows = (const int32_t *)of_rows.sent().data;
  job.of_values = (const int32_t *)of_values.sent().data;
  job.out = (int64_t *)out.sent().data;
  expect(locus_cuda_asof(&job, &cx) == 0, "asof");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < m; i++) {
    const int64_t row = row_of(of_rows, n, of_values.value(i).i, counts[(size_t)i], forward);
    put(LOCUS_i64, &wanted[(size_t)out.place(i)], whole(job.base + row));
  }
  out.compare(wanted, "asof");
}

int main()
{
  static const int64_t sizes[] = {0, 1, 2, 33, 300};

  for (int64_t n : sizes)
    for (int64_t m : sizes)
      for (int64_t groups : {1, 4, 200}) {
        asof_case(n, m, groups, false);
        asof_case(n, m, groups, true);
      }
  asof_case(3100, 40, 7, false); /* positions of 64 bits */
  asof_case(3100, 40, 7, true);
  return finish("asof");
}
