/* SPDX-License-Identifier: MIT */
/* Runner of random: words first, then numbers of them, both by vectors. */
#include "core/number/chance.h"
#include "cpu/block/block.h"
#include "cpu/isa/isa.h"

enum { WORDS = 2048, ROUNDS = LOCUS_PHILOX_ROUNDS };

/* Words in their order, two in a long, the first one below. */
typedef union drawn {
  _Alignas(64) uint64_t longs[WORDS / 2];
  uint32_t words[WORDS];
} drawn;

/* The key of each round, in halves. */
typedef struct keys {
  uint32_t low[ROUNDS], high[ROUNDS];
} keys;

static keys keys_of(uint64_t key)
{
  keys k;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    k.low[round] = (uint32_t)key + round * LOCUS_PHILOX_LOW;
    k.high[round] = (uint32_t)(key >> 32) + round * LOCUS_PHILOX_HIGH;
  }
  return k;
}

/* As locus_philox for a counter in each lane. The upper halves of lanes do not matter before the
** end. */
static ALWAYS_INLINE void fill_lanes(uint64_t *to, const keys *k, longs counter)
{
  const longs none = {0}, factor_a = none + LOCUS_PHILOX_A, factor_c = none + LOCUS_PHILOX_C;
  longs a = counter, b = counter >> 32, c = none, d = none;

  for (int round = 0; round < ROUNDS; round++) {
    const longs of_a = multiply_words(a, factor_a), of_c = multiply_words(c, factor_c);
    a = of_c >> 32 ^ b ^ (none + k->low[round]);
    b = of_c;
    c = of_a >> 32 ^ d ^ (none + k->high[round]);
    d = of_a;
  }
  put_pairs(to, (a & 0xffffffff) | b << 32, (c & 0xffffffff) | d << 32);
}

/* The words of at least `blocks` counters from `first`. */
static void fill(drawn *made, uint64_t key, uint64_t first, int blocks)
{
  const keys k = keys_of(key);
  uint64_t numbers[PHILOX_LANES];
  longs counter;

  for (int i = 0; i < PHILOX_LANES; i++) numbers[i] = first + (uint64_t)i;
  memcpy(&counter, numbers, sizeof counter);
  for (int i = 0; i < blocks; i += PHILOX_LANES, counter += PHILOX_LANES)
    fill_lanes(made->longs + 2 * i, &k, counter);
}

/* Makes n numbers of words; a whole number of blocks has been filled. */
typedef void draw_run(const locus_random_job *job, void *out, const drawn *made, int n);

static void unit_f32(const locus_random_job *job, void *out, const drawn *made, int n)
{
  const int bits = job->bits;
  float *restrict to = out;

  for (int i = 0; i < n; i++) to[i] = locus_unit_f32(made->words[i], bits);
}

static void unit_f64(const locus_random_job *job, void *out, const drawn *made, int n)
{
  double *restrict to = out;

  (void)job;
  for (int i = 0; i < n; i++) to[i] = locus_unit_f64(made->longs[i]);
}

static void uniform_f32(const locus_random_job *job, void *out, const drawn *made, int n)
{
  const float a = (float)job->a, b = (float)job->b, most = (float)job->most;
  float *restrict to = out;

  unit_f32(job, out, made, n);
  if (a == 0 && b == 1) return;
  for (int i = 0; i < n; i++) to[i] = locus_uniform_f32(to[i], a, b, most);
}

static void uniform_f64(const locus_random_job *job, void *out, const drawn *made, int n)
{
  const double a = job->a, b = job->b, most = job->most;
  double *restrict to = out;

  unit_f64(job, out, made, n);
  if (a == 0 && b == 1) return;
  for (int i = 0; i < n; i++) to[i] = locus_uniform_f64(to[i], a, b, most);
}

/* Number i of 64 bits: two words, or one in the place of two. */
static ALWAYS_INLINE uint64_t long_at(const drawn *made, int i, bool single)
{
  return single ? locus_long_of_word(made->words[i]) : made->longs[i];
}

