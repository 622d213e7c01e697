/* SPDX-License-Identifier: MIT */
/* The ops of windows that move along rows: window.c. op.h has the others. */
#ifndef LOCUS_OP_WINDOW_H
#define LOCUS_OP_WINDOW_H

#include "op/op.h"

/* out, made anew and of the size of the 2-D input, as in locus_window_job, whose scalars are set.
** The input is int64 or float64, and contiguous; so are begins and ends, which may both be NULL. */
int locus_windows(locus_window_job *job, const locus_value *input, const locus_value *begins,
                  const locus_value *ends, locus_tensor *out, locus_context *cx);
/* out, made anew and of the size of ids (int32, 1-D), as in locus_running_job, whose scalars are
** set; the input, NULL for those that read none, is 1-D, int64 or float64. All are contiguous. */
int locus_run_groups(locus_running_job *job, const locus_value *ids, const locus_value *input,
                     locus_tensor *out, locus_context *cx);
/* begins and ends (int64, made anew) as in locus_window_bounds_job, whose scalars are set. */
int locus_window_bounds(locus_window_bounds_job *job, const locus_value *places,
                        const locus_value *offsets, locus_tensor *begins, locus_tensor *ends,
                        locus_context *cx);

#endif
