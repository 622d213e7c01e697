/* SPDX-License-Identifier: MIT */
/* The methods of sums, products, means, norms and spreads of floats: how they take elements, how
** they answer, and which answers get a second pass, by which method. */
#ifndef LOCUS_REDUCE_METHODS_H
#define LOCUS_REDUCE_METHODS_H

#include "cpu/reduce/reduce_alike.h"

/* -- Answers ----------------------------------------------------------------------------------- */

static void answer_complex_mean(const partial *p, int64_t n, void *out)
{
  const locus_complex128 sum = sum_of_levels(p, PAIRS);
  const double count = (double)(n - (int64_t)p->whole);

  *(locus_complex128 *)out = (locus_complex128){sum.re / count, sum.im / count};
}

static void answer_shrunk_complex_mean(const partial *p, int64_t n, void *out)
{
  locus_complex128 *mean = out;

  answer_complex_mean(p, n, out);
  *mean = (locus_complex128){locus_grown_mean(mean->re), locus_grown_mean(mean->im)};
}

/* The divisor of variances for the `count` elements that are left of those that `divisor` counts,
** without `absent`. */
static ALWAYS_INLINE double divisor_for(double divisor, uint64_t absent, double count)
{
  const double left = divisor - (double)absent;
  return count > 0 && left > 0 ? left : 0;
}

/* answer_<name> and answer_<name>_columns: a formula of the sum, the number of elements and the
** divisor. */
#define ANSWERING(name, formula)                                          \
  static double name##_of(double sum, double count, double divisor)       \
  {                                                                       \
    (void)count;                                                          \
    (void)divisor;                                                        \
    return formula;                                                       \
  }                                                                       \
  static void answer_##name(const partial *p, int64_t n, void *out)       \
  {                                                                       \
    const double count = (double)(n - (int64_t)p->whole);                 \
    const double divisor = divisor_for(p->divisor, p->whole, count);      \
    *(double *)out = name##_of(sum_of_levels(p, 0).re, count, divisor);   \
  }                                                                       \
  static void answer_##name##_columns(const columns *c, void *out)        \
  {                                                                       \
    double *answer = out;                                                 \
    sum_of_column_levels(c, out, 0);                                      \
    for (int64_t j = 0; j < c->count; j++) {                              \
      const double count = (double)(c->n - (int64_t)c->whole[j]);         \
      const double divisor = divisor_for(c->divisor, c->whole[j], count); \
      answer[j] = name##_of(answer[j], count, divisor);                   \
    }                                                                     \
  }
ANSWERING(mean, sum / count)
ANSWERING(shrunk_mean, locus_grown_mean(sum / count))
ANSWERING(root, sqrt(sum))
ANSWERING(shrunk_root, sqrt(sum) * LOCUS_GROW)
ANSWERING(grown_root, sqrt(sum) * LOCUS_SHRINK)
ANSWERING(variance, sum / divisor)
ANSWERING(shrunk_variance, sum / divisor * LOCUS_GROW * LOCUS_GROW)
ANSWERING(grown_variance, sum / divisor * LOCUS_SHRINK * LOCUS_SHRINK)
ANSWERING(deviation, sqrt(sum / divisor))
ANSWERING(shrunk_deviation, sqrt(sum / divisor) * LOCUS_GROW)
ANSWERING(grown_deviation, sqrt(sum / divisor) * LOCUS_SHRINK)

/* join_<name>, answer_<name> and answer_<name>_columns of sums or products. */
#define JOINING(name, type, part, as)                               \
  static void join_##name(partial *p, const partial *next)          \
  {                                                                 \
    join_counters(p, next, as);                                     \
  }                                                                 \
  static void answer_##name(const partial *p, int64_t n, void *out) \
  {                                                                 \
    (void)n;                                                        \
    *(type *)out = sum_of_levels(p, as) part;                       \
  }
JOINING(sum, double, .re, 0)
JOINING(product, double, .re, TIMES)
JOINING(pair_sum, locus_complex128, , PAIRS)
JOINING(pair_product, locus_complex128, , PAIRS | TIMES)

static void answer_sum_columns(const columns *c, void *out)
{
  sum_of_column_levels(c, out, 0);
}

static void answer_product_columns(const columns *c, void *out)
{
  sum_of_column_levels(c, out, TIMES);
}

/* take_<name>, and take_<name>_columns, of elements taken so. */
#define TAKING(name, as)                                          \
  static void take_##name(partial *p, const void *run, int64_t n) \
  {                                                               \
    take_blocks(p, run, n, as);                                   \
  }
