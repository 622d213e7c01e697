/* SPDX-License-Identifier: MIT */
/* Tests: mask.cu nonzero.cu select.cu runs.cu */
#include "cuda/include/block/element.h"
#include "cuda/test/check.h"

using namespace test;

static locus_context cx;

/* A tensor of random elements, as jobs see it: sizes and strides in elements. */
struct grid_case {
  std::vector<int64_t> size, stride;
  int64_t lead; /* elements before the first, so that it is misaligned */
};

static int64_t numel_of(const std::vector<int64_t> &size)
{
  int64_t n = 1;
  for (int64_t s : size) n *= s;
  return n;
}

/* Where the element of that number lies. */
static int64_t place_of(const grid_case &g, int64_t number)
{
  int64_t at = 0;
  for (int d = (int)g.size.size() - 1; d >= 0; d--) {
    at += number % g.size[d] * g.stride[d];
    number /= g.size[d];
  }
  return at;
}

static int64_t extent_of(const grid_case &g)
{
  int64_t last = 0;
  for (size_t d = 0; d < g.size.size(); d++) {
    if (g.size[d] == 0) return 0;
    last += (g.size[d] - 1) * g.stride[d];
  }
  return last + 1;
}

/* Whether elements share a place. */
static bool repeats(const grid_case &g)
{
  for (size_t d = 0; d < g.size.size(); d++)
    if (g.stride[d] == 0 && g.size[d] > 1) return true;
  return false;
}

static void fill_grid(locus_grid *grid, locus_operand *operand, const grid_case &g,
                      locus_dtype dtype, char *data)
{
  grid->numel = numel_of(g.size);
  grid->ndim = (int32_t)g.size.size();
  operand->data = data;
  operand->dtype = dtype;
  for (size_t d = 0; d < g.size.size(); d++) {
    grid->size[d] = g.size[d];
    operand->stride[d] = g.stride[d];
  }
}

/* Zero, minus zero, or something else: NaN and the least bit among it. */
static void fill_elements(memory *m, locus_dtype dtype, double density)
{
  const int64_t item = locus_dtype_size(dtype), n = m->bytes / item;
  const bool floats = locus_dtype_kind(dtype) >= LOCUS_FLOAT;
  const int64_t part = locus_dtype_kind(dtype) == LOCUS_COMPLEX ? item / 2 : item;

  for (int64_t i = 0; i < n; i++) {
    char *x = m->data + i * item;
    const bool set = (double)random_below(1000) < density * 1000;
    if (set && random_below(4)) continue; /* random bits */
    memset(x, 0, (size_t)item);
    if (set) x[random_below(item / part) * part] = 1;
    if (floats && random_below(2)) x[item - 1] |= (char)0x80;
  }
}

/* Nonzero in the plainest words. */
static bool is_set(locus_dtype dtype, const char *x)
{
  double re = 0, im = 0;
  float f[2];
  double d[2];
  uint16_t half;

  switch (dtype) {
  case LOCUS_f32: memcpy(f, x, 4); return f[0] != 0;
  case LOCUS_f64: memcpy(d, x, 8); return d[0] != 0;
  case LOCUS_c64: memcpy(f, x, 8), re = f[0], im = f[1]; return re != 0 || im != 0;
  case LOCUS_c128: memcpy(d, x, 16); return d[0] != 0 || d[1] != 0;
  case LOCUS_f16:
  case LOCUS_bf16: memcpy(&half, x, 2); return half != 0 && half != 0x8000;
  case LOCUS_b8:
  case LOCUS_u8:
  case LOCUS_i8:
  case LOCUS_i16:
  case LOCUS_i32:
  case LOCUS_i64:
  case LOCUS_DTYPES: break;
  }
  for (int64_t i = 0; i < locus_dtype_size(dtype); i++)
    if (x[i]) return true;
  return false;
}

/* The results of a mask job, in memory of its own. */
struct mask_result {
  int64_t numel, words, chunks, count;
  memory bits, first;

  explicit mask_result(int64_t n)
      : numel(n), words((n + 63) / 64), chunks((n + LOCUS_CHUNK - 1) / LOCUS_CHUNK), count(-1),
        bits(words, 8), first(chunks + 1, 8)
  {
  }
};

