/* SPDX-License-Identifier: MIT */
/* Tests: searchsorted.cu search_index.cu lookup.cu unsorted.cu */
#include <algorithm>

#include "cuda/test/check.h"

using namespace test;

static locus_context cx;

/* -- A plain truth: elements as numbers, compared one by one ------------------------------------ */

struct number {
  bool whole;
  int64_t i;
  double f;
};

static double half_of(uint16_t bits, int exponent_bits)
{
  const int fraction_bits = 15 - exponent_bits, most = (1 << exponent_bits) - 1;
  const int exponent = bits >> fraction_bits & most, bias = most / 2;
  const double fraction = bits & ((1 << fraction_bits) - 1), sign = bits >> 15 ? -1 : 1;

  if (exponent == most) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp(fraction, 1 - bias - fraction_bits);
  return sign * ldexp(1 + ldexp(fraction, -fraction_bits), exponent - bias);
}

static number number_of(locus_dtype dtype, const char *x)
{
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint16_t half;
  float f;
  double d;

  switch (dtype) {
  case LOCUS_b8: return {true, *x != 0, 0};
  case LOCUS_u8: return {true, (unsigned char)*x, 0};
  case LOCUS_i8: return {true, (signed char)*x, 0};
  case LOCUS_i16: memcpy(&i16, x, 2); return {true, i16, 0};
  case LOCUS_i32: memcpy(&i32, x, 4); return {true, i32, 0};
  case LOCUS_i64: memcpy(&i64, x, 8); return {true, i64, 0};
  case LOCUS_f16: memcpy(&half, x, 2); return {false, 0, half_of(half, 5)};
  case LOCUS_bf16: memcpy(&half, x, 2); return {false, 0, half_of(half, 8)};
  case LOCUS_f32: memcpy(&f, x, 4); return {false, 0, f};
  default: memcpy(&d, x, 8); return {false, 0, d};
  }
}

/* In the one order; long double holds every int64 and every double. */
static bool less(const number &a, const number &b)
{
  const long double x = a.whole ? (long double)a.i : (long double)a.f;
  const long double y = b.whole ? (long double)b.i : (long double)b.f;
  if (x != x) return false;
  return y != y || x < y;
}

/* -- Elements ----------------------------------------------------------------------------------- */

/* A random element: few different ones, so that many are equal, and the outermost ones. */
static void random_element(char *x, locus_dtype dtype, int64_t around)
{
  const int64_t k = random_below(2 * around + 1) - around, item = locus_dtype_size(dtype);
  static const uint16_t f16[] = {0x7c00, 0xfc00, 0x7e01, 0xfe00, 0x8000, 0, 0x7bff, 1, 0x8001};
  static const uint16_t bf16[] = {0x7f80, 0xff80, 0x7fc1, 0xffc0, 0x8000, 0, 0x7f7f, 1, 0x8001};
  static const double odd[] = {INFINITY, -INFINITY, NAN,     -NAN,    -0.0,
                               0.5,      -0.5,      0x1p53,  0x1p63,  -0x1p63,
                               0x1p31,   1e300,     -1e300,  5e-324,  0x1p-149,
                               3.5,      16777217,  2147483647.5, 9007199254740993.0};
  static const int64_t whole[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, (1LL << 53) + 1,
                                  -(1LL << 53) - 1, INT64_MAX - 1, 16777217, 127, -128, 255};
  const bool special = random_below(8) == 0;
  const double d = special ? odd[random_below(sizeof odd / sizeof *odd)] : (double)k / 2;
  const int64_t i = special ? whole[random_below(sizeof whole / sizeof *whole)] : k;
  const float f = (float)d;
  uint32_t bits;

  if (dtype == LOCUS_f64) memcpy(x, &d, 8);
  else if (dtype == LOCUS_f32) memcpy(x, &f, 4);
  else if (dtype == LOCUS_f16 && special) memcpy(x, &f16[random_below(9)], 2);
  else if (dtype == LOCUS_f16) {
    const uint16_t half = (uint16_t)(random_below(2) << 15 | random_below(0x7c00));
    memcpy(x, &half, 2);
  } else if (dtype == LOCUS_bf16 && special) memcpy(x, &bf16[random_below(9)], 2);
  else if (dtype == LOCUS_bf16) memcpy(&bits, &f, 4), memcpy(x, (char *)&bits + 2, 2);
  else memcpy(x, &i, (size_t)item);
  if (dtype == LOCUS_b8) *x = (char)(*x & 2);
}

