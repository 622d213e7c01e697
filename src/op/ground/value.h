/* SPDX-License-Identifier: MIT */
/* A data argument of an op: a tensor, or a Lua number, boolean or cdata standing for one. */
#ifndef LOCUS_VALUE_H
#define LOCUS_VALUE_H

#include "core/tensor.h"

typedef enum locus_scalar {
  LOCUS_SCALAR_NUMBER,  /* a Lua number: f64, integral or not */
  LOCUS_SCALAR_INT64,   /* an int64 cdata */
  LOCUS_SCALAR_BOOL,    /* a Lua boolean, in i64 */
  LOCUS_SCALAR_COMPLEX, /* a complex cdata */
} locus_scalar;

typedef struct locus_value {
  const char *name;           /* of the argument, for messages */
  const locus_tensor *tensor; /* NULL: the scalar */
  locus_scalar scalar;
  locus_dtype dtype; /* of floats: for the digits of a scalar in messages */
  int kind;          /* of kind.h, of a scalar */
  locus_element element;
} locus_value;

/* Whether the scalar is a whole number that an int64 can hold. */
bool locus_value_integral(const locus_value *value, int64_t *integer);

/* The promoted dtype of the values: tensors with dimensions, then 0-d tensors, then scalars; a
** lower rank matters only if its kind is higher. */
locus_dtype locus_promote(const locus_value *values, int count, const locus_context *cx);

/* Writes the scalar as an element of `dtype`; an error when an integer dtype cannot hold it. */
int locus_value_store(const locus_value *value, locus_dtype dtype, void *element,
                      locus_context *cx);

/* Reads an element back as a scalar. */
void locus_value_load(locus_value *value, locus_dtype dtype, const void *element);

/* Whether two real scalars of one dtype are in ascending order, NaN last. */
bool locus_value_sorted(const locus_value *first, const locus_value *second);

/* The shape of the value; a scalar's is 0-d. */
const locus_shape *locus_value_shape(const locus_value *value);

/* Where the value is. */
locus_device locus_value_device(const locus_value *value, const locus_context *cx);

/* Whether it goes with tensors on any device: a scalar, or a 0-d tensor on the CPU. */
bool locus_value_anywhere(const locus_value *value);

/* An error unless a tensor is on the device of another one. */
int locus_check_device(const locus_value *value, const locus_value *beside, locus_context *cx);

/* Spells the scalar for a message: integers with all digits, floats with as many as tell them from
** their neighbours. */
enum { LOCUS_VALUE_TEXT = 96 };
const char *locus_value_text(const locus_value *value, char buffer[LOCUS_VALUE_TEXT]);

#endif
