/* SPDX-License-Identifier: MIT */
/* Names that there are not here, of arguments and dtypes: how they are called elsewhere. */
#ifndef LOCUS_BIND_UNKNOWN_H
#define LOCUS_BIND_UNKNOWN_H

#include "bind/ground/call.h"

/* Raises for an argument of that name: names the one that others call so, or that is spelled most
** alike, or all of them. */
int locus_unknown_name(locus_call *call, const char *name);

/* The dtype or type of columns that holds the values of the type that others call so, or NULL; and
** the one of those who mean another by that name, or NULL. */
const char *locus_type_elsewhere(const char *name, const char **other);

/* Raises for argument i, a string that is no dtype, as locus_arg_expected does, and names the dtype
** that holds the values of the one that others call so. */
int locus_unknown_dtype(locus_call *call, int i, const char *expected);

#endif
