/* SPDX-License-Identifier: MIT */
/* reduce against plain loops; sums of floats against the same tree, built from lists. */
/* Tests: reduce.cu */
#include <functional>

#include "cuda/test/tensor.h"

using namespace test;

/* Numbers, or pairs of them. */
typedef std::vector<locus_complex128> list;
typedef std::function<locus_complex128(locus_complex128, locus_complex128)> joiner;

static locus_complex128 plus(locus_complex128 a, locus_complex128 b)
{
  return locus_pair_c128(a.re + b.re, a.im + b.im);
}

static locus_complex128 times(locus_complex128 a, locus_complex128 b)
{
  return locus_times_c128(a, b);
}

static locus_complex128 times_real(locus_complex128 a, locus_complex128 b)
{
  return locus_pair_c128(a.re * b.re, 0);
}

static locus_complex128 join_lanes(list lane, const joiner &join)
{
  for (size_t half = lane.size() / 2; half > 0; half /= 2)
    for (size_t l = 0; l < half; l++) lane[l] = join(lane[l], lane[l + half]);
  return lane[0];
}

/* The sums of blocks of 1024, in that many lanes. */
static list blocks_of(const list &x, size_t lanes, const joiner &join, locus_complex128 none)
{
  list sums;
  for (size_t begin = 0; begin < x.size(); begin += 1024) {
    list lane(lanes, none);
    for (size_t i = begin; i < x.size() && i < begin + 1024; i++)
      lane[(i - begin) % lanes] = join(lane[(i - begin) % lanes], x[i]);
    sums.push_back(join_lanes(lane, join));
  }
  return sums;
}

/* Powers of two of blocks from the left, the largest first; joined from the right. */
static locus_complex128 join_blocks(const locus_complex128 *sums, size_t count, const joiner &join,
                                    locus_complex128 none)
{
  size_t power = 1;
  if (count == 0) return none;
  while (power * 2 <= count) power *= 2;
  std::function<locus_complex128(size_t, size_t)> tree = [&](size_t begin, size_t n) {
    if (n == 1) return sums[begin];
    return join(tree(begin, n / 2), tree(begin + n / 2, n / 2));
  };
  return join(tree(0, power), join_blocks(sums + power, count - power, join, none));
}

static locus_complex128 tree_of(const list &x, bool complex, const joiner &join,
                                locus_complex128 none)
{
  const list sums = blocks_of(x, complex ? 16 : 32, join, none);
  return join_blocks(sums.data(), sums.size(), join, none);
}

/* The place of a row's minimum or maximum: NaN wins, or loses, and the first of equal ones does. */
static int64_t extreme_of(const std::vector<number> &row, bool least, bool present)
{
  int64_t best = 0;
  for (int64_t i = 1; i < (int64_t)row.size(); i++) {
    const number &a = row[(size_t)best], &b = row[(size_t)i];
    if (a.kind <= LOCUS_INTEGER) {
      if (least ? b.i < a.i : b.i > a.i) best = i;
    } else if (least ? b.re < a.re : b.re > a.re) {
      best = i;
    } else if (present ? a.re != a.re && b.re == b.re : a.re == a.re && b.re != b.re) {
      best = i;
    }
  }
  return best;
}

/* For the real dtypes, which have norms and variances. */
static bool is_norm(locus_reduce op)
{
  return op == LOCUS_REDUCE_norm1 || op == LOCUS_REDUCE_norm2 || op == LOCUS_REDUCE_var ||
         op == LOCUS_REDUCE_std || op == LOCUS_REDUCE_nanvar || op == LOCUS_REDUCE_nanstd;
}

/* Whether all elements that are not NaN are the first of them. */
static bool alike(const std::vector<number> &row, double first)
{
  for (const number &x : row) {
    const double v = x.kind <= LOCUS_INTEGER ? (double)x.i : x.re;
    if (v == v && v != first) return false;
  }
  return true;
}

