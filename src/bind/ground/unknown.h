/* SPDX-License-Identifier: MIT */
/* Unknown names of arguments and dtypes, and their names in other libraries. */
#ifndef LOCUS_BIND_UNKNOWN_H
#define LOCUS_BIND_UNKNOWN_H

#include "bind/ground/call.h"

/* Raises for an argument of that name. The error names our argument for that of another library,
** the most similar one, or all. */
int locus_unknown_name(locus_call *call, const char *name);

/* Our dtype or type of columns for a type of another library, or NULL; and another one that may be
** meant, or NULL. */
const char *locus_type_elsewhere(const char *name, const char **other);

/* Raises for argument i, a string that is no dtype, as locus_arg_expected does, and names our dtype
** for one of another library. */
int locus_unknown_dtype(locus_call *call, int i, const char *expected);

#endif
