/* SPDX-License-Identifier: MIT */
/* Runner of reduce: the methods of each op, on elements of some dtype. reduce.h feeds rows to
** them. */
#include "cpu/order/rank.h"
#include "cpu/reduce/reduce_parts.h"
#include "cpu/reduce/reduce_methods.h"

/* -- Integers, and how many elements are nonzero ----------------------------------------------- */

static void begin_whole(partial *p)
{
  p->whole = 0;
}

static void take_integers(partial *p, const void *run, int64_t n)
{
  const int64_t *x = run;
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; i++) sum += (uint64_t)x[i];
  p->whole += sum;
}

static void take_truths(partial *p, const void *run, int64_t n)
{
  enum { LANES = 64, MOST = 255 * LANES }; /* bytes count so far */
  const uint8_t *x = run;

  for (int64_t at = 0; at < n; at += MOST) {
    const int64_t end = least(n, at + MOST);
    uint8_t lane[LANES] = {0};
    int64_t i = at;
    for (; i + LANES <= end; i += LANES)
      for (int l = 0; l < LANES; l++) lane[l] += x[i + l] != 0;
    for (; i < end; i++) p->whole += x[i] != 0;
    for (int l = 0; l < LANES; l++) p->whole += lane[l];
  }
}

static void begin_factors(partial *p)
{
  p->whole = 1;
}

static void take_integer_factors(partial *p, const void *run, int64_t n)
{
  const int64_t *x = run;
  uint64_t product = p->whole;
  for (int64_t i = 0; i < n; i++) product *= (uint64_t)x[i];
  p->whole = product;
}

static void join_factors(partial *p, const partial *next)
{
  p->whole *= next->whole;
}

static void join_whole(partial *p, const partial *next)
{
  p->whole += next->whole;
}

static bool found_true(const partial *p)
{
  return p->whole > 0;
}

static bool found_false(const partial *p)
{
  return p->whole < (uint64_t)p->seen;
}

static void answer_whole(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(int64_t *)out = (int64_t)p->whole;
}

static void answer_any(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(uint8_t *)out = p->whole > 0;
}

static void answer_all(const partial *p, int64_t n, void *out)
{
  *(uint8_t *)out = p->whole == (uint64_t)n;
}

static void begin_wholes(columns *c)
{
  memset(c->whole, 0, sizeof c->whole);
}

static void answer_wholes(const columns *c, void *out)
{
  memcpy(out, c->whole, (size_t)c->count * sizeof c->whole[0]);
}

static void answer_any_columns(const columns *c, void *out)
{
  for (int64_t j = 0; j < c->count; j++) ((uint8_t *)out)[j] = c->whole[j] > 0;
}

static void answer_all_columns(const columns *c, void *out)
{
  for (int64_t j = 0; j < c->count; j++) ((uint8_t *)out)[j] = c->whole[j] == (uint64_t)c->n;
}

static void take_integer_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  const int64_t *x = run;
  for (int64_t i = 0; i < rows; i++, x += apart)
    for (int64_t j = 0; j < c->count; j++) c->whole[j] += (uint64_t)x[j];
}

static void begin_factor_columns(columns *c)
{
  for (int64_t j = 0; j < c->count; j++) c->whole[j] = 1;
}

static void take_factor_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  const int64_t *x = run;
  for (int64_t i = 0; i < rows; i++, x += apart)
    for (int64_t j = 0; j < c->count; j++) c->whole[j] *= (uint64_t)x[j];
}

static void take_truth_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  const uint8_t *x = run;
  uint8_t some[COLUMNS] = {0}; /* bytes hold a tile's */

  for (int64_t i = 0; i < rows; i++, x += apart)
    for (int64_t j = 0; j < c->count; j++) some[j] += x[j] != 0;
  for (int64_t j = 0; j < c->count; j++) c->whole[j] += some[j];
}

static bool all_found_true(const columns *c)
{
  for (int64_t j = 0; j < c->count; j++)
    if (c->whole[j] == 0) return false;
  return true;
}

static bool all_found_false(const columns *c)
{
  for (int64_t j = 0; j < c->count; j++)
    if (c->whole[j] == (uint64_t)c->seen) return false;
  return true;
}

