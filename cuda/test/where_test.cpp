/* SPDX-License-Identifier: MIT */
/* Tests: where.cu */
#include "cuda/include/block/element.h"
#include "cuda/test/check.h"

using namespace test;

static locus_context cx;

typedef std::vector<int64_t> strides;

/* An operand: a tensor seen through strides, or a value; misaligned by `lead` elements. */
struct side {
  locus_dtype dtype;
  strides stride; /* empty: a value */
  int64_t lead;
};

static int64_t extent_of(const strides &size, const strides &stride)
{
  int64_t last = 0;
  for (size_t d = 0; d < stride.size(); d++) last += (size[d] - 1) * stride[d];
  return last + 1;
}

static int64_t place_of(const strides &size, const strides &stride, int64_t number)
{
  int64_t at = 0;
  for (int d = (int)stride.size() - 1; d >= 0; d--) {
    at += number % size[d] * stride[d];
    number /= size[d];
  }
  return at;
}

static void describe(locus_operand *operand, const side &s, memory *m)
{
  *operand = locus_operand();
  operand->dtype = s.dtype;
  if (s.stride.empty()) memcpy(operand->value.bytes, m->data, (size_t)locus_dtype_size(s.dtype));
  else operand->data = m->data;
  for (size_t d = 0; d < s.stride.size(); d++) operand->stride[d] = s.stride[d];
}

/* One element of `from` as `to`: the same bytes, or converted. */
static void convert(char *out, locus_dtype to, const char *in, locus_dtype from)
{
  if (to == from) {
    memcpy(out, in, (size_t)locus_dtype_size(to));
    return;
  }
  locus::by_dtype(from, [&](auto source) {
    locus::by_dtype(to, [&](auto target) {
      typename decltype(source)::stored x;
      memcpy(&x, in, sizeof x);
      typedef decltype(target) T;
      const typename T::stored y = T::store(decltype(source)::load(x));
      memcpy(out, &y, sizeof y);
    });
  });
}

/* Whole numbers that every dtype can hold, where dtypes differ; else any bits. */
static void fill(memory *m, locus_dtype dtype, bool small)
{
  const int64_t item = locus_dtype_size(dtype);

  for (int64_t i = 0; small && i < m->bytes / item; i++)
    locus::by_dtype(dtype, [&](auto e) {
      const typename decltype(e)::stored x = decltype(e)::store(random_below(100));
      memcpy(m->data + i * item, &x, sizeof x);
    });
}

static std::string name_of(const strides &size, const side &out, const side &x, const side &y)
{
  std::string name = std::string(locus_dtype_name(out.dtype)) + " = " + locus_dtype_name(x.dtype) +
                     (x.stride.empty() ? " value" : "") + ", " + locus_dtype_name(y.dtype) +
                     (y.stride.empty() ? " value" : "");
  for (int64_t s : size) name += " " + text(s);
  return name + " leads " + text(out.lead) + text(x.lead) + text(y.lead);
}

static void check_where(const strides &size, const side &out, const side &condition, const side &x,
                        const side &y)
{
  const std::string what = name_of(size, out, x, y);
  const int64_t item = locus_dtype_size(out.dtype);
  const bool small = x.dtype != out.dtype || y.dtype != out.dtype;
  memory c(extent_of(size, condition.stride), 1, condition.lead);
  memory a(extent_of(size, x.stride), locus_dtype_size(x.dtype), x.lead);
  memory b(extent_of(size, y.stride), locus_dtype_size(y.dtype), y.lead);
  memory z(extent_of(size, out.stride), item, out.lead);
  std::vector<char> want(z.data, z.data + z.bytes);
  locus_where_job job = {};

  for (int64_t i = 0; i < c.bytes; i++) c.data[i] = (char)(random_below(2) ? random_below(256) : 0);
  fill(&a, x.dtype, small);
  fill(&b, y.dtype, small);
  job.grid.numel = 1;
  job.grid.ndim = (int32_t)size.size();
  for (size_t d = 0; d < size.size(); d++) {
    job.grid.size[d] = size[d];
    job.grid.numel *= size[d];
  }
  describe(&job.out, out, &z);
  describe(&job.condition, condition, &c);
  describe(&job.x, x, &a);
  describe(&job.y, y, &b);
  for (int64_t i = 0; i < job.grid.numel; i++) {
    const bool from_x = c.data[place_of(size, condition.stride, i)];
    const side &s = from_x ? x : y;
    const char *from = (from_x ? a : b).data;
    convert(&want[(size_t)(place_of(size, out.stride, i) * item)], out.dtype,
            from + place_of(size, s.stride, i) * locus_dtype_size(s.dtype), s.dtype);
  }
  expect(locus_cuda_where(&job, &cx) == 0, what);
  expect(same_bytes(want.data(), z.data, z.bytes), what);
}

