/* SPDX-License-Identifier: MIT */
/* Byte strings by number, 1 to n in the order in which they came, and back. The hash is seeded once
** per process, so that nobody can choose strings that collide. */
#ifndef LOCUS_TEXT_DICTIONARY_H
#define LOCUS_TEXT_DICTIONARY_H

#include "core/error.h"

typedef struct text_dictionary text_dictionary;

/* Each takes its memory from core/memory.h, and leaves everything as it was when there is none. */
int locus_dictionary_new(text_dictionary **made, locus_context *cx);
void locus_dictionary_free(text_dictionary *dictionary); /* NULL is fine */

int32_t locus_dictionary_count(const text_dictionary *dictionary);
int64_t locus_dictionary_bytes(const text_dictionary *dictionary); /* of memory that it holds */

/* The number of the string, which is added when it is new. At most 2^31 - 1. */
int locus_dictionary_add(text_dictionary *dictionary, const char *bytes, int64_t length,
                         int32_t *id, locus_context *cx);
/* The same without adding: 0 when it is not there. */
int32_t locus_dictionary_find(const text_dictionary *dictionary, const char *bytes,
                              int64_t length);
/* The string of the number, 1 to count; it stays where it is until one is added. */
const char *locus_dictionary_name(const text_dictionary *dictionary, int32_t id, int64_t *length);

/* ids[i] = the number in `to` of string i + 1 of `from`, 0 where it is not there. */
void locus_dictionary_translate(const text_dictionary *from, const text_dictionary *to,
                                int32_t *ids);
/* ranks[i] = the place, from 1 on, of string i + 1 among all, ordered by their bytes. */
int locus_dictionary_rank(const text_dictionary *dictionary, int32_t *ranks, locus_context *cx);

#endif
