/* SPDX-License-Identifier: MIT */
/* An index of names that lie in files: it finds the number of a string without reading the other
** strings. It is a table of open addressing, as a dictionary's, in 32-bit words that lie in a file,
** too: a head, then the slots, each the number of a name or nothing.
**
** The publisher of the names counts them elsewhere. A number beyond that count was left by a
** program that ended before it published: to a search its slot is empty, and is written over. So a
** slot that a search passes holds a published name. Only the names themselves say which: a wrong
** number costs a look, and nothing else. A missing number would give a name two numbers; pages that
** the machine lost with its power do that. So the words count for nothing after the next start of
** the machine, unless the disk had all of them.
**
** The head carries a checksum of itself, so opening the index notices a damaged key, count or size.
** A slot that no index holds, a number below 0 or beyond all that were added, is noticed when a
** search meets it. A slot that has become empty, or another name's, looks like any other, and only
** a walk over all of them would tell. Its name gets a second number then; readers of names take the
** first one for both (dictionary_of). */
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

/* How many words an index has that takes `names` names. */
int64_t locus_index_words(int64_t names);
/* Makes `count` words an index without a name. */
void locus_index_begin(int32_t *words, int64_t count);
/* Whether the words are an index of the names that holds all of them, and has room for more. The
** last ends are checked, since new names come behind them: false if they are wrong. */
bool locus_index_holds(const int32_t *words, int64_t count, const text_names *names, int64_t more);
/* The number of the string among the names; 0: it is none; LOCUS_INDEX_DAMAGED where the search met
** a slot that no index holds, or a name that does not lie among the bytes. */
enum { LOCUS_INDEX_DAMAGED = -1 };
int32_t locus_index_find(const int32_t *words, int64_t count, const text_names *names,
                         const char *bytes, int64_t length);
/* Says that the disk has no longer all of it: before names are added. */
void locus_index_touch(int32_t *words);
/* Adds a string that is none of the names, nor of those added since, as that number. */
void locus_index_add(int32_t *words, int64_t count, int32_t id, const char *bytes, int64_t length);
/* Makes the additions durable: until then the words count for nothing to a program that opens
** them. */
void locus_index_seal(int32_t *words, int64_t count);

#endif