/* Sums, products and means; NaN is passed over where `present`. */
static number sum_of(const std::vector<number> &row, locus_dtype dtype, locus_reduce op)
{
  const bool complex = kind_of(dtype) == LOCUS_COMPLEX, product = op == LOCUS_REDUCE_prod;
  const bool mean = op == LOCUS_REDUCE_mean || op == LOCUS_REDUCE_nanmean;
  const bool variance = op == LOCUS_REDUCE_var || op == LOCUS_REDUCE_nanvar;
  const bool deviations = variance || op == LOCUS_REDUCE_std || op == LOCUS_REDUCE_nanstd;
  const bool present = op == LOCUS_REDUCE_nanmean || op == LOCUS_REDUCE_nansum ||
                       op == LOCUS_REDUCE_nanvar || op == LOCUS_REDUCE_nanstd;
  const locus_reduce mean_op = present ? LOCUS_REDUCE_nanmean : LOCUS_REDUCE_mean;
  const double centre = deviations ? sum_of(row, dtype, mean_op).re : 0;
  list values;
  uint64_t whole_sum = product;
  double count = 0;

  for (const number &x : row) {
    double re = x.kind <= LOCUS_INTEGER ? (double)x.i : x.re, im = complex ? x.im : 0;
    const bool there = !present || (re == re && im == im);
    if (op == LOCUS_REDUCE_norm1) re = fabs(re);
    if (op == LOCUS_REDUCE_norm2) re *= re;
    if (deviations) re = (re - centre) * (re - centre);
    count += there;
    values.push_back(there ? locus_pair_c128(re, im) : locus_pair_c128(0, 0));
    whole_sum = product ? whole_sum * (uint64_t)x.i : whole_sum + (uint64_t)x.i;
  }
  if (!mean && !is_norm(op) && kind_of(dtype) <= LOCUS_INTEGER) return whole((int64_t)whole_sum);
  const joiner join = !product ? plus : complex ? times : times_real;
  const locus_complex128 sum = tree_of(values, complex, join, locus_pair_c128(product, 0));
  const double share = count > 1 ? sum.re / (count - 1) : (double)NAN;
  if (op == LOCUS_REDUCE_norm2) return real(sqrt(sum.re));
  if (deviations) return real(variance ? share : sqrt(share));
  if (!mean) return number{LOCUS_COMPLEX, 0, sum.re, sum.im};
  for (const number &x : row)
    if (!complex && x.kind == LOCUS_COMPLEX && x.re == x.re && alike(row, x.re)) return real(x.re);
  return number{LOCUS_COMPLEX, 0, sum.re / count, complex ? sum.im / count : 0};
}

static number answer_of(locus_reduce op, const std::vector<number> &row, locus_dtype dtype)
{
  int64_t nonzero = 0, present = 0;

  for (const number &x : row)
    nonzero += x.kind <= LOCUS_INTEGER ? x.i != 0 : x.re != 0 || x.im != 0;
  for (const number &x : row) present += x.kind <= LOCUS_INTEGER || (x.re == x.re && x.im == x.im);
  switch (op) {
  case LOCUS_REDUCE_min:
  case LOCUS_REDUCE_max: return row[(size_t)extreme_of(row, op == LOCUS_REDUCE_min, false)];
  case LOCUS_REDUCE_nanmin:
  case LOCUS_REDUCE_nanmax: return row[(size_t)extreme_of(row, op == LOCUS_REDUCE_nanmin, true)];
  case LOCUS_REDUCE_any: return whole(nonzero > 0);
  case LOCUS_REDUCE_all: return whole(nonzero == (int64_t)row.size());
  case LOCUS_REDUCE_count_nonzero: return whole(nonzero);
  case LOCUS_REDUCE_nancount: return whole(present);
  case LOCUS_REDUCE_sum:
  case LOCUS_REDUCE_prod:
  case LOCUS_REDUCE_nansum:
  case LOCUS_REDUCE_mean:
  case LOCUS_REDUCE_nanmean:
  case LOCUS_REDUCE_norm1:
  case LOCUS_REDUCE_norm2:
  case LOCUS_REDUCE_var:
  case LOCUS_REDUCE_std:
  case LOCUS_REDUCE_nanvar:
  case LOCUS_REDUCE_nanstd: return sum_of(row, dtype, op);
  case LOCUS_REDUCES: break;
  }
  return whole(0);
}

static locus_dtype answer_dtype(locus_reduce op, locus_dtype dtype)
{
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER;
  switch (op) {
  case LOCUS_REDUCE_min:
  case LOCUS_REDUCE_max:
  case LOCUS_REDUCE_nanmin:
  case LOCUS_REDUCE_nanmax: return dtype;
  case LOCUS_REDUCE_any:
  case LOCUS_REDUCE_all: return LOCUS_b8;
  case LOCUS_REDUCE_count_nonzero:
  case LOCUS_REDUCE_nancount: return LOCUS_i64;
  case LOCUS_REDUCE_sum:
  case LOCUS_REDUCE_prod:
  case LOCUS_REDUCE_nansum: return is_whole ? LOCUS_i64 : dtype;
  case LOCUS_REDUCE_mean:
  case LOCUS_REDUCE_nanmean:
  case LOCUS_REDUCE_norm1:
  case LOCUS_REDUCE_norm2:
  case LOCUS_REDUCE_var:
  case LOCUS_REDUCE_std:
  case LOCUS_REDUCE_nanvar:
  case LOCUS_REDUCE_nanstd: return is_whole ? LOCUS_f32 : dtype;
  case LOCUS_REDUCES: break;
  }
  return dtype;
}

