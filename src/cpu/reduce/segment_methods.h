/* SPDX-License-Identifier: MIT */
/* The methods of groups: how rows are taken, and tables of ranges of rows joined; and the answers
** that are found by them. */
#ifndef LOCUS_SEGMENT_METHODS_H
#define LOCUS_SEGMENT_METHODS_H

#include "cpu/order/rank.h"
#include "cpu/reduce/segment_means.h"

/* -- Integers ---------------------------------------------------------------------------------- */

static void take_integers(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const int64_t *x = r->x;
  uint64_t *sum = t->state;
  EACH_ROW(r, i, sum[ids[i]] += (uint64_t)x[i]);
}

static void take_factors(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const int64_t *x = r->x;
  uint64_t *product = t->state;
  EACH_ROW(r, i, product[ids[i]] *= (uint64_t)x[i]);
}

static void take_counts(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  int64_t *count = t->state;
  EACH_ROW(r, i, count[ids[i]]++);
}

static void begin_factors(const totals *t)
{
  uint64_t *product = t->state;
  for (int64_t g = 0; g < t->groups; g++) product[g] = 1;
}

/* Integers and doubles alike. */
static void answer_words(const totals *t, int64_t first, int64_t n, void *out)
{
  memcpy(out, (const uint64_t *)t->state + first, (size_t)n * sizeof(uint64_t));
}

static void join_integers(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  uint64_t *sum = t->state;
  const uint64_t *x = more->state;
  for (int64_t g = begin; g < end; g++) sum[g] += x[g];
}

static void join_factors(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  uint64_t *product = t->state;
  const uint64_t *x = more->state;
  for (int64_t g = begin; g < end; g++) product[g] *= x[g];
}

static const method whole_sum = {.in = LOCUS_i64,
                                 .bytes = 8,
                                 .cost = 2,
                                 .take = take_integers,
                                 .join = join_integers},
                    whole_product = {.in = LOCUS_i64,
                                     .bytes = 8,
                                     .cost = 2,
                                     .begin = begin_factors,
                                     .take = take_factors,
                                     .join = join_factors},
                    row_count = {.in = LOCUS_DTYPES,
                                 .bytes = 8,
                                 .cost = 2,
                                 .take = take_counts,
                                 .join = join_integers};

/* -- Floats ------------------------------------------------------------------------------------ */

static void take_real_factors(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const double *x = r->x;
  double *product = t->state;
  EACH_ROW(r, i, product[ids[i]] *= x[i]);
}

static void begin_real_factors(const totals *t)
{
  double *product = t->state;
  for (int64_t g = 0; g < t->groups; g++) product[g] = 1;
}

static const method real_sum = {.in = LOCUS_f64, .bytes = 8, .cost = 2, .take = take_reals},
                    real_product = {.in = LOCUS_f64,
                                    .bytes = 8,
                                    .cost = 2,
                                    .begin = begin_real_factors,
                                    .take = take_real_factors},
                    moments = {
                        .in = LOCUS_f64, .bytes = sizeof(counted), .cost = 3, .take = take_counted};

/* -- Truths ------------------------------------------------------------------------------------ */

static void take_any(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const uint8_t *x = r->x;
  uint8_t *truth = t->state;
  EACH_ROW(r, i, truth[ids[i]] |= x[i] != 0);
}

static void take_all(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const uint8_t *x = r->x;
  uint8_t *truth = t->state;
  EACH_ROW(r, i, truth[ids[i]] &= x[i] != 0);
}

static void begin_all(const totals *t)
{
  memset(t->state, 1, (size_t)t->groups);
}

static void answer_truths(const totals *t, int64_t first, int64_t n, void *out)
{
  memcpy(out, (const uint8_t *)t->state + first, (size_t)n);
}

static void join_any(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  uint8_t *truth = t->state;
  const uint8_t *x = more->state;
  for (int64_t g = begin; g < end; g++) truth[g] |= x[g];
}

static void join_all(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  uint8_t *truth = t->state;
  const uint8_t *x = more->state;
  for (int64_t g = begin; g < end; g++) truth[g] &= x[g];
}

static const method any_true = {.in = LOCUS_b8,
                                .bytes = 1,
                                .cost = 2,
                                .take = take_any,
                                .join = join_any},
                    all_true = {.in = LOCUS_b8,
                                .bytes = 1,
                                .cost = 2,
                                .begin = begin_all,
                                .take = take_all,
                                .join = join_all};

/* -- Elements ---------------------------------------------------------------------------------- */

