/* SPDX-License-Identifier: MIT */
/* kth against a plain stable sort of each segment. */
/* Tests: kth.cu pairs.cu */
#include <algorithm>
#include <numeric>

#include "cuda/test/tensor.h"

using namespace test;

typedef std::vector<int64_t> list;

/* In the one order: NaN last, -0 beside 0. */
static bool before(const number &a, const number &b)
{
  if (a.kind <= LOCUS_INTEGER) return a.i < b.i;
  if (a.re != a.re) return false;
  return b.re != b.re || a.re < b.re;
}

/* An integer dtype as wide as this one, by which elements are compared bit for bit. */
static locus_dtype bits_of(locus_dtype dtype)
{
  static const locus_dtype wide[] = {LOCUS_u8, LOCUS_u8, LOCUS_i16, LOCUS_i16, LOCUS_i32};
  const int64_t size = size_of(dtype);
  return size == 8 ? LOCUS_i64 : wide[size];
}

static void put_bits(locus_dtype dtype, unsigned char *at, uint64_t bits)
{
  memcpy(at, &bits, (size_t)size_of(dtype)); /* the lowest bytes come first */
}

/* NaN of other bits than conversion makes: the greatest and the least, of either sign. */
static void put_nan(locus_dtype dtype, unsigned char *at)
{
  const uint64_t sign = (uint64_t)random_below(2) << (8 * size_of(dtype) - 1);
  const uint64_t most = ~(uint64_t)0 >> (65 - 8 * size_of(dtype));

  put_bits(dtype, at, sign | (random_below(2) ? most : locus_infinity_bits(dtype) + 1));
}

/* The element for all equal ones. */
static void put_single(locus_dtype dtype, unsigned char *to, const unsigned char *from)
{
  const number x = get(dtype, from);

  memcpy(to, from, (size_t)size_of(dtype));
  if (kind_of(dtype) <= LOCUS_INTEGER) return;
  if (x.re == 0) put_bits(dtype, to, 0);
  if (x.re != x.re) put_bits(dtype, to, ~(uint64_t)0 >> (65 - 8 * size_of(dtype)));
}

/* The numbers of the elements begin .. end - 1 in their order. */
static list sorted(tensor &in, int64_t begin, int64_t end, bool descending)
{
  list order((size_t)(end - begin));

  std::iota(order.begin(), order.end(), begin);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return descending ? before(in.value(b), in.value(a)) : before(in.value(a), in.value(b));
  });
  return order;
}

/* A job with its tensors. */
struct asking {
  locus_context cx;
  int64_t misfit;
  tensor in, offsets, ranks, values, index;
  locus_kth_job job = {};

  /* Segments of these lengths, or of one length for all. */
  asking(locus_dtype dtype, const list &bounds, bool given, int64_t wanted, bool shared)
      : cx(context()), misfit(-2), in(dtype, grid_of({bounds.back()}), SHIFTED),
        offsets(LOCUS_i64, grid_of({(int64_t)bounds.size()}), SHIFTED),
        ranks(LOCUS_i64, grid_of({shared ? 1 : (int64_t)bounds.size() - 1, wanted}), SHIFTED),
        values(bits_of(dtype), grid_of({(int64_t)bounds.size() - 1, wanted}), SHIFTED),
        index(LOCUS_i64, grid_of({(int64_t)bounds.size() - 1, wanted}), SIDE_BY_SIDE), job()
  {
    for (size_t s = 0; s < bounds.size(); s++) offsets.set((int64_t)s, whole(bounds[s]));
    job.dtype = dtype;
    job.segments = (int64_t)bounds.size() - 1;
    job.n = given ? bounds.back() : bounds[1];
    job.wanted = wanted;
    job.rank_step = shared ? 0 : wanted;
    job.base = 1;
    job.misfit = &misfit;
  }

  void run(bool given, bool by_value, bool by_place)
  {
    job.in = in.sent().data;
    job.offsets = given ? (const int64_t *)offsets.sent().data : nullptr;
    job.ranks = (const int64_t *)ranks.sent().data;
    char *const to = values.sent().data, *const places = index.sent().data;
    job.values = by_value ? to : nullptr;
    job.index = by_place ? (int64_t *)places : nullptr;
    expect(locus_cuda_kth(&job, &cx) == 0, "kth");
  }
};

/* Ranks below n, some of them several times, in order. */
static void draw(tensor &ranks, int64_t row, int64_t wanted, int64_t n)
{
  list drawn((size_t)wanted);

  for (int64_t &rank : drawn) rank = random_below(3) ? random_below(n) : random_below(2) * (n - 1);
  std::sort(drawn.begin(), drawn.end());
  for (int64_t i = 0; i < wanted; i++) ranks.set(row * wanted + i, whole(drawn[(size_t)i]));
}

