/* SPDX-License-Identifier: MIT */
/* The methods of groups: how rows are taken, and tables of ranges of rows joined. */
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
                                 .out = LOCUS_i64,
                                 .words = 1,
                                 .take = take_integers,
                                 .answer = answer_words,
                                 .join = join_integers},
                    whole_product = {.in = LOCUS_i64,
                                     .out = LOCUS_i64,
                                     .words = 1,
                                     .begin = begin_factors,
                                     .take = take_factors,
                                     .answer = answer_words,
                                     .join = join_factors},
                    row_count = {.in = LOCUS_DTYPES,
                                 .out = LOCUS_i64,
                                 .words = 1,
                                 .take = take_counts,
                                 .answer = answer_words,
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

static const method real_sum = {.in = LOCUS_f64,
                                .out = LOCUS_f64,
                                .words = 1,
                                .take = take_reals,
                                .answer = answer_words},
                    real_product = {.in = LOCUS_f64,
                                    .out = LOCUS_f64,
                                    .words = 1,
                                    .begin = begin_real_factors,
                                    .take = take_real_factors,
                                    .answer = answer_words},
                    real_mean = {.in = LOCUS_f64,
                                 .out = LOCUS_f64,
                                 .words = 4,
                                 .take = take_counted,
                                 .answer = answer_mean,
                                 .finds = MEANS},
                    variance = {.in = LOCUS_f64,
                                .out = LOCUS_f64,
                                .words = 4,
                                .take = take_counted,
                                .answer = answer_variance,
                                .finds = MEANS_AND_SPREADS},
                    deviation = {.in = LOCUS_f64,
                                 .out = LOCUS_f64,
                                 .words = 4,
                                 .take = take_counted,
                                 .answer = answer_deviation,
                                 .finds = MEANS_AND_SPREADS};

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
                                .out = LOCUS_b8,
                                .words = 1,
                                .take = take_any,
                                .answer = answer_truths,
                                .join = join_any},
                    all_true = {.in = LOCUS_b8,
                                .out = LOCUS_b8,
                                .words = 1,
                                .begin = begin_all,
                                .take = take_all,
                                .answer = answer_truths,
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

/* Their answers are gathered from the rows. */
static const method first_row = {.in = LOCUS_DTYPES,
                                 .out = LOCUS_DTYPES,
                                 .words = 1,
                                 .take = take_first,
                                 .answer = answer_words,
                                 .join = join_first},
                    last_row = {.in = LOCUS_DTYPES,
                                .out = LOCUS_DTYPES,
                                .words = 1,
                                .take = take_last,
                                .answer = answer_words,
                                .join = join_last};

#define TEMPLATE "cpu/reduce/segment.inc"
#include "cpu/block/each_real.h"

/* -- The methods: method_of_<name>(dtype) for each row of core/segment.def --------------------- */

static const method *const least_methods[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &least_##id,
#include "core/dtype.def"
};

static const method *const greatest_methods[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &greatest_##id,
#include "core/dtype.def"
};

static const method *method_of(const locus_segment_job *job)
{
  const locus_dtype dtype = job->in.dtype;
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  switch (job->how) {
  case LOCUS_SEGMENT_sum: return whole ? &whole_sum : &real_sum;
  case LOCUS_SEGMENT_prod: return whole ? &whole_product : &real_product;
  case LOCUS_SEGMENT_min: return least_methods[dtype];
  case LOCUS_SEGMENT_max: return greatest_methods[dtype];
  case LOCUS_SEGMENT_mean: return &real_mean;
  case LOCUS_SEGMENT_std: return &deviation;
  case LOCUS_SEGMENT_var: return &variance;
  case LOCUS_SEGMENT_first: return &first_row;
  case LOCUS_SEGMENT_last: return &last_row;
  case LOCUS_SEGMENT_any: return &any_true;
  case LOCUS_SEGMENT_all: return &all_true;
  case LOCUS_SEGMENT_count: return &row_count;
  case LOCUS_SEGMENTS: break;
  }
  return NULL;
}

#endif
