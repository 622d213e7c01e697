/* SPDX-License-Identifier: MIT */
/* The search strategies, one file each, and the keys made of values. Tables are indexed by the
** dtype of keys, that of places by the dtype of the sequence. */
#ifndef LOCUS_SEARCH_H
#define LOCUS_SEARCH_H

#include "cpu/search/row.h"

enum { SEARCH_BATCH = 128 }; /* values that go down a tree together */

/* answers[i] = base + the number of keys of the row that count for values[i]; the answers of NaN
** are made later. */
typedef void search_run(const search_row *r, const void *values, int64_t m, bool right,
                        int64_t base, int64_t *answers);

extern search_run *const ISA(search_one)[LOCUS_DTYPES];    /* values one by one */
extern search_run *const ISA(search_steps)[LOCUS_DTYPES];  /* many in lock step */
extern search_run *const ISA(search_tree)[LOCUS_DTYPES];   /* many, down a tree */
extern search_run *const ISA(search_merge)[LOCUS_DTYPES];  /* ascending ones */
extern search_run *const ISA(search_places)[LOCUS_DTYPES]; /* among elements where they lie */

/* Both sides of a row that is not empty, in one walk. */
typedef void search_sides(const search_row *r, const void *values, int64_t m, int64_t base,
                          int64_t *left, int64_t *right);

extern search_sides *const ISA(search_steps_both)[LOCUS_DTYPES];
extern search_sides *const ISA(search_tree_both)[LOCUS_DTYPES];

typedef bool values_are(const void *values, int64_t m);

/* Whether values ascend, none of them NaN. */
extern values_are *const ISA(ascending)[LOCUS_DTYPES];

/* Makes keys of values; answers whether some have none. */
typedef bool keys_from(void *keys, const void *values, int64_t m, bool right);

/* The answers of values without a key, which are `last`, or `first` where all keys come after. */
typedef void keyless_run(const void *values, int64_t m, bool right, int64_t first, int64_t last,
                         int64_t *answers);

/* The functions for values of float64, for those of int64, and for those that are keys already.
** Keys may be NaN; integers, which cannot, have NULL there. */
typedef struct key_functions {
  keys_from *from_f64, *from_i64;
  keyless_run *keyless_f64, *keyless_i64, *keyless_own;
  values_are *any_nan;
} key_functions;

extern const key_functions ISA(key_functions)[LOCUS_DTYPES];

#endif
