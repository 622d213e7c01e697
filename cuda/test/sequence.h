/* SPDX-License-Identifier: MIT */
/* Sorted sequences for tests of searches, with their numbers in order, and a plain order of
** numbers. */
#ifndef LOCUS_CUDA_TEST_SEQUENCE_H
#define LOCUS_CUDA_TEST_SEQUENCE_H

#include <algorithm>

#include "cuda/test/check.h"

namespace test
{

/* -- A plain truth: elements as numbers, compared one by one ----------------------------------- */

struct number {
  bool whole;
  int64_t i;
  double f;
};

inline double half_of(uint16_t bits, int exponent_bits)
{
  const int fraction_bits = 15 - exponent_bits, most = (1 << exponent_bits) - 1;
  const int exponent = bits >> fraction_bits & most, bias = most / 2;
  const double fraction = bits & ((1 << fraction_bits) - 1), sign = bits >> 15 ? -1 : 1;

  if (exponent == most) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp(fraction, 1 - bias - fraction_bits);
  return sign * ldexp(1 + ldexp(fraction, -fraction_bits), exponent - bias);
}

inline number number_of(locus_dtype dtype, const char *x)
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
  case LOCUS_f64: memcpy(&d, x, 8); return {false, 0, d};
  case LOCUS_c64:
  case LOCUS_c128:
  case LOCUS_DTYPES: break;
  }
  return {false, 0, 0};
}

/* In the one order; long double holds every int64 and every double. */
inline bool less(const number &a, const number &b)
{
  const long double x = a.whole ? (long double)a.i : (long double)a.f;
  const long double y = b.whole ? (long double)b.i : (long double)b.f;
  if (x != x) return false;
  return y != y || x < y;
}

/* -- Elements ---------------------------------------------------------------------------------- */

/* A random element: few different ones, so that many are equal, and the outermost ones. */
inline void random_element(char *x, locus_dtype dtype, int64_t around)
{
  const int64_t k = random_below(2 * around + 1) - around, item = locus_dtype_size(dtype);
  static const uint16_t f16[] = {0x7c00, 0xfc00, 0x7e01, 0xfe00, 0x8000, 0, 0x7bff, 1, 0x8001};
  static const uint16_t bf16[] = {0x7f80, 0xff80, 0x7fc1, 0xffc0, 0x8000, 0, 0x7f7f, 1, 0x8001};
  static const double extreme[] = {
      INFINITY,          -INFINITY, NAN,   -NAN,   -0.0,   0.5,      -0.5, 0x1p53,   0x1p63,
      -0x1p63,           0x1p31,    1e300, -1e300, 5e-324, 0x1p-149, 3.5,  16777217, 2147483647.5,
      9007199254740993.0};
  static const int64_t whole[] = {
      INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, (1LL << 53) + 1, -(1LL << 53) - 1, INT64_MAX - 1,
      16777217,  127,       -128,      255};
  const bool special = random_below(8) == 0;
  const double d =
      special ? extreme[random_below(sizeof extreme / sizeof *extreme)] : (double)k / 2;
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

inline const search_case plain = {LOCUS_f32, LOCUS_f32, LOCUS_i64, 1, 100, 200, 1, false,
                                  false,     false,     false,     3, 0,   1,   1, 0};

inline std::string name_of(const search_case &s)
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

} // namespace test

#endif
