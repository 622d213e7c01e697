/* SPDX-License-Identifier: MIT */
/* Elements further apart than 32 bits can count, in every runner: a few of them, in address space
** that is backed by memory only where they lie. */
/* Tests: copy.cu unary.cu binary.cu compare.cu where.cu find.cu ramp.cu */
/* Tests: reduce.cu scan.cu sort.cu pairs.cu index.cu bincount.cu */
/* Tests: mask.cu nonzero.cu select.cu searchsorted.cu search_index.cu lookup.cu unsorted.cu */
#include <sys/mman.h>

#include "cuda/test/check.h"

using namespace test;

static const int64_t N = 5, STEP = ((int64_t)1 << 32) + 3;
static locus_context cx;

/* N bytes, STEP apart. */
class far
{
public:
  locus_operand operand;

  explicit far(std::vector<int> values, locus_dtype dtype = LOCUS_u8) : operand()
  {
    void *const data = mmap(nullptr, (size_t)(N * STEP), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) abort();
    operand.data = (char *)data;
    operand.dtype = dtype;
    operand.stride[0] = STEP;
    for (int64_t i = 0; i < N; i++) *at(i) = (unsigned char)values[(size_t)i];
  }
  ~far()
  {
    munmap(operand.data, (size_t)(N * STEP));
  }

  unsigned char *at(int64_t i) const
  {
    return (unsigned char *)operand.data + i * STEP;
  }

  void compare(const std::vector<int> &wanted, const std::string &what) const
  {
    for (int64_t i = 0; i < N; i++)
      expect(*at(i) == wanted[(size_t)i],
             what + " far " + text(i) + ": " + text(*at(i)) + ", not " + text(wanted[(size_t)i]));
  }
};

/* Up to N int64 side by side. */
class near
{
public:
  int64_t value[N];
  locus_operand operand;

  explicit near(std::vector<int64_t> values = {0, 0, 0, 0, 0}) : operand()
  {
    for (int64_t i = 0; i < N; i++) value[i] = values[(size_t)i];
    operand.data = (char *)value;
    operand.dtype = LOCUS_i64;
    operand.stride[0] = 1;
  }

  void compare(const std::vector<int64_t> &wanted, const std::string &what) const
  {
    for (size_t i = 0; i < wanted.size(); i++)
      expect(value[i] == wanted[i], what + " near " + text((int64_t)i) + ": " + text(value[i]) +
                                        ", not " + text(wanted[i]));
  }
};

static const locus_grid five = {N, 1, {N}}, one = {1, 1, {1}};
static const std::vector<int> mixed = {3, 1, 0, 5, 2}, nothing = {0, 0, 0, 0, 0},
                              sorted = {0, 1, 2, 3, 5};

static void test_elementwise()
{
  far x(mixed), y({1, 1, 1, 1, 9}), out(nothing), truth(nothing, LOCUS_b8);
  near wide;

  const locus_copy_job move = {five, out.operand, x.operand};
  expect(locus_cuda_copy(&move, &cx) == 0, "copy");
  out.compare(mixed, "copy");
  const locus_copy_job convert = {five, wide.operand, x.operand};
  expect(locus_cuda_copy(&convert, &cx) == 0, "convert");
  wide.compare({3, 1, 0, 5, 2}, "convert");
  const locus_unary_job bnot = {LOCUS_UNARY_bnot, LOCUS_u8, five, out.operand, x.operand};
  expect(locus_cuda_unary(&bnot, &cx) == 0, "unary");
  out.compare({252, 254, 255, 250, 253}, "unary");
  const locus_binary_job add = {LOCUS_BINARY_add, LOCUS_u8,  five,
                                out.operand,      x.operand, y.operand};
  expect(locus_cuda_binary(&add, &cx) == 0, "binary");
  out.compare({4, 2, 1, 6, 11}, "binary");
  const locus_compare_job gt = {LOCUS_COMPARE_gt, {}, five, truth.operand, x.operand, y.operand};
  expect(locus_cuda_compare(&gt, &cx) == 0, "compare");
  truth.compare({1, 0, 0, 1, 0}, "compare");
  const locus_where_job where = {five, out.operand, truth.operand, x.operand, y.operand};
  expect(locus_cuda_where(&where, &cx) == 0, "where");
  out.compare({3, 1, 1, 5, 9}, "where");
  int64_t position = -2;
  const locus_find_job find = {LOCUS_FIND_ZERO, 0, 0, five, x.operand, &position};
  expect(locus_cuda_find(&find, &cx) == 0 && position == 2, "find");
  const locus_ramp_job ramp = {out.operand, N, true, false, 7, 2, 0, 0, 0};
  expect(locus_cuda_ramp(&ramp, &cx) == 0, "ramp");
  out.compare({7, 9, 11, 13, 15}, "ramp");
}

