/* SPDX-License-Identifier: MIT */
/* An index of names that lie in files: it finds the number of a string without reading the other
** strings. It is a hash table of open addressing, like a dictionary's, in 32-bit words that lie in
** a file: a head, then the slots, each the number of a name or 0.
**
** The publisher of the names counts them elsewhere. A number beyond that count was left by a
** program that ended before it published: a search takes its slot for empty and overwrites it. So a
** slot that a search passes holds a published name. Strings are compared with the names themselves,
** so a wrong number costs a comparison and nothing else. A missing number would give a name a
** second number, as happens when a power failure loses pages. So the index is void after the next
** boot of the machine, unless all of it was on the disk.
**
** The head carries a checksum of itself, so opening the index notices a damaged key, count or size.
** A search notices an impossible slot: a number below 0 or beyond all that were added. A slot that
** has become 0 or another name's looks like any other, and only a walk over all slots would find
** it. Its name then gets a second number; readers of names take the first one for both
** (dictionary_of). */
#ifndef LOCUS_TEXT_INDEX_H
#define LOCUS_TEXT_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* Names that others may write to: none is longer than the bytes. */
typedef struct text_names {
  const char *bytes;
  int64_t length;
  const int64_t *ends; /* name id ends before byte ends[id - 1], where the next begins */
  int32_t count;
} text_names;

/* The number of words of an index for `names` names. */
int64_t locus_index_words(int64_t names);
/* Makes `count` words an index without a name. */
void locus_index_begin(int32_t *words, int64_t count);
/* Whether the words are an index that holds all of the names, and has room for more. The last ends
** are checked, since new names come behind them: false if they are wrong. */
bool locus_index_holds(const int32_t *words, int64_t count, const text_names *names, int64_t more);
/* The number of the string among the names; 0 if it is none; LOCUS_INDEX_DAMAGED if the search met
** an impossible slot, or a name that does not lie among the bytes. */
enum { LOCUS_INDEX_DAMAGED = -1 };
int32_t locus_index_find(const int32_t *words, int64_t count, const text_names *names,
                         const char *bytes, int64_t length);
/* Marks the index as not wholly on the disk. Called before names are added. */
void locus_index_touch(int32_t *words);
/* Adds a string, as that number; it is none of the names, nor of those added since. */
void locus_index_add(int32_t *words, int64_t count, int32_t id, const char *bytes, int64_t length);
/* Makes the additions durable. Until then a program that opens the index takes it for void. */
void locus_index_seal(int32_t *words, int64_t count);

#endif
