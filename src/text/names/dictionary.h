/* SPDX-License-Identifier: MIT */
/* Byte strings by number, 1 to n in the order in which they came, and back. The hash has random
** keys, drawn once per process; hash.h says which attacks they stop. */
#ifndef LOCUS_TEXT_DICTIONARY_H
#define LOCUS_TEXT_DICTIONARY_H

#include "core/error.h"

typedef struct text_dictionary text_dictionary;

/* Functions that can fail take their memory from core/memory.h. When there is none they change
** nothing, and the call can be repeated. */
int locus_dictionary_new(text_dictionary **made, locus_context *cx);
void locus_dictionary_free(text_dictionary *dictionary); /* NULL is fine */

/* Frees the memory kept for more strings, except the hash table's, if it is a quarter or more of
** the whole. */
void locus_dictionary_trim(text_dictionary *dictionary);

int32_t locus_dictionary_count(const text_dictionary *dictionary);
int64_t locus_dictionary_bytes(const text_dictionary *dictionary); /* of memory that it holds */

/* The number of the string, which is added when it is new. At most 2^31 - 1. */
int locus_dictionary_add(text_dictionary *dictionary, const char *bytes, int64_t length,
                         int32_t *id, locus_context *cx);
/* The numbers of n strings: the same as one by one. It waits for the memory of many at once, which
** halves the time if there are hundreds of thousands of names. Strings added before a failure stay,
** and a repeated call finds them. */
typedef struct text_span {
  const char *bytes;
  int64_t length;
} text_span;
int locus_dictionary_add_many(text_dictionary *dictionary, const text_span *spans, int64_t n,
                              int32_t *ids, locus_context *cx);
/* The same, but a string that `known` has gets its number there. Numbers in the dictionary itself
** are written as ids below 0. */
int locus_dictionary_add_unknown(text_dictionary *dictionary, const text_dictionary *known,
                                 const text_span *spans, int64_t n, int32_t *ids,
                                 locus_context *cx);
/* Forgets its strings and keeps the memory. */
void locus_dictionary_clear(text_dictionary *dictionary);
/* Like add, without adding: 0 when it is not there. */
int32_t locus_dictionary_find(const text_dictionary *dictionary, const char *bytes, int64_t length);
/* The string of the number, 1 to count; it stays in its place until one is added. */
const char *locus_dictionary_name(const text_dictionary *dictionary, int32_t id, int64_t *length);

/* ids[i] = the number in `to` of string i + 1 of `from`, 0 if it is not there. */
void locus_dictionary_translate(const text_dictionary *from, const text_dictionary *to,
                                int32_t *ids);
/* Adds the strings of `from` that the n ids name to `to`, another dictionary, in the order of the
** ids. numbers[i] = the number in `to` of the string of ids[i]; each id is read once.
** translation[i] = the number in `to` of string i + 1 of `from`, 0 if no id names it. An error if
** an id is none of `from`. Strings added before a failure stay, and a repeated call finds them. */
int locus_dictionary_gather(const text_dictionary *from, text_dictionary *to, const int32_t *ids,
                            int64_t n, int32_t *translation, int32_t *numbers, locus_context *cx);

#endif