/* One row, operands of every kind. */
static void check_flat(locus_dtype d, int64_t n)
{
  for (int kinds = 0; kinds < 16; kinds++) {
    const strides one = {1}, none = {0}, value = {};
    const strides &x = kinds & 1 ? one : kinds & 4 ? none : value;
    const strides &y = kinds & 2 ? one : kinds & 8 ? none : value;
    const int64_t lead = random_below(2);
    check_where({n}, {d, one, lead}, {LOCUS_b8, one, lead}, {d, x, lead}, {d, y, lead});
  }
  check_where({n}, {d, {1}, 0}, {LOCUS_b8, {1}, 1}, {d, {1}, 0}, {d, {1}, 0});
  check_where({n}, {d, {1}, 0}, {LOCUS_b8, {0}, 0}, {d, {1}, 0}, {d, {1}, 0});
  check_where({n}, {d, {2}, 0}, {LOCUS_b8, {1}, 0}, {d, {3}, 0}, {d, {1}, 0});
}

/* Rows that broadcast, and dimensions that only single elements can follow. */
static void check_strided(locus_dtype d, int64_t n)
{
  const int64_t lead = random_below(2);

  check_where({5, 3, n}, {d, {3 * n, n, 1}, lead}, {LOCUS_b8, {3, 1, 0}, 0}, {d, {n, 5 * n, 1}, 0},
              {d, {0, 0, 1}, lead});
  check_where({4, n}, {d, {n + 3, 1}, 0}, {LOCUS_b8, {0, 1}, 0}, {d, {1, 0}, 0}, {d, {}, 0});
  check_where({4, n}, {d, {n, 1}, 0}, {LOCUS_b8, {n, 1}, 0}, {d, {1, 4}, 0}, {d, {n, 1}, 0});
  check_where({n, 4}, {d, {1, n}, 0}, {LOCUS_b8, {4, 1}, 0}, {d, {0, 0}, 0}, {d, {}, 0});
}

int main()
{
  for (int dtype = 0; dtype < LOCUS_DTYPES; dtype++) {
    const locus_dtype d = (locus_dtype)dtype;
    for (int64_t n : {1, 7, 8, 9, 16, 63, 64, 65, 500, 1024, 3001}) check_flat(d, n);
    for (int64_t n : {2, 7, 8, 31, 32, 70, 600}) check_strided(d, n);
    for (int other = 0; other < LOCUS_DTYPES; other++) {
      const locus_dtype o = (locus_dtype)other;
      check_where({3, 50}, {d, {50, 1}, 0}, {LOCUS_b8, {50, 1}, 0}, {o, {50, 1}, 0},
                  {d, {1, 3}, 0});
      check_where({90}, {d, {1}, 0}, {LOCUS_b8, {1}, 0}, {d, {}, 0}, {o, {1}, 1});
    }
  }
  check_where({0}, {LOCUS_f32, {1}, 0}, {LOCUS_b8, {1}, 0}, {LOCUS_f32, {1}, 0},
              {LOCUS_f32, {}, 0});
  return finish("where");
}