static const column_method
    integer_columns = {begin_wholes, take_integer_columns, never_all, answer_wholes, false},
    factor_columns = {begin_factor_columns, take_factor_columns, never_all, answer_wholes, false},
    any_columns = {begin_wholes, take_truth_columns, all_found_true, answer_any_columns, false},
    all_columns = {begin_wholes, take_truth_columns, all_found_false, answer_all_columns, false},
    truth_columns = {begin_wholes, take_truth_columns, never_all, answer_wholes, false};

static const method whole_sum = {LOCUS_i64,  LOCUS_i64,    begin_whole,      take_integers, never,
                                 join_whole, answer_whole, &integer_columns, NULL,          NULL},
                    whole_product = {LOCUS_i64, LOCUS_i64,    begin_factors, take_integer_factors,
                                     never,     join_factors, answer_whole,  &factor_columns,
                                     NULL,      NULL},
                    any_true = {LOCUS_b8,   LOCUS_b8,   begin_whole,  take_truths, found_true,
                                join_whole, answer_any, &any_columns, NULL,        NULL},
                    all_true = {LOCUS_b8,   LOCUS_b8,   begin_whole,  take_truths, found_false,
                                join_whole, answer_all, &all_columns, NULL,        NULL},
                    truth_count = {LOCUS_b8,   LOCUS_i64,    begin_whole,    take_truths, never,
                                   join_whole, answer_whole, &truth_columns, NULL,        NULL};

/* -- How many elements are not NaN ------------------------------------------------------------- */

static void answer_present(const partial *p, int64_t n, void *out)
{
  *(int64_t *)out = n - (int64_t)p->whole;
}

static void answer_present_columns(const columns *c, void *out)
{
  for (int64_t j = 0; j < c->count; j++) ((int64_t *)out)[j] = c->n - (int64_t)c->whole[j];
}

#define COUNTING_NAN(name, as)                                    \
  static void take_##name(partial *p, const void *run, int64_t n) \
  {                                                               \
    p->whole += nan_of(run, n, as);                               \
  }
#define COUNTING_NAN_COLUMNS(name, as)                                                         \
  COUNTING_NAN(name, as)                                                                       \
  static void take_##name##_columns(columns *c, const void *run, int64_t apart, int64_t rows)  \
  {                                                                                            \
    count_nan_columns(c, run, apart, rows, as);                                                \
  }                                                                                            \
  static const column_method name##_columns = {begin_wholes, take_##name##_columns, never_all, \
                                               answer_present_columns, true};
COUNTING_NAN_COLUMNS(nan, 0)
COUNTING_NAN_COLUMNS(single_nan, SINGLE)
COUNTING_NAN(nan_pairs, PAIRS)

/* Elements that are no floats are never NaN, and not read. */
static void take_no_nan(partial *p, const void *run, int64_t n)
{
  (void)p;
  (void)run;
  (void)n;
}

static void take_no_nan_columns(columns *c, const void *run, int64_t apart, int64_t rows)
{
  (void)c;
  (void)run;
  (void)apart;
  (void)rows;
}

static bool known(const partial *p)
{
  (void)p;
  return true;
}

static bool all_known(const columns *c)
{
  (void)c;
  return true;
}

static const column_method no_nan_columns = {begin_wholes, take_no_nan_columns, all_known,
                                             answer_present_columns, false};
static const method
    single_present_count = {LOCUS_f32, LOCUS_i64,  begin_whole,    take_single_nan,
                            never,     join_whole, answer_present, &single_nan_columns,
                            NULL,      NULL},
    present_count =
        {LOCUS_f64,      LOCUS_i64,    begin_whole,           take_nan, never, join_whole,
         answer_present, &nan_columns, &single_present_count, NULL},
    present_pair_count = {LOCUS_c128, LOCUS_i64,      begin_whole, take_nan_pairs, never,
                          join_whole, answer_present, NULL,        NULL,           NULL},
    whole_count = {LOCUS_b8,   LOCUS_i64,      begin_whole,     take_no_nan, known,
                   join_whole, answer_present, &no_nan_columns, NULL,        NULL};

/* -- Extremes ---------------------------------------------------------------------------------- */

static void begin_extreme(partial *p)
{
  p->score = 0;
  p->position = -1;
}

static void join_extreme(partial *p, const partial *next)
{
  if (next->position < 0 || (p->position >= 0 && next->score <= p->score)) return;
  p->score = next->score;
  p->position = p->seen + next->position;
  memcpy(p->element, next->element, sizeof p->element);
}

static void begin_extreme_columns(columns *c)
{
  for (int64_t j = 0; j < c->count; j++) c->position[j] = -1;
}