/* A grid of three dimensions: the middle one is kept, or all others. */
struct shape {
  int64_t outer, middle, inner;
  bool keep_middle;
};

static void reduce_case(locus_reduce op, locus_dtype dtype, const shape &s, layout how)
{
  const locus_grid all = grid_of({s.outer, s.middle, s.inner});
  const locus_grid ends = grid_of({s.outer, s.inner}), middle = grid_of({s.middle});
  const bool element = op == LOCUS_REDUCE_min || op == LOCUS_REDUCE_max;
  const locus_grid &kept = s.keep_middle ? middle : ends, &reduced = s.keep_middle ? ends : middle;
  locus_context cx = context();
  tensor in(dtype, all, how), out(answer_dtype(op, dtype), kept, how == GAPS ? COLUMNS : GAPS);
  tensor index(LOCUS_i64, kept, how == GAPS ? SHIFTED : COLUMNS);
  locus_reduce_job job = {};
  const bool present = op == LOCUS_REDUCE_nansum || op == LOCUS_REDUCE_nanmean ||
                       op == LOCUS_REDUCE_nanmin || op == LOCUS_REDUCE_nanmax ||
                       op == LOCUS_REDUCE_nanvar || op == LOCUS_REDUCE_nanstd ||
                       op == LOCUS_REDUCE_nancount;
  const bool few = op == LOCUS_REDUCE_prod;                /* others would overflow */
  const bool finite = random_below(2) || all.numel > 4096; /* or their sum would be NaN */

  for (int64_t i = 0; i < all.numel; i++) {
    if (kind_of(dtype) >= LOCUS_FLOAT && (finite || random_below(200) > 0))
      in.set(i,
             number{LOCUS_COMPLEX, 0,
                    few ? (double)random_below(9) / 8 - 1.25 : (double)random_below(2001) / 7 - 143,
                    kind_of(dtype) == LOCUS_COMPLEX ? (double)random_below(99) / 3 : 0});
    if (op == LOCUS_REDUCE_any || op == LOCUS_REDUCE_all) in.set(i, whole(op == LOCUS_REDUCE_all));
  }
  if (all.numel > 3 && !finite) in.set(all.numel / 2 + 1, random_number(dtype));
  for (int64_t i = 0; i < all.numel && present && kind_of(dtype) >= LOCUS_FLOAT; i += 5)
    in.set(i, real(NAN));
  job.op = op;
  job.kept = kept;
  job.reduced = reduced;
  job.in = in.sent();
  job.has_out = true;
  job.has_index = element;
  job.out = out.sent();
  job.index = index.sent();
  job.base = 1;
  job.divisor = reduced.numel > 1 ? (double)(reduced.numel - 1) : 0;
  const int64_t ends_of[] = {job.in.stride[0], job.in.stride[2]}, middle_of = job.in.stride[1];
  for (int d = 0; d < 2; d++) (s.keep_middle ? job.in_reduced : job.in.stride)[d] = ends_of[d];
  (s.keep_middle ? job.in.stride : job.in_reduced)[0] = middle_of;
  expect(locus_cuda_reduce(&job, &cx) == 0, "reduce");

  std::vector<unsigned char> wanted = out.bytes, places = index.bytes;
  for (int64_t k = 0; k < kept.numel; k++) {
    std::vector<number> row;
    int64_t first = 0;
    for (int64_t i = 0; i < reduced.numel; i++) {
      const int64_t o = s.keep_middle ? i / s.inner : k / s.inner;
      const int64_t m = s.keep_middle ? k : i, n = s.keep_middle ? i % s.inner : k % s.inner;
      row.push_back(in.value((o * s.middle + m) * s.inner + n));
    }
    unsigned char *at = &wanted[(size_t)out.place(k)];
    if (element) {
      first = extreme_of(row, op == LOCUS_REDUCE_min, false);
      put(LOCUS_i64, &places[(size_t)index.place(k)], whole(first + 1));
    }
    put(out.dtype, at, answer_of(op, row, dtype));
  }
  out.compare(wanted, op == LOCUS_REDUCE_mean ? "mean" : op == LOCUS_REDUCE_sum ? "sum" : "reduce");
  index.compare(places, "position");
}

