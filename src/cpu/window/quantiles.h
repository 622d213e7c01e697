/* SPDX-License-Identifier: MIT */
/* Medians and quantiles of windows, from the ranks of a piece of the row. */
#ifndef LOCUS_WINDOW_QUANTILES_H
#define LOCUS_WINDOW_QUANTILES_H

#include "cpu/window/rank_set.h"

/* From `low` at weight 0 to `high` at 1, as quantile has it (lua/locus/derived/quantile.lua). */
static inline double between_two(double low, double high, double weight)
{
  const double gap = high - low;

  if (low == high || weight == 0) return low;
  if (gap - gap == 0) return weight < 0.5 ? low + gap * weight : high - gap * (1 - weight);
  if (low - low == 0 && high - high == 0) {
    const double half = high / 2 - low / 2;
    return 2 * (weight < 0.5 ? low / 2 + half * weight : high / 2 - half * (1 - weight));
  }
  return low * (1 - weight) + high * weight;
}

static inline double weight_of(const locus_window_job *job, double weight, int64_t rank)
{
  switch (job->between) {
  case LOCUS_TWO_LOWER: return 0;
  case LOCUS_TWO_HIGHER: return weight > 0 ? 1 : 0;
  case LOCUS_TWO_NEAREST: return weight > 0.5 || (weight == 0.5 && rank % 2 == 1) ? 1 : 0;
  case LOCUS_TWO_MIDPOINT: return weight > 0 ? 0.5 : 0;
  case LOCUS_TWO_LINEAR: break;
  }
  return weight;
}

/* Elements of the row from `base` on, in order: place[r] is that of rank r, rank[p] that of
** place p. */
typedef struct ranked {
  const char *in;
  const int64_t *place;
  rank_set members;
} ranked;

static inline double real_at(const window *w, const ranked *r, int64_t rank)
{
  const int64_t place = r->place[rank];
  return w->job->whole ? (double)((const int64_t *)r->in)[place] : ((const double *)r->in)[place];
}

static inline void put_quantile(window *w, int64_t i, ranked *r, int64_t n)
{
  const locus_window_job *job = w->job;

  if (job->how == LOCUS_WINDOW_MEDIAN) {
    const int64_t place = r->place[set_member(&r->members, (n - 1) / 2)];
    ((int64_t *)w->out)[i] = ((const int64_t *)r->in)[place]; /* the bits, of either type */
    return;
  }
  const double at = job->q * (double)(n - 1);
  const int64_t below = (int64_t)at, rank = set_member(&r->members, below);
  const double weight = weight_of(job, at - (double)below, below), low = real_at(w, r, rank);
  double answer = low;
  if (weight > 0) {
    answer = real_at(w, r, set_next(&r->members, rank + 1));
    if (weight < 1) answer = between_two(low, answer, weight);
  }
  ((double *)w->out)[i] = answer;
}

/* The windows of a piece whose elements have ranks. NaN come last. */
static inline int move_members(window *w, int64_t first, int64_t end, int64_t base,
                               const int64_t *rank, ranked *r, locus_context *cx)
{
  const double *x = (const double *)w->in;
  const bool real = !w->job->whole;
  int64_t from = base, to = base, nans = 0;

  for (int64_t i = first; i < end; i++) {
    const int64_t begin = begin_of(w, i), past = end_of(w, i);
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    for (; to < past; to++) {
      if (real && x[to] != x[to]) nans++;
      else set_add(&r->members, rank[to - base]);
    }
    for (; from < begin; from++) {
      if (from >= to) {
        to = from + 1;
      } else if (real && x[from] != x[from]) {
        nans--;
      } else {
        set_remove(&r->members, rank[from - base]);
      }
    }
    const int64_t n = to - from - (w->job->skips_nan ? nans : 0);
    if (lacks(w, i, n)) continue;
    if (nans > 0 && !w->job->skips_nan) ((double *)w->out)[i] = NAN;
    else put_quantile(w, i, r, n);
  }
  return 0;
}

static inline int64_t quantile_bytes(int64_t most)
{
  return (2 * most + set_words(most)) * (int64_t)sizeof(int64_t);
}

/* Windows first .. end - 1, by a workspace for as many elements as all of them have. */
static inline int run_quantiles(window *w, int64_t first, int64_t end, void *room,
                                locus_context *cx)
{
  const int64_t base = begin_of(w, first), last = end_of(w, end - 1);
  const int64_t n = last > base ? last - base : 0;
  int64_t *place = room, *rank = place + n;
  ranked r = {.in = w->in + base * 8, .place = place};
  locus_sort_job sort = {.n = n, .in_step = 1, .index_step = 1, .has_index = true};

  sort.rows = (locus_grid){.numel = 1, .ndim = 1, .size = {1}};
  sort.in = (locus_operand){.data = (char *)r.in, .dtype = w->job->whole ? LOCUS_i64 : LOCUS_f64};
  sort.index = (locus_operand){.data = (char *)place, .dtype = LOCUS_i64};
  if (n > 0) LOCUS_TRY(ISA(sort)(&sort, cx));
  for (int64_t k = 0; k < n; k++) rank[place[k]] = k;
  set_make(&r.members, n, (uint64_t *)(rank + n));
  return move_members(w, first, end, base, rank, &r, cx);
}

#endif
