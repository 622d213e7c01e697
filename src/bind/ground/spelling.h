/* SPDX-License-Identifier: MIT */
/* The similarity of two names, for hints. */
#ifndef LOCUS_BIND_SPELLING_H
#define LOCUS_BIND_SPELLING_H

#include "core/ieee.h"

/* The number of letters that must change to make one name the other. */
int locus_spelling_distance(const char *a, const char *b);

#endif
