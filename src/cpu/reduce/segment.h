/* SPDX-License-Identifier: MIT */
/* The answers of groups of rows: their state, and the step that adds rows to it. */
#ifndef LOCUS_SEGMENT_H
#define LOCUS_SEGMENT_H

#include "cpu/block/places.h"

/* The state of a group for means, side by side, so that a row of any group waits for one cache
** line. */
typedef struct counted {
  double mean; /* at first the sum */
  int64_t rows;
  double mark;   /* the last element; in a second pass, a factor */
  double spread; /* the sum of squared distances to the mean */
} counted;

/* The state of each group of a part, by its number, counted from 0. It begins as zeros. */
typedef struct totals {
  int64_t groups;
  void *state;    /* sums, elements, truths or numbers of rows, up to 8 bytes for each group; */
  counted *group; /* or these */
  uint8_t *seen;  /* whether there was a row; for means, whether two elements differ */
  bool wanted;    /* whether the next pass is for groups of this part, too */
  bool overflowed, alike; /* whether the mean of a group may have; may be that of equal elements */
} totals;

/* Rows that are taken at once: their groups and elements, or only those at the places `own`. */
typedef struct rows {
  int64_t n;
  const uint32_t *ids;
  const void *x;
  const uint16_t *own; /* NULL: all n */
} rows;

typedef void take_rows(const totals *t, const rows *r);

/* The statement for each of the rows, at place i of ids and elements. */
#define EACH_ROW(r, i, statement)                                \
  do {                                                           \
    const uint16_t *const own_places = (r)->own;                 \
    const int64_t all_rows = (r)->n;                             \
    if (own_places) {                                            \
      for (int64_t own_row = 0; own_row < all_rows; own_row++) { \
        const int64_t i = own_places[own_row];                   \
        statement;                                               \
      }                                                          \
    } else {                                                     \
      for (int64_t i = 0; i < all_rows; i++) {                   \
        statement;                                               \
      }                                                          \
    }                                                            \
  } while (0)

typedef enum spreading { NO_MEANS, MEANS, MEANS_AND_SPREADS } spreading;

/* How an answer is found from elements of some dtype. */
typedef struct method {
  locus_dtype in;  /* of rows; LOCUS_DTYPES: elements are not read */
  locus_dtype out; /* of answers; LOCUS_DTYPES: they are elements, known by the numbers of rows */
  int words;       /* of 8 bytes for each group */
  void (*begin)(const totals *t); /* NULL: a group begins with 0 */
  take_rows *take;                /* over all rows */
  void (*answer)(const totals *t, int64_t first, int64_t n, void *out); /* of n groups */
  spreading finds; /* the step between sums and answers */
  /* Adds to groups begin .. end - 1 the same of rows behind these; NULL: that gives other bits. */
  void (*join)(const totals *t, const totals *more, int64_t begin, int64_t end);
} method;

static inline bool takes_numbers(const method *how)
{
  return how->out == LOCUS_DTYPES;
}

/* Whether most rows have the group of the row before. Then its state stays in a register. That is
** faster than memory, but slower if the processor cannot predict the end of a run. */
static inline bool in_runs(const uint32_t *ids, int64_t n)
{
  int64_t ends = 0;
  for (int64_t i = 1; i < n; i++) ends += ids[i] != ids[i - 1];
  return ends < n / 8;
}

#endif
