/* SPDX-License-Identifier: MIT */
/* The checks of the families unary, binary and compare, and of where, before their job runs. */
#ifndef LOCUS_ELEMENTWISE_H
#define LOCUS_ELEMENTWISE_H

#include "op/op.h"

typedef struct locus_elementwise {
  const char *op; /* its name, for hints */
  const locus_value *values;
  int count;
  locus_dtype dtype;  /* computed in */
  locus_dtype answer; /* of the result */
  bool in_place;      /* the first value is `out`: its dtype and size stay */
  const char *out;    /* the name of `out` in errors; NULL: out */
  int kind;           /* of the result */
} locus_elementwise;

/* The device that the values share. */
int locus_shared_device(const locus_value *values, int count, locus_device *device,
                        locus_context *cx);

/* The broadcast shape of the values, and the device they share. */
int locus_broadcast_values(const locus_value *values, int count, locus_shape *shape,
                           locus_device *device, locus_context *cx);

/* Checks everything and begins the result. In place, `dtype` and `answer` are adapted to `out`:
** integers are computed in its dtype, and other values must fit it. */
int locus_elementwise_begin(locus_elementwise *e, locus_result *result, locus_tensor *out,
                            locus_context *cx);

/* "not defined for bool; <hint>" */
int locus_undefined(locus_dtype dtype, const char *hint, locus_context *cx);

#endif
