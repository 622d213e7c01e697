/* SPDX-License-Identifier: MIT */
/* searchsorted, with and without an index, against a plain search. */
/* Tests: searchsorted.cu search_index.cu */
#include "cuda/test/sequence.h"

using namespace test;

static locus_context cx;

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
  making.row_dims = 1;
  making.along = 1;
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
  locus_search_job job = {};
  bool good = true;

  job.grid.numel = m;
  job.grid.ndim = 2;
  job.grid.size[0] = s.rows;
  job.grid.size[1] = s.along;
  job.row_dims = 1;
  job.along = s.along;
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
  job.row_dims = 1;
  job.along = s.along;
  job.n = n;
  job.has_left = true;
  sorted.describe(&job.sequence, &job.sorter, &job.sequence_step, &job.sorter_step, s);
  for (int64_t i = 0; i < s.along; i++)
    values.as<float>()[i] = (float)random_below(n) - (float)n / 2;
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

/* Sizes on both sides of the plan's limits, in the interpreter's small measure. */
static void check_sizes(locus_dtype keys)
{
  for (int64_t n :
       {0, 1, 2, 3, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 256, 257, 700, 1100, 4097})
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
  return finish("searchsorted");
}
