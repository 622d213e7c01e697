/* SPDX-License-Identifier: MIT */
/* Means, norms and spreads whose float64 sums may be wrong though the answer is finite: when to
** compute them again, and with which factors. Sums of other dtypes lie well within float64, so that
** only equal elements matter. */
#ifndef LOCUS_RESCALE_H
#define LOCUS_RESCALE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "core/inline.h"

/* Elements whose squares, or sums, may lie beyond float64 are scaled down by this factor, and those
** whose squares may lie below it are scaled up. */
#define LOCUS_SHRINK 0x1p-600
#define LOCUS_GROW 0x1p600

/* Whether sums of elements, or of their squares, went beyond float64 although elements did not. */
LOCUS_INLINE bool locus_overflowed(double answer)
{
  return !(fabs(answer) <= DBL_MAX);
}

/* Whether a mean is as near to an element as rounding can put it if all elements are equal. That
** element may be NaN, if it is unknown. `slack` bounds the relative error of sums. */
LOCUS_INLINE bool locus_may_be_alike(double mean, double element, double slack)
{
  const bool unknown = (element != element) & (mean == mean);
  return unknown | ((mean != element) & (fabs(mean - element) <= slack * fabs(element)));
}

/* The slack of a sum over the tree of core/jobs/fold_jobs.h. */
#define LOCUS_TREE_SLACK 0x1p-40

/* A quick test of a mean, a norm or a spread: true if no other test is needed, since sums and
** squares lie well within float64, and no mean is near that element. */
LOCUS_INLINE bool locus_beyond_doubt(double answer, double element)
{
  const double size = fabs(answer);
  return (size <= DBL_MAX) & (size > 0x1p-400) &
         (fabs(answer - element) > LOCUS_TREE_SLACK * fabs(element));
}

/* The mean of numbers that were scaled down. It lies between them, so it is finite if they are. */
LOCUS_INLINE double locus_grown_mean(double mean)
{
  const double grown = mean * LOCUS_GROW;
  if (locus_overflowed(mean) || !locus_overflowed(grown)) return grown;
  return mean < 0 ? -DBL_MAX : DBL_MAX;
}

/* The factor for another sum of squares, from the root of this one; 1 if it is right. Squares below
** 2^-1022 lose digits, which matters if the sum is not much greater. */
LOCUS_INLINE double locus_factor_of_squares(double root)
{
  return root > DBL_MAX ? LOCUS_SHRINK : root < 0x1p-480 ? LOCUS_GROW : 1;
}

/* The same for distances to a mean: far from 0 two numbers are equal, or not as near as that. */
LOCUS_INLINE double locus_factor_of_distances(double deviation, double mean)
{
  const double factor = locus_factor_of_squares(deviation);
  return factor > 1 && !(fabs(mean) < 0x1p-400) ? 1 : factor;
}

/* A distance times a factor, which may itself lie beyond float64. */
LOCUS_INLINE double locus_scaled_distance(double x, double mean, double factor)
{
  return factor < 1 ? x * factor - mean * factor : (x - mean) * factor;
}

#endif
