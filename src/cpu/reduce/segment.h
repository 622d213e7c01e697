/* SPDX-License-Identifier: MIT */
/* Folds: the states of groups that answers come from, and the step that adds rows to them. */
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

/* A table: the state of each of some groups, by their number, counted from 0. It begins as
** zeros. */
typedef struct totals {
  int64_t groups;
  void *state;    /* sums, elements, truths or numbers of rows, up to 8 bytes for each group; */
  counted *group; /* or these */
  double *sums;   /* where these are asked beside means; else NULL */
  uint8_t *seen;  /* whether there was a row; for means, whether two elements differ */
  bool wanted;    /* whether the next pass is for groups of this table, too */
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

/* How rows are added to the states of groups. */
typedef struct method {
  locus_dtype in;                 /* of rows; LOCUS_DTYPES: elements are not read */
  bool numbers;                   /* the rows' numbers take the place of elements */
  int64_t bytes;                  /* of the state of a group */
  int cost;                       /* of a row, about, beside those of other methods */
  void (*begin)(const totals *t); /* NULL: a group begins with 0 */
  take_rows *take;                /* over all rows */
  /* Adds to groups begin .. end - 1 the same of rows behind these; NULL: that gives other bits. */
  void (*join)(const totals *t, const totals *more, int64_t begin, int64_t end);
} method;

/* How an answer is found: over which states, how far these must be worked out, and the answers of n
** groups then. out: their dtype; LOCUS_DTYPES: they are elements, known by the numbers of rows. */
typedef struct finding {
  const method *how;
  locus_dtype out;
  spreading finds;
  bool elements; /* every group must have a row */
  void (*answer)(const totals *t, int64_t first, int64_t n, void *out);
} finding;

/* The states of groups over the rows of one column. Several answers may come from them. */
typedef struct fold {
  const method *how;
  const locus_operand *in;
  spreading finds; /* the most that an answer needs */
  bool skips_nan;  /* rows whose element is NaN are not taken */
  bool keeps_sums; /* sums are asked beside means */
  int read;        /* the number of the column among those that are read, */
  int looks;       /* and of the same column as float64, in which NaN is looked for */
  int64_t tables;  /* of groups, or of ranges of rows */
  totals *parts;   /* these */
} fold;

/* The places of the elements that are not NaN; how many these are. */
static inline int64_t find_kept(const double *x, int64_t n, uint16_t *kept)
{
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    kept[count] = (uint16_t)i;
    count += x[i] == x[i];
  }
  return count;
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