struct search_case {
  locus_dtype keys, values, answers;
  int64_t rows, n, along; /* a row has that many keys and values */
  int64_t step;           /* between the keys of a row */
  bool sorter, wide_sorter, from_end, value_alone;
  int sides; /* 1 left, 2 right, 3 both */
  int64_t lead, value_step, answer_step, base;
};

static const search_case plain = {LOCUS_f32, LOCUS_f32, LOCUS_i64, 1, 100, 200, 1, false,
                                  false,     false,     false,     3, 0,   1,   1, 0};

static std::string name_of(const search_case &s)
{
  return std::string(locus_dtype_name(s.keys)) + " keys, " + locus_dtype_name(s.values) +
         " values, rows=" + text(s.rows) + " n=" + text(s.n) + " along=" + text(s.along) +
         " step=" + text(s.step) + " sorter=" + text(s.sorter) + " lead=" + text(s.lead) +
         " value_step=" + text(s.value_step) + " answer_step=" + text(s.answer_step);
}

/* Sequence, sorter and the numbers of each row in order. */
struct sequence {
  memory keys, sorter;
  std::vector<std::vector<number>> rows;

  explicit sequence(const search_case &s)
      : keys(s.rows * s.n * s.step, locus_dtype_size(s.keys), s.lead),
        sorter(s.rows * s.n, s.wide_sorter ? 8 : 4)
  {
    const int64_t item = locus_dtype_size(s.keys);
    for (int64_t r = 0; r < s.rows; r++) {
      std::vector<std::string> elements((size_t)s.n, std::string((size_t)item, 0));
      std::vector<int64_t> order;
      std::vector<number> numbers;
      for (int64_t i = 0; i < s.n; i++) {
        random_element(&elements[i][0], s.keys, s.n);
        order.push_back(i);
      }
      auto before = [&](int64_t a, int64_t b) {
        return less(number_of(s.keys, elements[a].data()), number_of(s.keys, elements[b].data()));
      };
      std::stable_sort(order.begin(), order.end(), before);
      for (int64_t i = 0; i < s.n; i++) {
        numbers.push_back(number_of(s.keys, elements[order[i]].data()));
        const int64_t from = s.sorter ? i : order[i], k = order[i] + s.base, at = r * s.n + i;
        memcpy(keys.data + (r * s.n + i) * s.step * item, elements[from].data(), (size_t)item);
        if (s.wide_sorter) sorter.as<int64_t>()[at] = k;
        else sorter.as<int32_t>()[at] = (int32_t)k;
      }
      rows.push_back(numbers);
    }
  }

  void describe(locus_operand *sequence_of, locus_operand *sorter_of, int64_t *step,
                int64_t *sorter_step, const search_case &s)
  {
    *sequence_of = locus_operand();
    *sorter_of = locus_operand();
    sequence_of->data = keys.data;
    sequence_of->dtype = s.keys;
    sequence_of->stride[0] = s.rows > 1 ? s.n * s.step : 0;
    *step = s.step;
    *sorter_step = s.sorter ? 1 : 0;
    if (!s.sorter) return;
    sorter_of->data = sorter.data;
    sorter_of->dtype = s.wide_sorter ? LOCUS_i64 : LOCUS_i32;
    sorter_of->stride[0] = s.rows > 1 ? s.n : 0;
  }
};

static int64_t answer_at(const memory &answers, const search_case &s, int64_t i)
{
  int64_t wide;
  int32_t narrow;

  if (s.answers == LOCUS_i64) {
    memcpy(&wide, answers.data + i * s.answer_step * 8, 8);
    return wide;
  }
  memcpy(&narrow, answers.data + i * s.answer_step * 4, 4);
  return narrow;
}

static void place_side(locus_operand *operand, memory *m, locus_dtype dtype, const search_case &s,
                       int64_t step)
{
  *operand = locus_operand();
  operand->data = m->data;
  operand->dtype = dtype;
  operand->stride[0] = s.along * step;
  operand->stride[1] = step;
}

