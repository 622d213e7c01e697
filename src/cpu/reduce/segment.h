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

/* The state of each group, by its number, counted from 0. It begins as zeros. */
typedef struct totals {
  int64_t at, groups; /* at: how many rows have been taken */
  void *state;        /* sums, elements, truths or places of rows, up to 8 bytes for each group; */
  counted *group;     /* or these */
  uint8_t *seen;      /* whether there was a row; for means, whether two elements differ */
} totals;

/* Takes n more rows: their ids, counted from 0, and their elements x. */
typedef void take_rows(const totals *t, const int64_t *ids, const void *x, int64_t n);

typedef enum spreading { NO_MEANS, MEANS, MEANS_AND_SPREADS } spreading;

/* How an answer is found from elements of some dtype. */
typedef struct method {
  locus_dtype in, out; /* of rows and of answers; LOCUS_DTYPES: elements are not read */
  int words;           /* of 8 bytes for each group */
  void (*begin)(const totals *t, int64_t groups); /* NULL: a group begins with 0 */
  take_rows *take;                                /* over all rows */
  void (*answer)(const totals *t, int64_t first, int64_t n, void *out); /* of n groups */
  spreading finds; /* the step between sums and answers */
} method;

static int take_pass(const locus_segment_job *job, totals *t, const method *how, take_rows *take,
                     locus_context *cx)
{
  const bool looked_at = how->in != LOCUS_DTYPES;
  int64_t groups[BLOCK];
  cursor ids, in;
  walk w;

  cursor_open(&ids, &job->rows, &job->ids, LOCUS_i64);
  if (looked_at) cursor_open(&in, &job->rows, &job->in, how->in);
  walk_begin(&w, &job->rows, (const cursor *[]){&ids, &in}, looked_at ? 2 : 1);
  w.most = BLOCK;
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    t->at = w.at;
    if (!read_places(groups, cursor_read(&ids, &w), w.count, job->base, job->groups.numel))
      return locus_fail_changed(cx, "ids");
    take(t, groups, looked_at ? cursor_read(&in, &w) : NULL, w.count);
  }
  return 0;
}

#endif