static void check_mask(const mask_result &r, const std::vector<int64_t> &set,
                       const std::string &what)
{
  std::vector<uint64_t> bits((size_t)r.words);
  std::vector<int64_t> first((size_t)r.chunks + 1);

  for (int64_t i : set) {
    bits[(size_t)i / 64] |= (uint64_t)1 << i % 64;
    first[(size_t)(i / LOCUS_CHUNK) + 1]++;
  }
  for (int64_t c = 0; c < r.chunks; c++) first[c + 1] += first[c];
  expect(r.count == (int64_t)set.size(), what + " count " + text(r.count));
  expect(same_bytes(bits.data(), r.bits.data, r.bits.bytes), what + " bits");
  expect(same_bytes(first.data(), r.first.data, r.first.bytes), what + " first");
}

/* The coordinates of the set bits in a shape, through either layout, up to a limit. */
static void check_rows(const mask_result &r, const std::vector<int64_t> &set,
                       const std::vector<int64_t> &shape, bool columns, int64_t limit, int64_t base,
                       const std::string &what)
{
  const int64_t dims = (int64_t)shape.size(), rows = limit;
  memory out(rows * dims, 8);
  std::vector<int64_t> before(out.as<int64_t>(), out.as<int64_t>() + rows * dims);
  locus_nonzero_job job = {};
  bool right = true;

  job.shape.ndim = (int32_t)dims;
  for (int64_t d = 0; d < dims; d++) job.shape.size[d] = shape[d];
  job.numel = r.numel;
  job.bits = (const uint64_t *)r.bits.data;
  job.first = (const int64_t *)r.first.data;
  job.out = out.as<int64_t>();
  job.row_stride = columns ? 1 : dims;
  job.dim_stride = columns ? rows : 1;
  job.limit = limit;
  job.base = base;
  expect(locus_cuda_nonzero(&job, &cx) == 0, what);
  for (int64_t i = 0; i < rows; i++) {
    const bool given = i < (int64_t)set.size();
    int64_t number = given ? set[i] : 0;
    for (int64_t d = dims - 1; d >= 0; d--) {
      const int64_t at = i * job.row_stride + d * job.dim_stride;
      right &= job.out[at] == (given ? number % shape[d] + base : before[at]);
      number = given ? number / shape[d] : 0;
    }
  }
  expect(right, what + " rows, limit " + text(limit) + " columns " + text(columns));
}

/* masked_select and masked_scatter: from an array to elements and back. */
static void check_select(const mask_result &r, const std::vector<int64_t> &set, const grid_case &g,
                         locus_dtype dtype, int64_t step, const std::string &what)
{
  const int64_t item = locus_dtype_size(dtype), n = (int64_t)set.size();
  memory array(extent_of(g), item, g.lead), elements(n * step, item);
  std::vector<char> before(array.data, array.data + array.bytes);
  locus_select_job job = {};

  fill_grid(&job.grid, &job.array, g, dtype, array.data);
  job.bits = (const uint64_t *)r.bits.data;
  job.first = (const int64_t *)r.first.data;
  job.elements = elements.data;
  job.step = step;
  std::vector<char> expected(elements.data, elements.data + elements.bytes);
  for (int64_t i = 0; i < n; i++)
    memcpy(&expected[i * step * item], array.data + place_of(g, set[i]) * item, item);
  expect(locus_cuda_masked_select(&job, &cx) == 0, what);
  expect(same_bytes(expected.data(), elements.data, elements.bytes), what + " select");

  if (repeats(g)) return;
  randomize(elements.data, (size_t)elements.bytes);
  expect(locus_cuda_masked_scatter(&job, &cx) == 0, what);
  for (int64_t i = 0; i < n; i++)
    memcpy(&before[place_of(g, set[i]) * item], elements.data + i * step * item, item);
  expect(same_bytes(before.data(), array.data, array.bytes), what + " scatter");
}

/* Two sizes whose product is n. */
static std::vector<int64_t> two_sizes(int64_t n)
{
  for (int64_t d : {7, 5, 3, 2})
    if (n % d == 0) return {n / d, d};
  return {1, n};
}

