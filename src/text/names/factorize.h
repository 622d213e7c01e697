/* SPDX-License-Identifier: MIT */
/* Elements by number, 1 to n in the order in which they first come. Equal elements have one number:
** NaN equals NaN, -0 equals 0, and complex numbers are equal where both parts are.
**
** Factorize: numbers for elements by hashing. An element becomes a key of 64 bits, equal where
** elements are equal (keys.h). Two tables map keys to numbers:
**
**   direct addressing   direct[key - low] = number        keys of a narrow range
**   open addressing     slot = (key, number)              all others
**
** Probing is linear, and cyclic within a cache line first: four slots of 16 bytes are one line, and
** a line that has been fetched is searched whole before the next one.
**
**   line i | slot 0 | slot 1 | slot 2 | slot 3 | the first slot is 2: probes go 2, 3, 0, 1, line i
**   + 1 | slot 0 | ... then to slot 2 of line i + 1
**
** The hash is one multiplication of 64 by 64 bits with random keys, folded (hash.h); its highest
** bits are the slot. Elements of 16 bytes have a table for each half, and a third for the pairs of
** numbers that those two give.
**
** Values that are only looked for (isin) meet a filter first: a Bloom filter with one
** hash function and 16 bits per slot. Few bits are set, so most keys that are not there never reach
** the slots.
**
** Invariants: a slot is never emptied, and at most half of the slots are in use (5 of 8 of a large
** table), so each probe ends at the key or at an empty slot. Numbers are 1 to n in the order of the
** first appearance. Room for a whole block of KEY_BLOCK new keys is made before the block begins,
** so nothing can fail within it.
**
** Sources: D. Knuth, The Art of Computer Programming, volume 3, 1998, section 6.4 (algorithm L); B.
** Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", CACM 13 (1970). */
#ifndef LOCUS_TEXT_FACTORIZE_H
#define LOCUS_TEXT_FACTORIZE_H

#include "core/tensor.h"
#include "text/names/keys.h"

/* A column on the CPU, its elements one behind the other. */
typedef struct key_column {
  const char *elements;
  int64_t count;
} key_column;

/* ids[i] = the number of element i of `keys`. `firsts`, an empty int64 tensor, grows and gets the
** first row of each number, counted from 1. found[i] = the number of element i of `values`, of the
** same dtype, 0 if it is none of the keys. At most 2^31 - 1 numbers. `names`: an error if keys,
** which are integers, are not all 1 .. names; negative: they may be any. */
int locus_factorize(locus_dtype dtype, const key_column *keys, int64_t names, int32_t *ids,
                    locus_tensor *firsts, const key_column *values, int32_t *found,
                    locus_context *cx);

/* The same of rows of several integers, digits of a key each: the product of their counts must be
** less than 2^62. An error where one is none of those that its digit says. */
int locus_factorize_rows(const key_digit *digits, int count, int64_t rows, int32_t *ids,
                         locus_tensor *firsts, locus_context *cx);

/* there[i] = whether element i of `values`, of the same dtype, is one of the keys. */
int locus_is_among(locus_dtype dtype, const key_column *keys, const key_column *values, bool *there,
                   locus_context *cx);

#endif
