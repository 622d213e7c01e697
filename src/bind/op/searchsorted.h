/* SPDX-License-Identifier: MIT */
/* The part of searchsorted.c that search_index.c shares. */
#ifndef LOCUS_BIND_SEARCHSORTED_H
#define LOCUS_BIND_SEARCHSORTED_H

#include "bind/bind.h"

/* Searches by the arguments `right`, `side` and `out`, and pushes the answers. */
int locus_answer_search(locus_call *call, const locus_search *search, int right, int side, int out);

#endif
