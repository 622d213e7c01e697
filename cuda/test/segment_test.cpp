/* SPDX-License-Identifier: MIT */
/* segment and segment_runs against plain loops over the rows of each group. */
/* Tests: segment.cu segment_runs.cu pairs.cu */
#include "cuda/test/tensor.h"

using namespace test;

typedef std::vector<number> rows;

static double value_of(const number &x)
{
  return x.kind <= LOCUS_INTEGER ? (double)x.i : x.re;
}

static bool nonzero(const number &x)
{
  return x.kind <= LOCUS_INTEGER ? x.i != 0 : x.re != 0;
}

static number sum_of(const rows &group, locus_dtype dtype)
{
  uint64_t sum = 0;
  double reals = 0;

  for (const number &x : group) {
    sum += (uint64_t)x.i;
    reals += value_of(x);
  }
  return kind_of(dtype) <= LOCUS_INTEGER ? whole((int64_t)sum) : real(reals);
}

static number product_of(const rows &group, locus_dtype dtype)
{
  uint64_t product = 1;
  double reals = 1;

  for (const number &x : group) {
    product *= (uint64_t)x.i;
    reals *= value_of(x);
  }
  return kind_of(dtype) <= LOCUS_INTEGER ? whole((int64_t)product) : real(reals);
}

static double mean_of(const rows &group)
{
  double sum = 0;

  for (const number &x : group) sum += value_of(x);
  return sum / (double)group.size();
}

static double variance_of(const rows &group)
{
  const double mean = mean_of(group);
  double sum = 0;

  if (group.size() < 2) return NAN;
  for (const number &x : group) sum += (value_of(x) - mean) * (value_of(x) - mean);
  return sum / (double)(group.size() - 1);
}

/* The first that no other one is less, or greater, than; NaN is both. */
static number extreme_of(const rows &group, bool least)
{
  number best = group[0];

  for (const number &x : group) {
    if (best.re != best.re) break;
    const bool before = x.kind <= LOCUS_INTEGER ? (least ? x.i < best.i : x.i > best.i)
                                                : (least ? x.re < best.re : x.re > best.re);
    if (before || x.re != x.re) best = x;
  }
  return best;
}

static number answer_of(locus_segment how, const rows &group, locus_dtype dtype)
{
  int64_t truths = 0;

  for (const number &x : group) truths += nonzero(x);
  switch (how) {
  case LOCUS_SEGMENT_sum: return sum_of(group, dtype);
  case LOCUS_SEGMENT_prod: return product_of(group, dtype);
  case LOCUS_SEGMENT_min: return extreme_of(group, true);
  case LOCUS_SEGMENT_max: return extreme_of(group, false);
  case LOCUS_SEGMENT_mean: return real(mean_of(group));
  case LOCUS_SEGMENT_std: return real(sqrt(variance_of(group)));
  case LOCUS_SEGMENT_var: return real(variance_of(group));
  case LOCUS_SEGMENT_first: return group.front();
  case LOCUS_SEGMENT_last: return group.back();
  case LOCUS_SEGMENT_any: return whole(truths > 0);
  case LOCUS_SEGMENT_all: return whole(truths == (int64_t)group.size());
  case LOCUS_SEGMENT_count: return whole((int64_t)group.size());
  case LOCUS_SEGMENTS: break;
  }
  return whole(0);
}

static bool takes_element(locus_segment how)
{
  return how == LOCUS_SEGMENT_min || how == LOCUS_SEGMENT_max || how == LOCUS_SEGMENT_first ||
         how == LOCUS_SEGMENT_last;
}

static locus_dtype answer_dtype(locus_segment how, locus_dtype dtype)
{
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER;

  switch (how) {
  case LOCUS_SEGMENT_any:
  case LOCUS_SEGMENT_all: return LOCUS_b8;
  case LOCUS_SEGMENT_count: return LOCUS_i64;
  case LOCUS_SEGMENT_sum:
  case LOCUS_SEGMENT_prod: return is_whole ? LOCUS_i64 : dtype;
  case LOCUS_SEGMENT_mean:
  case LOCUS_SEGMENT_std:
  case LOCUS_SEGMENT_var: return is_whole ? LOCUS_f32 : dtype;
  case LOCUS_SEGMENT_min:
  case LOCUS_SEGMENT_max:
  case LOCUS_SEGMENT_first:
  case LOCUS_SEGMENT_last:
  case LOCUS_SEGMENTS: break;
  }
  return dtype;
}

/* Elements added in another order have other last bits. */
static number random_row(locus_dtype dtype)
{
  if (kind_of(dtype) <= LOCUS_INTEGER) return random_number(dtype);
  if (random_below(200) == 0) return real(random_below(2) ? NAN : INFINITY);
  return real(random_below(9) == 0 ? random_below(2) ? 0.0 : -0.0
                                   : (double)random_below(100) / 3 - 10);
}

