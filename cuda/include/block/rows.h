/* SPDX-License-Identifier: MIT */
/* Jobs whose grid lists rows: the grid of all their elements. */
#ifndef LOCUS_CUDA_ROWS_H
#define LOCUS_CUDA_ROWS_H

extern "C" {
#include "core/jobs.h"
}

namespace locus
{

/* The grid with one dimension more, of n, inside the others. There is room for it: the dimension
** along which rows run is none of theirs. */
inline locus_grid with_rows_of(const locus_grid &rows, int64_t n)
{
  locus_grid grid = rows;

  grid.size[grid.ndim++] = n;
  grid.numel *= n;
  return grid;
}

/* The operand over that grid; `step` leads along a row. */
inline locus_operand along_rows(const locus_operand &operand, const locus_grid &grid, int64_t step)
{
  locus_operand wide = operand;
  wide.stride[grid.ndim - 1] = step;
  return wide;
}

} // namespace locus

#endif
