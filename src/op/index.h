/* SPDX-License-Identifier: MIT */
/* Checks and copies for all writes through positions. */
#ifndef LOCUS_INDEX_H
#define LOCUS_INDEX_H

#include "op/ground/value.h"

/* Checks a view that is written through positions: an error where elements share memory. */
int locus_check_places(const locus_tensor *view, locus_context *cx);

/* The value as a scalar, or a tensor of the view's dtype on its device that shares no bytes with
** it; a copy made for that is left in `copy`. */
int locus_detach(const locus_tensor *view, locus_value *value, locus_tensor *copy,
                 locus_context *cx);

#endif
