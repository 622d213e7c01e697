/* SPDX-License-Identifier: MIT */
/* Runner of random: a thread makes the numbers of one block of words. */
#include "core/number/chance.h"
#include "cuda/include/host/call.h"
#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/host/runners.h"

namespace locus
{

enum { RANDOM_THREADS = 256 };

/* The generator of the numbers, without the places of the elements. */
struct drawing {
  uint64_t key, first;
  int bits;
  double a, b, most;
  uint64_t low, range;
};

/* The numbers of a block: COUNT of them, stored as the type of `number`. */
struct uniform_singles {
  enum { COUNT = 4 };
  typedef element<LOCUS_f32> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, float *to)
  {
    const float a = (float)d.a, b = (float)d.b, most = (float)d.most;
    for (int i = 0; i < COUNT; i++) {
      const float u = locus_unit_f32(words[i], d.bits);
      to[i] = a == 0 && b == 1 ? u : locus_uniform_f32(u, a, b, most);
    }
  }
};

struct uniform_doubles {
  enum { COUNT = 2 };
  typedef element<LOCUS_f64> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, double *to)
  {
    for (int i = 0; i < COUNT; i++) {
      const double u = locus_unit_f64(locus_long_of(words + 2 * i));
      to[i] = d.a == 0 && d.b == 1 ? u : locus_uniform_f64(u, d.a, d.b, d.most);
    }
  }
};

/* Number i of 64 bits: two words if there are two numbers in a block, or one. */
template <int NUMBERS> SIMT_DEVICE uint64_t long_at(const uint32_t *words, int i)
{
  return NUMBERS == 4 ? locus_long_of_word(words[i]) : locus_long_of(words + 2 * i);
}

template <int NUMBERS> struct normals {
  enum { COUNT = NUMBERS };
  typedef element<LOCUS_f64> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, double *to)
  {
    for (int i = 0; i < COUNT; i += 2) {
      double z0, z1;
      locus_chance_normal(long_at<COUNT>(words, i), long_at<COUNT>(words, i + 1), &z0, &z1);
      to[i] = d.a + d.b * z0;
      to[i + 1] = d.a + d.b * z1;
    }
  }
};

template <int NUMBERS> struct exponentials {
  enum { COUNT = NUMBERS };
  typedef element<LOCUS_f64> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, double *to)
  {
    for (int i = 0; i < COUNT; i++)
      to[i] = locus_chance_exponential(long_at<COUNT>(words, i)) / d.b;
  }
};

struct integers {
  enum { COUNT = 2 };
  typedef element<LOCUS_i64> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, int64_t *to)
  {
    for (int i = 0; i < COUNT; i++) {
      const uint64_t x = locus_long_of(words + 2 * i);
      to[i] = (int64_t)(d.low + (d.range == 0 ? x : locus_below(x, d.range)));
    }
  }
};

struct long_integers {
  enum { COUNT = 1 };
  typedef element<LOCUS_i64> number;

  static SIMT_DEVICE void make(const drawing &d, const uint32_t *words, int64_t *to)
  {
    const uint64_t low = locus_long_of(words), high = locus_long_of(words + 2);
    to[0] = (int64_t)(d.low + locus_below_long(low, high, d.range));
  }
};

template <class W>
static SIMT_KERNEL void SIMT_BOUNDS(RANDOM_THREADS)
    draw_numbers(target out, places<1> where, drawing d, int64_t n)
{
  typedef typename W::number E;

  for (int64_t b = this_thread(); b * W::COUNT < n; b += all_threads()) {
    typename E::stored made[W::COUNT];
    uint32_t words[4];
    locus_philox(d.key, d.first + (uint64_t)b, words);
    W::make(d, words, made);
    for (int i = 0; i < W::COUNT && b * W::COUNT + i < n; i++) {
      int64_t at[1];
      where.find(b * W::COUNT + i, at);
      out.write<E>(at[0], made[i]);
    }
  }
}

template <class W> static void draw(call &c, const locus_random_job &job)
{
  const int64_t n = job.grid.numel;
  const drawing d = {job.key, job.first, job.bits, job.a, job.b, job.most, job.low, job.range};

  c.launch_over((n + W::COUNT - 1) / W::COUNT, draw_numbers<W>, RANDOM_THREADS, 0,
                target_of(job.out), places_of<1>(job.grid, job.grid.ndim, {&job.out}), d, n);
}

} // namespace locus

extern "C" int locus_cuda_random(const locus_random_job *job, locus_context *cx)
{
  using namespace locus;
  call c("random", cx);
  const bool single = job->words == 1;

  switch (job->how) {
  case LOCUS_CHANCE_UNIFORM:
    if (single) draw<uniform_singles>(c, *job);
    else draw<uniform_doubles>(c, *job);
    break;
  case LOCUS_CHANCE_NORMAL:
    if (single) draw<normals<4>>(c, *job);
    else draw<normals<2>>(c, *job);
    break;
  case LOCUS_CHANCE_EXPONENTIAL:
    if (single) draw<exponentials<4>>(c, *job);
    else draw<exponentials<2>>(c, *job);
    break;
  case LOCUS_CHANCE_INTEGER:
    if (job->words == 2) draw<integers>(c, *job);
    else draw<long_integers>(c, *job);
    break;
  }
  return c.end();
}
