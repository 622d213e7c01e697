/* SPDX-License-Identifier: MIT */
/* The order in which a runner meets the elements of its grid: in blocks. A walk in grid order takes
** a number of consecutive elements at a time. If the order is free, a block may be a tile, rows by
** columns of two dimensions. It is a piece of one row if rows are long. If operands are transposed
** to each other, it is a rectangle that is compact in each of them. */
#ifndef LOCUS_WALK_H
#define LOCUS_WALK_H

#include "cpu/block/kernel.h"

enum { BLOCK = 1024, DIRECT_BLOCK = 64 * BLOCK };
enum { DIRECT_ROW = 128, TILE_ROWS = 16 };

typedef struct walk {
  const locus_grid *grid;
  int64_t at;    /* in grid order: the number of the block's first element; else of the next tile */
  int64_t count; /* elements of the block */
  int64_t end;   /* the number of the element, or tile, at which the walk ends */
  int64_t most;  /* elements of a block in grid order */
  int64_t index[LOCUS_MAX_DIMS]; /* of the block's first element */
  bool tiled;
  int across;            /* tiles have rows of this dimension and columns of the last one, */
  int64_t rows, columns; /* their numbers, less at the grid's edges */
} walk;

/* Starts at the first element, in grid order. */
static inline void walk_start(walk *w, const locus_grid *grid, int64_t most)
{
  w->grid = grid;
  w->at = w->count = 0;
  w->end = grid->numel;
  w->most = most;
  w->tiled = false;
  w->across = 0;
  w->rows = 1;
  memset(w->index, 0, (size_t)grid->ndim * sizeof w->index[0]);
}

static inline void walk_advance(walk *w)
{
  const locus_grid *grid = w->grid;
  int64_t carry = w->count;

  w->at += w->count;
  for (int d = grid->ndim - 1; d >= 0 && carry; d--) {
    int64_t sum = w->index[d] + carry;
    if (d == 0 || sum < grid->size[d]) {
      w->index[d] = sum;
      return;
    }
    carry = sum / grid->size[d];
    w->index[d] = sum % grid->size[d];
  }
}

/* The dimension along which the operand's elements lie closer together than along the last one, the
** closest if there are several; -1 if there is none. */
static inline int nearer_dimension(const locus_grid *grid, const locus_operand *operand)
{
  int64_t near = llabs(operand->stride[grid->ndim - 1]);
  int dimension = -1;

  for (int d = grid->ndim - 2; d >= 0; d--) {
    if (operand->stride[d] == 0 || llabs(operand->stride[d]) >= near) continue;
    near = llabs(operand->stride[d]);
    dimension = d;
  }
  return dimension;
}

/* The dimension that gives tiles of that many columns their rows: the last but one, or, where that
** would make small tiles, the longest. */
static inline int dimension_across(const locus_grid *grid, int64_t columns)
{
  int across = grid->ndim - 2;

  if (columns * grid->size[across] >= BLOCK / 4) return across;
  for (int d = 0; d < grid->ndim - 1; d++)
    if (grid->size[d] > grid->size[across]) across = d;
  return across;
}

static inline int64_t tile_step(const walk *w, int d)
{
  if (d == w->grid->ndim - 1) return w->columns;
  return d == w->across ? w->rows : 1;
}

/* Makes it a walk by tiles of that many rows and columns. */
static inline void walk_by_tiles(walk *w, int across, int64_t rows, int64_t columns)
{
  const int64_t *size = w->grid->size;

  w->tiled = true;
  w->across = across;
  w->rows = rows;
  w->columns = columns;
  w->end = 1;
  for (int d = 0; d < w->grid->ndim; d++)
    w->end *= (size[d] + tile_step(w, d) - 1) / tile_step(w, d);
}

/* Makes it, in a grid of several dimensions, a walk by tiles of at most BLOCK elements. `nearer` is
** the answer of nearer_dimension for some operand; a very short dimension is not followed. */
static inline void walk_freely(walk *w, int nearer)
{
  const int64_t *size = w->grid->size, row = size[w->grid->ndim - 1];

  if (nearer >= 0 && size[nearer] >= 4 && row * size[nearer] >= BLOCK / 4) {
    const int64_t columns = least(row, BLOCK / least(TILE_ROWS, size[nearer]));
    walk_by_tiles(w, nearer, least(size[nearer], BLOCK / columns), columns);
  } else if (row >= DIRECT_ROW) {
    walk_by_tiles(w, 0, 1, least(row, BLOCK));
  } else {
    const int across = dimension_across(w->grid, row);
    walk_by_tiles(w, across, least(size[across], BLOCK / row), row);
  }
}

static inline int64_t tile_rows(const walk *w)
{
  return least(w->rows, w->grid->size[w->across] - w->index[w->across]);
}

static inline int64_t tile_columns(const walk *w)
{
  const int last = w->grid->ndim - 1;
  return least(w->columns, w->grid->size[last] - w->index[last]);
}

static inline bool tile_next(walk *w)
{
  const locus_grid *grid = w->grid;

  if (w->at == w->end) return false;
  for (int d = w->count ? grid->ndim - 1 : -1; d >= 0; d--) {
    w->index[d] += tile_step(w, d);
    if (w->index[d] < grid->size[d]) break;
    w->index[d] = 0;
  }
  w->at++;
  w->count = tile_rows(w) * tile_columns(w);
  return true;
}

/* Moves on to the next block; false at the end. */
static inline bool walk_next(walk *w)
{
  if (w->tiled) return tile_next(w);
  if (w->count) walk_advance(w);
  w->count = least(w->most, w->end - w->at);
  return w->count > 0;
}

/* Takes a walk in grid order to the element of that number, from where the next block begins. */
static inline void walk_seek(walk *w, int64_t at)
{
  memset(w->index, 0, (size_t)w->grid->ndim * sizeof w->index[0]);
  w->at = 0;
  w->count = at;
  walk_advance(w);
  w->count = 0;
}

/* Limits a walk that has not begun to the elements begin .. end - 1 of the grid. A walk by tiles
** takes the same share of these, in whole tiles. */
static inline void walk_within(walk *w, int64_t begin, int64_t end)
{
  const locus_grid *grid = w->grid;
  const double tiles = (double)w->end, numel = (double)grid->numel;

  if (!w->tiled) {
    walk_seek(w, begin);
    w->end = end;
    return;
  }
  w->at = (int64_t)((double)begin / numel * tiles);
  w->end = (int64_t)((double)end / numel * tiles);
  for (int64_t d = grid->ndim - 1, tile = w->at; d >= 0; d--) {
    const int64_t step = tile_step(w, (int)d), along = (grid->size[d] + step - 1) / step;
    w->index[d] = tile % along * step;
    tile /= along;
  }
}

/* The distance of the block's first element from the operand's first one, in elements. */
static inline int64_t walk_offset(const walk *w, const int64_t *stride)
{
  int64_t offset = 0;
  for (int d = 0; d < w->grid->ndim; d++) offset += w->index[d] * stride[d];
  return offset;
}

/* The same for every element of a block in grid order. */
static inline void walk_offsets(const walk *w, const int64_t *stride, int64_t *offset)
{
  const int inner = w->grid->ndim - 1;
  const int64_t step = stride[inner];
  walk at = *w;

  for (int64_t left = w->count; left > 0; left -= at.count) {
    const int64_t first = walk_offset(&at, stride);
    at.count = least(left, w->grid->size[inner] - at.index[inner]);
    for (int64_t i = 0; i < at.count; i++) *offset++ = first + i * step;
    walk_advance(&at);
  }
}

#endif
