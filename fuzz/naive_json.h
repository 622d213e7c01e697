/* SPDX-License-Identifier: MIT */
/* JSON, a byte at a time. */
#ifndef LOCUS_FUZZ_NAIVE_JSON_H
#define LOCUS_FUZZ_NAIVE_JSON_H

#include <stdlib.h>

#include "plan.h"

/* Notes the rows of the columns a, o.x and l[1], as strings; `line` counts the records that are
** bad, and an array that is none has failed. Returns how many objects and arrays lie in each other.
*/
int naive_json(const char *bytes, int64_t length, result *result);

#endif
