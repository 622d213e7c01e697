/* SPDX-License-Identifier: MIT */
/* The order of the strings of a dictionary, by their bytes. */
#ifndef LOCUS_TEXT_RANK_H
#define LOCUS_TEXT_RANK_H

#include "text/names/dictionary.h"

/* signs[i] = -1, 0 or 1: string i + 1 comes before, is, or comes after that one, by bytes. */
void locus_dictionary_compare(const text_dictionary *dictionary, const char *bytes, int64_t length,
                              int8_t *signs);
/* ranks[i] = the place, counted from 1, of string i + 1 among all, ordered by their bytes. */
int locus_dictionary_rank(const text_dictionary *dictionary, int32_t *ranks, locus_context *cx);

#endif
