/* SPDX-License-Identifier: MIT */
/* random against the published vectors of Philox4x32-10, and plain formulas of its words. */
/* Tests: random.cu */
#include "core/number/chance.h"
#include "cuda/test/tensor.h"

using namespace test;

/* A block for a counter of four words, as the paper has it. */
static void philox(uint32_t c[4], uint32_t k0, uint32_t k1)
{
  for (int round = 0; round < 10; round++) {
    const uint64_t p0 = 0xd2511f53ull * c[0], p1 = 0xcd9e8d57ull * c[2];
    const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                              (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0};
    memcpy(c, next, sizeof next);
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
}

static void test_vectors()
{
  static const struct {
    uint32_t counter[4], key[2], words[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };

  for (const auto &vector : known) {
    uint32_t c[4];
    memcpy(c, vector.counter, sizeof c);
    philox(c, vector.key[0], vector.key[1]);
    expect(memcmp(c, vector.words, sizeof c) == 0, "published words");
  }
}

/* Word number i of the job's elements. */
static uint64_t word_at(const locus_random_job &job, int64_t i)
{
  const uint64_t block = job.first + (uint64_t)(i / 4);
  uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
  philox(c, (uint32_t)job.key, (uint32_t)(job.key >> 32));
  return c[i % 4];
}

static uint64_t long_at(const locus_random_job &job, int64_t i)
{
  if (job.words == 1) return word_at(job, i) << 32 | 0x80000000;
  return word_at(job, 2 * i) | word_at(job, 2 * i + 1) << 32;
}

static number wanted_at(const locus_random_job &job, int64_t i)
{
  double pair[2];

  switch (job.how) {
  case LOCUS_CHANCE_UNIFORM: {
    if (job.words == 2)
      return real(fmin(job.a + job.b * ((double)(long_at(job, i) >> 11) * 0x1p-53), job.most));
    const float u = ldexpf((float)(word_at(job, i) >> (32 - job.bits)), -job.bits);
    return real(fminf((float)job.a + (float)job.b * u, (float)job.most));
  }
  case LOCUS_CHANCE_NORMAL:
    locus_chance_normal(long_at(job, i & ~1), long_at(job, i | 1), &pair[0], &pair[1]);
    return real(job.a + job.b * pair[i & 1]);
  case LOCUS_CHANCE_EXPONENTIAL: return real(locus_chance_exponential(long_at(job, i)) / job.b);
  case LOCUS_CHANCE_INTEGER: break;
  }
  if (job.words == 2) {
    const unsigned __int128 x = long_at(job, i);
    return whole(
        (int64_t)(job.low + (job.range == 0 ? (uint64_t)x : (uint64_t)(x * job.range >> 64))));
  }
  const uint64_t low = word_at(job, 4 * i) | word_at(job, 4 * i + 1) << 32;
  const uint64_t high = word_at(job, 4 * i + 2) | word_at(job, 4 * i + 3) << 32;
  const unsigned __int128 rest = (unsigned __int128)low * job.range >> 64;
  return whole((int64_t)(job.low + (uint64_t)(((unsigned __int128)high * job.range + rest) >> 64)));
}

static void random_case(locus_random_job job, locus_dtype dtype, const locus_grid &grid, int how)
{
  locus_context cx = context();
  tensor out(dtype, grid, (layout)(how % ONE));

  job.grid = grid;
  job.out = out.sent();
  expect(locus_cuda_random(&job, &cx) == 0, "random");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < grid.numel; i++)
    put(dtype, &wanted[(size_t)out.place(i)], wanted_at(job, i));
  out.compare(wanted, "random");
}

static void test_floats(const locus_grid &grid, int how)
{
  static const struct {
    locus_dtype dtype;
    int words, bits;
  } kinds[] = {{LOCUS_f16, 1, 11}, {LOCUS_bf16, 1, 8}, {LOCUS_f32, 1, 24}, {LOCUS_f64, 2, 53}};

  for (const auto &kind : kinds) {
    locus_random_job job = {};
    job.key = generator();
    job.first = generator();
    job.words = kind.words;
    job.bits = kind.bits;
    job.how = LOCUS_CHANCE_UNIFORM;
    job.b = 1;
    job.most = kind.words == 2 ? 1 - 0x1p-53 : 1 - ldexp(1, -kind.bits);
    random_case(job, kind.dtype, grid, how);
    job.a = -3;
    job.b = 10;
    job.most = 5;
    random_case(job, kind.dtype, grid, how);
    job.how = LOCUS_CHANCE_NORMAL;
    random_case(job, kind.dtype, grid, how);
    job.how = LOCUS_CHANCE_EXPONENTIAL;
    random_case(job, kind.dtype, grid, how);
  }
}

static void test_integers(const locus_grid &grid, int how)
{
  static const uint64_t ranges[] = {1, 2, 10, 100, 0xffffffff, 0x100000000, 0x8000000000000001, 0};

  for (uint64_t range : ranges) {
    locus_random_job job = {};
    job.how = LOCUS_CHANCE_INTEGER;
    job.key = generator();
    job.first = generator();
    job.range = range;
    job.low = range <= 100 ? 0 : generator();
    job.words = range - 1 < 0xffffffff || range == 0 ? 2 : 4;
    random_case(job, LOCUS_i64, grid, how);
    if (range <= 100) random_case(job, LOCUS_i8, grid, how);
    if (range <= 100) random_case(job, LOCUS_f32, grid, how);
  }
}

int main()
{
  test_vectors();
  for (int how = 0; how < ONE; how++) {
    for (const locus_grid &grid : grids) {
      test_floats(grid, how);
      test_integers(grid, how);
    }
  }
  return finish("random");
}