/* Makes an index, in memory that begins at a multiple of 64 bytes as a device's does. */
static void make_index(locus_search_job *job, const search_case &s, std::vector<char> *room)
{
  locus_search_job making = *job;
  int64_t bytes = -1;

  making.index_bytes = &bytes;
  making.index.data = nullptr;
  making.grid.ndim = 1;
  making.grid.numel = s.rows;
  expect(locus_cuda_search_index(&making, &cx) == 0 && bytes % 64 == 0, "index " + name_of(s));
  room->resize((size_t)(s.rows * bytes + 64));
  making.index = locus_operand();
  making.index.data = room->data() + (-(uintptr_t)room->data() & 63);
  making.index.dtype = LOCUS_u8;
  making.index.stride[0] = s.rows > 1 ? bytes : 0;
  expect(locus_cuda_search_index(&making, &cx) == 0, "index " + name_of(s));
  job->index = making.index;
}

static void check_search(const search_case &s, bool indexed = random_below(2))
{
  const std::string what = name_of(s) + " indexed=" + text(indexed);
  std::vector<char> room;
  const int64_t m = s.rows * s.along, value_item = locus_dtype_size(s.values);
  sequence sorted(s);
  memory values(m * s.value_step, value_item, s.lead);
  memory left(m * s.answer_step, locus_dtype_size(s.answers)),
      right(m * s.answer_step, locus_dtype_size(s.answers));
  locus_search_job job;
  bool good = true;

  job.grid.numel = m;
  job.grid.ndim = 2;
  job.grid.size[0] = s.rows;
  job.grid.size[1] = s.along;
  job.n = s.n;
  job.base = s.base;
  job.from_end = s.from_end;
  job.has_left = s.sides & 1;
  job.has_right = s.sides & 2;
  job.index.data = nullptr;
  sorted.describe(&job.sequence, &job.sorter, &job.sequence_step, &job.sorter_step, s);
  for (int64_t i = 0; i < m * s.value_step; i++)
    random_element(values.data + i * value_item, s.values, s.n + 2);
  place_side(&job.values, &values, s.values, s, s.value_step);
  if (s.value_alone) {
    memcpy(job.values.value.bytes, values.data, (size_t)value_item);
    job.values.data = nullptr;
    job.values.stride[0] = job.values.stride[1] = 0;
  }
  if (indexed) make_index(&job, s, &room);
  if (indexed && s.sorter) {
    memset(sorted.sorter.data, 0x77, (size_t)sorted.sorter.bytes);
    memset(sorted.keys.data, 0x77, (size_t)sorted.keys.bytes);
  }
  place_side(&job.left, &left, s.answers, s, s.answer_step);
  place_side(&job.right, &right, s.answers, s, s.answer_step);
  expect(locus_cuda_searchsorted(&job, &cx) == 0, what);
  for (int64_t i = 0; i < m; i++) {
    const std::vector<number> &row = sorted.rows[i / s.along];
    const int64_t at = s.value_alone ? 0 : i * s.value_step;
    const number v = number_of(s.values, values.data + at * value_item);
    for (int side = 0; side < 2; side++) {
      if (!(s.sides & 1 << side)) continue;
      const auto place = side ? std::upper_bound(row.begin(), row.end(), v, less)
                              : std::lower_bound(row.begin(), row.end(), v, less);
      const int64_t count = place - row.begin();
      const int64_t want = s.base + (s.from_end ? s.n - count : count);
      good &= answer_at(side ? right : left, s, i) == want;
    }
  }
  expect(good, what);
}

