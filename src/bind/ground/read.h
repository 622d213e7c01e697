/* SPDX-License-Identifier: MIT */
/* Reads arguments by kind, and raises when one is of another. */
#ifndef LOCUS_BIND_READ_H
#define LOCUS_BIND_READ_H

#include "bind/ground/call.h"
#include "op/ground/value.h"

/* `absent` is the answer where nothing was given. */
bool locus_arg_bool(locus_call *call, int i, bool absent);
int64_t locus_arg_int(locus_call *call, int i, int64_t absent);
/* The same; a text or an element beside tensors of times and so on is the number of their units. */
int64_t locus_arg_units(locus_call *call, int i, int64_t absent);
double locus_arg_number(locus_call *call, int i, double absent);
const char *locus_arg_string(locus_call *call, int i, const char *absent);
int64_t locus_arg_base(locus_call *call, int i); /* 1, or 0 */
locus_dtype locus_arg_dtype(locus_call *call, int i, locus_dtype absent);
locus_device locus_arg_device(locus_call *call, int i, locus_device absent);
/* A device of CUDA, by its number from 0 or its name: the current one where none is given. */
int locus_arg_cuda(locus_call *call, int i);
/* The length of a table whose keys are 1..n; raises if it has others. */
int locus_arg_list_length(locus_call *call, int i);
/* A dimension of 1..ndim, or -ndim..-1 from the end, as 0-based. */
int locus_arg_dim(locus_call *call, int i, int ndim, int absent);
/* A bit mask of dimensions: a number or a table of them, none twice; absent: all, and so {} unless
** the parameter is one of LOCUS_NO_DIMS. */
uint32_t locus_arg_dims(locus_call *call, int i, int ndim);
/* Sizes: a number or a table of them; -1 is let through where `infer`. */
void locus_arg_shape(locus_call *call, int i, locus_shape *shape, bool infer);

/* A tensor; a table is made into one and replaces the argument. */
locus_tensor *locus_arg_tensor(locus_call *call, int i);
/* The same, the table read as that dtype. */
locus_tensor *locus_arg_tensor_as(locus_call *call, int i, locus_dtype dtype);
/* The same as a value that carries the argument's name; LOCUS_DTYPES means any dtype. */
void locus_arg_tensor_value(locus_call *call, int i, locus_dtype dtype, locus_value *value);
/* A tensor, table, number, boolean or cdata. */
void locus_arg_value(locus_call *call, int i, locus_value *value);
/* The caller's `out`, or a result yet to be made, which takes the argument's place. */
locus_tensor *locus_arg_out(locus_call *call, int i);
/* The first argument of an in-place op: a tensor, never a table. */
locus_tensor *locus_arg_self(locus_call *call, locus_value *value);
/* Pushes the two tensors of the caller's `out`, a table of the form that `names` shows ("{values,
** indices}"), or two results yet to be made. */
void locus_push_outs(locus_call *call, int i, const char *names, locus_tensor *outs[2]);

#endif