static void check_case(const grid_case &g, locus_dtype dtype, double density)
{
  const std::string what = std::string(locus_dtype_name(dtype)) + " n=" + text(numel_of(g.size)) +
                           " dims=" + text((int64_t)g.size.size()) + " lead=" + text(g.lead);
  const int64_t item = locus_dtype_size(dtype), n = numel_of(g.size);
  memory in(extent_of(g), item, g.lead);
  mask_result r(n);
  std::vector<int64_t> set;
  locus_mask_job job = {};
  locus_count_job count = {};
  int64_t counted = -1;

  fill_elements(&in, dtype, density);
  fill_grid(&job.grid, &job.in, g, dtype, in.data);
  job.bits = r.bits.as<uint64_t>();
  job.first = r.first.as<int64_t>();
  job.count = &r.count;
  for (int64_t i = 0; i < n; i++)
    if (is_set(dtype, in.data + place_of(g, i) * item)) set.push_back(i);
  expect(locus_cuda_mask(&job, &cx) == 0, what);
  check_mask(r, set, what);
  if (n > 1000000) return;
  count.grid = job.grid;
  count.in = job.in;
  count.count = &counted;
  expect(locus_cuda_count_nonzero(&count, &cx) == 0, what);
  expect(counted == (int64_t)set.size(), what + " counted " + text(counted));

  const int64_t z = (int64_t)set.size();
  check_rows(r, set, {n}, true, z, 1, what);
  check_rows(r, set, two_sizes(n), false, z, 0, what);
  check_rows(r, set, g.size, true, z + 3, 1, what);
  check_rows(r, set, two_sizes(n), true, z / 2, 1, what);
  check_rows(r, set, {}, false, z, 1, what);
  check_select(r, set, g, dtype, 1 + (int64_t)g.size.size() % 2, what);
}

/* Equal in the plainest words: NaN and NaN, -0 and 0, true and true. */
static bool equal_numbers(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

template <class T> static bool equal_parts(const char *a, const char *b, int parts)
{
  T x[2], y[2];

  memcpy(x, a, sizeof(T) * parts);
  memcpy(y, b, sizeof(T) * parts);
  for (int p = 0; p < parts; p++)
    if (!equal_numbers(x[p], y[p])) return false;
  return true;
}

static float load_half(locus_dtype dtype, const char *x)
{
  uint16_t bits;

  memcpy(&bits, x, sizeof bits);
  return dtype == LOCUS_f16 ? locus_load_f16(bits) : locus_load_bf16(bits);
}

static bool equal(locus_dtype dtype, const char *a, const char *b)
{
  switch (dtype) {
  case LOCUS_f32: return equal_parts<float>(a, b, 1);
  case LOCUS_f64: return equal_parts<double>(a, b, 1);
  case LOCUS_c64: return equal_parts<float>(a, b, 2);
  case LOCUS_c128: return equal_parts<double>(a, b, 2);
  case LOCUS_f16:
  case LOCUS_bf16: return equal_numbers(load_half(dtype, a), load_half(dtype, b));
  case LOCUS_b8: return (*a != 0) == (*b != 0);
  case LOCUS_u8:
  case LOCUS_i8:
  case LOCUS_i16:
  case LOCUS_i32:
  case LOCUS_i64:
  case LOCUS_DTYPES: break;
  }
  return memcmp(a, b, (size_t)locus_dtype_size(dtype)) == 0;
}

/* An element like the one before it, its sign turned or its lowest bit, NaN, or zeros. */
static void fill_next(locus_dtype dtype, char *x)
{
  const int64_t item = locus_dtype_size(dtype);

  memcpy(x, x - item, (size_t)item);
  switch (random_below(8)) {
  case 0: memset(x, 0, (size_t)item); break;
  case 1: memset(x, 0xff, (size_t)item); break;
  case 2: x[item - 1] ^= (char)0x80; break;
  case 3: x[0] ^= 1; break;
  case 4: randomize(x, (size_t)item); break;
  default: break;
  }
}

/* The answers made of the bits, with those set. */
static void check_runs(const mask_result &r, const std::vector<int64_t> &set, locus_dtype dtype,
                       const memory &in, const std::string &what)
{
  const int64_t item = locus_dtype_size(dtype), count = (int64_t)set.size(), base = random_below(2);
  memory begins(count, 8), lengths(count, 8), numbers(r.numel, 8), values(count, item);
  locus_runs_job job = {};
  int64_t k = -1;
  bool right = true;

  job.n = r.numel;
  job.count = count;
  job.elements = in.data;
  job.dtype = dtype;
  job.bits = (const uint64_t *)r.bits.data;
  job.first = (const int64_t *)r.first.data;
  job.begins = begins.as<int64_t>();
  job.lengths = lengths.as<int64_t>();
  job.numbers = numbers.as<int64_t>();
  job.values = values.data;
  job.base = base;
  expect(locus_cuda_runs(&job, &cx) == 0, what);
  for (int64_t i = 0; i < r.numel; i++) {
    k += k + 1 < count && set[(size_t)k + 1] == i;
    right &= job.numbers[i] == k + base;
  }
  for (k = 0; k < count; k++) {
    const int64_t begin = set[(size_t)k], end = k + 1 < count ? set[(size_t)k + 1] : r.numel;
    right &= job.begins[k] == begin + base && job.lengths[k] == end - begin;
    right &= same_bytes(values.data + k * item, in.data + begin * item, item);
  }
  expect(right, what + " runs");
}

static void starts_case(locus_dtype dtype, int64_t n, int64_t lead)
{
  const std::string what = std::string(locus_dtype_name(dtype)) + " starts n=" + text(n);
  const int64_t item = locus_dtype_size(dtype);
  memory in(n, item, lead);
  mask_result r(n);
  std::vector<int64_t> set;
  locus_mask_job job = {};

  for (int64_t i = 1; i < n; i++) fill_next(dtype, in.data + i * item);
  fill_grid(&job.grid, &job.in, {{n}, {1}, lead}, dtype, in.data);
  job.bits = r.bits.as<uint64_t>();
  job.first = r.first.as<int64_t>();
  job.count = &r.count;
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || !equal(dtype, in.data + (i - 1) * item, in.data + i * item)) set.push_back(i);
  expect(locus_cuda_starts(&job, &cx) == 0, what);
  check_mask(r, set, what);
  check_runs(r, set, dtype, in, what);
}

