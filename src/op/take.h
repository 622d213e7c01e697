/* SPDX-License-Identifier: MIT */
/* The checks of take, which several columns share. */
#ifndef LOCUS_TAKE_H
#define LOCUS_TAKE_H

#include "op/op.h"

/* An error unless the input is 1-D, and positions are integers on its device. */
int locus_take_check(const locus_value *input, const locus_value *positions, locus_context *cx);

/* An error unless positions lie in base - 1 .. base + n - 1, the first of these only if `missing`
** is given. */
int locus_take_check_positions(const locus_value *input, const locus_value *positions,
                               bool has_missing, int64_t base, locus_context *cx);

/* `missing` as an element. */
int locus_take_read_missing(const locus_value *missing, locus_dtype dtype, locus_element *element,
                            locus_context *cx);

#endif
