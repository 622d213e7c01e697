/* SPDX-License-Identifier: MIT */
/* Runner of ewm: exponentially weighted means. Each needs the one before, so a series stays on one
** thread; a few go side by side, since one alone waits for its own sums. */
#include <float.h>

#include "core/once.h"
#include "cpu/block/rows.h"

enum { ROWS = 4, SIDE = 64 }; /* rows side by side, and columns */

/* What a series has come to. Sums carry what their rounding has left out. */
typedef struct faded {
  double mean, mean_error;
  double weight, weight_error; /* of all elements, that of the last one being 1 */
  int64_t count;
} faded;

static inline void add(double *sum, double *error, double x)
{
  const double y = x + *error, t = *sum + y;

  *error = y - (t - *sum);
  *sum = t;
}

/* The mean where the way of take_in leaves the numbers: by infinities, or beyond the largest. */
static double odd_mean(double alpha, double mean, double x, double share)
{
  if (fabs(mean) <= DBL_MAX && fabs(x) <= DBL_MAX) return mean * (1 - share) + x * share;
  return alpha == 1 ? x : mean + x;
}

/* Moves the mean towards x, from the nearer of the two, so that little cancels. */
static inline void take_in(const locus_ewm_job *job, faded *f, double x, double share)
{
  const double before = f->mean;

  if (share <= 0.5) {
    add(&f->mean, &f->mean_error, share * (x - before));
  } else {
    const double rest = (1 - share) * ((before - x) + f->mean_error);
    f->mean = x;
    f->mean_error = 0;
    add(&f->mean, &f->mean_error, rest);
  }
  if (!(fabs(f->mean) <= DBL_MAX)) {
    f->mean = odd_mean(job->alpha, before, x, share);
    f->mean_error = 0;
  }
}

/* The answer of the series' next element. */
static inline double follow(const locus_ewm_job *job, faded *f, double x)
{
  const bool there = x == x;

  if (f->count == 0) {
    if (there) *f = (faded){.mean = x, .weight = 1, .count = 1};
  } else if (there || !job->ignores_nan) {
    const double own = !there ? 0 : job->adjusts ? 1 : job->alpha;
    add(&f->weight, &f->weight_error, own - job->alpha * f->weight);
    if (there) {
      take_in(job, f, x, own / f->weight);
      f->count++;
    }
    if (there && !job->adjusts) f->weight = 1, f->weight_error = 0;
  }
  return f->count < job->fewest ? NAN : f->mean;
}

/* `count` series that lie side by side. */
static int follow_some(const locus_ewm_job *job, int64_t first, int64_t count, locus_context *cx)
{
  const int64_t step = job->inner, apart = step == 1 ? job->n : 1;
  const int64_t at = first / step * job->n * step + first % step, some = DIRECT_BLOCK / count;
  const double *in = job->in + at;
  double *out = job->out + at;
  faded f[SIDE] = {{0}}, one = {0};

  for (int64_t begin = 0; begin < job->n; begin += some) {
    const int64_t end = least(job->n, begin + some);
    LOCUS_TRY(locus_poll(cx));
    for (int64_t i = begin; count == 1 && i < end; i++)
      out[i * step] = follow(job, &one, in[i * step]);
    for (int64_t i = begin; count > 1 && i < end; i++)
      for (int64_t k = 0; k < count; k++)
        out[i * step + k * apart] = follow(job, &f[k], in[i * step + k * apart]);
  }
  return 0;
}

static int series_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_ewm_job *job = given;
  const int64_t side = job->inner == 1 ? ROWS : SIDE;

  for (int64_t i = begin, count; i < end; i += count) {
    count = least(side, end - i);
    if (job->inner > 1) count = least(count, job->inner - i % job->inner);
    LOCUS_TRY(follow_some(job, i, count, cx));
  }
  return 0;
}

static int follow_groups(const locus_ewm_job *job, faded *of, locus_context *cx)
{
  for (int64_t i = 0; i < job->n; i++) {
    const uint64_t group = (uint64_t)(int64_t)LOCUS_ONCE(job->ids[i]) - 1;
    if (i % DIRECT_BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    if (group >= (uint64_t)job->groups) return locus_fail_changed(cx, "ids");
    job->out[i] = follow(job, &of[group], job->in[i]);
  }
  return 0;
}

int ISA(ewm)(const locus_ewm_job *job, locus_context *cx)
{
  if (!job->ids)
    return locus_parallel(series_part, job, job->outer * job->inner, rows_worth(SLOW_GRAIN, job->n),
                          cx);

  const int64_t bytes = (job->groups + 1) * (int64_t)sizeof(faded);
  faded *of = locus_memory_alloc(bytes);
  if (!of) return locus_fail_memory(cx, bytes);
  memset(of, 0, (size_t)bytes);
  const int status = follow_groups(job, of, cx);
  locus_memory_free(of, bytes);
  return status;
}