int main()
{
  for (int dtype = 0; dtype < LOCUS_DTYPES; dtype++)
    for (int64_t n : {0, 1, 2, 32, 65, 2049, 20000, 65537})
      starts_case((locus_dtype)dtype, n, n % 2);
  for (int dtype = 0; dtype < LOCUS_DTYPES; dtype++) {
    const locus_dtype d = (locus_dtype)dtype;
    for (int64_t n : {0, 1, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049, 5000})
      for (int64_t lead : {0, 1}) check_case({{n}, {1}, lead}, d, n % 2 ? 0.04 : 0.6);
    for (int64_t n : {4095, 4097, 16385}) check_case({{n}, {1}, 0}, d, 0.5);
    check_case({{300, 21}, {1, 300}, 0}, d, 0.5);
    check_case({{60, 7, 11}, {160, 22, 2}, 1}, d, 0.3);
    check_case({{9, 400}, {0, 1}, 0}, d, 0.5);
    check_case({{4500, 2}, {1, 0}, 0}, d, 0.1);
    check_case({{3, 1, 2, 5}, {10, 1, 5, 1}, 0}, d, 0.5);
  }
  for (double density : {0.0, 1.0})
    for (int64_t n : {64, 4097, 20000}) check_case({{n}, {1}, 0}, LOCUS_u8, density);
  check_case({{2, 5000}, {5000, 1}, 0}, LOCUS_u8, 1.0);
  for (int64_t n : {65535, 65536, 65537, 140001}) {
    check_case({{n}, {1}, 0}, LOCUS_b8, 0.1);
    check_case({{n}, {1}, 1}, LOCUS_f32, 0.5);
    check_case({{n}, {1}, 0}, LOCUS_f64, 0.9);
  }
  check_case({{3, 70000}, {70000, 1}, 0}, LOCUS_i16, 0.02);
  check_case({{8500000}, {1}, 0}, LOCUS_b8, 0.5);
  return finish("nonzero");
}
