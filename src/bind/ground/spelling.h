/* SPDX-License-Identifier: MIT */
/* How much alike two names are, for hints. */
#ifndef LOCUS_BIND_SPELLING_H
#define LOCUS_BIND_SPELLING_H

#include "core/ieee.h"

/* How many letters must change to make one name the other. */
int locus_spelling_distance(const char *a, const char *b);

#endif
