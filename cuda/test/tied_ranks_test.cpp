/* SPDX-License-Identifier: MIT */
/* tied_ranks against a look at every element. */
/* Tests: tied_ranks.cu */
#include <algorithm>

#include "cuda/test/tensor.h"

using namespace test;

/* Elements one behind the other, some of each, in any order; a float's last ones are NaN, and
** zeros have both signs. Equal ones have one number in `which`. */
static void fill(tensor *sorted, std::vector<int64_t> *which, int64_t row, int64_t n, int64_t most)
{
  const bool is_float = kind_of(sorted->dtype) == LOCUS_FLOAT;
  int64_t number = 0, left = random_below(most) + 1;

  for (int64_t i = 0; i < n; i++, left--) {
    if (left == 0 && number < 100) {
      left = random_below(most) + 1;
      if (sorted->dtype != LOCUS_b8 || number == 0) number++;
    }
    const int64_t at = row * n + i;
    const double sign = random_below(2) ? 1 : -1;
    (*which)[(size_t)at] = number;
    if (!is_float) sorted->set(at, whole(number));
    else if (number == 0 || number > 2) sorted->set(at, real(copysign(number ? NAN : 0.0, sign)));
    else sorted->set(at, real((double)number));
    if (is_float && number > 2) (*which)[(size_t)at] = 3;
  }
}

static void ranks_case(locus_dtype dtype, int64_t rows, int64_t n, int64_t most, locus_tie tie)
{
  locus_context cx = context();
  const locus_dtype answers = tie == LOCUS_TIE_MEAN ? LOCUS_f64 : LOCUS_i64;
  const locus_grid grid = grid_of({rows, n});
  tensor sorted(dtype, grid, SHIFTED), from(LOCUS_i64, grid, SIDE_BY_SIDE);
  tensor out(answers, grid, SIDE_BY_SIDE);
  std::vector<int64_t> which((size_t)(rows * n)), places((size_t)n);
  locus_tied_ranks_job job = {};

  for (int64_t r = 0; r < rows; r++) {
    fill(&sorted, &which, r, n, most);
    for (int64_t i = 0; i < n; i++) places[(size_t)i] = i;
    for (int64_t i = n - 1; i > 0; i--)
      std::swap(places[(size_t)i], places[(size_t)random_below(i + 1)]);
    for (int64_t i = 0; i < n; i++) from.set(r * n + i, whole(places[(size_t)i]));
  }
  job.rows = rows;
  job.n = n;
  job.sorted = sorted.sent().data;
  job.dtype = dtype;
  job.from = (const int64_t *)from.sent().data;
  job.tie = tie;
  job.base = random_below(2);
  job.out = (uint64_t *)out.sent().data;
  expect(locus_cuda_tied_ranks(&job, &cx) == 0, "tied_ranks");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < rows * n; i++) {
    const int64_t row = i / n * n;
    int64_t first = i, last = i;
    while (first > row && which[(size_t)first - 1] == which[(size_t)i]) first--;
    while (last + 1 < row + n && which[(size_t)last + 1] == which[(size_t)i]) last++;
    first += job.base - row;
    last += job.base - row;
    const number rank = tie == LOCUS_TIE_MEAN ? real((double)(first + last) / 2)
                                              : whole(tie == LOCUS_TIE_LEAST ? first : last);
    put(answers, &wanted[(size_t)out.place(row + from.value(i).i)], rank);
  }
  out.compare(wanted, "tied_ranks");
}

int main()
{
  for (int d = 0; d < LOCUS_DTYPES; d++) {
    if (kind_of(dtype_at(d)) == LOCUS_COMPLEX) continue;
    for (locus_tie tie : {LOCUS_TIE_MEAN, LOCUS_TIE_LEAST, LOCUS_TIE_GREATEST}) {
      for (int64_t n : {1, 2, 3, 40})
        for (int64_t rows : {0, 1, 7}) ranks_case(dtype_at(d), rows, n, 1 + n / 3, tie);
      ranks_case(dtype_at(d), 2, 700, 300, tie);
    }
  }
  return finish("tied_ranks");
}