#define TAKING_COLUMNS(name, as)                                                              \
  TAKING(name, as)                                                                            \
  static void take_##name##_columns(columns *c, const void *run, int64_t apart, int64_t rows) \
  {                                                                                           \
    take_block_columns(c, run, apart, rows, as);                                              \
  }
TAKING(complexes, PAIRS)
TAKING(shrunk_complexes, PAIRS | SHRUNK)
TAKING(present_complexes, PAIRS | PRESENT)
TAKING(shrunk_present_complexes, PAIRS | PRESENT | SHRUNK)

#define TAKING_REALS(name, as) \
  TAKING_COLUMNS(name, as)     \
  TAKING_COLUMNS(single_##name, SINGLE | (as))
TAKING_REALS(reals, 0)
TAKING_REALS(factors, TIMES)
TAKING_REALS(present_reals, PRESENT)
TAKING_REALS(magnitudes, MAGNITUDES)
TAKING_REALS(squares, SQUARES)
TAKING_REALS(deviations, DEVIATIONS)
TAKING_REALS(present_deviations, PRESENT | DEVIATIONS)

/* Sums of float32 lie neither beyond float64, nor below it. */
TAKING_COLUMNS(shrunk_reals, SHRUNK)
TAKING_COLUMNS(shrunk_present_reals, PRESENT | SHRUNK)
TAKING_COLUMNS(shrunk_squares, SQUARES | SHRUNK)
TAKING_COLUMNS(grown_squares, SQUARES | GROWN)
TAKING_COLUMNS(shrunk_deviations, DEVIATIONS | SHRUNK)
TAKING_COLUMNS(grown_deviations, DEVIATIONS | GROWN)
TAKING_COLUMNS(shrunk_present_deviations, PRESENT | DEVIATIONS | SHRUNK)
TAKING_COLUMNS(grown_present_deviations, PRESENT | DEVIATIONS | GROWN)

/* Once a sum is NaN it remains so. */
static bool is_lost(const partial *p)
{
  const double sum = p->blocks ? p->level[__builtin_ctzll(p->blocks)].re : 0;
  return sum != sum;
}

/* -- Answers that need a second pass --------------------------------------------------------- */

/* wanted_<name>: of each answer a, beside its mark m, whether a condition holds. */
#define WANTED(name, condition)                                                                    \
  static bool wanted_##name(const double *answer, const double *mark, int64_t count, bool *wanted) \
  {                                                                                                \
    uint64_t any = 0; /* as wide as a double, for the compiler's vectors */                        \
    for (int64_t j = 0; j < count; j++) {                                                          \
      const double a = answer[j], m = mark[j];                                                     \
      (void)m;                                                                                     \
      any |= (condition) ? 1 : 0;                                                                  \
    }                                                                                              \
    for (int64_t j = 0; any && j < count; j++) {                                                   \
      const double a = answer[j], m = mark[j];                                                     \
      (void)m;                                                                                     \
      wanted[j] = (condition);                                                                     \
    }                                                                                              \
    return any;                                                                                    \
  }
WANTED(mean_beyond, locus_overflowed(a))
WANTED(mean_alike, locus_may_be_alike(a, m, LOCUS_TREE_SLACK))
WANTED(squares_beyond, locus_factor_of_squares(a) < 1)
WANTED(squares_below, locus_factor_of_squares(a) > 1)
WANTED(deviation_below, locus_factor_of_distances(a, m) > 1)
WANTED(variance_below, a<0x1p-960 && locus_factor_of_distances(sqrt(a), m)> 1)

/* -- The methods ------------------------------------------------------------------------------- */

/* The method <name>, whose `single` is single_<name>. */
#define REAL_METHOD(name, from, take, decided, join, answer, single, looks)                        \
  static const column_method name##_columns = {begin_block_columns, take_##take##_columns,         \
                                               never_all, answer_##answer##_columns, true};        \
  static const method name = {from,        LOCUS_f64,       begin_blocks,    take_##take, decided, \
                              join_##join, answer_##answer, &name##_columns, single,      looks};
#define REAL_METHODS(name, take, join, answer, looks)                                    \
  REAL_METHOD(single_##name, LOCUS_f32, single_##take, never, join, answer, NULL, looks) \
  REAL_METHOD(name, LOCUS_f64, take, never, join, answer, &single_##name, looks)
#define WIDE_METHOD(name, take, decided, answer) \
  REAL_METHOD(name, LOCUS_f64, take, decided, sum, answer, NULL, NULL)
WIDE_METHOD(shrunk_mean, shrunk_reals, is_lost, shrunk_mean)
WIDE_METHOD(shrunk_present_mean, shrunk_present_reals, never, shrunk_mean)
WIDE_METHOD(shrunk_root, shrunk_squares, never, shrunk_root)
WIDE_METHOD(grown_root, grown_squares, never, grown_root)
WIDE_METHOD(shrunk_variance, shrunk_deviations, never, shrunk_variance)
WIDE_METHOD(grown_variance, grown_deviations, never, grown_variance)
WIDE_METHOD(shrunk_deviation, shrunk_deviations, never, shrunk_deviation)
WIDE_METHOD(grown_deviation, grown_deviations, never, grown_deviation)
WIDE_METHOD(shrunk_present_variance, shrunk_present_deviations, never, shrunk_variance)
WIDE_METHOD(grown_present_variance, grown_present_deviations, never, grown_variance)
WIDE_METHOD(shrunk_present_deviation, shrunk_present_deviations, never, shrunk_deviation)
WIDE_METHOD(grown_present_deviation, grown_present_deviations, never, grown_deviation)

#define PAIR_METHOD(name, take, join, answer, looks)                                          \
  static const method name = {LOCUS_c128,  LOCUS_c128,      begin_blocks, take_##take, never, \
                              join_##join, answer_##answer, NULL,         NULL,        looks};
PAIR_METHOD(shrunk_pair_mean, shrunk_complexes, pair_sum, shrunk_complex_mean, NULL)
PAIR_METHOD(shrunk_present_pair_mean, shrunk_present_complexes, pair_sum, shrunk_complex_mean, NULL)

static const look
    at_mean[LOOKS] = {{wanted_mean_beyond, &shrunk_mean, true}, {wanted_mean_alike, &alike, false}},
    at_present_mean[LOOKS] = {{wanted_mean_beyond, &shrunk_present_mean, true},
                              {wanted_mean_alike, &alike, false}},
    at_pair_mean[LOOKS] = {{wanted_mean_beyond, &shrunk_pair_mean, true},
                           {wanted_mean_alike, &alike_pairs, false}},
    at_present_pair_mean[LOOKS] = {{wanted_mean_beyond, &shrunk_present_pair_mean, true},
                                   {wanted_mean_alike, &present_alike_pairs, false}},
    at_root[LOOKS] = {{wanted_squares_beyond, &shrunk_root, true},
                      {wanted_squares_below, &grown_root, true}},
    at_variance[LOOKS] = {{wanted_squares_beyond, &shrunk_variance, true},
                          {wanted_variance_below, &grown_variance, true}},
    at_deviation[LOOKS] = {{wanted_squares_beyond, &shrunk_deviation, true},
                           {wanted_deviation_below, &grown_deviation, true}},
    at_present_variance[LOOKS] = {{wanted_squares_beyond, &shrunk_present_variance, true},
                                  {wanted_variance_below, &grown_present_variance, true}},
    at_present_deviation[LOOKS] = {{wanted_squares_beyond, &shrunk_present_deviation, true},
                                   {wanted_deviation_below, &grown_present_deviation, true}};

REAL_METHODS(real_sum, reals, sum, sum, NULL)
REAL_METHODS(real_mean, reals, sum, mean, at_mean)
REAL_METHODS(real_product, factors, product, product, NULL)
REAL_METHODS(present_sum, present_reals, sum, sum, NULL)
REAL_METHODS(present_mean, present_reals, sum, mean, at_present_mean)
REAL_METHODS(magnitudes, magnitudes, sum, sum, NULL)
REAL_METHODS(root_of_squares, squares, sum, root, at_root)
REAL_METHODS(variance, deviations, sum, variance, at_variance)
REAL_METHODS(deviation, deviations, sum, deviation, at_deviation)
REAL_METHODS(present_variance, present_deviations, sum, variance, at_present_variance)
REAL_METHODS(present_deviation, present_deviations, sum, deviation, at_present_deviation)

PAIR_METHOD(pair_sum, complexes, pair_sum, pair_sum, NULL)
PAIR_METHOD(pair_mean, complexes, pair_sum, complex_mean, at_pair_mean)
PAIR_METHOD(pair_product, pair_products, pair_product, pair_product, NULL)
PAIR_METHOD(present_pair_sum, present_complexes, pair_sum, pair_sum, NULL)
PAIR_METHOD(present_pair_mean, present_complexes, pair_sum, complex_mean, at_present_pair_mean)

#endif