/* `given`: by offsets. how: which ranks, and in which order. */
static void kth_case(locus_dtype dtype, const list &bounds, bool given, int64_t wanted, int how)
{
  const bool shared = how % 2 == 0, by_value = how % 3 != 1, by_place = how % 3 != 2;
  const int64_t segments = (int64_t)bounds.size() - 1;
  asking a(dtype, bounds, given, wanted, shared);
  int64_t shortest = INT64_MAX;

  for (int64_t s = 0; s < segments; s++)
    shortest = std::min(shortest, bounds[(size_t)s + 1] - bounds[(size_t)s]);
  for (int64_t s = 0; wanted > 0 && s < (shared ? 1 : segments); s++)
    draw(a.ranks, s, wanted, shared ? shortest : bounds[(size_t)s + 1] - bounds[(size_t)s]);
  for (int64_t i = 0; kind_of(dtype) == LOCUS_FLOAT && i < bounds.back(); i++)
    if (random_below(9) == 0) put_nan(dtype, a.in.at(i));
  a.job.descending = how % 4 > 1;
  a.run(given, by_value, by_place);
  expect(a.misfit == -1, "kth: a misfit");

  std::vector<unsigned char> wanted_values = a.values.bytes, wanted_index = a.index.bytes;
  for (int64_t s = 0; s < segments; s++) {
    const int64_t begin = bounds[(size_t)s];
    const list order = sorted(a.in, begin, bounds[(size_t)s + 1], a.job.descending);
    for (int64_t i = 0; i < wanted; i++) {
      const int64_t to = s * wanted + i;
      const int64_t from = order[(size_t)a.ranks.value(shared ? i : to).i];
      unsigned char *const at = &wanted_values[(size_t)a.values.place(to)];
      if (by_value && by_place) memcpy(at, a.in.at(from), (size_t)size_of(dtype));
      if (by_value && !by_place) put_single(dtype, at, a.in.at(from));
      if (by_place)
        put(LOCUS_i64, &wanted_index[(size_t)a.index.place(to)], whole(from - begin + 1));
    }
  }
  a.values.compare(wanted_values, "values by rank");
  a.index.compare(wanted_index, "positions by rank");
}

static list even(int64_t segments, int64_t n)
{
  list bounds;
  for (int64_t s = 0; s <= segments; s++) bounds.push_back(s * n);
  return bounds;
}

static list uneven(int64_t segments, int64_t shortest, int64_t most)
{
  list bounds = {0};
  for (int64_t s = 0; s < segments; s++)
    bounds.push_back(bounds.back() + shortest + random_below(random_below(5) ? 4 : most));
  return bounds;
}

/* -- Offsets and ranks that do not fit --------------------------------------------------------- */

/* One number among them is replaced; `misfit` is the first that does not fit then. */
static void misfit_case(bool given, bool in_offsets, int64_t place, int64_t number, int64_t misfit)
{
  asking a(LOCUS_f32, even(4, 3), given, 2, false);

  for (int64_t i = 0; i < 8; i++) a.ranks.set(i, whole(1 + i % 2));
  (in_offsets ? a.offsets : a.ranks).set(place, whole(number));
  a.run(given, true, true);
  expect(a.misfit == misfit, "kth: misfit " + text(a.misfit) + ", not " + text(misfit));
  if (misfit < 0) return;
  a.values.compare(a.values.bytes, "values of ranks that do not fit");
  a.index.compare(a.index.bytes, "positions of ranks that do not fit");
}

static void misfit_cases()
{
  static const struct {
    bool given, in_offsets;
    int64_t place, number, misfit;
  } cases[] = {
      {true, true, 0, 1, 0},         {true, true, 0, -1, 0},
      {true, true, 1, INT64_MIN, 1}, {true, true, 2, 2, 2},
      {true, true, 2, 10, 3},        {true, true, 3, INT64_MAX, 4},
      {true, true, 4, 5, 4},         {true, true, 4, 11, 4},
      {true, true, 4, 13, 4},        {true, true, 2, 5, 5 + 3},
      {true, true, 2, 7, 5 + 5},     {true, false, 0, -1, 5},
      {true, false, 4, 2, -1},       {true, false, 5, INT64_MAX, 5 + 5},
      {true, false, 7, 0, 5 + 7},    {true, false, 7, 3, 5 + 7},
      {false, false, 0, -1, 0},      {false, false, 1, INT64_MIN, 1},
      {false, false, 3, 0, 3},       {false, false, 6, 0, -1},
      {false, false, 7, 3, 7},
  };

  for (const auto &c : cases) misfit_case(c.given, c.in_offsets, c.place, c.number, c.misfit);
}

/* Nothing is asked of segments without elements, or without segments; a rank of no element. */
static void empty_cases()
{
  kth_case(LOCUS_f32, {0, 0, 0, 5, 5}, true, 0, 0);
  kth_case(LOCUS_f32, {0, 0}, false, 0, 1);
  for (int given = 0; given < 2; given++) {
    asking a(LOCUS_f64, {0, 0, 0}, given != 0, 1, false);
    a.ranks.set(0, whole(0));
    a.run(given != 0, true, true);
    expect(a.misfit == (given ? 3 : 0), "kth: a rank among no elements");
  }
  asking none(LOCUS_f64, {0}, true, 1, true);
  none.run(true, true, true);
  expect(none.misfit == -1, "kth: no segments");
}

int main()
{
  int how = 0;

  /* In the emulator up to three ranks of rows of 200 or more, 1000 elements in all, are found by
  ** digits, and numbers are wide from 3000 elements on. */
  for (int d = 0; d < LOCUS_c64; d++) {
    const locus_dtype dtype = (locus_dtype)d;
    for (int variant = 0; variant < 12; variant++, how++) {
      kth_case(dtype, even(1, 1), false, 1, how);
      kth_case(dtype, even(1, 300), false, 7, how);
      kth_case(dtype, even(2, 40), false, 2, how);
      kth_case(dtype, even(70, 3), false, 2, how);
      kth_case(dtype, uneven(1, 200, 9), true, 3, how);
      kth_case(dtype, uneven(60, 1, 40), true, 2, how);
      if (variant == d % 12) kth_case(dtype, uneven(40, 1, 1200), true, 3, how);
      if (variant == d % 12) kth_case(dtype, even(5, 650), false, 4, how);
      if ((variant + d) % 4 > 0) continue;
      kth_case(dtype, even(1, 1100), false, 3, how);
      kth_case(dtype, even(5, 201), false, 2, how);
    }
  }
  misfit_cases();
  empty_cases();
  return finish("kth");
}
