/* SPDX-License-Identifier: MIT */
/* The jobs of core/jobs.h that combine many elements: reduce, scan, fill, bincount, histogram,
** segment and segment_runs. */
#ifndef LOCUS_FOLD_JOBS_H
#define LOCUS_FOLD_JOBS_H

#include "core/jobs/operand.h"
#include "core/words.h"

/* The fixed tree by which floats are summed, as doubles. Elements are cut into blocks. Lane l of a
** block adds up the doubles l, l + LOCUS_SUM_LANES, l + 2 LOCUS_SUM_LANES, ...; a complex element
** is two doubles. Then the upper half of the lanes is added to the lower one until a single element
** is left. The sums of the blocks go through a binary counter, earlier ones as left operands; at
** the end its levels are added up from the lowest. */
enum { LOCUS_SUM_BLOCK = 1024, LOCUS_SUM_LANES = 32 };

/* For each point of `kept`, one answer over the points of `reduced`. `in` has the strides of the
** kept dimensions, in_reduced those of the reduced ones. Float sums take the elements in the order
** of `reduced`. In min and max NaN wins, and index is the 0-based position in `reduced`, plus base,
** of the first such element.
**
** norm1 is the sum of magnitudes, norm2 the root of the sum of squares. var is the sum of the
** squares of the distances to the mean over `divisor`, std its root. Means, norm2, var and std are
** right even if sums or squares lie beyond float64, or below, as long as the answer does not. The
** mean of equal elements is that element, however sums round, so their variance is 0. */
typedef struct locus_reduce_job {
  locus_reduce op;
  bool has_out, has_index;
  int64_t base;
  double divisor;
  locus_grid kept, reduced;
  locus_operand in, out, index; /* over kept; index is i64 */
  int64_t in_reduced[LOCUS_MAX_DIMS];
} locus_reduce_job;

/* Along rows of n elements: the grid lists the rows, the steps lead along one. sum and prod are
** computed in out's dtype, one element after the other; integers modulo 2^64. In min and max the
** last of equal elements wins, and NaN, all NaN being equal; index is its 0-based position, plus
** base, and in has data and out's dtype. */
typedef struct locus_scan_job {
  locus_scan op;
  locus_grid rows;
  int64_t n, in_step, out_step, index_step;
  locus_operand in, out, index; /* index is i64, of min and max alone */
  int64_t base;
} locus_scan_job;

/* Along rows of n elements: a missing one becomes the last before it that is not missing, or
** with `backward` the first behind it, if that is at most `limit` away, at most 2^61. NaN is
** missing, complex numbers with a part that is, and where has_missing is set the integer
** `missing`. `in` and `out` have one dtype; out may be in.
**
** With has_groups there is one row, and only elements of the same group count, and are counted.
** ids (integers, along the row) are the numbers of the groups, 1 .. groups; `order` lists the
** positions, 1 .. n, of the elements group after group, in their order; the CPU does without it. */
typedef struct locus_fill_job {
  bool backward, has_missing, has_groups;
  int64_t limit, missing, groups;
  int64_t n, in_step, out_step, ids_step;
  const int64_t *order;
  locus_grid rows;
  locus_operand in, out, ids;
} locus_fill_job;

/* The progress of a count: it has `bins` counters, a power of two, after `seen` elements. If
** elements remain, least and greatest are the extremes of some of them. */
typedef struct locus_bincount_progress {
  int64_t bins, seen, least, greatest;
} locus_bincount_progress;

/* out[v - base] += weight, for v in `in` (integers, checked). out (i64, or f64 with weights) holds
** zeros or running counts. On the CPU, without weights, `progress` means that values have not been
** checked: counting begins after those seen and ends before any that has no counter. */
typedef struct locus_bincount_job {
  locus_grid grid;
  locus_operand in, weights; /* has_weights false: every weight is 1 */
  bool has_weights;
  char *out;
  int64_t base, bins;                /* out's, unless there is progress */
  locus_bincount_progress *progress; /* or NULL */
} locus_bincount_job;

/* out[b] += weight, for each element x of `in` and its bin b, 0..bins-1, where edges[b] <= x and
** x < edges[b+1], in the last bin x <= edges[bins] too. Other elements, and NaN, are in no bin. The
** edges ascend, none is NaN. Everything is compared as f64; an i64 `in` has only edges within 2^53.
** out (i64, or f64 with weights) holds zeros. */
typedef struct locus_histogram_job {
  locus_grid grid; /* of one dimension */
  locus_operand in, weights;
  bool has_weights;
  int64_t bins; /* at least 1 */
  const double *edges;
  char *out;
} locus_histogram_job;

/* One of the answers of a locus_segment_job. */
typedef struct locus_segment_answer {
  locus_segment how;
  locus_operand in, out; /* over rows; over groups */
  bool skips_nan;        /* rows whose element is NaN do not count; of floats, on the CPU alone */
} locus_segment_answer;

/* For each group, answers over its rows, whose id minus base is the group's number; ids have been
** checked. Integers are added and multiplied modulo 2^64, floats as doubles, one row after the
** other, starting with 0 or 1. The mean is the sum divided by the number of rows. var adds the
** squares of the distances to the mean in the same way and divides by one less, NaN below two rows;
** std is its root. min and max: NaN wins, else the first such element. If an ELEMENT is wanted of a
** group without rows, *empty is the first such group, and no element is written; else *empty is -1.
*/
typedef struct locus_segment_job {
  locus_grid rows, groups; /* of one dimension each */
  locus_operand ids;       /* over rows; integers */
  int64_t base;
  int64_t count; /* of the answers */
  const locus_segment_answer *answers;
  int64_t *empty; /* NULL unless an ELEMENT is asked: then a device does not wait */
} locus_segment_job;

/* The same for consecutive segments, without ids: segment s has the elements starts[s] .. starts[s
** + 1] - 1 of `in`. Each is `inner` values side by side, which have answers of their own. how: sum,
** prod, mean, min or max; an empty segment gives for min and max the value over which every element
** wins. All arrays are contiguous. */
typedef struct locus_segment_runs_job {
  locus_segment how;
  int64_t segments, inner;
  const int64_t *starts; /* segments + 1, which never fall */
  locus_dtype dtype;     /* of the elements */
  const char *in;
  char *out; /* i64 for sums and products of integers, else f64; for min and max `dtype` */
} locus_segment_runs_job;

#endif