/* Ids of all groups except the empty one; half of the rows are in one group. The same job counts
** the rows. */
static void segment_case(locus_dtype dtype, locus_segment how, int64_t n, int64_t groups,
                         int64_t empty, int layouts)
{
  const locus_grid over = grid_of({n}), kept = grid_of({groups});
  const std::string what = "segment " + text(how) + " of " + text(n) + " in " + text(groups);
  locus_context cx = context();
  tensor in(dtype, over, (layout)(layouts % ONE));
  tensor ids(layouts % 2 ? LOCUS_i32 : LOCUS_i64, over, (layout)((layouts + 1) % ONE));
  tensor out(answer_dtype(how, dtype), kept, (layout)((layouts + 2) % ONE));
  tensor counts(LOCUS_i64, kept, SIDE_BY_SIDE);
  std::vector<rows> lists((size_t)groups);
  locus_segment_job job = {};
  int64_t found = -2;

  for (int64_t i = 0; i < n; i++) {
    int64_t g = i < groups ? i : random_below(2) ? groups / 2 : random_below(groups);
    if (g == empty) g = (g + 1) % groups;
    in.set(i, random_row(dtype));
    ids.set(i, whole(g + 1));
    lists[(size_t)g].push_back(in.value(i));
  }
  int64_t first = 0;
  while (first < groups && !lists[(size_t)first].empty()) first++;
  const locus_segment_answer answers[] = {{LOCUS_SEGMENT_count, in.sent(), counts.sent(), false},
                                          {how, in.sent(), out.sent(), false}};
  job.rows = over;
  job.groups = kept;
  job.ids = ids.sent();
  job.count = 2;
  job.answers = answers;
  job.base = 1;
  job.empty = takes_element(how) ? &found : nullptr;
  expect(locus_cuda_segment(&job, &cx) == 0, what);

  const bool refused = takes_element(how) && first < groups;
  std::vector<unsigned char> wanted = out.bytes, counted = counts.bytes;
  for (int64_t g = 0; g < groups && !refused; g++) {
    const rows &list = lists[(size_t)g];
    put(out.dtype, &wanted[(size_t)out.place(g)], answer_of(how, list, dtype));
    put(counts.dtype, &counted[(size_t)counts.place(g)],
        answer_of(LOCUS_SEGMENT_count, list, dtype));
  }
  if (takes_element(how)) expect(found == (refused ? first : -1), what + ", empty");
  out.compare(wanted, what.c_str());
  counts.compare(counted, (what + ", counts").c_str());
}

/* The answers of min and max for nothing. */
static number none(locus_segment how, locus_dtype dtype)
{
  const locus_range range = locus_dtype_range(dtype);
  const bool least = how == LOCUS_SEGMENT_min;

  if (kind_of(dtype) <= LOCUS_INTEGER) return whole(least ? range.high : range.low);
  return real(least ? INFINITY : -INFINITY);
}

/* Segments of up to `longest` elements, each of `inner` values; a gap before the first one. */
static void runs_case(locus_dtype dtype, locus_segment how, int64_t segments, int64_t longest,
                      int64_t inner)
{
  const std::string what = "segment_runs " + text(how) + " of " + text(segments) + " to " +
                           text(longest) + " by " + text(inner);
  const bool extreme = how == LOCUS_SEGMENT_min || how == LOCUS_SEGMENT_max;
  const bool is_whole = kind_of(dtype) <= LOCUS_INTEGER && how != LOCUS_SEGMENT_mean;
  locus_context cx = context();
  tensor starts(LOCUS_i64, grid_of({segments + 1}), SIDE_BY_SIDE);
  int64_t end = 3;

  for (int64_t s = 0; s <= segments; s++) {
    starts.set(s, whole(end));
    end += random_below(longest + 1);
  }
  tensor in(dtype, grid_of({end * inner}), SIDE_BY_SIDE);
  tensor out(extreme    ? dtype
             : is_whole ? LOCUS_i64
                        : LOCUS_f64,
             grid_of({segments * inner}), SIDE_BY_SIDE);
  for (int64_t i = 0; i < end * inner; i++) in.set(i, random_row(dtype));
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t a = 0; a < segments * inner; a++) {
    rows list;
    for (int64_t k = starts.value(a / inner).i; k < starts.value(a / inner + 1).i; k++)
      list.push_back(in.value(k * inner + a % inner));
    put(out.dtype, &wanted[(size_t)out.place(a)],
        extreme && list.empty() ? none(how, dtype) : answer_of(how, list, dtype));
  }
  const int64_t *from = (const int64_t *)starts.sent().data;
  const locus_segment_runs_job job = {how,   segments,       inner,          from,
                                      dtype, in.sent().data, out.sent().data};
  expect(locus_cuda_segment_runs(&job, &cx) == 0, what);
  out.compare(wanted, what.c_str());
}

static void test_runs()
{
  static const locus_segment hows[] = {LOCUS_SEGMENT_sum, LOCUS_SEGMENT_prod, LOCUS_SEGMENT_mean,
                                       LOCUS_SEGMENT_min, LOCUS_SEGMENT_max};
  static const int64_t cases[][3] = {{0, 9, 1},  {1, 0, 1},  {1, 200, 1}, {70, 3, 1},
                                     {9, 70, 1}, {5, 40, 3}, {4, 5, 33},  {3, 4, 0}};

  for (int d = 0; d < LOCUS_c64; d++)
    for (const locus_segment how : hows)
      for (const auto &c : cases) runs_case((locus_dtype)d, how, c[0], c[1], c[2]);
}

int main()
{
  /* Groups of up to 16 rows are short; from 3000 rows or groups on the emulator has wide keys. */
  static const int64_t cases[][3] = {{0, 0, -1},  {0, 3, -1},   {1, 1, -1},     {16, 1, -1},
                                     {17, 1, -1}, {64, 1, -1},  {70, 3, 1},     {33, 40, -1},
                                     {400, 9, 0}, {400, 9, -1}, {3100, 40, -1}, {3200, 3050, -1}};
  int layouts = 0;

  for (int d = 0; d < LOCUS_c64; d++)
    for (int how = 0; how < LOCUS_SEGMENTS; how++)
      for (const auto &c : cases) {
        if (c[0] > 3000 && (d + how) % 3 > 0) continue;
        segment_case((locus_dtype)d, (locus_segment)how, c[0], c[1], c[2], layouts++);
      }
  test_runs();
  return finish("segment");
}
