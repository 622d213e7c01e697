/* SPDX-License-Identifier: MIT */
/* Variances of windows of w elements, by blocks side by side as in lanes.inc. How many elements an
** accumulator has is known, so that no element divides: the factors of each t lie in a table.
** Sources: B. Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products",
** Technometrics 4 (1962), for one more element; Chan, Golub, LeVeque, "Algorithms for Computing the
** Sample Variance" (1983), for two halves. */
#ifndef LOCUS_SPREAD_LANES_H
#define LOCUS_SPREAD_LANES_H

#include "cpu/window/vectors.h"

typedef double f64_lanes __attribute__((vector_size(LANES * sizeof(double))));

/* For t elements: 1 / t; and what the squared distance of two means weighs, t elements of w being
** on one side. */
typedef struct spread_factors {
  double one, apart;
} spread_factors;

static inline void spread_table(spread_factors *of, int64_t w)
{
  for (int64_t t = 1; t <= w; t++) {
    of[t - 1].one = 1 / (double)t;
    of[t - 1].apart = (double)t * ((double)(w - t) / (double)w);
  }
}

/* Joins one more element, v, to those with that mean and that sum of squares. */
#define SPREAD_ONE(mean, squares, v, inverse) \
  do {                                        \
    const f64_lanes apart_ = (v) - (mean);    \
    (mean) += apart_ * (inverse);             \
    (squares) += apart_ * ((v) - (mean));     \
  } while (0)

/* The squared distances of each window's elements to their mean, added up, in `squares`. Elements
** are counted from the last one of the block, which all of these windows have: so a mean that is
** great beside the distances costs no digits. */
static void lanes_spread(const double *x, int64_t pitch, double *squares, double *means,
                         int64_t lanes, int64_t w, const spread_factors *of)
{
  for (int64_t l = 0; l < lanes; l += LANES) {
    f64_lanes mean, sum, v, from;
    GET(from, x + (w - 1) * pitch + l);
    mean = sum = from - from; /* NaN where it is no number */
    for (int64_t t = w - 1;; t--) {
      PUT(squares + t * lanes + l, sum);
      PUT(means + t * lanes + l, mean);
      if (t == 0) break;
      GET(v, x + (t - 1) * pitch + l);
      v -= from;
      SPREAD_ONE(mean, sum, v, of[w - t].one);
    }
    GET(mean, x + l + 1);
    mean -= from;
    sum = mean - mean;
    for (int64_t t = 1; t < w; t++) {
      f64_lanes behind, other;
      GET(behind, squares + t * lanes + l);
      GET(other, means + t * lanes + l);
      other -= mean;
      behind += sum + other * other * of[t - 1].apart;
      PUT(squares + t * lanes + l, behind);
      GET(v, x + t * pitch + l + 1);
      v -= from;
      SPREAD_ONE(mean, sum, v, of[t].one);
    }
  }
}

#endif
