/* SPDX-License-Identifier: MIT */
/* asof against a look at every row, nearest against plain distances. */
/* Tests: asof.cu nearest.cu pairs.cu */
#include <algorithm>

#include "cuda/test/tensor.h"

using namespace test;

/* The answer for a value, counted from 0; -1 for none. */
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

/* Elements that repeat, and the farthest ones. */
static number key_of(bool exact)
{
  static const int64_t ends[] = {INT64_MIN, INT64_MAX, INT64_MAX - 1};
  static const double reals[] = {INFINITY, -INFINITY, 0.5};

  if (random_below(4) == 0)
    return exact ? whole(ends[random_below(3)]) : real(reals[random_below(3)]);
  return exact ? whole(random_below(9)) : real((double)random_below(9));
}

/* How far two elements are apart: exact to 128 bits, or as doubles; more than any tolerance where
** there is no row. */
static long double apart(const number &a, const number &b)
{
  if (a.kind <= LOCUS_INTEGER)
    return (long double)(a.i > b.i ? (uint64_t)a.i - (uint64_t)b.i : (uint64_t)b.i - (uint64_t)a.i);
  return a.re == b.re ? 0 : fabs(a.re - b.re);
}

static void nearest_case(int64_t n, int64_t m, bool exact, int sides, double most)
{
  locus_context cx = context();
  const locus_dtype dtype = exact ? LOCUS_i64 : LOCUS_f64;
  tensor sequence(dtype, grid_of({n}), SIDE_BY_SIDE), values(dtype, grid_of({m}), SIDE_BY_SIDE);
  tensor before(LOCUS_i64, grid_of({m}), SHIFTED), after(LOCUS_i64, grid_of({m}), SIDE_BY_SIDE);
  tensor out(LOCUS_i64, grid_of({m}), SHIFTED);
  std::vector<int64_t> rows((size_t)m);
  locus_nearest_job job = {};

  for (int64_t j = 0; j < n; j++) sequence.set(j, key_of(exact));
  for (int64_t i = 0; i < m; i++) values.set(i, key_of(exact));
  for (int64_t i = 0; i < m; i++) {
    const number v = values.value(i);
    int64_t back = random_below(n + 1), ahead = random_below(n + 2) - 1, row = -1;
    const auto less = [&](const number &a, const number &b) {
      return exact ? a.i < b.i : a.re < b.re;
    };
    if (back > 0 && less(v, sequence.value(back - 1))) back = 0;
    if (ahead >= 0 && ahead < n && less(sequence.value(ahead), v)) ahead = n;
    before.set(i, whole(back));
    after.set(i, whole(ahead));
    const bool is_back = sides != 1 && back > 0, is_ahead = sides != 0 && ahead >= 0 && ahead < n;
    const long double behind = is_back ? apart(v, sequence.value(back - 1)) : 0;
    const long double forth = is_ahead ? apart(v, sequence.value(ahead)) : 0;
    if (is_back && behind <= (long double)most) row = back - 1;
    if (is_ahead && forth <= (long double)most && (row < 0 || forth < behind)) row = ahead;
    rows[(size_t)i] = row;
  }
  job.n = n;
  job.m = m;
  job.exact = exact;
  job.base = random_below(2);
  job.most_f64 = most;
  job.most_i64 = most < 0x1p64 ? (uint64_t)most : UINT64_MAX;
  job.sequence = sequence.sent().data;
  job.values = values.sent().data;
  job.before = sides != 1 ? (const int64_t *)before.sent().data : nullptr;
  job.after = sides != 0 ? (const int64_t *)after.sent().data : nullptr;
  job.out = (int64_t *)out.sent().data;
  expect(locus_cuda_nearest(&job, &cx) == 0, "nearest");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < m; i++)
    put(LOCUS_i64, &wanted[(size_t)out.place(i)], whole(job.base + rows[(size_t)i]));
  out.compare(wanted, "nearest");
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
  for (int64_t n : {0, 1, 40})
    for (int64_t m : {0, 1, 300})
      for (double most : {0.0, 1.0, 0x1p63, (double)INFINITY})
        for (int how = 0; how < 6; how++) nearest_case(n, m, how % 2 == 0, how / 2, most);
  return finish("asof");
}
