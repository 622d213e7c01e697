/* SPDX-License-Identifier: MIT */
/* The bits of an input that is contiguous along another dimension than the inner one, as a
** transposed matrix is. Tiles of 64 rows by 64 columns are read down the contiguous columns, and
** then transposed. */
#ifndef LOCUS_MASK_TILES_H
#define LOCUS_MASK_TILES_H

#include "cpu/block/block.h"
#include "cpu/mask/mask.h"

enum { TILE = 64, FEWEST_ROWS = 16 };

/* A grid taken apart at the dimension `along`, whose elements follow each other in memory. Rows
** count through the dimensions up to it, columns through those after it. A block is 64 rows: its
** bits fill whole words. */
typedef struct tiles {
  const locus_mask_job *job;
  mask_run *run;
  uint64_t keep;
  int along;
  int64_t rows, blocks, grain;
  locus_grid columns;
  locus_operand column; /* the input through the columns */
} tiles;

/* Prepares the tiles of a job; false if tiles do not serve it. */
static bool tiles_open(tiles *t, const locus_mask_job *job)
{
  const locus_grid *grid = &job->grid;
  const int inner = grid->ndim - 1;
  int along = inner - 1;

  while (along >= 0 && (job->in.stride[along] != 1 || grid->size[along] < FEWEST_ROWS)) along--;
  if (along < 0 || job->in.stride[inner] == 0 || job->in.stride[inner] == 1) return false;
  t->job = job;
  t->run = mask_runs[width_index(locus_dtype_size(job->in.dtype))];
  t->keep = locus_nonzero_bits(job->in.dtype);
  t->along = along;
  t->rows = t->columns.numel = 1;
  for (int d = 0; d <= along; d++) t->rows *= grid->size[d];
  t->columns.ndim = inner - along;
  for (int d = 0; d < t->columns.ndim; d++) {
    t->columns.size[d] = grid->size[along + 1 + d];
    t->columns.numel *= t->columns.size[d];
    t->column.stride[d] = job->in.stride[along + 1 + d];
  }
  t->blocks = (t->rows + TILE - 1) / TILE;
  t->grain = t->columns.numel < LOCUS_CHUNK / TILE ? LOCUS_CHUNK / TILE / t->columns.numel : 1;
  return true;
}

/* Bit i of word j becomes bit j of word i: quarters change places, then quarters of these. */
static void turn(uint64_t word[TILE])
{
  uint64_t low = 0x00000000ffffffffu;

  for (int half = TILE / 2; half; half /= 2, low ^= low << half) {
    for (int block = 0; block < TILE; block += 2 * half) {
      for (int i = block; i < block + half; i++) {
        const uint64_t changes = (word[i] >> half ^ word[i + half]) & low;
        word[i] ^= changes << half;
        word[i + half] ^= changes;
      }
    }
  }
}

/* Sets n bits from bit `at`, which were 0. */
static inline void put_bits(uint64_t *bits, int64_t at, uint64_t word, int64_t n)
{
  const int shift = (int)(at % 64);
  bits[at / 64] |= word << shift;
  if (shift + n > 64) bits[at / 64 + 1] |= word >> (64 - shift);
}

/* The distance from the first element of the input to that of a row. */
static int64_t row_offset(const tiles *t, int64_t row)
{
  int64_t offset = 0;
  for (int d = t->along; d >= 0; d--) {
    offset += row % t->job->grid.size[d] * t->job->in.stride[d];
    row /= t->job->grid.size[d];
  }
  return offset;
}

/* The bits of at most 64 rows that follow each other along the dimension. If it has 64 elements, 64
** are read of each column. The last tile then begins `back` rows earlier, and their bits are
** dropped. */
static int mask_rows(const tiles *t, int64_t row, int64_t rows, locus_context *cx)
{
  const locus_mask_job *job = t->job;
  const int64_t size = job->grid.size[t->along], at = row % size;
  const int64_t back = size < TILE || at + TILE <= size ? 0 : at + TILE - size;
  const int64_t n = least(TILE, size - at + back), item = locus_dtype_size(job->in.dtype);
  const char *first = job->in.data + (row_offset(t, row) - back) * item;
  uint64_t word[TILE];
  int64_t offset[TILE];
  walk w;

  walk_begin(&w, &t->columns, NULL, 0);
  w.most = TILE;
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    walk_offsets(&w, t->column.stride, offset);
    memset(word, 0, sizeof word);
    for (int64_t i = 0; i < w.count; i++) {
      t->run(first + offset[i] * item, n, t->keep, &word[i]);
      word[i] >>= back;
    }
    turn(word);
    for (int64_t i = 0; i < rows; i++)
      put_bits(job->bits, (row + i) * t->columns.numel + w.at, word[i], w.count);
  }
  return 0;
}

static int tiles_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const tiles *t = what;
  const int64_t last = least(end * TILE, t->rows), words = t->columns.numel;
  const int64_t size = t->job->grid.size[t->along];
  int64_t rows;

  memset(t->job->bits + begin * words, 0, (size_t)((last * words + 63) / 64 - begin * words) * 8);
  for (int64_t row = begin * TILE; row < last; row += rows) {
    rows = least(least(TILE, last - row), size - row % size);
    LOCUS_TRY(mask_rows(t, row, rows, cx));
  }
  return 0;
}

#endif
