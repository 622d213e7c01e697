/* SPDX-License-Identifier: MIT */
/* A few rows of an operand at a time, side by side: where they lie in memory, or, when their
** elements are strided, in a workspace. They are moved together, since neighbouring strided rows
** share cache lines. */
#ifndef LOCUS_PANEL_H
#define LOCUS_PANEL_H

#include "cpu/block/block.h"

enum { PANEL_RUN = 128 }; /* elements of each row that are moved in turn: their lines stay in L1 */

typedef struct panel {
  locus_operand operand; /* its strides lead from row to row */
  int64_t item;          /* bytes of an element */
  int64_t n, step;       /* of a row */
  bool strided;
  char *near;        /* strided rows, n elements apart */
  char *far;         /* the first row in memory */
  int64_t far_apart; /* elements from one row to the next */
} panel;

/* An operand that is not there has no strided rows, and must not be asked for any. */
static inline panel panel_open(bool there, const locus_operand *operand, int64_t n, int64_t step)
{
  panel p = {.n = n, .step = step, .strided = there && step != 1 && n > 1};
  p.operand = *operand;
  p.item = locus_dtype_size(operand->dtype);
  return p;
}

/* Moves on to the rows of a block that lies within the last dimension of their grid. */
static inline void panel_find(panel *p, const walk *w)
{
  p->far = p->operand.data ? operand_at(w, &p->operand, p->item) : (char *)&p->operand.value;
  p->far_apart = p->operand.stride[w->grid->ndim - 1];
}

static inline char *panel_row(const panel *p, int64_t r)
{
  return p->strided ? p->near + r * p->n * p->item : p->far + r * p->far_apart * p->item;
}

static inline int64_t panel_apart(const panel *p)
{
  return p->strided ? p->n : p->far_apart;
}

/* Copies elements begin .. end - 1 of strided rows into the workspace, or back. */
static inline int panel_move_part(const panel *p, int64_t rows, bool near, int64_t begin,
                                  int64_t end, locus_context *cx)
{
  for (int64_t at = begin; p->strided && at < end; at += PANEL_RUN) {
    LOCUS_TRY(locus_poll(cx));
    for (int64_t r = 0; r < rows; r++) {
      char *run = panel_row(p, r) + at * p->item;
      char *far = p->far + (r * p->far_apart + at * p->step) * p->item;
      const int64_t n = least(PANEL_RUN, end - at);
      if (near) gather_run(run, far, p->step, n, p->item);
      else scatter_run(far, p->step, run, n, p->item);
    }
  }
  return 0;
}

static inline int panel_move(const panel *p, int64_t rows, bool near, locus_context *cx)
{
  return panel_move_part(p, rows, near, 0, p->n, cx);
}

#endif
