/* SPDX-License-Identifier: MIT */
/* The results that an op writes: a fresh tensor, or the caller's `out`. An op begins its results,
** runs its jobs into `made`, and ends them; a failure on the way leaves every `out` as it was. A
** result of all zeros has not been begun; it may be ended as well. */
#ifndef LOCUS_RESULT_H
#define LOCUS_RESULT_H

#include "op/ground/grid.h"
#include "op/ground/overlap.h"

typedef struct locus_result {
  locus_tensor *out;  /* without storage: none was given, it becomes the result */
  locus_tensor *made; /* `out` itself where it had no storage or the right size */
  bool fresh;         /* `out` had no storage */
  int kind;           /* that the op gives to the result, if that is int64; 0: it has none */
} locus_result;

/* `name` is the argument's, for messages. */
/* Every function that writes to a tensor asks this first. */
int locus_check_writable(const locus_tensor *to, const char *name, locus_context *cx);

/* The size is known from the arguments: an `out` without elements is resized, any other wrong
** size is an error. dtype and device must be the result's; `out` must not overlap itself. */
int locus_result_begin(locus_result *result, locus_tensor *out, const char *name, locus_dtype dtype,
                       const locus_shape *shape, locus_device device, locus_context *cx);

/* The size depends on data: `out` may have any size, and becomes the result, reusing its storage if
** that has room and no other view. `steps` are the strides of a result that does not fit (NULL: C
** order). The first check can be made before the size is known. */
int locus_result_check(const locus_tensor *out, const char *name, locus_dtype dtype,
                       locus_device device, locus_context *cx);
int locus_result_resize(locus_result *result, locus_tensor *out, const char *name,
                        locus_dtype dtype, const locus_shape *shape, const int64_t *steps,
                        locus_device device, locus_context *cx);

/* `out` must not share bytes with an input; where same_ok, it may be exactly the input. */
int locus_result_apart(const locus_tensor *out, const char *name, const locus_value *input,
                       bool same_ok, locus_context *cx);

/* Gives `made` to `out` if status is 0, else drops it; returns status. */
int locus_result_end(locus_result *result, int status);

/* Two results of one shape, such as values and their positions; one of the `outs` may be NULL: not
** wanted. They must lie apart from the input and from each other. */
int locus_result_begin_pair(locus_result pair[2], locus_tensor *const outs[2],
                            const locus_dtype dtypes[2], const locus_shape *shape,
                            const locus_value *input, locus_context *cx);

/* Commits both if status is 0, else drops them; returns status. */
int locus_result_end_pair(locus_result pair[2], int status);

#endif
