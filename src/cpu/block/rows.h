/* SPDX-License-Identifier: MIT */
/* Rows: jobs whose grid lists rows of elements. Short rows are read many at a time. Long ones are
** read from their start by LOCUS_SUM_BLOCK elements, or by many times as many if they need not be
** copied. So the answer for a row depends neither on strides nor on the size of a block. */
#ifndef LOCUS_ROWS_H
#define LOCUS_ROWS_H

#include "cpu/block/block.h"

/* The number of rows of n elements worth sharing: as many as have `grain` elements. It is odd,
** since rows may be cut anywhere. */
static inline int64_t rows_worth(int64_t grain, int64_t n)
{
  return (n > 0 ? grain / n : grain) | 1;
}

/* Gives a grid one more dimension, inside the others, along which operand i has steps[i]; it is
** merged with the last one where all operands allow. */
static inline void grid_extend(locus_grid *grid, int64_t size, locus_operand *const *operands,
                               const int64_t *steps, int count)
{
  int last = grid->ndim - 1;
  bool follows = true;

  if (size == 1) return;
  for (int i = 0; i < count; i++)
    if (operands[i]->stride[last] != steps[i] * size) follows = false;
  if (!follows && grid->size[last] != 1) grid->size[++last] = 1;
  for (int i = 0; i < count; i++) operands[i]->stride[last] = steps[i];
  grid->size[last] *= size;
  grid->numel *= size;
  grid->ndim = last + 1;
}

/* The rows of an input, one after the other. */
typedef struct row_reader {
  locus_grid grid; /* all elements: the rows, then the dimensions along one */
  locus_operand operand;
  int64_t n;    /* elements of a row, not 0 */
  int64_t item; /* bytes of an element as it is handed out */
  int64_t ready;
  const char *next; /* `ready` elements that have been read and not handed out */
  cursor in;
  walk w;
} row_reader;

/* `along` are the grid and strides of one row. */
static inline void rows_open(row_reader *r, const locus_grid *rows, const locus_operand *in,
                             const locus_grid *along, const int64_t *steps, locus_dtype dtype)
{
  r->grid = *rows;
  r->operand = *in;
  for (int d = 0; d < along->ndim; d++)
    grid_extend(&r->grid, along->size[d], (locus_operand *[]){&r->operand}, &steps[d], 1);
  r->n = along->numel;
  r->item = locus_dtype_size(dtype);
  r->ready = 0;
  cursor_open(&r->in, &r->grid, &r->operand, dtype);
  walk_begin(&r->w, &r->grid, (const cursor *[]){&r->in}, 1);
}

/* The next piece of the row after its first `seen` elements: all of a short row; whole blocks of
** LOCUS_SUM_BLOCK of a long one, except the last. */
static inline const void *rows_next(row_reader *r, int64_t seen, int64_t *count)
{
  const char *piece;

  if (r->ready == 0) {
    r->w.most = r->n <= LOCUS_SUM_BLOCK
                    ? LOCUS_SUM_BLOCK / r->n * r->n
                    : least(r->in.direct ? DIRECT_BLOCK : LOCUS_SUM_BLOCK, r->n - seen);
    walk_next(&r->w);
    r->next = cursor_read(&r->in, &r->w);
    r->ready = r->w.count;
  }
  piece = r->next;
  *count = least(r->ready, r->n - seen);
  r->next += *count * r->item;
  r->ready -= *count;
  return piece;
}

/* Goes back to the start of the row that has been handed out to its end. */
static inline void rows_back(row_reader *r)
{
  if (r->n > LOCUS_SUM_BLOCK) {
    walk_seek(&r->w, r->w.at + r->w.count - r->n);
    return;
  }
  r->next -= r->n * r->item;
  r->ready += r->n;
}

/* Passes over the rest of the row. */
static inline void rows_skip(row_reader *r, int64_t seen)
{
  if (r->n > LOCUS_SUM_BLOCK) r->w.count += r->n - seen;
}

#endif