static void take_first(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const int64_t *number = r->x;
  int64_t *restrict first = t->state;
  uint8_t *restrict seen = t->seen;

  EACH_ROW(r, i, {
    const uint32_t g = ids[i];
    first[g] = seen[g] ? first[g] : number[i];
    seen[g] = 1;
  });
}

static void take_last(const totals *t, const rows *r)
{
  const uint32_t *ids = r->ids;
  const int64_t *number = r->x;
  int64_t *restrict last = t->state;
  uint8_t *restrict seen = t->seen;

  EACH_ROW(r, i, {
    const uint32_t g = ids[i];
    last[g] = number[i];
    seen[g] = 1;
  });
}

static void join_first(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  int64_t *first = t->state;
  const int64_t *x = more->state;
  for (int64_t g = begin; g < end; g++) {
    first[g] = t->seen[g] ? first[g] : x[g];
    t->seen[g] |= more->seen[g];
  }
}

static void join_last(const totals *t, const totals *more, int64_t begin, int64_t end)
{
  int64_t *last = t->state;
  const int64_t *x = more->state;
  for (int64_t g = begin; g < end; g++) {
    last[g] = more->seen[g] ? x[g] : last[g];
    t->seen[g] |= more->seen[g];
  }
}

static const method first_row = {.in = LOCUS_DTYPES,
                                 .numbers = true,
                                 .bytes = 8,
                                 .cost = 3,
                                 .take = take_first,
                                 .join = join_first},
                    last_row = {.in = LOCUS_DTYPES,
                                .numbers = true,
                                .bytes = 8,
                                .cost = 3,
                                .take = take_last,
                                .join = join_last};

#define TEMPLATE "cpu/reduce/segment.inc"
#include "cpu/block/each_real.h"

/* -- The answers: one finding for each row of core/segment.def --------------------------------- */

static const finding least_of[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) \
  [LOCUS_##id] = {&least_##id, LOCUS_##id, NO_MEANS, true, answer_extreme_##id},
#include "core/dtype.def"
};

static const finding greatest_of[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) \
  [LOCUS_##id] = {&greatest_##id, LOCUS_##id, NO_MEANS, true, answer_extreme_##id},
#include "core/dtype.def"
};

static const finding sum_of_integers = {&whole_sum, LOCUS_i64, NO_MEANS, false, answer_words},
                     product_of_integers = {&whole_product, LOCUS_i64, NO_MEANS, false,
                                            answer_words},
                     sum_of_reals = {&real_sum, LOCUS_f64, NO_MEANS, false, answer_words},
                     product_of_reals = {&real_product, LOCUS_f64, NO_MEANS, false, answer_words},
                     mean = {&moments, LOCUS_f64, MEANS, false, answer_mean},
                     deviation = {&moments, LOCUS_f64, MEANS_AND_SPREADS, false, answer_deviation},
                     variance = {&moments, LOCUS_f64, MEANS_AND_SPREADS, false, answer_variance},
                     first_element = {&first_row, LOCUS_DTYPES, NO_MEANS, true, answer_words},
                     last_element = {&last_row, LOCUS_DTYPES, NO_MEANS, true, answer_words},
                     any_of = {&any_true, LOCUS_b8, NO_MEANS, false, answer_truths},
                     all_of = {&all_true, LOCUS_b8, NO_MEANS, false, answer_truths},
                     count_of_rows = {&row_count, LOCUS_i64, NO_MEANS, false, answer_words};

/* The same from states that are there for another answer. */
static const finding sum_beside_mean = {&moments, LOCUS_f64, MEANS, false, answer_sum},
                     count_beside_mean = {&moments, LOCUS_i64, NO_MEANS, false, answer_rows};

static const finding *finding_of(locus_segment how, locus_dtype dtype)
{
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  switch (how) {
  case LOCUS_SEGMENT_sum: return whole ? &sum_of_integers : &sum_of_reals;
  case LOCUS_SEGMENT_prod: return whole ? &product_of_integers : &product_of_reals;
  case LOCUS_SEGMENT_min: return &least_of[dtype];
  case LOCUS_SEGMENT_max: return &greatest_of[dtype];
  case LOCUS_SEGMENT_mean: return &mean;
  case LOCUS_SEGMENT_std: return &deviation;
  case LOCUS_SEGMENT_var: return &variance;
  case LOCUS_SEGMENT_first: return &first_element;
  case LOCUS_SEGMENT_last: return &last_element;
  case LOCUS_SEGMENT_any: return &any_of;
  case LOCUS_SEGMENT_all: return &all_of;
  case LOCUS_SEGMENT_count: return &count_of_rows;
  case LOCUS_SEGMENTS: break;
  }
  return NULL;
}

#endif
