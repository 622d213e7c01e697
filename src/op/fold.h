/* SPDX-License-Identifier: MIT */
/* The ops that combine many elements: reduce.c, scan.c, bincount.c, histogram.c, segment.c,
** window.c. op.h has the others. */
#ifndef LOCUS_OP_FOLD_H
#define LOCUS_OP_FOLD_H

#include "op/op.h"

/* The answer of a reduction over everything; min and max have the flat position, counted from
** `base`, too. */
typedef struct locus_answer {
  locus_dtype dtype;
  locus_element element;
  int64_t position;
} locus_answer;

/* A reduction: its operand, op and options. */
typedef struct locus_reduction {
  locus_reduce op;
  locus_value input;
  locus_dtype dtype; /* of SUM and MEAN, unless LOCUS_DTYPES: the input is cast to it first */
  uint32_t dims;     /* bit d: dimension d is reduced */
  bool keepdim;
  int64_t base;
  double correction; /* of SPREAD: squares are divided by the number of elements minus this */
} locus_reduction;

/* Over everything; `dims` does not count. min and max need an element. */
int locus_reduce_kind(const locus_reduction *r); /* of the answers */
int locus_reduce_whole(const locus_reduction *reduction, locus_answer *answer, locus_context *cx);
/* out: the answers; index (int64, of min and max): the position of each along the reduced
** dimensions. Either may be NULL. */
int locus_reduce_dims(const locus_reduction *reduction, locus_tensor *out, locus_tensor *index,
                      locus_context *cx);
/* The elements that a sum in `dtype` reads: the input itself if its elements are added the same
** way, or for LOCUS_DTYPES; else a copy as `dtype`, which is stored in `copy`. */
int locus_summands(const locus_value *input, locus_dtype dtype, locus_value *summands,
                   locus_tensor *copy, locus_context *cx);
/* Running sums or products along `dim`. The input is cast to `dtype` unless that is LOCUS_DTYPES;
** the dtype of the answer is that of sums of the input. out is apart from the input, or, in place,
** the input. */
int locus_scan_sums(locus_scan op, const locus_value *input, int dim, locus_dtype dtype,
                    locus_tensor *out, bool in_place, locus_context *cx);
/* The least or greatest elements so far, and their positions along `dim`, counted from `base`. */
int locus_scan_elements(locus_scan op, const locus_value *input, int dim, int64_t base,
                        locus_tensor *out, locus_tensor *index, locus_context *cx);
/* Missing elements are filled from others of their row along `dim`, as locus_fill_job says. */
typedef struct locus_filling {
  bool backward, has_limit, has_missing;
  int64_t limit, missing;
  int dim;
  locus_value input, ids, order; /* ids without a tensor: there are no groups */
  int64_t groups;
} locus_filling;

/* out may be exactly the input. */
int locus_fill_gaps(const locus_filling *filling, locus_tensor *out, bool in_place,
                    locus_context *cx);

/* out (1-D): the number of times that each of base, base + 1, ... occurs in the 1-D input, or, with
** weights (its tensor not NULL), the float64 sums of their weights; at least `minlength` of
** them. */
int locus_bincount(const locus_value *input, const locus_value *weights, int64_t minlength,
                   locus_tensor *out, int64_t base, locus_context *cx);

/* out (1-D): as in locus_histogram_job. The edges are f64, at least two, and contiguous. */
int locus_histogram(const locus_value *input, const locus_value *edges, const locus_value *weights,
                    locus_tensor *out, locus_context *cx);

/* An answer over the rows of a 1-D real input. */
typedef struct locus_segment_ask {
  locus_segment how;
  locus_value input; /* a tensor */
  bool skips_nan;    /* rows whose element is NaN do not count; on the CPU alone */
} locus_segment_ask;

/* Answers about rows in groups: row i belongs to group ids[i]; the first group is `base`. */
typedef struct locus_segmentation {
  int64_t count;
  const locus_segment_ask *asks;
  locus_value ids; /* a tensor */
  bool has_groups; /* else the greatest id is the last group */
  int64_t groups, base;
} locus_segmentation;

/* outs (1-D): for each ask one answer for each group. The rows are read once for all of them. */
int locus_segments(const locus_segmentation *segmentation, locus_tensor *const *outs,
                   locus_context *cx);
/* out (1-D), made anew, as in locus_segment_runs_job: `inner` answers for each segment of input.
** Starts are int64, ascend and lie within input, which is not checked. */
int locus_segment_runs(const locus_value *input, locus_segment how, const locus_value *starts,
                       int64_t inner, locus_tensor *out, locus_context *cx);

/* -- Windows that move along rows (window.c) --------------------------------------------------- */

/* out, made anew and of the size of the 2-D input, as in locus_window_job, whose scalars are set.
** The input is int64 or float64, and contiguous; so are begins and ends, which may both be NULL. */
int locus_windows(locus_window_job *job, const locus_value *input, const locus_value *begins,
                  const locus_value *ends, locus_tensor *out, locus_context *cx);
/* out, made anew and of the size of ids (int32, 1-D), as in locus_running_job, whose scalars are
** set; the input, NULL for those that read none, is 1-D, int64 or float64. All are contiguous. */
int locus_run_groups(locus_running_job *job, const locus_value *ids, const locus_value *input,
                     locus_tensor *out, locus_context *cx);
/* out, made anew and of the size of the 3-D input, whose series lie along the second dimension, or
** with ids (int32) of the 1-D one, as in locus_ewm_job, whose scalars are set. The input is
** float64; all are contiguous. */
int locus_ewm(locus_ewm_job *job, const locus_value *input, const locus_value *ids,
              locus_tensor *out, locus_context *cx);
/* begins and ends (int64, made anew) as in locus_window_bounds_job, whose scalars are set. */
int locus_window_bounds(locus_window_bounds_job *job, const locus_value *places,
                        const locus_value *offsets, locus_tensor *begins, locus_tensor *ends,
                        locus_context *cx);

#endif
