/* SPDX-License-Identifier: MIT */
/* unsorted and lookup: neighbours out of order, and single values. */
/* Tests: lookup.cu unsorted.cu */
#include "cuda/test/sequence.h"

using namespace test;

static locus_context cx;

static void check_unsorted(search_case s, bool descending, int64_t swapped)
{
  const std::string what = "unsorted " + name_of(s) + " at " + text(swapped);
  const int64_t item = locus_dtype_size(s.keys) * s.step, n = s.rows * s.n;
  sequence sorted(s);
  int64_t position = -2, want = -1;
  locus_unsorted_job job = {};

  job.rows.numel = s.rows;
  job.rows.ndim = 1;
  job.rows.size[0] = s.rows;
  job.n = s.n;
  job.base = s.base;
  job.descending = descending;
  job.position = &position;
  if (swapped + 1 < n)
    std::swap_ranges(sorted.keys.data + swapped * item, sorted.keys.data + (swapped + 1) * item,
                     sorted.keys.data + (swapped + 1) * item);
  sorted.describe(&job.sequence, &job.sorter, &job.sequence_step, &job.sorter_step, s);
  for (int64_t i = n - 1; i > 0; i--) {
    if (i % s.n == 0) continue;
    const number a = number_of(s.keys, sorted.keys.data + (i - 1) * item);
    const number b = number_of(s.keys, sorted.keys.data + i * item);
    if (descending ? less(a, b) : less(b, a)) want = i;
  }
  if (s.sorter) want = -1;
  expect(locus_cuda_unsorted(&job, &cx) == 0, what);
  expect(position == want, what + " got " + text(position) + " want " + text(want));
}

static void check_lookup(const search_case &s, double value)
{
  const std::string what = "lookup " + name_of(s) + " " + std::to_string(value);
  sequence sorted(s);
  int64_t count = -1;
  const locus_lookup_job job = {sorted.keys.data, s.keys, s.n, s.step, value, &count, false};
  const std::vector<number> &row = sorted.rows[0];
  number v = {false, 0, value};

  if (s.keys == LOCUS_f32) v.f = (float)value;
  expect(locus_cuda_lookup(&job, &cx) == 0, what);
  const int64_t want = std::lower_bound(row.begin(), row.end(), v, less) - row.begin();
  expect(count == want, what + " got " + text(count) + " want " + text(want));
}

int main()
{
  for (int k = 0; k < LOCUS_c64; k++) {
    search_case s = plain;
    s.keys = (locus_dtype)k;
    for (int64_t at : {0, 5, 198, 298, 9999}) {
      s.rows = 3;
      check_unsorted(s, false, at);
      check_unsorted(s, true, at);
    }
    s.sorter = s.wide_sorter = true;
    check_unsorted(s, false, 9999);
    s.sorter = false;
    s.rows = 1;
    for (int64_t n : {0, 1, 2, 32, 33, 34, 1000, 5000}) {
      if (s.keys == LOCUS_f16 || s.keys == LOCUS_bf16) break;
      s.n = n;
      s.step = 1 + n % 3;
      for (double v : {0.0, -0.0, 1.0, 2.5, -3.25, 1e300, -1e300, (double)INFINITY, (double)NAN})
        check_lookup(s, v);
    }
  }
  return finish("unsorted");
}