static ALWAYS_INLINE void normal(const locus_random_job *job, double *restrict to,
                                 const drawn *restrict made, int n, bool single)
{
  const double a = job->a, b = job->b;
  double last[2];

  for (int i = 0; i < n / 2; i++) {
    double z0, z1;
    locus_chance_normal(long_at(made, 2 * i, single), long_at(made, 2 * i + 1, single), &z0, &z1);
    to[2 * i] = a + b * z0;
    to[2 * i + 1] = a + b * z1;
  }
  if (n % 2 == 0) return;
  locus_chance_normal(long_at(made, n - 1, single), long_at(made, n, single), &last[0], &last[1]);
  to[n - 1] = a + b * last[0];
}

static void normal_single(const locus_random_job *job, void *out, const drawn *made, int n)
{
  normal(job, out, made, n, true);
}

static void normal_double(const locus_random_job *job, void *out, const drawn *made, int n)
{
  normal(job, out, made, n, false);
}

static ALWAYS_INLINE void exponential(const locus_random_job *job, double *restrict to,
                                      const drawn *restrict made, int n, bool single)
{
  const double rate = job->b;

  for (int i = 0; i < n; i++) to[i] = locus_chance_exponential(long_at(made, i, single)) / rate;
}

static void exponential_single(const locus_random_job *job, void *out, const drawn *made, int n)
{
  exponential(job, out, made, n, true);
}

static void exponential_double(const locus_random_job *job, void *out, const drawn *made, int n)
{
  exponential(job, out, made, n, false);
}

static void integers(const locus_random_job *job, void *out, const drawn *made, int n)
{
  const uint64_t low = job->low, range = job->range;
  uint64_t *restrict to = out;

  if (range == 0) {
    for (int i = 0; i < n; i++) to[i] = low + made->longs[i];
  } else {
    for (int i = 0; i < n; i++) to[i] = low + locus_below(made->longs[i], range);
  }
}

static void long_integers(const locus_random_job *job, void *out, const drawn *made, int n)
{
  uint64_t *to = out;

  for (int i = 0; i < n; i++) {
    const uint64_t *block = made->longs + 2 * i;
    to[i] = job->low + locus_below_long(block[0], block[1], job->range);
  }
}

/* The distribution of the job, and the dtype of its numbers. */
static draw_run *run_of(const locus_random_job *job, locus_dtype *dtype)
{
  *dtype = LOCUS_f64;
  switch (job->how) {
  case LOCUS_CHANCE_UNIFORM:
    if (job->words == 2) return uniform_f64;
    *dtype = LOCUS_f32;
    return uniform_f32;
  case LOCUS_CHANCE_NORMAL: return job->words == 2 ? normal_double : normal_single;
  case LOCUS_CHANCE_EXPONENTIAL: return job->words == 2 ? exponential_double : exponential_single;
  case LOCUS_CHANCE_INTEGER: break;
  }
  *dtype = LOCUS_i64;
  return job->words == 2 ? integers : long_integers;
}

/* The numbers of elements at .. at + count - 1; `at` is a multiple of 4, and begins a block. */
static void draw(const locus_random_job *job, draw_run *run, int64_t item, char *to, int64_t at,
                 int64_t count)
{
  const int64_t words = job->words, most = WORDS / words;
  drawn made;

  for (int64_t i = 0; i < count; i += most) {
    const int n = (int)least(most, count - i);
    const uint64_t first = job->first + (uint64_t)((at + i) * words / 4);
    fill(&made, job->key, first, (int)((n * words + 3) / 4));
    run(job, to + i * item, &made, n);
  }
}

static int random_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_random_job *job = given;
  locus_dtype dtype;
  draw_run *run = run_of(job, &dtype);
  cursor out;
  walk w;

  cursor_open(&out, &job->grid, &job->out, dtype);
  walk_begin(&w, &job->grid, (const cursor *[]){&out}, 1);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    draw(job, run, locus_dtype_size(dtype), cursor_target(&out, &w), w.at, w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(random)(const locus_random_job *job, locus_context *cx)
{
  return locus_parallel(random_part, job, job->grid.numel, SLOW_GRAIN, cx);
}