#define TEMPLATE "cpu/reduce/reduce.inc"
#include "cpu/block/each_real.h"

/* -- The ops: method_of_<name>(dtype) for each row of core/reduce.def -------------------------- */

#define BY_KIND(op, truth, whole, real, complex)                              \
  static const method *method_of_##op(locus_dtype dtype)                      \
  {                                                                           \
    static const method *const methods[] = {&truth, &whole, &real, &complex}; \
    return methods[locus_dtype_kind(dtype)];                                  \
  }
BY_KIND(sum, whole_sum, whole_sum, real_sum, pair_sum)
BY_KIND(prod, whole_product, whole_product, real_product, pair_product)
BY_KIND(nansum, whole_sum, whole_sum, present_sum, present_pair_sum)
BY_KIND(mean, real_mean, real_mean, real_mean, pair_mean)
BY_KIND(nanmean, real_mean, real_mean, present_mean, present_pair_mean)
BY_KIND(any, any_true, any_true, any_true, any_true)
BY_KIND(all, all_true, all_true, all_true, all_true)
BY_KIND(count_nonzero, truth_count, truth_count, truth_count, truth_count)

/* Norms and variances are of real numbers. */
BY_KIND(norm1, magnitudes, magnitudes, magnitudes, magnitudes)
BY_KIND(norm2, root_of_squares, root_of_squares, root_of_squares, root_of_squares)
BY_KIND(var, variance, variance, variance, variance)
BY_KIND(std, deviation, deviation, deviation, deviation)
BY_KIND(nanvar, variance, variance, present_variance, present_variance)
BY_KIND(nanstd, deviation, deviation, present_deviation, present_deviation)
BY_KIND(nancount, whole_count, whole_count, present_count, present_pair_count)

/* Complex numbers have no order. */
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &least_##id,
static const method *method_of_min(locus_dtype dtype)
{
  static const method *const least[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return least[dtype];
}

#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &greatest_##id,
static const method *method_of_max(locus_dtype dtype)
{
  static const method *const greatest[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return greatest[dtype];
}

/* Elements that are no floats are never NaN. */
#define OF_BOOL(id, best) [LOCUS_##id] = &best##_##id,
#define OF_INTEGER(id, best) OF_BOOL(id, best)
#define OF_FLOAT(id, best) OF_BOOL(id, present_##best)
#define OF_COMPLEX(id, best)

#define DTYPE(id, element, value, kind, name) OF_##kind(id, least)
static const method *method_of_nanmin(locus_dtype dtype)
{
  static const method *const least[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return least[dtype];
}

#define DTYPE(id, element, value, kind, name) OF_##kind(id, greatest)
static const method *method_of_nanmax(locus_dtype dtype)
{
  static const method *const greatest[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return greatest[dtype];
}

static const method *method_on(locus_reduce op, locus_dtype dtype)
{
  static const method *(*const methods[LOCUS_REDUCES])(locus_dtype dtype) = {
#define REDUCE(name, result) method_of_##name,
#include "core/reduce.def"
#undef REDUCE
  };
  const method *how = methods[op](dtype);
  return dtype == LOCUS_f32 && how->single ? how->single : how;
}

static const method *method_of(const locus_reduce_job *job)
{
  return method_on(job->op, job->in.dtype);
}

static const method *centre_method_of(const locus_reduce_job *job)
{
  switch (job->op) {
  case LOCUS_REDUCE_var:
  case LOCUS_REDUCE_std: return method_on(LOCUS_REDUCE_mean, job->in.dtype);
  case LOCUS_REDUCE_nanvar:
  case LOCUS_REDUCE_nanstd: return method_on(LOCUS_REDUCE_nanmean, job->in.dtype);
  default: return NULL;
  }
}

/* -- The runner -------------------------------------------------------------------------------- */

/* Few long rows are shared one after the other, by segments; many rows are shared out whole. */
int ISA(reduce)(const locus_reduce_job *job, locus_context *cx)
{
  const int64_t rows = job->kept.numel, n = job->reduced.numel;

  if (worth_columns(job, method_of(job)))
    return locus_parallel(columns_part, job, rows, rows_worth(GRAIN, n) | (COLUMNS - 1), cx);
  if (rows == 1 || (rows < SEGMENTS && n > 16 * GRAIN)) return rows_part(job, 0, rows, cx);
  return locus_parallel(rows_part, job, rows, rows_worth(GRAIN, n), cx);
}