static void test_rows()
{
  far x(mixed), out(nothing);
  near index, sum;
  locus_reduce_job reduce = {};
  locus_sort_job sort = {};

  reduce.op = LOCUS_REDUCE_max;
  reduce.kept = one;
  reduce.reduced = five;
  reduce.in = x.operand;
  reduce.in_reduced[0] = STEP;
  reduce.has_out = reduce.has_index = true;
  reduce.out = out.operand;
  reduce.index = index.operand;
  expect(locus_cuda_reduce(&reduce, &cx) == 0, "max");
  expect(*out.at(0) == 5 && index.value[0] == 3, "max");
  reduce.op = LOCUS_REDUCE_sum;
  reduce.out = sum.operand;
  reduce.has_index = false;
  expect(locus_cuda_reduce(&reduce, &cx) == 0 && sum.value[0] == 11, "sum");
  locus_scan_job cumsum = {};
  cumsum.rows = one;
  cumsum.n = N;
  cumsum.in_step = cumsum.out_step = STEP;
  cumsum.in = x.operand;
  cumsum.out = out.operand;
  expect(locus_cuda_scan(&cumsum, &cx) == 0, "cumsum");
  out.compare({3, 4, 4, 9, 11}, "cumsum");
  sort.rows = one;
  sort.n = N;
  sort.in_step = sort.values_step = STEP;
  sort.index_step = 1;
  sort.has_values = sort.has_index = true;
  sort.in = x.operand;
  sort.values = out.operand;
  sort.index = index.operand;
  expect(locus_cuda_sort(&sort, &cx) == 0, "sort");
  out.compare(sorted, "sort");
  index.compare({2, 1, 4, 0, 3}, "sort");
}

static void test_searches()
{
  far keys(sorted), values({0, 4, 5, 9, 3}), disorder(mixed);
  near left, right, order({2, 1, 4, 0, 3});
  locus_search_job search = {};
  locus_unsorted_job unsorted = {};
  int64_t answer = -2;

  search.grid = five;
  search.along = five.numel;
  search.n = N;
  search.sequence = keys.operand;
  search.sequence.stride[0] = 0;
  search.sequence_step = STEP;
  search.values = values.operand;
  search.has_left = search.has_right = true;
  search.left = left.operand;
  search.right = right.operand;
  expect(locus_cuda_searchsorted(&search, &cx) == 0, "searchsorted");
  left.compare({0, 4, 4, 5, 3}, "left");
  right.compare({1, 4, 5, 5, 4}, "right");
  search.sequence.data = disorder.operand.data;
  search.sorter = order.operand;
  search.sorter.stride[0] = 0;
  search.sorter_step = 1;
  expect(locus_cuda_searchsorted(&search, &cx) == 0, "through a sorter");
  left.compare({0, 4, 4, 5, 3}, "left through a sorter");
  const locus_lookup_job lookup = {keys.operand.data, LOCUS_u8, N, STEP, 4, &answer, false};
  expect(locus_cuda_lookup(&lookup, &cx) == 0 && answer == 4, "lookup");
  unsorted.rows = one;
  unsorted.n = N;
  unsorted.sequence_step = STEP;
  unsorted.sequence = disorder.operand;
  unsorted.position = &answer;
  expect(locus_cuda_unsorted(&unsorted, &cx) == 0 && answer == 1, "unsorted");
}

static void test_bits()
{
  far x(mixed), chosen(nothing), out(nothing);
  uint64_t bits = 0;
  int64_t first[2], count = 0;

  const locus_mask_job mask = {&bits, first, &count, five, x.operand};
  expect(locus_cuda_mask(&mask, &cx) == 0 && bits == 0x1b && count == 4, "mask");
  const locus_count_job counted = {five, x.operand, &count};
  expect(locus_cuda_count_nonzero(&counted, &cx) == 0 && count == 4, "count_nonzero");
  const locus_select_job select = {five, x.operand, &bits, first, chosen.operand.data, STEP};
  expect(locus_cuda_masked_select(&select, &cx) == 0, "masked_select");
  chosen.compare({3, 1, 5, 2, 0}, "masked_select");
  locus_select_job scatter = select;
  scatter.array = out.operand;
  expect(locus_cuda_masked_scatter(&scatter, &cx) == 0, "masked_scatter");
  out.compare(mixed, "masked_scatter");
  locus_nonzero_job nonzero = {};
  nonzero.shape.ndim = 1;
  nonzero.shape.size[0] = nonzero.numel = N;
  nonzero.bits = &bits;
  nonzero.first = first;
  nonzero.out = (int64_t *)(out.operand.data + (8 - (uintptr_t)out.operand.data % 8) % 8);
  nonzero.row_stride = STEP / 8;
  nonzero.limit = 4;
  expect(locus_cuda_nonzero(&nonzero, &cx) == 0, "nonzero");
  for (int64_t i = 0; i < 4; i++)
    expect(nonzero.out[i * (STEP / 8)] == i + (i > 1), "nonzero " + text(i));
}

static void test_indices()
{
  far array(mixed), elements(nothing);
  near at({4, -1, 0, 3, 1}), counts;
  locus_index_job job = {};

  job.op = LOCUS_BINARIES; /* none: the last point wins */
  job.grid = five;
  job.elements = elements.operand;
  job.array = array.operand;
  job.array.stride[0] = 0;
  job.indices = 1;
  job.index[0].at = at.operand;
  job.index[0].size = N;
  job.index[0].step = STEP;
  expect(locus_cuda_gather(&job, &cx) == 0, "gather");
  elements.compare({2, 2, 3, 5, 1}, "gather");
  for (int64_t i = 0; i < N; i++) *elements.at(i) = (unsigned char)(10 + i);
  expect(locus_cuda_scatter(&job, &cx) == 0, "scatter");
  array.compare({12, 14, 0, 13, 11}, "scatter");
  locus_bincount_job bincount = {};
  far small({1, 1, 0, 3, 1});
  bincount.grid = five;
  bincount.in = small.operand;
  bincount.out = (char *)counts.value;
  expect(locus_cuda_bincount(&bincount, &cx) == 0, "bincount");
  counts.compare({1, 3, 0, 1, 0}, "bincount");
}

int main()
{
  test_elementwise();
  test_rows();
  test_searches();
  test_bits();
  test_indices();
  return finish("far");
}