/* An index is not made again: when all keys have become NaN, the levels over them still know how
** many whole nodes of 16 keys come before a value. */
static void check_levels_stay(int64_t n)
{
  search_case s = plain;
  std::vector<char> room;
  bool good = true;
  locus_search_job job = {};

  s.n = n;
  sequence sorted(s);
  memory values(s.along, 4), left(s.along, 8);
  job.grid = {s.along, 2, {1, s.along}};
  job.n = n;
  job.has_left = true;
  sorted.describe(&job.sequence, &job.sorter, &job.sequence_step, &job.sorter_step, s);
  for (int64_t i = 0; i < s.along; i++) values.as<float>()[i] = (float)random_below(n) - (float)n / 2;
  place_side(&job.values, &values, LOCUS_f32, s, 1);
  place_side(&job.left, &left, LOCUS_i64, s, 1);
  make_index(&job, s, &room);
  for (int64_t i = 0; i < n; i++) sorted.keys.as<float>()[i] = NAN;
  expect(locus_cuda_searchsorted(&job, &cx) == 0, "levels");
  for (int64_t i = 0; i < s.along; i++) {
    const number v = {false, 0, values.as<float>()[i]};
    const std::vector<number> &row = sorted.rows[0];
    const int64_t count = std::lower_bound(row.begin(), row.end(), v, less) - row.begin();
    good &= left.as<int64_t>()[i] == count / 16 * 16;
  }
  expect(good, "levels that were made stay, n=" + text(n));
}

/* -- Neighbours out of order, and single values -------------------------------------------------- */

static void check_unsorted(search_case s, bool descending, int64_t swapped)
{
  const std::string what = "unsorted " + name_of(s) + " at " + text(swapped);
  const int64_t item = locus_dtype_size(s.keys) * s.step, n = s.rows * s.n;
  sequence sorted(s);
  int64_t position = -2, want = -1;
  locus_unsorted_job job;

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
  const locus_lookup_job job = {sorted.keys.data, s.keys, s.n, s.step, value, &count};
  const std::vector<number> &row = sorted.rows[0];
  number v = {false, 0, value};

  if (s.keys == LOCUS_f32) v.f = (float)value;
  expect(locus_cuda_lookup(&job, &cx) == 0, what);
  const int64_t want = std::lower_bound(row.begin(), row.end(), v, less) - row.begin();
  expect(count == want, what + " got " + text(count) + " want " + text(want));
}

/* Sizes on both sides of what the plan decides by, in the interpreter's small measure. */
static void check_sizes(locus_dtype keys)
{
  for (int64_t n : {0, 1, 2, 3, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 256, 257, 700, 1100,
                    4097})
    for (int64_t m : {0, 1, 63, 64, 65, 300, 1000}) {
      search_case s = plain;
      s.keys = s.values = keys;
      s.n = n;
      s.along = m;
      s.lead = random_below(2);
      s.base = random_below(2);
      s.from_end = random_below(3) == 0;
      s.sides = 1 + (int)random_below(3);
      s.answers = random_below(2) ? LOCUS_i64 : LOCUS_i32;
      check_search(s);
    }
}

static void check_mixed(locus_dtype keys, locus_dtype values)
{
  for (int64_t n : {5, 40, 300, 1500}) {
    search_case s = plain;
    s.keys = keys;
    s.values = values;
    s.n = n;
    s.along = 400;
    s.value_step = 1 + random_below(2);
    s.answer_step = 1 + random_below(2);
    s.step = 1 + random_below(2);
    s.value_alone = random_below(4) == 0;
    s.sorter = random_below(3) == 0;
    s.wide_sorter = random_below(2);
    s.base = random_below(2);
    check_search(s);
  }
}

static void check_rows(locus_dtype keys)
{
  for (int64_t rows : {2, 7, 40})
    for (int64_t n : {1, 3, 20, 300})
      for (int64_t along : {1, 3, 5, 33, 150}) {
        search_case s = plain;
        s.keys = s.values = keys;
        s.rows = rows;
        s.n = n;
        s.along = along;
        s.sorter = random_below(3) == 0;
        s.wide_sorter = random_below(2);
        s.step = 1 + random_below(2);
        check_search(s);
      }
}

int main()
{
  for (locus_dtype d : {LOCUS_i32, LOCUS_i64, LOCUS_f32, LOCUS_f64, LOCUS_i8, LOCUS_f16})
    check_sizes(d);
  for (int k = 0; k < LOCUS_c64; k++)
    for (int v = 0; v < LOCUS_c64; v++) check_mixed((locus_dtype)k, (locus_dtype)v);
  for (locus_dtype d : {LOCUS_i64, LOCUS_f32, LOCUS_bf16}) check_rows(d);
  for (int64_t n : {257, 1100, 4097}) check_levels_stay(n);
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
  return finish("searchsorted");
}
