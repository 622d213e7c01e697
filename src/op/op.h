/* SPDX-License-Identifier: MIT */
/* The ops: what they mean. Each checks its arguments, promotes, allocates, makes jobs and hands
** them to the device's runners. All return 0, or -1 with cx->error filled and every argument as it
** was. `out` parameters follow op/result.h: without storage they become the result. Dimensions and
** positions in C parameters are 0-based; `base` is what the caller's positions start from. */
#ifndef LOCUS_OP_H
#define LOCUS_OP_H

#include "op/result.h"

/* -- Copying and converting (copy.c) ------------------------------------------------------------ */

/* A value that `dtype` cannot hold, by name and position: an integer out of range, a NaN for an
** integer, an imaginary part for a real dtype. */
int locus_check_fits(const locus_value *value, locus_dtype dtype, locus_context *cx);
/* out, made anew in C order: the elements of `in` as `dtype`. */
int locus_convert(const locus_value *in, locus_dtype dtype, locus_tensor *out, locus_context *cx);
/* to = from, which broadcasts and is converted; as if `from` were copied first. */
int locus_copy(const locus_tensor *to, const locus_value *from, locus_context *cx);
/* out = start, start + step, ...: n elements. Exact for integers and int64 scalars. */
int locus_arange(const locus_value *start, const locus_value *end, const locus_value *step,
                 bool end_included, locus_dtype dtype, locus_tensor *out, locus_context *cx);
int locus_linspace(double start, double end, int64_t steps, locus_dtype dtype, locus_tensor *out,
                   locus_context *cx);

/* -- Where is something? (nonzero.c) ------------------------------------------------------------ */

/* out (int64, z x ndim, stored by columns): the coordinates of the nonzero elements in C order.
** as_columns treats a 0-d input as one of a single dimension. */
int locus_nonzero(const locus_value *input, locus_tensor *out, bool as_columns, int64_t base,
                  locus_context *cx);
/* The first `size` rows of nonzero, then rows of fill_value. */
int locus_nonzero_static(const locus_value *input, int64_t size, int64_t fill_value,
                         locus_tensor *out, int64_t base, locus_context *cx);
/* out (1-D): the elements of input where mask is true; both broadcast. */
int locus_masked_select(const locus_value *input, const locus_value *mask, locus_tensor *out,
                        locus_context *cx);

#endif
