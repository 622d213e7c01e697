/* SPDX-License-Identifier: MIT */
/* What searchsorted.c has for search_index.c. */
#ifndef LOCUS_BIND_SEARCHSORTED_H
#define LOCUS_BIND_SEARCHSORTED_H

#include "bind/bind.h"

/* Searches with what the arguments `right`, `side` and `out` say, and pushes the answers. */
int locus_answer_search(locus_call *call, const locus_search *search, int right, int side, int out);

#endif