/* Rows whose plain sums say too little: one of n elements, each of them f(i), among others. */
template <class F> static double look_at(locus_reduce op, int64_t n, int64_t rows, F f)
{
  const locus_grid all = grid_of({rows, n}), kept = grid_of({rows}), reduced = grid_of({n});
  locus_context cx = context();
  tensor in(LOCUS_f64, all, SIDE_BY_SIDE), out(LOCUS_f64, kept, SIDE_BY_SIDE);
  locus_reduce_job job = {};

  for (int64_t i = 0; i < all.numel; i++)
    in.set(i, real(i / n == rows / 2 ? f(i % n) : (double)(i % 3)));
  job.op = op;
  job.kept = kept;
  job.reduced = reduced;
  job.in = in.sent();
  job.in_reduced[0] = job.in.stride[1];
  job.has_out = true;
  job.out = out.sent();
  job.divisor = (double)n;
  expect(locus_cuda_reduce(&job, &cx) == 0, "reduce");
  out.fetch();
  return out.value(rows / 2).re;
}

static void second_looks()
{
  for (int64_t n : {3, 40, 1500}) {
    for (int64_t rows : {1, 5, 300}) {
      const auto tenth = [](int64_t) { return 0.1; };
      const auto most = [](int64_t) { return 1.7e308; };
      const auto ends = [](int64_t i) { return i % 2 ? 1.5e308 : -1.5e308; };
      const auto tiny = [](int64_t i) { return i == 0 ? 3e-200 : i == 1 ? -4e-200 : 0; };
      const auto huge = [](int64_t i) { return i == 0 ? 3e200 : i == 1 ? -4e200 : 0; };
      const auto gap = [](int64_t i) { return i == 0 ? (double)NAN : 0.1; };
      expect(look_at(LOCUS_REDUCE_mean, n, rows, tenth) == 0.1, "mean of tenths");
      expect(look_at(LOCUS_REDUCE_nanmean, n, rows, gap) == 0.1, "nanmean of tenths");
      expect(look_at(LOCUS_REDUCE_var, n, rows, tenth) == 0, "var of tenths");
      expect(look_at(LOCUS_REDUCE_nanvar, n, rows, gap) == 0, "nanvar of tenths");
      expect(look_at(LOCUS_REDUCE_mean, n, rows, most) == 1.7e308, "mean of the greatest");
      expect(fabs(look_at(LOCUS_REDUCE_mean, n, rows, ends)) <= 0.51e308, "mean of ends");
      expect(look_at(LOCUS_REDUCE_std, n, rows, ends) > 1.4e308, "std of ends");
      expect(look_at(LOCUS_REDUCE_std, n, rows, tiny) > 1e-202, "std of tiny ones");
      expect(look_at(LOCUS_REDUCE_nanstd, n, rows, ends) > 1.4e308, "nanstd of ends");
      expect(look_at(LOCUS_REDUCE_nanstd, n, rows, tiny) > 1e-202, "nanstd of tiny ones");
      expect(fabs(look_at(LOCUS_REDUCE_norm2, n, rows, tiny) / 5e-200 - 1) < 1e-14, "tiny norm");
      expect(fabs(look_at(LOCUS_REDUCE_norm2, n, rows, huge) / 5e200 - 1) < 1e-14, "huge norm");
    }
  }
}

int main()
{
  static const shape shapes[] = {
      {1, 1, 1, false},   {3, 5, 7, false},   {3, 5, 7, true},    {2, 31, 40, false},
      {1, 33, 3, true},   {1, 1, 1023, true}, {1, 3, 1025, true}, {1, 1100, 33, false},
      {2, 2, 2100, true}, {1, 2, 0, true},    {0, 4, 3, false},   {1, 1, 34 * 1024 + 5, true},
  };

  for (int op = 0; op < LOCUS_REDUCES; op++) {
    for (int d = 0; d < LOCUS_DTYPES; d++) {
      const bool element = op == LOCUS_REDUCE_min || op == LOCUS_REDUCE_max ||
                           op == LOCUS_REDUCE_nanmin || op == LOCUS_REDUCE_nanmax;
      if ((element || is_norm((locus_reduce)op)) && d >= LOCUS_c64) continue;
      for (int k = 0; k < 12; k++) {
        const shape &s = shapes[k];
        if (element && k == 9) continue;
        if (k == 11 && d % 3 != op % 3 && op > 1) continue;
        reduce_case((locus_reduce)op, (locus_dtype)d, s, (layout)((op + d + k) % ONE));
      }
    }
  }
  reduce_case(LOCUS_REDUCE_sum, LOCUS_f32, {1, 1, 1024 * 1024 + 3000, true}, SIDE_BY_SIDE);
  reduce_case(LOCUS_REDUCE_sum, LOCUS_f64, {1, 1, 260 * 1024 + 3000, true}, SIDE_BY_SIDE);
  reduce_case(LOCUS_REDUCE_mean, LOCUS_f64, {1, 40 * 1024 + 7, 33, false}, SIDE_BY_SIDE);
  reduce_case(LOCUS_REDUCE_sum, LOCUS_c128, {2, 70 * 1024, 1, false}, SIDE_BY_SIDE);
  second_looks();
  return finish("reduce");
}
